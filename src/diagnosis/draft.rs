//! How a rule writes down what it found.

use super::report::{Cause, Certainty, Controller, Evidence, Finding, Link, ObjectNote, Ref};
use crate::plan::Remedy;
use crate::survey::{Seen, TargetName};

/// A finding in the making.
#[derive(Debug, Clone)]
pub struct Draft {
    pub(super) finding: Finding,
    pub(super) remedies: Vec<Remedy>,
}

/// What the rules found for one target.
#[derive(Debug, Default)]
pub struct Findings {
    pub(super) drafts: Vec<Draft>,
    pub(super) followed: Vec<TargetName>,
    pub(super) following: bool,
    pub(super) also_broken: Vec<ObjectNote>,
    pub(super) waiters: Vec<ObjectNote>,
}

impl Findings {
    /// Adds a finding.
    pub fn add(&mut self, draft: Draft) {
        self.drafts.push(draft);
    }

    /// Whether a root cause found so far says that something is wrong.
    #[must_use]
    pub fn any_trouble(&self) -> bool {
        self.drafts.iter().any(|draft| draft.finding.root && draft.finding.is_trouble())
    }

    /// Whether one of the findings from `start` on says that its object is stranded.
    pub(super) fn is_stranded_since(&self, start: usize) -> bool {
        self.drafts[start..].iter().any(|draft| draft.finding.root && draft.finding.cause == Cause::Stranded)
    }

    /// Has an object that the target waits for looked at as well: what holds it
    /// holds the target.
    pub fn follow(&mut self, seen: Seen<'_>) {
        self.followed.push(TargetName {
            resource: seen.resource.id.clone(),
            namespace: seen.object.metadata.namespace.clone(),
            name: seen.object.name().to_owned(),
        });
    }

    /// Whether this is not the target itself but something that it waits for.
    #[must_use]
    pub fn is_following(&self) -> bool {
        self.following
    }

    /// Where nothing is wrong, nothing is offered but to wait.
    pub(super) fn leave_alone_what_is_going(&mut self) {
        if self.any_trouble() {
            return;
        }
        for draft in self.drafts.iter_mut().filter(|draft| !draft.finding.root) {
            draft.remedies.retain(|remedy| remedy.steps.is_empty());
        }
    }

    /// Puts on record something broken that has no part in it.
    pub fn also_broken(&mut self, object: Ref, why: impl Into<String>) {
        self.also_broken.push(ObjectNote { object, why: why.into() });
    }
}

impl Draft {
    /// `subject` waits because of `cause`; a root and proven unless said otherwise.
    #[must_use]
    pub fn new(cause: Cause, subject: Ref, summary: impl Into<String>) -> Self {
        let finding = Finding {
            id: String::new(),
            rule: "",
            cause,
            objects: vec![subject.clone()],
            subject,
            waits_for: None,
            finalizer: None,
            root: true,
            avoidable: false,
            blocks: Vec::new(),
            certainty: Certainty::Proven,
            summary: summary.into(),
            evidence: Vec::new(),
            chain: Vec::new(),
            controller: None,
            owners: Vec::new(),
            remedies: Vec::new(),
        };
        Self { finding, remedies: Vec::new() }
    }

    /// What it waits for.
    #[must_use]
    pub fn waits_for(mut self, object: Ref) -> Self {
        self.finding.waits_for = Some(object);
        self
    }

    /// The finalizer that holds it.
    #[must_use]
    pub fn finalizer(mut self, key: &str) -> Self {
        self.finding.finalizer = Some(key.into());
        self
    }

    /// Who should release it.
    #[must_use]
    pub fn controller(mut self, controller: Controller) -> Self {
        self.finding.controller = Some(controller);
        self
    }

    /// What must work one behind the other, down to the first that does not.
    #[must_use]
    pub fn chain(mut self, links: Vec<Link>) -> Self {
        self.finding.chain = links;
        self
    }

    /// Everything that waits for the same cause; the first is the subject.
    #[must_use]
    pub fn objects(mut self, objects: Vec<Ref>) -> Self {
        self.finding.objects = objects;
        self
    }

    /// The evidence points there but does not prove it.
    #[must_use]
    pub fn likely(mut self) -> Self {
        self.finding.certainty = Certainty::Likely;
        self
    }

    /// It goes away when another finding is repaired.
    #[must_use]
    pub fn not_root(mut self) -> Self {
        self.finding.root = false;
        self
    }

    /// The same, and until then nothing is written for it.
    #[must_use]
    pub fn follows(mut self) -> Self {
        self.remedies.retain(|remedy| remedy.steps.is_empty());
        self.not_root()
    }

    /// Without what was read in a field.
    #[must_use]
    pub fn without(mut self, field: &str) -> Self {
        self.finding.evidence.retain(|evidence| evidence.field.as_deref() != Some(field));
        self
    }

    /// It need not happen: another order of deletion avoids it.
    #[must_use]
    pub fn avoidable(mut self) -> Self {
        self.finding.avoidable = true;
        self
    }

    /// What was read, in which object and field.
    #[must_use]
    pub fn evidence(mut self, text: impl Into<String>, object: &Ref, field: &str) -> Self {
        let field = (!field.is_empty()).then(|| field.to_owned());
        self.finding.evidence.push(Evidence { text: text.into(), object: Some(object.clone()), field });
        self
    }

    /// What weighs more than all evidence so far.
    #[must_use]
    pub fn evidence_first(mut self, text: impl Into<String>, object: &Ref, field: &str) -> Self {
        let field = (!field.is_empty()).then(|| field.to_owned());
        self.finding.evidence.insert(0, Evidence { text: text.into(), object: Some(object.clone()), field });
        self
    }

    /// Its line in other words.
    #[must_use]
    pub fn says(mut self, summary: impl Into<String>) -> Self {
        self.finding.summary = summary.into();
        self
    }

    /// Evidence that is no field of an object.
    #[must_use]
    pub fn remark(mut self, text: impl Into<String>) -> Self {
        self.finding.evidence.push(Evidence { text: text.into(), object: None, field: None });
        self
    }

    /// What is to be done before all other ways to let go of it.
    #[must_use]
    pub fn remedy_first(mut self, remedy: Remedy) -> Self {
        self.remedies.insert(0, remedy);
        self
    }

    /// The next way to let go of it, milder ones first.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }
}
