//! The pods on a node that is deleted.

use crate::facts::{Facts, Known, Target};
use crate::kubernetes::kubelet::pods::has_identity;
use crate::kubernetes::storage::is_finished;
use crate::needs::{Cost, Outlook};
use crate::report::{Risk, counted};
use crate::survey::Seen;

/// Adds the consequences for the pods on a node: the pod garbage collector deletes them without the
/// kubelet (kubernetes/kubernetes: `pkg/controller/podgc/gc_controller.go`), and their controllers create
/// others elsewhere.
pub(super) fn look(target: &Target<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let id = &target.seen.resource.id;
    if !id.is("", "nodes") {
        return Ok(());
    }
    let Some(kind) = facts.preferred("", "pods") else { return Ok(()) };
    let on_it = facts.pods_on(&kind.id, target.object().name())?.into_iter();
    let here: Vec<Seen<'_>> =
        on_it.filter(|pod| !is_finished(pod)).map(|object| Seen { resource: kind, object }).collect();
    if here.is_empty() {
        return Ok(());
    }
    let named = target.reference();
    let they = if here.len() == 1 { "which runs on it, is" } else { "which run on it, are" };
    let removed = format!("{}, {they} removed by the pod garbage collector", counted(&here));
    out.consequence(named.clone(), &removed);
    let with_identity: Vec<Seen<'_>> = here.iter().copied().filter(|seen| has_identity(seen.object)).collect();
    let mut cost = Cost { object: named.clone(), risk: Risk::Disruptive, text: removed };
    if !with_identity.is_empty() {
        let why = format!(
            "if its kubelet is still running, {} may run twice, which can destroy data (of a StatefulSet, or with a claim)",
            counted(&with_identity)
        );
        out.consequence(named, &why);
        cost.risk = Risk::LosesData;
        cost.text = format!("{}; {why}", cost.text);
    }
    out.costs.push(cost);
    Ok(())
}
