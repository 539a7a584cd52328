//! The Leases of a storage driver's sidecars. The sidecars ask the driver for its name over a socket, so that nothing in
//! their manifest need contain it: their Leases carry it (kubernetes-csi/csi-lib-utils:
//! `leaderelection/leader_election.go`; kubernetes-csi/external-attacher: `cmd/csi-attacher/main.go`).

use crate::facts::{Facts, Known, flat_each};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::lease::holding_pod;
use crate::kubernetes::ownership::owner;
use crate::kubernetes::ownership::traces::Traces;
use crate::kubernetes::workloads::health::is_called_after;
use crate::survey::{Form, Object};
use std::collections::BTreeSet;

/// How many Leases of one driver are read.
const MAX_LEASES: usize = 4;

/// The Leases with the name of the driver that serves the held objects, those of the finalizer's own sidecar if there
/// are any.
pub(crate) fn of_driver<'s>(traces: &Traces<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<&'s Object>> {
    let (Some(driver), Some(kind)) = (&traces.driver, facts.preferred("coordination.k8s.io", "leases")) else {
        return Ok(Vec::new());
    };
    let all = gaps.pass(facts.list(&kind.id, None, Form::Metadata))?.unwrap_or_default();
    let called: Vec<(&Object, &str)> =
        all.iter().filter_map(|lease| Some((lease, sidecar(lease.name(), &driver.name)?))).collect();
    let is_own = |sidecar: &str| traces.names.iter().any(|name| !sidecar.is_empty() && name.word.ends_with(sidecar));
    let has_own = called.iter().any(|(_, sidecar)| is_own(sidecar));
    let meant = called.into_iter().filter(|(_, sidecar)| !has_own || is_own(sidecar)).take(MAX_LEASES);
    flat_each(meant, |(lease, _)| {
        let namespace = lease.metadata.namespace.as_deref();
        Ok(gaps.pass(facts.get(&kind.id, namespace, lease.name(), Form::Whole))?.flatten())
    })
}

/// The sidecar whose Lease has this name, if the Lease is of `driver`: `attacher` for
/// `external-attacher-leader-disk-acme-io`, and nothing for the provisioner's `disk-acme-io`.
fn sidecar<'n>(lease: &'n str, driver: &str) -> Option<&'n str> {
    let dashed = driver.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let before = lease.strip_suffix(dashed.as_str())?;
    let sidecar = before.strip_suffix("leader-").unwrap_or(before);
    if sidecar.is_empty() {
        return Some("");
    }
    let sidecar = sidecar.strip_prefix("external-")?.strip_suffix('-')?;
    (!sidecar.is_empty() && !sidecar.contains('-')).then_some(sidecar)
}

/// Evidence from a Lease that a workload serves the driver.
pub(crate) struct LeaseTrace {
    /// The evidence, in words.
    pub(crate) text: String,
    /// Whether one of its pods holds the Lease or has held it; otherwise the Lease is only in its namespace.
    pub(crate) held: bool,
}

/// The namespaces of `leases` that were not read.
pub(crate) fn places(leases: &[&Object], read: &BTreeSet<&str>) -> Vec<String> {
    let places: BTreeSet<&str> = leases.iter().filter_map(|lease| lease.metadata.namespace.as_deref()).collect();
    places.difference(read).map(|place| (*place).to_owned()).collect()
}

/// What `leases` say of each of the workloads.
pub(crate) fn traces<'s>(
    workloads: impl Iterator<Item = &'s Object>,
    leases: &[&Object],
    traces: &Traces<'_>,
) -> Vec<Option<LeaseTrace>> {
    let mut told: Vec<_> = workloads.map(|workload| trace(workload, leases, traces)).collect();
    // If the holder of the Lease tells nothing, any of several sidecars may serve the driver.
    if told.iter().flatten().filter(|trace| !trace.held).count() > 1 {
        for trace in &mut told {
            *trace = trace.take().filter(|trace| trace.held);
        }
    }
    told
}

/// The Lease among `leases` by which a workload serves the driver: one that its pod holds or has held, or one in its
/// namespace, if it runs the sidecar of the finalizer. The holder may have released it, or be called after its node.
fn trace(workload: &Object, leases: &[&Object], traces: &Traces<'_>) -> Option<LeaseTrace> {
    let holds = |lease: &&&Object| holding_pod(lease).is_some_and(|pod| is_called_after(pod, workload));
    let is_sidecar = |program: &str| traces.names.iter().any(|name| name.owner && name.word == program);
    let mut here = leases.iter().filter(|lease| lease.metadata.namespace == workload.metadata.namespace);
    let held = here.clone().find(holds);
    let lease = held.or_else(|| here.next().filter(|_| owner::programs(workload).any(is_sidecar)))?;
    let driver = traces.driver.as_ref().map(|driver| driver.name.as_str()).unwrap_or_default();
    let how = if held.is_some() { "one of its pods held" } else { "it runs the sidecar of" };
    let text = format!("{how} lease {}, which carries the name of driver {driver}", lease.name());
    Some(LeaseTrace { text, held: held.is_some() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leases_carry_the_name_of_a_driver() {
        let of = |lease| sidecar(lease, "disk.acme.io");
        assert_eq!(of("external-attacher-leader-disk-acme-io"), Some("attacher"));
        assert_eq!(of("external-resizer-disk-acme-io"), Some("resizer"));
        assert_eq!(of("disk-acme-io"), Some(""));
        for other in ["external-attacher-leader-fast-disk-acme-io", "my-disk-acme-io", "disk-acme-io-2", "disk"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
