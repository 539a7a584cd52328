//! Objects that are being deleted wait for each other, by the words of their own
//! controllers: none can go first, and no controller is to blame.

use crate::facts::{Facts, Known, Target};
use crate::knowledge::catalogue;
use crate::kubernetes::controllers::InTheWay;
use crate::kubernetes::controllers::release::removal;
use crate::kubernetes::controllers::rings::rings;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref, Remedy, Risk};
use crate::survey::Seen;

pub(super) const RULE: Rule = Rule {
    name: "ring-of-waits",
    explanation: include_str!("ring_of_waits.md"),
    explains: &[Explains::Done(diagnose)],
};

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    for ring in rings(target, facts)? {
        found.add(draft(&ring));
    }
    Ok(())
}

fn draft(ring: &[InTheWay<'_>]) -> Draft {
    let mut members: Vec<Seen<'_>> = Vec::new();
    for edge in ring {
        if !members.iter().any(|seen| seen.object.uid() == edge.waiting.object.uid()) {
            members.push(edge.waiting);
        }
    }
    let objects: Vec<Ref> = members.iter().map(|seen| (*seen).into()).collect();
    let names: Vec<String> = objects.iter().take(3).map(Ref::to_string).collect();
    let summary = format!("{} wait for each other: none can go first", names.join(" and "));
    let mut draft = Draft::new(Cause::Dependents, objects[0].clone(), summary).likely();
    for edge in ring {
        let (waiting, blocker) = (Ref::from(edge.waiting), Ref::from(edge.blocker));
        draft = draft.evidence(format!("the controller of {waiting} waits for {blocker}"), &waiting, "status");
    }
    draft = draft.remedy(Remedy::manual(
        "see whether one of the controllers can be told to let go: an annotation, or a policy that keeps what is outside",
        "nothing is lost",
    ));
    let held = members.iter().flat_map(|seen| seen.object.metadata.finalizers.iter().map(move |key| (key, *seen)));
    if let Some((finalizer, seen)) = held.min_by_key(|(finalizer, _)| risk(finalizer)) {
        draft = draft.remark(format!(
            "the edge to cut is {finalizer} of {}: of the ring's finalizers none costs less to lose",
            Ref::from(seen)
        ));
        let cut = removal(finalizer, catalogue::lookup(finalizer), &[seen], &[seen.into()]);
        draft = cut.into_iter().fold(draft, Draft::remedy);
    }
    draft.objects(objects)
}

/// What it costs to lose a finalizer; one that nobody knows may cost anything.
fn risk(finalizer: &str) -> Risk {
    catalogue::lookup(finalizer).map_or(Risk::Leaks, |entry| entry.risk)
}
