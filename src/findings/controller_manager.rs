//! Texts about kube-controller-manager, which contains the garbage collector and the namespace
//! controller.

use crate::facts::{Facts, Known, ago};
use crate::findings::removal::removal;
use crate::findings::trigger::wake;
use crate::kubernetes::control_plane::{Manager, Stopped, manager};
use crate::needs::Draft;
use crate::report::{Ref, Remedy, Verb};
use crate::survey::Seen;

/// Adds whether kube-controller-manager is running, according to its lease.
pub(crate) fn controller_manager(draft: Draft, facts: &Facts<'_>) -> Known<Draft> {
    Ok(show(draft, &manager(facts)?, facts))
}

fn show(draft: Draft, manager: &Manager, facts: &Facts<'_>) -> Draft {
    match manager {
        Manager::Unread => draft.remark("could not read whether kube-controller-manager is running"),
        Manager::NoLease => {
            draft.remark("kube-controller-manager has no lease, so it is not known whether it is running")
        }
        Manager::NoHolder(lease) => {
            draft.evidence("kube-controller-manager's lease has no holder", lease, "spec.renewTime")
        }
        Manager::Old(Stopped { lease, renewed, .. }) | Manager::Fresh(lease, renewed) => {
            let is = if matches!(manager, Manager::Fresh(..)) { "is" } else { "is not" };
            let age = ago(*renewed, facts);
            let text = format!("kube-controller-manager {is} running: its lease was last renewed {age} ago");
            draft.evidence(text, lease, "spec.renewTime")
        }
    }
}

/// Adds that Kubernetes' finalizer for objects in use is still on `kept`, although nothing uses it any
/// more. If kube-controller-manager runs, it has missed the end of the use, and is triggered again.
pub(crate) fn protection_was_not_taken_off(draft: Draft, kept: Seen<'_>, facts: &Facts<'_>) -> Known<Draft> {
    let manager = manager(facts)?;
    let draft = draft
        .needs_accepted(Verb::Update)
        .likely()
        .remark("a controller inside kube-controller-manager removes the finalizer");
    let draft = show(draft, &manager, facts);
    let Manager::Fresh(..) = manager else {
        return Ok(draft.remedy(Remedy::command(
            "check that kube-controller-manager is running",
            "kubectl -n kube-system get lease kube-controller-manager",
            "nothing is lost: it continues by itself",
        )));
    };
    let named = Ref::from(kept);
    let finalizer = draft.finding.finalizer.clone().unwrap_or_default();
    let removal = removal(&finalizer, &[kept], std::slice::from_ref(&named));
    Ok(draft.remedy(wake(&named)).remedies(removal))
}

/// The remedy for a garbage collector that does not act.
pub(crate) fn see_to_the_controller_manager() -> Remedy {
    Remedy::command(
        "check that kube-controller-manager is running, and what its log says about the garbage collector",
        "kubectl -n kube-system get lease kube-controller-manager",
        "nothing is lost: the garbage collector continues by itself",
    )
}
