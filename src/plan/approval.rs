//! The steps that somebody agreed to: one type for every way of approval. A step is written only if
//! it is in the set, and a step that was not shown cannot get into it.

use super::identity::WriteIdentity;
use crate::report::{Ref, Remedy, Report, Risk, State, Step, TargetReport};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// The author of an approval.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum By {
    /// A person, who answers questions step by step.
    #[default]
    Person,
    /// `--yes` or `--approve`: agrees to all steps that are shown, up to this risk.
    Rule(Risk),
    /// `--approve-plan`: agrees to the steps of these digests, and to none that is shown later.
    Digest,
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person => f.write_str("a person"),
            Self::Rule(risk) => write!(f, "a rule: up to {risk}"),
            Self::Digest => f.write_str("its digest"),
        }
    }
}

/// The steps that were agreed to, and the conditions under which others may join them.
#[derive(Debug, Default)]
pub struct Approval {
    by: By,
    agreed: HashMap<WriteIdentity, Agreed>,
    first: First,
    /// Whether a step must be about an object that the first report named: the namespace of a target is
    /// not enough.
    only_named: bool,
    /// The paths of the objects that this run has created.
    made: HashSet<String>,
}

/// How a step was shown.
#[derive(Debug, Clone, Copy)]
struct Agreed {
    risk: Risk,
    /// Whether it was not in the first report.
    later: bool,
}

/// The targets of the first report and the objects that it named: by identity, so that no other object can
/// take their place.
#[derive(Debug, Default)]
struct First {
    targets: Vec<Ref>,
    named: HashSet<ObjectKey>,
    /// The namespaces of the named objects.
    namespaces: HashSet<String>,
    steps: HashSet<WriteIdentity>,
}

/// The uid, namespace and name of an object.
type ObjectKey = (String, Option<String>, String);

impl Approval {
    /// Agrees to nothing yet. The `first` report has fixed the `targets`, and may name other objects,
    /// too.
    #[must_use]
    pub fn new(by: By, targets: Vec<Ref>, first: &Report) -> Self {
        Self { by, first: First::of(targets, first), ..Self::default() }
    }

    /// The same approval, which only steps about objects in the first report may join: a deletion takes no
    /// more than was shown.
    #[must_use]
    pub fn of_named_alone(self) -> Self {
        Self { only_named: true, ..self }
    }

    /// Agrees to nothing yet, and no step joins: for the undo of a run.
    #[must_use]
    pub fn of_undo(most: Risk) -> Self {
        Self { by: By::Rule(most), ..Self::default() }
    }

    /// Agrees to a write, which was shown with its risk.
    pub fn agree(&mut self, identity: WriteIdentity, risk: Risk) {
        let later = !self.first.steps.contains(&identity);
        self.agreed.insert(identity, Agreed { risk, later });
    }

    /// Agrees to steps, which were shown with their risk.
    pub fn agree_to<'s>(&mut self, steps: impl IntoIterator<Item = &'s Step>, risk: Risk) {
        for step in steps {
            self.agree(step.identity(), risk);
        }
    }

    /// Adds the steps of `report` that a rule covers, if they are for the targets, or about an object that the
    /// first report named. `may` tells which steps of its remedies, or of its turns, a rule may cover at
    /// all.
    pub fn show(&mut self, report: &Report, may: impl Fn(Option<&Remedy>, &Step) -> bool) {
        let By::Rule(most) = self.by else { return };
        let (places, new) = (self.first.places(&report.targets), self.new_targets(report));
        let of_remedies = report
            .remedies
            .iter()
            .flat_map(|remedy| remedy.steps.iter().map(move |step| (Some(remedy), step, remedy.level())));
        let of_turns = report.order.iter().flat_map(|turn| turn.steps.iter().map(|step| (None, step, turn.risk)));
        let joins = |(remedy, step, risk): &(Option<&Remedy>, &Step, Risk)| {
            *risk <= most
                && may(*remedy, step)
                && self.admits(&step.object, &places)
                && !new.iter().any(|target| concerns(target, &step.object))
        };
        let joining: Vec<_> = of_remedies.chain(of_turns).filter(joins).collect();
        for (_, step, risk) in joining {
            self.agree(step.identity(), risk);
        }
    }

    fn admits(&self, object: &Ref, places: &HashSet<&str>) -> bool {
        let is_inside = || object.namespace.as_deref().is_some_and(|place| places.contains(place));
        let is_of_targets = !self.only_named && is_inside();
        let is_made = || self.made.contains(&object.target().want().path());
        is_of_targets || self.first.names(object) || is_made()
    }

    /// Records that the run has created this object, so that later changes to it are the run's own.
    pub fn has_made(&mut self, object: &Ref) {
        self.made.insert(object.target().want().path());
    }

    /// Whether the write was agreed to.
    #[must_use]
    pub fn permits(&self, identity: &WriteIdentity) -> bool {
        self.agreed.contains_key(identity)
    }

    /// Whether the step was agreed to, at no lower risk than it has now.
    #[must_use]
    pub fn covers(&self, step: &Step, risk: Risk) -> bool {
        self.agreed.get(&step.identity()).is_some_and(|agreed| risk <= agreed.risk)
    }

    /// Whether the same step was agreed to, but for another object of that name, with another old value, or at
    /// a lower risk.
    #[must_use]
    pub fn has_changed(&self, step: &Step, risk: Risk) -> bool {
        let identity = step.identity();
        !self.covers(step, risk) && self.agreed.keys().any(|agreed| agreed.is_namesake_of(&identity))
    }

    /// Whether an object is, or belongs to, a target of `report` that was none when the targets were
    /// fixed.
    #[must_use]
    pub fn is_of_new_target(&self, object: &Ref, report: &Report) -> bool {
        self.new_targets(report).into_iter().any(|target| concerns(target, object))
    }

    /// The targets of `report` that were none when the targets were fixed: objects of other names, or other
    /// objects of the same names; without those that this run has created.
    #[must_use]
    pub fn new_targets<'r>(&self, report: &'r Report) -> Vec<&'r Ref> {
        let fixed: HashSet<&str> = self.first.targets.iter().map(|target| target.uid.as_str()).collect();
        let there = report.targets.iter().filter(|target| target.state != State::Gone);
        let there = there.map(|target| &target.object).filter(|target| !target.uid.is_empty());
        let is_made = |target: &Ref| self.made.contains(&target.target().want().path());
        there.filter(|target| !fixed.contains(target.uid.as_str()) && !is_made(target)).collect()
    }

    /// Whether the first report named this object, with its identity.
    #[must_use]
    pub fn has_named(&self, object: &Ref) -> bool {
        self.first.names(object)
    }

    /// The approval of a write for the record: its author, the risk, and whether the step joined after the first
    /// report.
    #[must_use]
    pub fn record(&self, identity: &WriteIdentity) -> Option<Value> {
        let Agreed { risk, later } = self.agreed.get(identity)?;
        Some(json!({"by": self.by.to_string(), "risk": risk.word(), "later": later}))
    }
}

impl First {
    fn of(targets: Vec<Ref>, report: &Report) -> Self {
        let objects = named(report).chain(&targets);
        let namespaces = objects.clone().filter_map(|object| object.namespace.clone()).collect();
        let named = objects.filter(|object| !object.uid.is_empty()).map(name).collect();
        let steps = steps(report).map(Step::identity).collect();
        Self { targets, named, namespaces, steps }
    }

    /// Whether it names this object, with its identity. An absent namespace is named by the objects stranded
    /// in it.
    fn names(&self, object: &Ref) -> bool {
        if object.uid.is_empty() {
            return is_namespace(object) && self.namespaces.contains(&object.name);
        }
        self.named.contains(&name(object))
    }

    /// The namespaces of the targets, or the targets that are namespaces, as long as these same targets
    /// exist.
    fn places<'f>(&'f self, now: &[TargetReport]) -> HashSet<&'f str> {
        let there: HashSet<&str> = now.iter().map(|target| target.object.uid.as_str()).collect();
        let left = self.targets.iter().filter(|target| !target.uid.is_empty() && there.contains(target.uid.as_str()));
        left.filter_map(
            |target| if is_namespace(target) { Some(target.name.as_str()) } else { target.namespace.as_deref() },
        )
        .collect()
    }
}

fn name(object: &Ref) -> ObjectKey {
    (object.uid.clone(), object.namespace.clone(), object.name.clone())
}

/// Whether an object is the target, or in it.
fn concerns(target: &Ref, object: &Ref) -> bool {
    target.uid == object.uid || (is_namespace(target) && object.namespace.as_ref() == Some(&target.name))
}

fn is_namespace(object: &Ref) -> bool {
    object.resource == "namespaces" && object.api_version == "v1"
}

/// Every step of a report's remedies and turns.
fn steps(report: &Report) -> impl Iterator<Item = &Step> + Clone {
    let of_remedies = report.remedies.iter().flat_map(|remedy| &remedy.steps);
    of_remedies.chain(report.order.iter().flat_map(|turn| &turn.steps))
}

/// Every object that a report names.
fn named(report: &Report) -> impl Iterator<Item = &Ref> + Clone {
    let of_findings = report.findings.iter().flat_map(|finding| {
        let of_evidence = finding.evidence.iter().filter_map(|evidence| evidence.object.as_ref());
        let workload = finding.controller.iter().filter_map(|controller| controller.workload.as_ref());
        std::iter::once(&finding.subject)
            .chain(&finding.waits_for)
            .chain(&finding.blocks)
            .chain(&finding.objects)
            .chain(of_evidence)
            .chain(finding.chain.iter().map(|link| &link.object))
            .chain(workload)
    });
    let of_steps = steps(report).map(|step| &step.object);
    report.targets.iter().map(|target| &target.object).chain(of_findings).chain(of_steps)
}

#[cfg(test)]
mod tests;
