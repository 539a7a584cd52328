//! kube-controller-manager, which contains the garbage collector and the namespace controller.

use crate::facts::{Facts, Known, Readable, since};
use crate::kubernetes::lease::{holder, outlives, renewed};
use crate::report::Ref;
use crate::survey::Form;
use jiff::Timestamp;

/// The Lease by which one of several controller managers is elected; its holder renews it every few
/// seconds (kubernetes/kubernetes:
/// `staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go`).
const MANAGER: &str = "kube-controller-manager";

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
    Old(Stopped),
    /// The Lease has a holder that renews it.
    Fresh(Ref, Timestamp),
}

/// A controller manager that does not run.
#[derive(Debug, Clone)]
pub(crate) struct Stopped {
    /// Its Lease, which is no longer renewed.
    pub(crate) lease: Ref,
    /// The time of the last renewal.
    pub(crate) renewed: Timestamp,
    /// The last holder.
    pub(crate) holder: String,
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
    Ok(match renewed(lease) {
        None => Manager::NoHolder(reference),
        Some(renewed) if since(renewed, facts.now()) > outlives(lease) => {
            let holder = holder(lease).unwrap_or_default().to_owned();
            Manager::Old(Stopped { lease: reference, renewed, holder })
        }
        Some(time) => Manager::Fresh(reference, time),
    })
}
