//! Dependents that the garbage collector cannot delete, and kinds that cannot be listed.

use crate::facts::{Dependent, Facts, Known, each};
use crate::kubernetes::garbage_collection::newcomers::is_unseen;
use crate::kubernetes::garbage_collection::{Hindrance, WaitingOwner, hindrance};
use crate::report::{NoteSubject, and_more_kinds};
use crate::survey::{Resource, Unread};

/// How many dependents of one owner are checked.
pub(crate) const MAX_DEPENDENTS: usize = 50;

/// The blocking dependents that are not being deleted, with the reason. They are checked one after
/// the other, since the first often explains the rest.
pub(crate) fn hindered<'s>(owner: &WaitingOwner<'s>, facts: &Facts<'s>) -> Known<Vec<(Dependent<'s>, Hindrance)>> {
    let idle = owner.idle().filter(|dependent| !is_unseen(dependent.seen.object, facts));
    each(idle.take(MAX_DEPENDENTS), |it| Ok((it, hindrance(it.seen.object, facts)?)))
}

/// The dependents of these kinds, of which there is at least one, in `place`: the first kind is named.
pub(crate) fn unlisted_dependents(kinds: &[(&Resource, &Unread)], place: &str) -> NoteSubject {
    let (first, more) = (&kinds[0].0.id, kinds.len() - 1);
    let text = format!("dependents {place}: {first}{}", and_more_kinds(more));
    if more == 0 { NoteSubject::list(first, text) } else { text.into() }
}

/// Notes in one line which kinds could not be listed; it names the first.
pub(crate) fn note_unread(facts: &Facts<'_>) -> Known {
    let unread = facts.dependents_anywhere()?.unread();
    if let Some((_, why)) = unread.first() {
        facts.note_unread(unlisted_dependents(&unread, "in all namespaces"), why);
    }
    Ok(())
}
