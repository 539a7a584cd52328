//! The state of each target, from the findings that hold it.

use crate::report::{Cause, Finding, Ref, Sentence, State, TargetReport, Why, count_causes};
use std::collections::HashMap;

/// The findings that hold each target: collected once for all targets.
#[derive(Debug)]
pub(super) struct Holding<'f>(HashMap<&'f Ref, Vec<&'f Finding>>);

impl<'f> Holding<'f> {
    pub(super) fn new(findings: &'f [Finding]) -> Self {
        let mut holding: HashMap<&Ref, Vec<&Finding>> = HashMap::new();
        for finding in findings {
            for target in &finding.blocks {
                let about = holding.entry(target).or_default();
                if !about.last().is_some_and(|last| std::ptr::eq(*last, finding)) {
                    about.push(finding);
                }
            }
        }
        Self(holding)
    }

    /// The findings that hold a target, in their order.
    pub(super) fn about(&self, target: &Ref) -> &[&'f Finding] {
        self.0.get(target).map_or(&[], Vec::as_slice)
    }

    /// Sums up the findings that hold a target.
    pub(super) fn judge(&self, target: &mut TargetReport) {
        if target.state != State::Gone {
            (target.state, target.summary) = verdict(target, self.about(&target.object));
        }
    }
}

/// The state of a target that exists, and its summary, by the findings `about` it.
fn verdict(target: &TargetReport, about: &[&Finding]) -> (State, Sentence) {
    let roots: Vec<&Finding> = about.iter().copied().filter(|finding| finding.is_root_cause()).collect();
    let first = |cause: Cause| about.iter().find(|finding| finding.cause == cause);
    if let Some(root) = roots.first() {
        let summary = match count_causes(&roots) {
            1 => root.summary.clone(),
            causes => format!("{causes} causes, the first: {}", root.summary).into(),
        };
        (State::Stuck, summary)
    } else if let Some(finding) = first(Cause::NotDeleting) {
        (State::NotDeleting, finding.summary.clone())
    } else if let Some(finding) = first(Cause::Progressing) {
        (State::Progressing, finding.summary.clone())
    } else {
        // A hint without proof is better than silence.
        let hint = about.iter().find(|finding| finding.is_trouble() && finding.why != Why::Proven);
        let none = match target.since {
            Some(_) => "nothing that could be read explains why it still exists",
            None => "it could not be read",
        };
        let text = hint.map_or_else(|| none.into(), |finding| finding.summary.clone());
        (State::Unknown, Sentence::from("undecided: ").then(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::Named;

    #[test]
    fn only_a_root_that_is_trouble_makes_a_target_stuck() {
        let pod = Ref::from(Named { kind: "Pod".into(), name: "web".into(), ..Named::default() });
        let state = |cause: Cause, root: bool| {
            let finding = Finding { root, ..Draft::new(cause, pod.clone(), "why").finding };
            let since = Some("2026-01-01T00:00:00Z".parse().unwrap());
            let target = TargetReport { object: pod.clone(), state: State::Unknown, since, summary: "".into() };
            verdict(&target, &[&finding]).0
        };
        assert_eq!(state(Cause::Finalizer, true), State::Stuck);
        assert_eq!(state(Cause::Finalizer, false), State::Unknown);
        assert_eq!(state(Cause::Progressing, true), State::Progressing);
    }

    #[test]
    fn a_likely_reason_is_shown_if_nothing_is_proven() {
        let pod = Ref::from(Named { kind: "Pod".into(), name: "web".into(), ..Named::default() });
        let summary = |why: Why| {
            let finding = Finding { root: false, why, ..Draft::new(Cause::Finalizer, pod.clone(), "why").finding };
            let since = Some("2026-01-01T00:00:00Z".parse().unwrap());
            let target = TargetReport { object: pod.clone(), state: State::Unknown, since, summary: "".into() };
            verdict(&target, &[&finding]).1
        };
        assert_eq!(summary(Why::Likely), "undecided: why");
        assert_eq!(summary(Why::Proven), "undecided: nothing that could be read explains why it still exists");
    }
}
