//! What is told before a finalizer comes off that a flag has approved: nobody is asked, and
//! what it guards and what stays behind must be on the record all the same.

use super::consent::Consent;
use super::steps::Plan;
use crate::commands::out;
use crate::knowledge::catalogue;
use crate::kubernetes::outside;
use crate::report::{Action, Finding, Remedy, Step};

/// How many objects are named at most, and how many things outside the cluster.
const MAX_NAMED: usize = 20;

impl Plan<'_> {
    /// Tells it of these steps, all of one class.
    pub(super) fn say_what_comes_off(&self, finding: &Finding, remedy: &Remedy, steps: &[&Step]) {
        if matches!(self.consent, Consent::UpTo(_) | Consent::Exactly) {
            for line in lines(finding, remedy, steps) {
                out::talk(line);
            }
        }
    }
}

fn lines(finding: &Finding, remedy: &Remedy, steps: &[&Step]) -> Vec<String> {
    let removed = steps.iter().find_map(|step| match &step.action {
        Action::RemoveFinalizer(removal) => Some(&removal.finalizer),
        _ => None,
    });
    let Some(finalizer) = removed else {
        return Vec::new();
    };
    let names: Vec<String> = steps.iter().take(MAX_NAMED).map(|step| step.object.to_string()).collect();
    let guards = catalogue::lookup(finalizer).map_or("what it guards is not known", |entry| entry.guards);
    let mut lines = vec![
        format!("finalizer {finalizer} comes off {}{}", names.join(", "), more(steps.len())),
        format!("  it guards: {guards}"),
        format!("  {}: {}", remedy.risk, remedy.consequence),
    ];
    let outside: Vec<String> = finding
        .evidence
        .iter()
        .filter_map(|evidence| {
            let what = evidence.text.strip_prefix(outside::EVIDENCE)?;
            let object = evidence.object.as_ref().unwrap_or(&finding.subject);
            steps
                .iter()
                .any(|step| step.object == *object)
                .then(|| format!("  stays outside the cluster: {what}  ({object})"))
        })
        .collect();
    let count = outside.len();
    lines.extend(outside.into_iter().take(MAX_NAMED));
    if count > MAX_NAMED {
        lines.push(format!("  and {} more outside the cluster", count - MAX_NAMED));
    }
    lines
}

fn more(all: usize) -> String {
    if all > MAX_NAMED { format!(" and {} more", all - MAX_NAMED) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::plan::steps::{nudge_namespace, remove_finalizer};
    use crate::report::{Cause, Named, Ref, Risk};

    #[test]
    fn what_comes_off_is_told_with_what_it_guards_and_what_stays() {
        let service = Ref::from(Named {
            kind: "Service".into(),
            namespace: Some("shop".into()),
            name: "web".into(),
            ..Named::default()
        });
        let key = "service.kubernetes.io/load-balancer-cleanup";
        let step = remove_finalizer::step(&service, &[key.to_owned()], key);
        let evidence = format!("{}load balancer a1.example", outside::EVIDENCE);
        let finding =
            Draft::new(Cause::Finalizer, service.clone(), "waits").evidence(evidence, &service, "status").finding;
        let remedy = Remedy::new(step.clone(), Risk::Leaks, "the load balancer stays");
        let told = lines(&finding, &remedy, &[&step]);
        assert_eq!(told[0], format!("finalizer {key} comes off Service shop/web"));
        assert!(told[1].starts_with("  it guards: ") && !told[1].contains("not known"), "{}", told[1]);
        assert_eq!(told[2], "  leaks: the load balancer stays");
        assert_eq!(told[3], "  stays outside the cluster: load balancer a1.example  (Service shop/web)");
        let nudge = nudge_namespace::step(&service);
        assert!(lines(&finding, &remedy, &[&nudge]).is_empty());
    }
}
