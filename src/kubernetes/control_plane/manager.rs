//! kube-controller-manager, of which the garbage collector and the namespace controller
//! are parts.

use crate::facts::{Facts, Known, Unknown, ago, since};
use crate::needs::Draft;
use crate::report::{Ref, Remedy, Verb};
use crate::survey::Form;
use jiff::{SignedDuration, Timestamp};

/// The Lease by which one controller manager of several is chosen, which is
/// renewed every few seconds (kubernetes/kubernetes:
/// `staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go`).
const MANAGER: &str = "kube-controller-manager";

/// A Lease that was not renewed for so long has no holder at work.
const LEASE_IS_OLD: SignedDuration = SignedDuration::from_secs(60);

/// What the Lease of the controller managers says.
#[derive(Debug, Clone)]
pub(crate) enum Manager {
    /// It cannot be read.
    Unread,
    /// There is none: leader election may be off.
    NoLease,
    /// Nobody has held it yet, or it was given up.
    NoHolder(Ref),
    /// Nobody renews it.
    Old {
        /// The Lease.
        lease: Ref,
        /// When it was renewed last.
        renewed: Timestamp,
        /// By whom.
        holder: String,
    },
    /// Somebody leads.
    Fresh(Ref, Timestamp),
}

/// Whether a controller manager shows signs of life.
pub(crate) fn manager(facts: &Facts<'_>) -> Known<Manager> {
    let Some(leases) = facts.preferred("coordination.k8s.io", "leases") else {
        return Ok(Manager::NoLease);
    };
    let lease = match facts.get(&leases.id, Some("kube-system"), MANAGER, Form::Whole) {
        Err(Unknown::NotSurveyed) => return Err(Unknown::NotSurveyed),
        Err(Unknown::Unread { .. }) => return Ok(Manager::Unread),
        Ok(None) => return Ok(Manager::NoLease),
        Ok(Some(lease)) => lease,
    };
    let reference = Ref::of(leases, lease);
    let renewed = lease.text("/spec/renewTime").and_then(|time| time.parse::<Timestamp>().ok());
    let holder = lease.text("/spec/holderIdentity").unwrap_or_default().to_owned();
    Ok(match renewed {
        None => Manager::NoHolder(reference),
        Some(renewed) if since(renewed, facts.now()) > LEASE_IS_OLD => {
            Manager::Old { lease: reference, renewed, holder }
        }
        Some(time) => Manager::Fresh(reference, time),
    })
}

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

/// Who does that.
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
