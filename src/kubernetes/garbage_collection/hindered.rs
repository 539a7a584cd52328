//! Dependents that nobody can ask to go, and kinds that nobody can list.

use crate::facts::{Dependent, Facts, Known, each};
use crate::kubernetes::garbage_collection::newcomers::is_unseen;
use crate::kubernetes::garbage_collection::{Hindrance, WaitingOwner, hindrance};
use crate::report::and_more_kinds;

/// How many dependents of one owner are judged.
pub(crate) const MAX_DEPENDENTS: usize = 50;

/// The blocking dependents that nobody has asked to go, with the reason. Looked
/// at is one after the other, since of many the first explains the rest.
pub(crate) fn hindered<'s>(owner: &WaitingOwner<'s>, facts: &Facts<'s>) -> Known<Vec<(Dependent<'s>, Hindrance)>> {
    let idle = owner.idle().filter(|dependent| !is_unseen(dependent.seen.object, facts));
    each(idle.take(MAX_DEPENDENTS), |it| Ok((it, hindrance(it.seen.object, facts)?)))
}

/// Says what could not be listed, in one line: a kind is one of many.
pub(crate) fn note_unread(facts: &Facts<'_>) -> Known {
    let unread = facts.dependents_anywhere()?.unread();
    if let Some((resource, why)) = unread.first() {
        let rest = and_more_kinds(unread.len() - 1);
        facts.note_unread(format!("dependents in all namespaces: {}{rest}", resource.id), why);
    }
    Ok(())
}
