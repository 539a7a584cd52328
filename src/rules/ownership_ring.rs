//! Objects that own each other, or an object that owns itself, all in foreground deletion: each waits
//! for the next. The garbage collector breaks such a ring only if it sees one member before the next
//! is deleted (kubernetes/kubernetes: `pkg/controller/garbagecollector/garbagecollector.go`,
//! `processDeletingDependentsItem`).

use crate::facts::{Facts, Known, SETTLE, Target, blocks, flat_each, is_late};
use crate::kubernetes::garbage_collection::{WaitingOwner, Web, each_waiting, waiting};
use crate::needs::{After, Draft, Explains, Outlook, Ring, Rule, World};
use crate::plan::steps::drop_garbage_collector_finalizer as drop_finalizer;
use crate::report::{Cause, Ref, Remedy, Risk, Sentence};
use crate::survey::{Cascade, FOREGROUND, Seen};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule::new(
    "ownership-ring",
    include_str!("ownership_ring.md"),
    &[Explains::Order(order), Explains::Ring(explain), Explains::Foreseen(foresee)],
);

/// How many members are named.
const MAX_NAMED: usize = 3;

fn order(target: &Target<'_>, facts: &Facts<'_>, _: bool) -> Known<Vec<After>> {
    let web = Web::below(&waiting(target, facts)?, facts)?;
    let after = |(waiting, on): (Seen<'_>, Seen<'_>)| After {
        waiting: waiting.into(),
        finalizer: FOREGROUND.to_owned(),
        on: on.into(),
    };
    Ok(web.order().map(after).collect())
}

fn explain(ring: &Ring, facts: &Facts<'_>) -> Known<Option<Draft>> {
    if ring.waits.iter().any(|wait| wait.finalizer != FOREGROUND) {
        return Ok(None);
    }
    let members = each_waiting(flat_each(ring.members(), |member| facts.seen(member))?, facts)?;
    // The collector gets some time to break the ring.
    let late = members.iter().all(|member| is_late(member.owner.object, facts, SETTLE));
    Ok((late && !members.is_empty()).then(|| draft(&members).ring(ring)))
}

/// Foresees an object that owns itself and would wait for itself. The garbage collector breaks most larger rings.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    if world.going.cascade != Cascade::Foreground {
        return Ok(());
    }
    let Some(whole) = facts.whole(target.seen)? else { return Ok(()) };
    let is_itself = |owner: &OwnerReference| owner.uid == whole.uid() && blocks(owner);
    if whole.metadata.owner_references.iter().any(is_itself) {
        let named = Ref::from(target.seen);
        let summary = Sentence::about(&named, "owns itself, so its foreground deletion would wait for itself");
        let draft = Draft::new(Cause::GarbageCollector, named.clone(), summary)
            .finalizer(FOREGROUND)
            .waits_for(named.clone())
            .evidence("names itself as its owner with blockOwnerDeletion", &named, "metadata.ownerReferences")
            .remedy(Remedy::manual("delete it in the background: --cascade=background", "nothing is lost"));
        out.hangs(draft);
    }
    Ok(())
}

fn draft(ring: &[WaitingOwner<'_>]) -> Draft {
    let mut ring: Vec<(Ref, &WaitingOwner<'_>)> = ring.iter().map(|member| (member.owner.into(), member)).collect();
    ring.sort_by(|a, b| a.0.cmp(&b.0));
    let members: Vec<Ref> = ring.iter().map(|(member, _)| member.clone()).collect();
    let inside: HashSet<&str> = members.iter().map(|member| member.uid.as_str()).collect();
    let outward = |member: &WaitingOwner<'_>| {
        member.blocking.iter().filter(|dependent| !inside.contains(dependent.seen.object.uid())).count()
    };
    let mut draft = Draft::new(Cause::GarbageCollector, members[0].clone(), summary(&members))
        .finalizer(FOREGROUND)
        .waits_for(members[members.len() - 1].clone());
    for (reference, member) in ring.iter().take(MAX_NAMED) {
        for dependent in member.blocking.iter().filter(|it| inside.contains(it.seen.object.uid())).take(MAX_NAMED) {
            let text =
                format!("names {reference} as its owner with blockOwnerDeletion, and is deleted in the foreground");
            draft = draft.evidence(text, &dependent.seen.into(), "metadata.ownerReferences");
        }
    }
    // The best member to release waits for nothing outside the ring, so that it is deleted at once.
    let free = ring
        .iter()
        .filter(|(reference, member)| !drop_finalizer::would_do_nothing(reference, member.owner.object))
        .min_by_key(|(_, member)| (outward(member), member.owner.object.metadata.finalizers.len()));
    if let Some((reference, member)) = free {
        let (risk, consequence) = match outward(member) {
            0 => (Risk::Harmless, "all of them are being deleted anyway; only the order changes".to_owned()),
            1 => (Risk::Disruptive, "it is deleted before a dependent outside the ring".to_owned()),
            more => (Risk::Disruptive, format!("it is deleted before {more} dependents outside the ring")),
        };
        draft = draft.remedy(Remedy::new(drop_finalizer::step(reference, FOREGROUND), risk, consequence));
    }
    draft.objects(members)
}

fn summary(members: &[Ref]) -> Sentence {
    match members {
        [only] => Sentence::about(only, "owns itself, so its foreground deletion waits for itself"),
        [a, b] => Sentence::about(a, "and ").then(b).then(" own each other, so each waits for the other to be deleted"),
        [a, b, ..] => {
            let more = members.len() - 2;
            format!("{a}, {b} and {more} more own each other in a ring, and each waits for the next to be deleted")
                .into()
        }
        [] => Sentence::default(),
    }
}
