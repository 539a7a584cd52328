//! The object is paused, so its controller leaves the object alone.

use super::common::{AskedController, Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::facts::Known;
use crate::kubernetes::progress::pauses::{self, Pause, Switch, pause_of};
use crate::plan::{full_name, quote};
use crate::report::{ControllerState, Remedy};
use crate::survey::Seen;
use serde_json::{Value, json};

pub(crate) const REASON: NamedReason = NamedReason::new("paused", include_str!("paused.md"), Stage::Attention);

pub(super) fn ask<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let pause = pause_of(asked.best.seen.object, asked.watches, asked.inquiry)?;
    Ok(pause.map(|pause| REASON.found(move |case| answer(case, &pause)).state(ControllerState::Alive)))
}

/// The suspension of all of `objects`, none of which is a plan for later work.
pub(super) fn suspended<'s>(objects: &[Seen<'s>]) -> Option<FoundReason<'s>> {
    let first = *objects.first()?;
    let plans = |seen: &Seen<'_>| ["/spec/schedule", "/spec/cron"].iter().any(|field| seen.object.at(field).is_some());
    let by = pauses::suspended(first)?;
    let all = objects.iter().all(|seen| pauses::suspended(*seen).is_some() && !plans(seen));
    let pause = Pause { of: first.into(), own: true, by: Some(by), said: None, sure: false };
    all.then(|| REASON.found(move |case| answer(case, &pause)).state(ControllerState::Alive))
}

fn answer<'s>(case: &Case<'_, 's>, pause: &Pause) -> WordedReason<'s> {
    let Pause { of, own, by, said, sure } = pause;
    let because = match by {
        Some(by) if *own => {
            case.name().then(format!(" runs, but ignores the object while it is paused by {}", by.text()))
        }
        Some(by) => {
            let ignores = case.name().then(" runs, but ignores the object while ").then(of);
            ignores.then(format!(", to which it belongs, is paused by {}", by.text()))
        }
        None => "its controller says that it is paused".into(),
    };
    let mut answer = REASON.proven(case, because).proven_if(*sure).waits_for(of.clone()).can_be_mended(true).obeys();
    if let Some(by) = by {
        answer = answer.evidence(by.text(), of, &by.field());
    }
    if let Some(said) = said {
        answer = answer.evidence(said, case.first(), "status.conditions");
    }
    answer.remedies([resume(pause, &case.clean_up())])
}

fn resume(pause: &Pause, clean_up: &str) -> Remedy {
    let Pause { of, own, by, .. } = pause;
    let object = full_name(of);
    let command = match by {
        Some(Switch::Field(name, value)) => {
            let resumed = match (*name, value.starts_with('"')) {
                ("managementState", _) => json!("Managed"),
                (_, true) => json!("false"),
                (_, false) => json!(false),
            };
            let patch: Value = json!({"spec": {*name: resumed}});
            format!("kubectl patch {object} --type=merge -p {}", quote(&patch.to_string()))
        }
        Some(Switch::Annotation(key, _)) => format!("kubectl annotate {object} {}", quote(&format!("{key}-"))),
        Some(Switch::Label(key, _)) => format!("kubectl label {object} {}", quote(&format!("{key}-"))),
        None => {
            let look = format_args!("kubectl describe {object}");
            return Remedy::command("find out what pauses it, and resume it", look, clean_up);
        }
    };
    if *own {
        return Remedy::command("resume the object", command, clean_up);
    }
    let consequence = format!("its controller resumes its work on everything that belongs to {of}; {clean_up}");
    Remedy::command(format!("resume {of}"), command, consequence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    fn pause(by: Option<Switch>, own: bool) -> Pause {
        let of = Named {
            api_version: "acme.io/v1".into(),
            kind: "Fleet".into(),
            resource: "fleets".into(),
            namespace: Some("shop".into()),
            name: "west".into(),
            ..Named::default()
        };
        Pause { of: of.into(), own, by, said: None, sure: false }
    }

    #[test]
    fn each_kind_of_pause_has_its_resume_command() {
        let title = |by: Switch, own: bool| resume(&pause(Some(by), own), "nothing is lost").title.to_string();
        assert_eq!(
            title(Switch::Field("paused", "true".into()), true),
            r#"resume the object: kubectl patch fleets.acme.io/west -n shop --type=merge -p '{"spec":{"paused":false}}'"#
        );
        assert!(
            title(Switch::Field("suspend", "\"True\"".into()), true).ends_with(r#"'{"spec":{"suspend":"false"}}'"#)
        );
        assert_eq!(
            title(Switch::Annotation("acme.io/reconcile".into(), "disabled".into()), false),
            "resume Fleet shop/west: kubectl annotate fleets.acme.io/west -n shop acme.io/reconcile-"
        );
        let evil = title(Switch::Label("acme.io/pa'used".into(), "true".into()), true);
        assert!(evil.ends_with(r"'acme.io/pa'\''used-'"), "{evil}");
    }
}
