//! An object that is older than the definition of its kind: an earlier definition
//! was made to go by force, its objects stayed in the store, and came back with the
//! new one, with their old deletionTimestamp.

use super::Rule;
use super::held_by_finalizer;
use crate::facts::{Facts, Known, Sweep, Unknown, ago};
use crate::kubernetes::Target;
use crate::kubernetes::definitions::Definition;
use crate::kubernetes::namespaces::is_older_than;
use crate::needs::Findings;
use crate::report::{Cause, Draft, Ref};
use crate::survey::Seen;

pub(super) const RULE: Rule =
    Rule { name: "older-than-its-definition", explanation: include_str!("older_than_its_definition.md"), diagnose };

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let kinds: Vec<Known<Option<Draft>>> =
        held_kinds(target, facts)?.iter().map(|objects| draft(objects, facts)).collect();
    for draft in kinds {
        // What holds them is said by others: they can be released as ever.
        if let Some(draft) = draft? {
            found.add(draft.not_root());
        }
    }
    Ok(())
}

/// What is late here and held by finalizers, by kind.
pub(super) fn held_kinds<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Vec<Seen<'s>>>> {
    let mut kinds: Vec<Vec<Seen<'s>>> = Vec::new();
    let held = held_by_finalizer::waiting(target, facts)?;
    for seen in held.into_iter().filter(|seen| !seen.object.metadata.finalizers.is_empty()) {
        match kinds.iter_mut().find(|kind| kind[0].resource.id == seen.resource.id) {
            Some(kind) => kind.push(seen),
            None => kinds.push(vec![seen]),
        }
    }
    Ok(kinds)
}

/// The definition of a kind; `None` where there is none or it cannot be read:
/// without its age there is nothing to say, and nothing is missed.
pub(super) fn definition<'s>(objects: &[Seen<'s>], facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
    match Definition::metadata_of(objects[0].resource, facts) {
        Err(Unknown::Unread { .. }) => Ok(None),
        known => known,
    }
}

fn draft(objects: &[Seen<'_>], facts: &Facts<'_>) -> Known<Option<Draft>> {
    let Some(definition) = definition(objects, facts)? else { return Ok(None) };
    let older: Vec<Seen<'_>> =
        objects.iter().copied().filter(|seen| is_older_than(seen.object, definition.object)).collect();
    let Some(first) = older.first() else { return Ok(None) };
    let refs: Vec<Ref> = older.iter().map(|seen| (*seen).into()).collect();
    let summary = match refs.as_slice() {
        [only] => format!("{only} is older than its definition: left when an earlier one was removed by force"),
        _ => format!(
            "{} are older than their definition: left when an earlier one was removed by force",
            Sweep::count(&refs)
        ),
    };
    let mut draft = Draft::new(Cause::Stranded, refs[0].clone(), summary);
    if let Some(made) = first.object.metadata.creation_timestamp {
        draft = draft.evidence(format!("created {} ago", ago(made, facts)), &refs[0], "metadata.creationTimestamp");
    }
    if let Some(made) = definition.object.metadata.creation_timestamp {
        let text = format!("{} was created {} ago", definition.object.name(), ago(made, facts));
        draft = draft.evidence(text, &definition.into(), "metadata.creationTimestamp");
    }
    Ok(Some(
        draft.remark("a controller that has come with the new definition now acts on an old deletion").objects(refs),
    ))
}
