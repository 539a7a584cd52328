//! What the rules found for one target.

use super::order::Order;
use crate::needs::{After, Draft, Ring};
use crate::report::{Cause, ObjectNote, Ref, Sentence};
use crate::survey::{Seen, TargetName};

/// What the rules found for one target.
#[derive(Debug, Default)]
pub struct Findings {
    pub(crate) drafts: Vec<Draft>,
    pub(crate) followed: Vec<TargetName>,
    pub(crate) following: bool,
    pub(crate) also_broken: Vec<ObjectNote>,
    pub(crate) waiters: Vec<ObjectNote>,
    order: Order,
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

    /// Whether a finding says why the target is still here: something is wrong, or it is
    /// on its way.
    pub(crate) fn explains_it(&self) -> bool {
        self.drafts.iter().any(|draft| draft.finding.root)
    }

    /// Whether one of the findings from `start` on says that its object is stranded.
    pub(crate) fn is_stranded_since(&self, start: usize) -> bool {
        self.drafts[start..].iter().any(|draft| draft.finding.root && draft.finding.cause == Cause::Stranded)
    }

    /// Has an object that the target waits for looked at as well: what holds it
    /// holds the target.
    pub fn follow(&mut self, seen: Seen<'_>) {
        self.followed.push(TargetName {
            resource: seen.resource.id.clone(),
            namespace: seen.object.metadata.namespace.as_deref().map(ToOwned::to_owned),
            name: seen.object.name().to_owned(),
        });
    }

    /// Puts on record what goes only after what. Gives the rings that this closes.
    pub(crate) fn ordered(&mut self, waits: Vec<After>) -> Vec<Ring> {
        self.order.add(waits)
    }

    /// Whether what takes the finalizer off this object waits in a ring, of which its own
    /// rule speaks.
    #[must_use]
    pub fn is_in_ring(&self, seen: Seen<'_>, finalizer: &str) -> bool {
        self.order.is_in_ring(seen.object.uid(), finalizer)
    }

    /// Whether the one is kept by this finalizer until the other is gone, in a ring.
    #[must_use]
    pub fn waits_in_ring(&self, seen: Seen<'_>, finalizer: &str, on: Seen<'_>) -> bool {
        self.order.waits_in_ring(seen.object.uid(), finalizer, on.object.uid())
    }

    /// Whether this is not the target itself but something that it waits for.
    #[must_use]
    pub fn is_following(&self) -> bool {
        self.following
    }

    /// Where nothing is wrong, nothing is offered but to wait.
    pub(crate) fn leave_alone_what_is_going(&mut self) {
        if self.any_trouble() {
            return;
        }
        for draft in self.drafts.iter_mut().filter(|draft| !draft.finding.root) {
            draft.remedies.retain(|remedy| remedy.steps.is_empty());
        }
    }

    /// Puts on record something broken that has no part in it.
    pub fn also_broken(&mut self, object: Ref, why: impl Into<Sentence>) {
        self.also_broken.push(ObjectNote { object, why: why.into() });
    }
}
