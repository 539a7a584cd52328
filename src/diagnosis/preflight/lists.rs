//! Kinds that cannot be listed now, so that the target's controller could not know that it is empty.

use crate::diagnosis::explore::under_its_name;
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
    // A deletion so old counts as late in every rule. The rules then compare lists from the cache,
    // which controllers use, with the store.
    object.metadata.deletion_timestamp = facts.now().checked_sub(SETTLE * 4).ok();
    let deleted = Target { seen: Seen { resource: target.seen.resource, object: &object } };
    // The rules report APIServices that cannot be read.
    let leaving = served_from(|namespace, service| going.serves(namespace, service), facts).unwrap_or_default();
    let leaving: Vec<Ref> = leaving.into_iter().map(Ref::from).collect();
    let mut undecided = Ok(());
    // The rules about lists read nothing of the target except its content.
    for (rule, explains) in RULES.iter().flat_map(Rule::explained) {
        let Explains::Listed(explain) = explains else { continue };
        let mut found = Findings::default();
        if let Err(unknown) = explain(&deleted, facts, &mut found) {
            undecided = Err(unknown);
        }
        for mut draft in under_its_name(rule, found.drafts) {
            // An API whose server is deleted with the target is no obstacle if its APIService is deleted
            // first.
            draft.finding.avoidable |=
                draft.finding.cause == Cause::Api && draft.finding.objects.iter().all(|api| leaving.contains(api));
            out.hangs(draft);
        }
    }
    undecided
}
