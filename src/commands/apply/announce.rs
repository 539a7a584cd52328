//! The announcement before a finalizer is removed: what the finalizer guards, and what stays
//! behind. If a flag approved the removal, no question states these facts, but they must be on
//! record.

use super::consent::Consent;
use super::steps::Plan;
use crate::commands::out;
use crate::knowledge::catalogue;
use crate::report::{Action, Finding, Outside, Ref, Remedy, Step, some_of};

/// How many objects are named, and how many things outside the cluster.
const MAX_NAMED: usize = 20;

impl Plan<'_> {
    /// Prints the announcement for `steps`, which are all of one class.
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
    let objects: Vec<&Ref> = steps.iter().map(|step| &step.object).collect();
    let guards = catalogue::lookup(finalizer).map_or("not known", |entry| entry.guards);
    let mut lines = vec![
        format!("removing finalizer {finalizer} from {}", some_of(&objects, MAX_NAMED)),
        format!("  the finalizer guards: {guards}"),
        format!("  {}: {}", remedy.risk, remedy.consequence),
    ];
    let is_released = |outside: &&Outside| steps.iter().any(|step| step.object == outside.object);
    let outside: Vec<&Outside> = finding.outside.iter().filter(is_released).collect();
    let count = outside.len();
    let line = |Outside { what, object }: &&Outside| format!("  stays outside the cluster: {what}  ({object})");
    lines.extend(outside.iter().take(MAX_NAMED).map(line));
    if count > MAX_NAMED {
        lines.push(format!("  and {} more outside the cluster", count - MAX_NAMED));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::plan::steps::{nudge_namespace, remove_finalizer};
    use crate::report::{Cause, Named, Ref, Risk};

    #[test]
    fn removals_are_announced_with_their_consequences() {
        let service = Ref::from(Named {
            kind: "Service".into(),
            namespace: Some("shop".into()),
            name: "web".into(),
            ..Named::default()
        });
        let key = "service.kubernetes.io/load-balancer-cleanup";
        let step = remove_finalizer::step(&service, &[key.to_owned()], key);
        let draft = Draft::new(Cause::Finalizer, service.clone(), "waits");
        let finding = draft.outside("load balancer a1.example", &service, "status").finding;
        let remedy = Remedy::new(step.clone(), Risk::Leaks, "the load balancer stays");
        let told = lines(&finding, &remedy, &[&step]);
        assert_eq!(told[0], format!("removing finalizer {key} from Service shop/web"));
        assert!(told[1].starts_with("  the finalizer guards: ") && !told[1].contains("not known"), "{}", told[1]);
        assert_eq!(told[2], "  leaks: the load balancer stays");
        assert_eq!(told[3], "  stays outside the cluster: load balancer a1.example  (Service shop/web)");
        let nudge = nudge_namespace::step(&service);
        assert!(lines(&finding, &remedy, &[&nudge]).is_empty());
    }
}
