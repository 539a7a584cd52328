//! An owner was deleted with the orphan policy: the garbage collector removes the reference from each
//! dependent, and then the finalizer `orphan` from the owner. One refused update stops it
//! (kubernetes/kubernetes: `pkg/controller/garbagecollector/garbagecollector.go`,
//! `orphanDependents`).

use crate::facts::{Dependent, Facts, Known, Target, each};
use crate::findings::controller_manager::{controller_manager, see_to_the_controller_manager};
use crate::findings::owner_references::{dependents_in_words, drop_reference};
use crate::kubernetes::garbage_collection::{
    Hindrance, MAX_DEPENDENTS, all_dependents, collectors, hindrance, note_unread,
};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::steps::drop_garbage_collector_finalizer as drop_finalizer;
use crate::report::{Cause, Need, Ref, Remedy, Risk, Verb};
use crate::survey::{ORPHAN, Seen, has};

pub(super) const RULE: Rule =
    Rule::new("orphan-not-handled", include_str!("orphan_not_handled.md"), &[Explains::Deleted(diagnose)]);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let owners = collectors(target, facts)?.into_iter().filter(|seen| has(seen.object, ORPHAN));
    found.add_all(each(owners, |owner| draft(owner, facts))?);
    Ok(())
}

fn draft(owner: Seen<'_>, facts: &Facts<'_>) -> Known<Draft> {
    let reference = Ref::from(owner);
    let (dependents, complete) = all_dependents(owner, facts)?;
    if !complete {
        note_unread(facts)?;
    }
    let summary = if dependents.is_empty() {
        format!("{reference} waits only for the garbage collector to remove {ORPHAN}")
    } else {
        format!(
            "{reference} is deleted with --cascade=orphan, but the garbage collector has not removed the owner \
                reference from {}",
            dependents_in_words(&dependents)
        )
    };
    let mut draft = Draft::new(Cause::GarbageCollector, reference.clone(), summary)
        .finalizer(ORPHAN)
        .needs_accepted(Verb::Update)
        .likely()
        .kept_by(ORPHAN, &reference);
    draft = match dependents.first() {
        Some(first) => draft
            .waits_for(Ref::from(first.seen))
            .rests_on(Need::Accepted(Verb::Delete, first.seen.into()))
            .evidence(format!("still names {reference} as its owner"), &first.seen.into(), "metadata.ownerReferences"),
        None if complete => draft.remark("no object of any kind names it as an owner"),
        None => draft.remark("no object that could be read names it as an owner; some kinds could not be read"),
    };
    draft = controller_manager(draft, facts)?.remedy(see_to_the_controller_manager());
    draft = draft.remedies(dependents.first().map(|first| {
        Remedy::command(
            "remove the owner reference from each dependent: an error then shows what refuses that",
            drop_reference(first.seen.object, &first.seen.into(), owner.object.uid()),
            "nothing is lost: the garbage collector would do the same",
        )
    }));
    if !drop_finalizer::would_do_nothing(&reference, owner.object) {
        let (risk, consequence) = what_would_go(&dependents, complete, facts)?;
        draft = draft.remedy(Remedy::new(drop_finalizer::step(&reference, ORPHAN), risk, consequence));
    }
    Ok(draft.objects(vec![reference]))
}

/// The dependents that the garbage collector deletes once the owner is gone, as risk and consequence.
fn what_would_go(dependents: &[Dependent<'_>], complete: bool, facts: &Facts<'_>) -> Known<(Risk, String)> {
    let judged = each(dependents.iter().take(MAX_DEPENDENTS), |dependent| hindrance(dependent.seen.object, facts))?;
    // The owner itself, which still exists, keeps nothing once it is gone.
    let is_kept = |why: &Hindrance| matches!(why, Hindrance::Impossible(_) | Hindrance::UnknownKind(_));
    let kept = dependents.len() <= MAX_DEPENDENTS && judged.iter().all(is_kept);
    Ok(match (dependents.is_empty(), kept, complete) {
        (true, _, true) => (Risk::Harmless, "nothing names it as an owner".to_owned()),
        (_, false, _) => (
            Risk::LosesData,
            format!(
                "the garbage collector then deletes {}, unless another owner exists; --cascade=orphan was to prevent \
                    that",
                dependents_in_words(dependents)
            ),
        ),
        (_, true, false) => (Risk::LosesData, "dependents that could not be read are deleted afterwards".to_owned()),
        (false, true, true) => (Risk::Harmless, "the garbage collector deletes none of its dependents".to_owned()),
    })
}
