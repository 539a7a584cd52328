//! Dependents that the garbage collector cannot delete, and kinds that cannot be listed.

use crate::facts::{Dependent, Facts, Known, each};
use crate::kubernetes::garbage_collection::newcomers::is_unseen;
use crate::kubernetes::garbage_collection::{Hindrance, WaitingOwner, hindrance};
use crate::report::and_more_kinds;

/// How many dependents of one owner are checked.
pub(crate) const MAX_DEPENDENTS: usize = 50;

/// The blocking dependents that are not being deleted, with the reason. They are checked one after
/// the other, since the first often explains the rest.
pub(crate) fn hindered<'s>(owner: &WaitingOwner<'s>, facts: &Facts<'s>) -> Known<Vec<(Dependent<'s>, Hindrance)>> {
    let idle = owner.idle().filter(|dependent| !is_unseen(dependent.seen.object, facts));
    each(idle.take(MAX_DEPENDENTS), |it| Ok((it, hindrance(it.seen.object, facts)?)))
}

/// Notes in one line which kinds could not be listed; it names the first.
pub(crate) fn note_unread(facts: &Facts<'_>) -> Known {
    let unread = facts.dependents_anywhere()?.unread();
    if let Some((resource, why)) = unread.first() {
        let rest = and_more_kinds(unread.len() - 1);
        facts.note_unread(format!("dependents in all namespaces: {}{rest}", resource.id), why);
    }
    Ok(())
}
