//! Other objects for which a controller waits, or that use the held one.

use crate::facts::{Facts, Known};
use crate::kubernetes::mentions::InTheWay;
use crate::kubernetes::statements::other_objects::trouble_of;
use crate::plan::full_name;
use crate::plugin::COMMAND;
use crate::report::{Need, Ref, Remedy, Sentence, and_more};
use crate::survey::Seen;

/// How many of the objects that a controller waits for are checked.
const MAX_BLOCKERS: usize = 10;

/// The needs that those which are being deleted are gone.
pub(super) fn going(others: &[InTheWay<'_>]) -> Vec<Need> {
    let going = others.iter().filter(|edge| edge.blocker.object.is_deleting());
    going.take(MAX_BLOCKERS).map(|edge| Need::Deleted(edge.blocker.into())).collect()
}

/// The first, and how many more there are.
pub(super) fn named(others: &[InTheWay<'_>]) -> Sentence {
    Sentence::from(&Ref::from(others[0].blocker)).then(and_more(others.len() - 1))
}

/// The trouble that `other` reports about itself, if it is not being deleted: then it is the reason, and not only in
/// the way.
pub(super) fn reports(other: &InTheWay<'_>, facts: &Facts<'_>) -> Known<Sentence> {
    if other.blocker.object.is_deleting() {
        return Ok(Sentence::default());
    }
    let words = trouble_of(other.blocker, facts)?;
    Ok(words.map(|words| Sentence::from(", which says: ").reported(words)).unwrap_or_default())
}

/// The remedy to release an object that is waited for, or to check what keeps it.
pub(super) fn release(other: Seen<'_>) -> Sentence {
    let (named, is_going) = (Ref::from(other), other.object.is_deleting());
    let name = full_name(&named);
    if is_going {
        Sentence::from(format!("release {named} first")).by(format_args!("{COMMAND} {name}"))
    } else {
        Sentence::from(format!("check what {named} waits for, or what needs it"))
            .by(format_args!("kubectl get {name} -o yaml"))
    }
}

/// The remedy before a deletion: delete a user first, or let it use another object.
pub(super) fn free_first(user: &Ref) -> Remedy {
    let title = Sentence::from("delete ").then(user).then(" first, or let it use another one");
    let look = format!("kubectl get {} -o yaml", full_name(user));
    Remedy::command(title, look, "check first whether it is still needed")
}
