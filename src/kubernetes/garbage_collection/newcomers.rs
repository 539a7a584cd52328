//! Dependents that somebody makes again and again while their owner is being deleted.

use crate::facts::{Dependent, Facts, Known, Readable, SETTLE, each, since};
use crate::kubernetes::garbage_collection::WaitingOwner;
use crate::survey::Object;
use jiff::SignedDuration;

/// How long after its deletion an owner has none but old dependents, where nobody makes new ones.
const OLD_ONES_GO: SignedDuration = SignedDuration::from_secs(60);
/// What was made within this time is about to be deleted. What is older is held by something.
const JUST_NOW: SignedDuration = SignedDuration::from_secs(60);
/// How many of them are read whole.
const MAX_READ: usize = 2;

/// A dependent that was made after the deletion of its owner.
#[derive(Debug)]
pub(crate) struct Newcomer<'s> {
    pub(crate) dependent: Dependent<'s>,
    /// As whom it was made, where it is still there and that shows.
    pub(crate) maker: Option<String>,
}

/// What `owner` waits for, where all of that was made after its deletion and a moment ago: none is
/// late, and another comes for each that goes. The first few alone are read.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn newcomers<'s>(owner: &WaitingOwner<'s>, facts: &Facts<'s>) -> Known<Vec<Newcomer<'s>>> {
    let Some(asked) = owner.owner.object.deletion_asked() else { return Ok(Vec::new()) };
    let is_new = |dependent: &Dependent<'_>| {
        let made = dependent.seen.object.metadata.creation_timestamp;
        made.is_some_and(|made| since(asked, made) > OLD_ONES_GO && since(made, facts.now()) <= JUST_NOW)
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

/// Whether a dependent was made a moment ago: the garbage collector need not have seen it.
pub(super) fn is_unseen(dependent: &Object, facts: &Facts<'_>) -> bool {
    dependent.metadata.creation_timestamp.is_some_and(|made| since(made, facts.now()) <= SETTLE)
}

/// Who made an object: the first that wrote to it, within the second in which it was made.
fn maker(object: &Object) -> Option<String> {
    let made = object.metadata.creation_timestamp?;
    let first = object.managers().filter_map(|manager| Some((manager.time?, manager.name))).min()?;
    (since(made, first.0) <= SignedDuration::from_secs(1)).then_some(first.1)
}
