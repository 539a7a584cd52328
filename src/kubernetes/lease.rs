//! Leases, with which components show that they are alive.

use crate::survey::Object;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// How long a lease is held after a renewal, unless it says otherwise
/// (kubernetes/kubernetes: `staging/src/k8s.io/component-base/config/v1alpha1/defaults.go`).
const USUAL_SECONDS: i64 = 15;
/// The longest time that a lease is taken to be held after a renewal.
const MAX_SECONDS: i64 = 3600;

/// The age of the last renewal from which the holder of a lease counts as stopped: four times the
/// usual duration.
pub(crate) const LEASE_IS_OLD: SignedDuration = SignedDuration::from_secs(60);

/// When a lease was last renewed.
pub(crate) fn renewed(lease: &Object) -> Option<Timestamp> {
    lease.text("/spec/renewTime")?.parse().ok()
}

/// The holder of a lease, if it has one.
pub(crate) fn holder(lease: &Object) -> Option<&str> {
    lease.text("/spec/holderIdentity").filter(|holder| !holder.is_empty())
}

/// The pod that holds a lease, if a pod does: the name of the holder is usually `<pod>_<uuid>`
/// (kubernetes/kubernetes: `staging/src/k8s.io/client-go/tools/leaderelection`).
pub(crate) fn holding_pod(lease: &Object) -> Option<&str> {
    holder(lease).map(|holder| holder.split('_').next().unwrap_or(holder))
}

/// How long a lease is certainly held after a renewal: nobody else takes it before.
pub(crate) fn lasts(lease: &Object) -> SignedDuration {
    let seconds = lease.at("/spec/leaseDurationSeconds").and_then(Value::as_i64).unwrap_or(USUAL_SECONDS);
    SignedDuration::from_secs(seconds.clamp(1, MAX_SECONDS))
}

/// How long after a renewal the holder of a lease counts as running: four times the duration of the lease, and at
/// least a minute, which is time enough for another holder to take over.
pub(crate) fn outlives(lease: &Object) -> SignedDuration {
    (lasts(lease) * 4).clamp(LEASE_IS_OLD, SignedDuration::from_secs(MAX_SECONDS))
}

/// Whether a name is like those of a Deployment's pods: `operator-5c689d88bb-x7k2p`
/// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/storage/names/generate.go`).
pub(crate) fn is_name_of_a_pod(name: &str) -> bool {
    let mut parts = name.rsplit('-');
    let is_given = |part: &str| part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let (last, hash, rest) = (parts.next(), parts.next(), parts.next());
    rest.is_some()
        && last.is_some_and(|last| last.len() == 5 && is_given(last))
        && hash.is_some_and(|hash| (5..=10).contains(&hash.len()) && is_given(hash))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_lease_is_held_for_its_own_duration() {
        let times = |spec: Value| {
            let lease: Object = serde_json::from_value(json!({"metadata": {"name": "l"}, "spec": spec})).unwrap();
            (lasts(&lease).as_secs(), outlives(&lease).as_secs())
        };
        assert_eq!(times(json!({})), (15, 60));
        assert_eq!(times(json!({"leaseDurationSeconds": 137})), (137, 548));
        assert_eq!(times(json!({"leaseDurationSeconds": 1})), (1, 60), "it was released");
        assert_eq!(times(json!({"leaseDurationSeconds": i64::MAX})), (3600, 3600));
    }

    #[test]
    fn a_pod_of_a_deployment_is_known_by_its_name() {
        assert!(is_name_of_a_pod("snapshot-controller-5c689d88bb-x7k2p"));
        assert!(!is_name_of_a_pod("ip-10-0-0-7") && !is_name_of_a_pod("bb5c689d88-x7k2p"));
    }
}
