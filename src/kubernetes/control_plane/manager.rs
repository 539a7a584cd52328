//! kube-controller-manager, of which the garbage collector and the namespace controller
//! are parts.

use crate::facts::{Facts, Known, Readable, since};
use crate::report::Ref;
use crate::survey::Form;
use jiff::{SignedDuration, Timestamp};

/// The Lease by which one controller manager of several is chosen, which is
/// renewed every few seconds (kubernetes/kubernetes:
/// `staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go`).
const MANAGER: &str = "kube-controller-manager";

/// How old the last renewal of a Lease is when its holder is not at work.
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
