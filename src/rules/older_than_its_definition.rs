//! An object that is older than the definition of its kind: an earlier definition was deleted by
//! force, its objects stayed in the store, and they came back with the new one, with their old
//! deletionTimestamp.

use crate::facts::{Facts, Known, Sweep, Target, flat_each};
use crate::findings::state::created;
use crate::kubernetes::definitions::versions::definition;
use crate::kubernetes::finalizers::late::held_kinds;
use crate::kubernetes::namespaces::is_older_than;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref};
use crate::survey::Seen;

pub(super) const RULE: Rule = Rule::new(
    "older-than-its-definition",
    include_str!("older_than_its_definition.md"),
    &[Explains::Deleted(diagnose)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    for draft in flat_each(held_kinds(target, facts)?, |objects| draft(&objects, facts))? {
        // Other rules report what holds them: they can be released as usual.
        found.add(draft.underway());
    }
    Ok(())
}

fn draft(objects: &[Seen<'_>], facts: &Facts<'_>) -> Known<Option<Draft>> {
    let Some(definition) = definition(objects, facts)? else { return Ok(None) };
    let older: Vec<Seen<'_>> =
        objects.iter().copied().filter(|seen| is_older_than(seen.object, definition.object)).collect();
    let Some(first) = older.first() else { return Ok(None) };
    let refs: Vec<Ref> = older.iter().map(|seen| (*seen).into()).collect();
    let summary = match refs.as_slice() {
        [only] => {
            format!("{only} is older than its definition: left behind when an earlier definition was removed by force")
        }
        _ => format!(
            "{} are older than their definition: left behind when an earlier definition was removed by force",
            Sweep::count(&refs)
        ),
    };
    let draft = Draft::new(Cause::Stranded, refs[0].clone(), summary);
    let draft = created(draft, "", first.object, &refs[0], facts);
    let who = format!("{} was ", definition.object.name());
    let draft = created(draft, &who, definition.object, &definition.into(), facts);
    Ok(Some(draft.remark("a controller that came with the new definition now acts on an old deletion").objects(refs)))
}
