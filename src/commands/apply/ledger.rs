//! The steps that a run has dealt with, and their outcomes.

use crate::plan::WriteIdentity;
use crate::report::{Finding, Ref, Remedy, Report, Step, StepKind};
use std::collections::{HashMap, HashSet};

/// The identity of a finding, to recognize its cause in the next report.
pub type AskedCause = (&'static str, Ref, Option<String>);

/// The steps dealt with so far, and their outcomes.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the run")]
pub struct Ledger {
    /// The identities of writes, and whether they succeeded.
    pub seen: HashMap<WriteIdentity, bool>,
    /// Workloads that were started. They get some time before anything harsher is done.
    pub started: Vec<Ref>,
    /// The started workloads whose pods are about to start.
    pub coming: Vec<Ref>,
    /// How many additional minutes the run has waited for these.
    pub extensions: u32,
    /// The namespaces that may be nudged after a repair; the approval of the repair covered them.
    pub nudges: HashSet<String>,
    /// Whether the started workloads have had that time.
    pub waited: bool,
    /// Whether something has changed, so that a new survey is worthwhile.
    pub acted: bool,
    /// Whether something was done since the last wait for an effect.
    pub fresh: bool,
    /// Whether the root causes changed in the last survey, which means that the last step had an
    /// effect.
    pub moved: bool,
    /// The steps that were carried out and verified.
    pub done: Vec<Step>,
    /// Whether this run has made admission more permissive.
    pub admission: Opened,
    /// Whether a step was refused or failed.
    pub bad: bool,
    /// The findings of each cause that the user was asked about, in this order.
    asked: Vec<HashSet<AskedCause>>,
    /// The causes for which something was done since the last wait for an effect. Until the next
    /// wait, nothing harsher is done for them.
    treated: HashSet<AskedCause>,
    /// The causes with a step that was not approved. Nothing harsher is done instead.
    left: HashSet<AskedCause>,
    /// The causes for which a way out was carried out, with its title.
    tried: HashMap<AskedCause, String>,
    /// The titles of the steps of the other ways out of these causes.
    instead: HashSet<String>,
}

/// Whether this run has made admission more permissive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Opened {
    /// No.
    #[default]
    Never,
    /// Some time ago: controllers get time to continue.
    Before,
    /// Just now: requests that admission refused are planned again.
    Now,
}

impl Ledger {
    /// Whether the step was dealt with.
    pub fn has_seen(&self, step: &Step) -> bool {
        self.seen.contains_key(&step.identity())
    }

    /// Notes that these steps were dealt with. None of them has succeeded so far.
    pub fn see<'s>(&mut self, steps: impl IntoIterator<Item = &'s Step>) {
        self.seen.extend(steps.into_iter().map(|step| (step.identity(), false)));
    }

    /// Whether the step only nudges a namespace, and this was approved.
    pub fn is_nudge_agreed(&self, step: &Step) -> bool {
        step.kind() == StepKind::NudgeNamespace && self.nudges.contains(&step.object.name)
    }

    /// The number of a cause among those that the user was asked about, from 1.
    pub fn number(&mut self, cause: &[&Finding]) -> usize {
        let known = self.asked.iter().position(|asked| is_of(asked, cause));
        let place = known.unwrap_or(self.asked.len());
        if known.is_none() {
            self.asked.push(HashSet::new());
        }
        self.asked[place].extend(cause.iter().map(|finding| key(finding)));
        place + 1
    }

    /// Whether the user was asked about a cause.
    pub fn has_asked(&self, cause: &[&Finding]) -> bool {
        self.asked.iter().any(|asked| is_of(asked, cause))
    }

    /// Notes that something was done for a cause.
    pub fn treat(&mut self, cause: &[&Finding]) {
        self.treated.extend(cause.iter().map(|finding| key(finding)));
    }

    /// Notes that a way out of a cause was carried out. The other remedies of the findings that it was for are
    /// alternatives, to which nobody has agreed by agreeing to that one.
    pub fn try_way(&mut self, cause: &[&Finding], tried: &Remedy, report: &Report) {
        self.treat(cause);
        for finding in cause.iter().filter(|finding| finding.remedies.contains(&tried.id)) {
            self.tried.insert(key(finding), tried.title.to_string());
            let others = report.remedies_of(finding).filter(|other| other.id != tried.id);
            self.instead.extend(others.flat_map(|other| &other.steps).map(Step::title));
        }
        for step in &tried.steps {
            self.instead.remove(&step.title());
        }
    }

    /// The title of the way out that was carried out for a cause.
    pub fn tried(&self, cause: &[&Finding]) -> Option<&str> {
        cause.iter().find_map(|finding| self.tried.get(&key(finding))).map(String::as_str)
    }

    /// Whether a remedy is an alternative to one that was carried out.
    pub fn is_instead(&self, remedy: &Remedy) -> bool {
        remedy.steps.iter().any(|step| self.instead.contains(&step.title()))
    }

    /// Notes that a step of a cause was not approved.
    pub fn leave(&mut self, finding: &Finding) {
        self.left.insert(key(finding));
    }

    /// Whether a step of a cause was not approved.
    pub fn is_left(&self, finding: &Finding) -> bool {
        self.left.contains(&key(finding))
    }

    /// Whether steps for a cause may still take effect.
    pub fn is_treated(&self, finding: &Finding) -> bool {
        self.treated.contains(&key(finding))
    }

    /// Notes that the run has waited for the effect of the last steps.
    pub fn has_waited(&mut self) {
        self.fresh = false;
        self.treated.clear();
        if self.admission == Opened::Now {
            self.admission = Opened::Before;
        }
    }

    /// How many causes the user was asked about.
    pub fn causes(&self) -> usize {
        self.asked.len()
    }
}

/// The identities of the root causes of a report, to see whether they change.
pub fn root_causes(report: &Report) -> HashSet<AskedCause> {
    report.findings.iter().filter(|finding| finding.root).map(key).collect()
}

/// Whether one of these findings belongs to this cause.
fn is_of(asked: &HashSet<AskedCause>, cause: &[&Finding]) -> bool {
    cause.iter().any(|finding| asked.contains(&key(finding)))
}

fn key(finding: &Finding) -> AskedCause {
    (finding.rule, finding.subject.clone(), finding.finalizer.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Cause, Named};

    fn finding(name: &str) -> Finding {
        let object = Named { kind: "Widget".into(), name: name.into(), ..Named::default() };
        Draft::new(Cause::Finalizer, Ref::from(object), "waits").finding
    }

    #[test]
    fn a_cause_keeps_its_number_while_one_of_its_findings_is_left() {
        let (api, held, other) = (finding("api"), finding("held"), finding("other"));
        let mut ledger = Ledger::default();
        assert_eq!(ledger.number(&[&api, &held]), 1);
        assert_eq!(ledger.number(&[&other]), 2);
        assert!(ledger.has_asked(&[&held]) && !ledger.has_asked(&[&finding("new")]));
        assert_eq!((ledger.number(&[&held]), ledger.causes()), (1, 2));
    }
}
