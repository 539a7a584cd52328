//! The findings about one target.

use super::order::Order;
use crate::needs::{After, Draft, Ring};
use crate::report::{Cause, ObjectNote, Ref, Sentence};
use crate::survey::{Seen, TargetName};

/// The findings about one target.
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

    /// Adds findings.
    pub fn add_all(&mut self, drafts: impl IntoIterator<Item = Draft>) {
        self.drafts.extend(drafts);
    }

    /// Whether a root cause so far reports trouble.
    #[must_use]
    pub fn any_trouble(&self) -> bool {
        self.drafts.iter().any(|draft| draft.finding.root && draft.finding.is_trouble())
    }

    /// Whether a finding says why the target still exists: there is trouble, or its deletion is under
    /// way.
    pub(crate) fn explains_it(&self) -> bool {
        self.drafts.iter().any(|draft| draft.finding.root)
    }

    /// Whether a finding about the target already says that the deletion of an object for which it waits is under way.
    pub(crate) fn says_it_goes(&self, seen: Seen<'_>) -> bool {
        let names = |draft: &Draft| draft.finding.objects.iter().any(|object| object.uid == seen.object.uid());
        self.following && self.drafts.iter().any(|draft| draft.is_on_its_way() && draft.finding.root && names(draft))
    }

    /// Whether one of the findings from `start` on says that its object is stranded.
    pub(crate) fn is_stranded_since(&self, start: usize) -> bool {
        self.drafts[start..].iter().any(|draft| draft.finding.root && draft.finding.cause == Cause::Stranded)
    }

    /// Has an object that the target waits for diagnosed as well: whatever holds it holds the
    /// target.
    pub fn follow(&mut self, seen: Seen<'_>) {
        self.followed.push(TargetName::of(&seen.resource.id, seen.object));
    }

    /// Adds objects that are deleted only after others. Returns the rings that this closes.
    pub(crate) fn ordered(&mut self, waits: Vec<After>) -> Vec<Ring> {
        self.order.add(waits)
    }

    /// Whether the controller that removes the finalizer from this object waits in a ring, which another rule
    /// reports.
    #[must_use]
    pub fn is_in_ring(&self, seen: Seen<'_>, finalizer: &str) -> bool {
        self.order.is_in_ring(seen.object.uid(), finalizer)
    }

    /// Whether this finalizer keeps the first object until the other is gone, in a ring.
    #[must_use]
    pub fn waits_in_ring(&self, seen: Seen<'_>, finalizer: &str, on: Seen<'_>) -> bool {
        self.order.waits_in_ring(seen.object.uid(), finalizer, on.object.uid())
    }

    /// Whether this is not the target itself but an object that it waits for.
    #[must_use]
    pub fn is_following(&self) -> bool {
        self.following
    }

    /// Keeps only advice to wait if there is no trouble.
    pub(crate) fn leave_alone_what_is_going(&mut self) {
        if self.any_trouble() {
            return;
        }
        for draft in self.drafts.iter_mut().filter(|draft| !draft.finding.root) {
            draft.give_way();
        }
    }

    /// Notes a broken object that does not affect the target.
    pub fn also_broken(&mut self, object: Ref, why: impl Into<Sentence>) {
        self.also_broken.push(ObjectNote { object, why: why.into() });
    }
}
