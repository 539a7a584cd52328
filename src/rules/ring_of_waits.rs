//! Objects that are being deleted wait for each other, according to their own controllers: none can be
//! deleted first, and no controller is to blame.

use crate::facts::{Facts, Known, flat_each};
use crate::findings::removal::{cost_of_removal, removal};
use crate::needs::{After, Draft, Explains, Ring, Rule};
use crate::plan::steps::drop_garbage_collector_finalizer as drop_finalizer;
use crate::reasons::order::order;
use crate::report::{Cause, Ref, Remedy, Risk, Sentence};
use crate::survey::{FOREGROUND, Seen, is_collectors};

pub(super) const RULE: Rule =
    Rule::new("ring-of-waits", include_str!("ring_of_waits.md"), &[Explains::Order(order), Explains::Ring(explain)]);

fn explain(ring: &Ring, facts: &Facts<'_>) -> Known<Option<Draft>> {
    // A ring that only the garbage collector makes is reported by another rule, for the owners.
    if ring.waits.iter().all(|wait| wait.finalizer == FOREGROUND) {
        return Ok(None);
    }
    let members = ring.members();
    let seen = flat_each(&members, |member| facts.seen(member))?;
    let objects: Vec<Ref> = members.into_iter().cloned().collect();
    let names = objects[1..].iter().take(2).map(Sentence::from);
    let names = names.fold(Sentence::from(&objects[0]), |names, name| names.then(" and ").then(name));
    let summary = names.then(" wait for each other: none can be deleted first");
    let mut draft = Draft::new(Cause::Dependents, objects[0].clone(), summary).likely();
    for wait in &ring.waits {
        let (words, path) = words(wait);
        draft = draft.evidence(words, &wait.waiting, path);
    }
    let in_background = in_background(ring, &seen);
    let is_cut = in_background.is_some();
    draft = draft.with_each(in_background, |draft, (owner, remedy)| {
        draft.remark(format!("to break the ring, delete {owner} again in the background")).remedy(remedy)
    });
    draft = draft.remedy(Remedy::manual(
        "check whether one of the controllers can release its object without the clean-up: by an annotation, or by a \
            deletion policy that keeps what is outside the cluster",
        "nothing is lost",
    ));
    let held = seen.iter().flat_map(|seen| seen.object.metadata.finalizers.iter().map(move |key| (key, *seen)));
    let of_controllers = held.filter(|(finalizer, _)| !is_collectors(finalizer));
    if let Some((finalizer, seen)) = of_controllers.min_by_key(|(finalizer, _)| cost_of_removal(finalizer).0) {
        if !is_cut {
            draft = draft.remark(format!(
                "to break the ring, remove {finalizer} from {}: no other finalizer of the ring is less harmful to remove",
                Ref::from(seen)
            ));
        }
        draft = draft.remedies(removal(finalizer, &[seen], &[seen.into()]));
    }
    Ok(Some(draft.objects(objects).ring(ring)))
}

/// The member that waits only because it is deleted in the foreground, and the remedy to delete it in the background: no
/// controller's finalizer is then removed.
fn in_background(ring: &Ring, seen: &[Seen<'_>]) -> Option<(Ref, Remedy)> {
    let waits_otherwise =
        |member: &Ref| ring.waits.iter().any(|wait| wait.waiting.uid == member.uid && wait.finalizer != FOREGROUND);
    let mut waits = ring.waits.iter().filter(|wait| wait.finalizer == FOREGROUND && !waits_otherwise(&wait.waiting));
    waits.find_map(|After { waiting, .. }| {
        let object = seen.iter().find(|seen| seen.object.uid() == waiting.uid)?.object;
        let step = drop_finalizer::step(waiting, FOREGROUND);
        let remedy = Remedy::new(step, Risk::Disruptive, "the controllers of the other objects can then continue");
        (!drop_finalizer::would_do_nothing(waiting, object)).then(|| (waiting.clone(), remedy))
    })
}

/// The description of a wait, and its field.
fn words(wait: &After) -> (String, &'static str) {
    let After { waiting, finalizer, on } = wait;
    if finalizer == FOREGROUND {
        (format!("{waiting} is deleted in the foreground, after {on}"), "metadata.finalizers")
    } else {
        (format!("the controller of {waiting} waits for {on}"), "status")
    }
}
