//! What cannot be listed now already, so that the target would not be known to be empty.

use crate::facts::{Facts, Known, SETTLE, Target};
use crate::kubernetes::aggregation::served_from;
use crate::kubernetes::definitions::Definition;
use crate::needs::{Explains, Findings, Going, Outlook, Rule};
use crate::report::{Cause, Ref};
use crate::rules::RULES;
use crate::survey::Seen;

/// Asks the rules about lists as if the target were being deleted.
pub(super) fn look(target: &Target<'_>, going: &Going<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    if !target.is_namespace() && Definition::is(target.seen).is_none() {
        return Ok(());
    }
    let mut object = target.object().clone();
    // A time so long ago that everything is late and looked into: also what the store lists and the
    // cache, from which controllers list, does not.
    object.metadata.deletion_timestamp = facts.now().checked_sub(SETTLE * 4).ok();
    let deleted = Target { seen: Seen { resource: target.seen.resource, object: &object } };
    // That they cannot be read is said by the rules.
    let leaving = served_from(|namespace, service| going.serves(namespace, service), facts).unwrap_or_default();
    let leaving: Vec<Ref> = leaving.into_iter().map(Ref::from).collect();
    let mut undecided = Ok(());
    // The rules about lists read nothing of the target but its content.
    for (rule, explains) in RULES.iter().flat_map(Rule::explained) {
        let Explains::Listed(explain) = explains else { continue };
        let mut found = Findings::default();
        if let Err(unknown) = explain(&deleted, facts, &mut found) {
            undecided = Err(unknown);
        }
        for mut draft in found.drafts {
            draft.finding.rule = rule;
            // An API that leaves with its server is in nobody's way when it is deleted first.
            draft.finding.avoidable |=
                draft.finding.cause == Cause::Api && draft.finding.objects.iter().all(|api| leaving.contains(api));
            out.hangs(draft);
        }
    }
    undecided
}
