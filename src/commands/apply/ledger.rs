//! The steps dealt with so far in a run, and how they ended.

use crate::plan::WriteIdentity;
use crate::report::{Finding, Ref, Report, Step, StepKind};
use std::collections::{HashMap, HashSet};

/// Identifies a cause in the next report.
pub type CauseKey = (&'static str, Ref, Option<String>);

/// The steps dealt with so far, and how they ended.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the run")]
pub struct Ledger {
    /// Whether each of them was good.
    pub seen: HashMap<WriteIdentity, bool>,
    /// Workloads that were started: they are given their time before anything
    /// harsher is done.
    pub started: Vec<Ref>,
    /// Those of them whose pods are on their way to a node's runtime.
    pub coming: Vec<Ref>,
    /// How many more minutes were given to these.
    pub extensions: u32,
    /// The namespaces that may be touched after a repair: that was agreed to with it.
    pub nudges: HashSet<String>,
    /// That time has passed.
    pub waited: bool,
    /// Something is as it should be now: a new look is worth while.
    pub acted: bool,
    /// Something was done since the last wait for an effect.
    pub fresh: bool,
    /// At the last look another cause held it than before: what was done has its effect.
    pub moved: bool,
    /// The steps that were written and seen to hold.
    pub done: Vec<Step>,
    /// Whether this run has opened admission.
    pub admission: Opened,
    /// A step was refused or failed.
    pub bad: bool,
    /// The causes that were asked about, in this order.
    asked: Vec<CauseKey>,
    /// Those for which something was done since the last wait for an effect: nothing
    /// harsher is done for them before that.
    treated: HashSet<CauseKey>,
    /// Those with a step that was not agreed to: nothing harsher is done in its place.
    left: HashSet<CauseKey>,
}

/// Whether this run has opened admission.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Opened {
    /// No.
    #[default]
    Never,
    /// Some time ago: controllers are given time to go on.
    Before,
    /// Just now: what it refused is planned anew.
    Now,
}

impl Opened {
    /// As it is after a wait.
    pub fn before(self) -> Self {
        if self == Self::Never { Self::Never } else { Self::Before }
    }
}

impl Ledger {
    /// Whether the step was dealt with.
    pub fn has_seen(&self, step: &Step) -> bool {
        self.seen.contains_key(&step.identity())
    }

    /// Whether the step only touches a namespace, and that was agreed to.
    pub fn is_nudge_agreed(&self, step: &Step) -> bool {
        step.kind() == StepKind::NudgeNamespace && self.nudges.contains(&step.object.name)
    }

    /// The place of a cause among those asked about, from 1 on.
    pub fn number(&mut self, finding: &Finding) -> usize {
        let key = key(finding);
        let known = self.asked.iter().position(|asked| *asked == key);
        known.unwrap_or_else(|| {
            self.asked.push(key);
            self.asked.len() - 1
        }) + 1
    }

    /// Whether a cause was asked about.
    pub fn has_asked(&self, finding: &Finding) -> bool {
        self.asked.contains(&key(finding))
    }

    /// Something was done for a cause.
    pub fn treat(&mut self, finding: &Finding) {
        self.treated.insert(key(finding));
    }

    /// A step of a cause was not agreed to.
    pub fn leave(&mut self, finding: &Finding) {
        self.left.insert(key(finding));
    }

    /// Whether a step of a cause was not agreed to.
    pub fn is_left(&self, finding: &Finding) -> bool {
        self.left.contains(&key(finding))
    }

    /// Whether what was done for a cause has not had its time yet.
    pub fn is_treated(&self, finding: &Finding) -> bool {
        self.treated.contains(&key(finding))
    }

    /// The effect of what was done was waited for.
    pub fn has_waited(&mut self) {
        self.fresh = false;
        self.treated.clear();
        self.admission = self.admission.before();
    }

    /// How many causes were asked about.
    pub fn causes(&self) -> usize {
        self.asked.len()
    }
}

/// The root causes of a report, to tell whether they are still the same.
pub fn root_causes(report: &Report) -> HashSet<CauseKey> {
    report.findings.iter().filter(|finding| finding.root).map(key).collect()
}

fn key(finding: &Finding) -> CauseKey {
    (finding.rule, finding.subject.clone(), finding.finalizer.clone())
}
