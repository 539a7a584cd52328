//! Leases, with which components show that they are alive.

use crate::survey::Object;
use jiff::{SignedDuration, Timestamp};

/// The age of the last renewal from which the holder of a lease counts as stopped: four times the
/// default duration of 15 s.
pub(crate) const LEASE_IS_OLD: SignedDuration = SignedDuration::from_secs(60);

/// When a lease was last renewed.
pub(crate) fn renewed(lease: &Object) -> Option<Timestamp> {
    lease.text("/spec/renewTime")?.parse().ok()
}

/// The holder of a lease, if it has one.
pub(crate) fn holder(lease: &Object) -> Option<&str> {
    lease.text("/spec/holderIdentity").filter(|holder| !holder.is_empty())
}
