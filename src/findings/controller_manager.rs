//! What findings say of kube-controller-manager, of which the garbage collector and the
//! namespace controller are parts.

use crate::facts::{Facts, Known, ago};
use crate::kubernetes::control_plane::{Manager, manager};
use crate::needs::Draft;
use crate::report::{Remedy, Verb};

/// Adds whether the controller manager, of which the garbage collector and the
/// namespace controller are parts, shows signs of life.
pub(crate) fn controller_manager(draft: Draft, facts: &Facts<'_>) -> Known<Draft> {
    Ok(match manager(facts)? {
        Manager::Unread => draft.remark("whether kube-controller-manager runs could not be read"),
        Manager::NoLease => draft.remark("kube-controller-manager has no lease: whether it runs does not show here"),
        Manager::NoHolder(lease) => {
            draft.evidence("kube-controller-manager's lease has no holder", &lease, "spec.renewTime")
        }
        Manager::Old { lease, renewed, .. } => draft.evidence(
            format!("kube-controller-manager does not run: its lease was renewed {} ago", ago(renewed, facts)),
            &lease,
            "spec.renewTime",
        ),
        Manager::Fresh(lease, time) => draft.evidence(
            format!("kube-controller-manager runs: its lease was renewed {} ago", ago(time, facts)),
            &lease,
            "spec.renewTime",
        ),
    })
}

/// The part of the controller manager that does it.
pub(crate) const RELEASED_BY: &str = "a controller inside kube-controller-manager takes the finalizer off";

/// Adds that the finalizer by which Kubernetes keeps what is in use is still there, although
/// nothing uses the object any more.
pub(crate) fn protection_was_not_taken_off(draft: Draft, facts: &Facts<'_>) -> Known<Draft> {
    let draft = draft.needs_accepted(Verb::Update).likely();
    Ok(controller_manager(draft, facts)?.remedy(Remedy::manual(
        "check that kube-controller-manager runs: kubectl -n kube-system get lease kube-controller-manager",
        "nothing is lost: it goes on by itself",
    )))
}

/// What a person does about a garbage collector that does not act.
pub(crate) fn see_to_the_controller_manager() -> Remedy {
    Remedy::manual(
        "check that kube-controller-manager runs, and what its log says of the garbage collector: kubectl -n kube-system get lease kube-controller-manager",
        "nothing is lost: the garbage collector goes on by itself",
    )
}
