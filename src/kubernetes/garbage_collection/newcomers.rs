//! Dependents that are created again and again while their owner is being deleted.

use crate::facts::{Dependent, Facts, Known, Readable, SETTLE, each, is_pod, since};
use crate::kubernetes::garbage_collection::WaitingOwner;
use crate::survey::{Object, Seen, is_collectors};
use jiff::SignedDuration;

/// How long after its deletion an owner may still get dependents without anybody recreating them.
const OLD_ONES_GO: SignedDuration = SignedDuration::from_secs(60);
/// A dependent younger than this is about to be deleted; something holds an older one.
const JUST_NOW: SignedDuration = SignedDuration::from_secs(60);
/// How many newcomers are read whole.
const MAX_READ: usize = 2;

/// A dependent that was created after the deletion of its owner.
#[derive(Debug)]
pub(crate) struct Newcomer<'s> {
    pub(crate) dependent: Dependent<'s>,
    /// The field manager that created it, if it still exists and shows that.
    pub(crate) maker: Option<String>,
}

/// The dependents that `owner` waits for, if all of them were created after its deletion and a
/// moment ago: none is late, and each that is deleted is replaced. Only the first few are read.
pub(crate) fn newcomers<'s>(owner: &WaitingOwner<'s>, facts: &Facts<'s>) -> Known<Vec<Newcomer<'s>>> {
    let Some(asked) = owner.owner.object.deletion_asked() else { return Ok(Vec::new()) };
    let is_new = |dependent: &Dependent<'_>| {
        let made = dependent.seen.object.metadata.creation_timestamp;
        made.is_some_and(|made| since(asked, made) > OLD_ONES_GO && since(made, facts.now()) <= JUST_NOW)
            && !is_held(dependent.seen)
    };
    if !owner.blocking.iter().all(is_new) {
        return Ok(Vec::new());
    }
    each(owner.blocking.iter().take(MAX_READ), |dependent| {
        let whole = facts.whole(dependent.seen).if_readable()?.flatten();
        let whole = whole.filter(|whole| whole.uid() == dependent.seen.object.uid());
        Ok(Newcomer { dependent: *dependent, maker: whole.and_then(maker) })
    })
}

/// Whether a dependent is being deleted and waits for a kubelet, or for a program that must remove its finalizer: then
/// that is asked about first.
fn is_held(Seen { resource, object }: Seen<'_>) -> bool {
    object.is_deleting() && (is_pod(resource) || object.metadata.finalizers.iter().any(|key| !is_collectors(key)))
}

/// Whether a dependent was created a moment ago: the garbage collector need not have seen it.
pub(super) fn is_unseen(dependent: &Object, facts: &Facts<'_>) -> bool {
    dependent.metadata.creation_timestamp.is_some_and(|made| since(made, facts.now()) <= SETTLE)
}

/// The creator of an object: its first field manager, if that wrote within a second of the creation.
fn maker(object: &Object) -> Option<String> {
    let made = object.metadata.creation_timestamp?;
    let first = object.managers().filter_map(|manager| Some((manager.time?, manager.name))).min()?;
    (since(made, first.0) <= SignedDuration::from_secs(1)).then_some(first.1)
}
