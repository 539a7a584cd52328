//! The content of a target, which is deleted with it.

use crate::facts::{Facts, Gap, Known, Target, all_below};
use crate::kubernetes::definitions::{Definition, Instances};
use crate::needs::Going;
use crate::report::NoteSubject;
use crate::survey::{Cascade, Seen};

/// The objects that are deleted with a target: the content of a namespace, the instances of a definition,
/// and in foreground deletion the dependents that must be deleted first. Kinds that could not be listed
/// are noted.
pub(super) fn content<'s>(target: &Target<'s>, going: &Going<'_>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    if target.is_namespace() {
        return of_namespace(target.object().name(), facts);
    }
    let Some(definition) = Definition::is(target.seen) else {
        return if going.cascade == Cascade::Foreground { dependents(target.seen, facts) } else { Ok(Vec::new()) };
    };
    match definition.instances(facts)? {
        Instances::Listed(all) => Ok(all),
        Instances::Unread { what, why } => Err(Gap { what, why }.into()),
        Instances::Unserved => Ok(Vec::new()),
    }
}

/// The objects in a namespace. Kinds that could not be listed are noted.
pub(super) fn of_namespace<'s>(name: &str, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let sweep = facts.sweep(name)?;
    for (resource, why) in sweep.unread {
        facts.note_unread(NoteSubject::list(&resource.id, format!("{} in namespace {name}", resource.id)), why);
    }
    Ok(sweep.objects)
}

/// The dependents that block the deletion of an owner, and those that block the deletion of these.
fn dependents<'s>(owner: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let all = facts.dependents_near(owner.object)?;
    for (resource, why) in all.unread() {
        facts.note_unread(format!("dependents among {}", resource.id), why);
    }
    let blocking = |owner: Seen<'s>| all.blocking(owner.object).into_iter().map(|dependent| dependent.seen).collect();
    Ok(all_below(owner, blocking, |_, _| true))
}
