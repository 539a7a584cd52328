//! `verify`: whether a repair has worked: the object is gone, nothing was stranded, and the next
//! deletion of the kind would work.

use super::call::Arguments;
use super::facts::FactList;
use super::fit::ToolAnswer;
use super::plans;
use crate::cli::Cli;
use crate::commands::source::{Diagnosed, Live};
use crate::commands::words;
use crate::failure::Failure;
use crate::read::gather::{Freshness, listed};
use crate::report::{Report, Sentence, State, TargetReport};
use crate::survey::{Cascade, Form, Purpose, Survey, TargetName, Want};

/// How many other objects of a kind are checked to predict the next deletion.
const SAMPLES: usize = 3;

const GONE: &str = "gone";
const STRANDED: &str = "stranded";
const NEXT: &str = "nextDeletionWorks";
const NOT_KNOWN: &str = "not known";

/// The answer about one object.
///
/// # Errors
/// When no object is named, or the cluster cannot be read.
pub(super) async fn verify(cli: &Cli, call: &Arguments) -> Result<ToolAnswer, Failure> {
    if cli.options.from.is_some() {
        return Err(Failure::unknown("verify needs a cluster: the server reads a file (--from)")
            .hint("start the server without --from"));
    }
    let page = call.page()?;
    let mut cli = call.place(cli)?;
    let named = words::parse(&call.words())?;
    if named.len() != 1 {
        return Err(Failure::unknown("verify needs one object"));
    }
    let live = Live::connect(&cli, named).await?;
    let asked = live.diagnose(Freshness::Consistent).await?;
    let (Some(target), Some(name)) = (asked.report.targets.first(), asked.survey.targets.first()) else {
        return Err(Failure::unknown("verify needs one object"));
    };
    let mut facts = FactList::default();
    gone(target, call.uid.as_deref(), &mut facts);
    causes("holds it", &asked.report, &mut facts);
    if matches!(target.state, State::Stuck | State::Unknown) {
        facts.commands.extend(plans::approval(&target.object, &asked.report));
    }
    let is_namespace = name.resource.is("", "namespaces");
    cli.connection.namespace = if is_namespace { Some(name.name.clone()) } else { name.namespace.clone() };
    let left = stranded(&cli, &mut facts).await?;
    let next = if is_namespace { apis(&cli, &mut facts).await? } else { others(&cli, &live, name, &mut facts).await? };
    let mut surveys = vec![&asked.survey, &left];
    surveys.extend(&next);
    Ok(facts.answer(page, &surveys))
}

/// Whether the object is gone, or another one with its name exists.
fn gone(target: &TargetReport, uid: Option<&str>, facts: &mut FactList) {
    let other = uid.is_some_and(|uid| !target.object.uid.is_empty() && target.object.uid != uid);
    let object = &target.object;
    let (verdict, said) = match target.state {
        State::Gone => ("yes", format!("{object} does not exist")),
        _ if other => ("yes", format!("{object} was created again in the meantime, with uid {}", object.uid)),
        State::NotDeleting | State::WouldGo | State::WouldHang => (
            "no",
            format!(
                "{object} exists and is not being deleted: it was never deleted, or was created again; uid {}",
                object.uid
            ),
        ),
        State::Stuck | State::Progressing | State::Unknown => ("no", facts.scribe.say(&target.summary).to_string()),
    };
    facts.verdicts.insert(GONE.into(), verdict.into());
    facts.add(&format!("{:?}", target.state), said);
}

/// Whether objects in its namespace were left without their namespace or owner.
async fn stranded(cli: &Cli, facts: &mut FactList) -> Result<Survey, Failure> {
    let live = Live::connect_for(cli, Purpose::orphans(cli.connection.namespace.clone())).await?;
    let Diagnosed { survey, report } = live.look_for_orphans(|_| false).await?;
    let left = causes("left behind", &report, facts);
    let verdict = match (left, unread(&report, facts)) {
        (0, 0) => "no",
        (0, _) => NOT_KNOWN,
        _ => "yes",
    };
    facts.verdicts.insert(STRANDED.into(), verdict.into());
    Ok(survey)
}

/// Whether namespaces can be emptied: the aggregated APIs answer. The content of a namespace is not
/// checked.
async fn apis(cli: &Cli, facts: &mut FactList) -> Result<Option<Survey>, Failure> {
    let live = Live::connect_for(cli, Purpose::Apis).await?;
    let Diagnosed { survey, report } = live.diagnose(Freshness::Cached).await?;
    let verdict = match (causes("would hold every namespace", &report, facts), unread(&report, facts)) {
        (0, 0) => {
            facts.add("next deletion", "all aggregated APIs answer; preflight says what would hold a namespace");
            "yes"
        }
        (0, _) => NOT_KNOWN,
        _ => "no",
    };
    facts.verdicts.insert(NEXT.into(), verdict.into());
    Ok(Some(survey))
}

/// Whether other objects of its kind could be deleted now: a few are checked.
async fn others(cli: &Cli, live: &Live, name: &TargetName, facts: &mut FactList) -> Result<Option<Survey>, Failure> {
    let samples = samples(live, name).await;
    if samples.is_empty() {
        facts.verdicts.insert(NEXT.into(), NOT_KNOWN.into());
        facts.add(
            "next deletion",
            format!(
                "no other object of {} exists to try it with: run preflight on the next one",
                name.resource.short()
            ),
        );
        return Ok(None);
    }
    let foreseeing = Live::connect_for(cli, Purpose::preflight(Cascade::default())).await?;
    foreseeing.choose(samples);
    let Diagnosed { survey, report } = foreseeing.diagnose(Freshness::Cached).await?;
    for target in &report.targets {
        facts.add("looked at", format!("{}: {:?}", target.object, target.state));
    }
    let states: Vec<State> = report.targets.iter().map(|target| target.state).collect();
    let verdict = match (causes("would hold it", &report, facts), unread(&report, facts)) {
        _ if states.contains(&State::WouldHang) => "no",
        (0, 0) if states.iter().all(|state| *state == State::WouldGo) => "yes",
        _ => NOT_KNOWN,
    };
    facts.verdicts.insert(NEXT.into(), verdict.into());
    Ok(Some(survey))
}

/// Other objects of the kind that are not being deleted, from its own namespace if there are any.
async fn samples(live: &Live, name: &TargetName) -> Vec<TargetName> {
    for namespace in [name.namespace.as_deref(), None] {
        let want = Want::list(&name.resource, namespace, Form::Metadata);
        let all = listed(&live.connected.api, &want, None).await.unwrap_or_default();
        let others = all.iter().filter(|object| !object.is_deleting());
        let others = others.map(|object| TargetName::of(&name.resource, object)).filter(|other| other != name);
        let samples: Vec<TargetName> = others.take(SAMPLES).collect();
        if !samples.is_empty() || namespace.is_none() {
            return samples;
        }
    }
    Vec::new()
}

/// Adds the root causes of a report, with the numbers of screens. Returns how many there are.
fn causes(label: &str, report: &Report, facts: &mut FactList) -> usize {
    let causes = report.root_causes();
    for (cause, number) in causes.iter().zip(1..) {
        for finding in cause {
            facts.say(&format!("{label}, cause {number}"), &finding.summary);
        }
    }
    facts.causes_in_all += causes.len();
    causes.len()
}

/// Adds the unread facts. Returns how many there are.
fn unread(report: &Report, facts: &mut FactList) -> usize {
    for note in &report.unread {
        facts.say("not read, and not known to be empty", &Sentence::from(format!("{}: ", note.what)).then(&note.why));
    }
    report.unread.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::mcp::brief::Page;
    use crate::needs::Draft;
    use crate::report::{Cause, Named, Ref};
    use crate::survey::Discovery;

    fn verdict(state: State, uid: Option<&str>) -> String {
        let named = Named { kind: "Pod".into(), name: "a".into(), ..Named::default() };
        let object = Ref::from(named).with_uid(if state == State::Gone { "" } else { "u1" });
        let target = TargetReport { object, state, since: None, summary: "waits".into() };
        let mut facts = FactList::default();
        gone(&target, uid, &mut facts);
        format!("{} {}", facts.verdicts[GONE], facts.facts[0])
    }

    #[test]
    fn causes_have_the_numbers_of_the_screen() {
        let survey = Survey::new(jiff::Timestamp::UNIX_EPOCH, Discovery::default());
        let mut report = crate::diagnosis::diagnose(&survey, &[]).report;
        let named =
            |kind: &str, name: &str| Ref::from(Named { kind: kind.into(), name: name.into(), ..Named::default() });
        let held = |name: &str, end: &str| {
            let mut finding = Draft::new(Cause::Finalizer, named("Widget", name), format!("{name} waits")).finding;
            finding.broken_link = Some(named("Deployment", end));
            finding
        };
        report.findings = vec![held("a", "x"), held("b", "y"), held("c", "x")];
        let mut facts = FactList::default();
        assert_eq!(causes("holds it", &report, &mut facts), 2);
        assert_eq!(
            facts.facts,
            ["holds it, cause 1: a waits", "holds it, cause 1: c waits", "holds it, cause 2: b waits"]
        );
        assert_eq!(facts.causes_in_all, 2);
        let text = facts.answer(Page::default(), &[&survey]).text;
        assert!(text.contains("root causes: 2\n"), "{text}");
    }

    #[test]
    fn an_object_is_gone_when_it_or_its_uid_is() {
        assert_eq!(verdict(State::Gone, None), "yes Gone: Pod a does not exist");
        assert_eq!(verdict(State::Gone, Some("u0")), "yes Gone: Pod a does not exist");
        assert_eq!(verdict(State::Stuck, Some("u1")), "no Stuck: waits");
        assert!(verdict(State::NotDeleting, Some("u0")).starts_with("yes NotDeleting: Pod a was created again"));
        assert!(verdict(State::NotDeleting, None).starts_with("no NotDeleting: Pod a exists"));
    }
}
