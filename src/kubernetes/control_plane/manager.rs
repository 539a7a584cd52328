//! kube-controller-manager, which contains the garbage collector and the namespace controller.

use crate::facts::{Facts, Known, Readable, since};
use crate::report::Ref;
use crate::survey::Form;
use jiff::{SignedDuration, Timestamp};

/// The Lease by which one of several controller managers is elected; its holder renews it every few
/// seconds (kubernetes/kubernetes:
/// `staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go`).
const MANAGER: &str = "kube-controller-manager";

/// Age of the last renewal from which the holder of the Lease counts as stopped.
const LEASE_IS_OLD: SignedDuration = SignedDuration::from_secs(60);

/// The state of the controller managers' Lease.
#[derive(Debug, Clone)]
pub(crate) enum Manager {
    /// The Lease cannot be read.
    Unread,
    /// There is no Lease: leader election may be off.
    NoLease,
    /// The Lease has no holder: nobody has held it yet, or it was released.
    NoHolder(Ref),
    /// The Lease is no longer renewed.
    Old {
        /// The Lease.
        lease: Ref,
        /// The time of the last renewal.
        renewed: Timestamp,
        /// The last holder.
        holder: String,
    },
    /// The Lease has a holder that renews it.
    Fresh(Ref, Timestamp),
}

/// Reads whether a controller manager is alive.
pub(crate) fn manager(facts: &Facts<'_>) -> Known<Manager> {
    let Some(leases) = facts.preferred("coordination.k8s.io", "leases") else {
        return Ok(Manager::NoLease);
    };
    let lease = match facts.get(&leases.id, Some("kube-system"), MANAGER, Form::Whole).surveyed()? {
        Err(_) => return Ok(Manager::Unread),
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
