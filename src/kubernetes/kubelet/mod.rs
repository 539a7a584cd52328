//! Kubelets: whether one is alive, what it reports about a pod, and how its node is queried.

pub(crate) mod certificates;
pub(crate) mod devices;
pub(crate) mod force_delete;
pub(crate) mod foreseen;
pub(crate) mod maintenance;
pub(crate) mod nature;
pub(crate) mod network;
pub(crate) mod node_facts;
pub mod out_of_service;
mod overdue;
pub mod pods;
pub(crate) mod pull;
pub(crate) mod virtual_kubelet;
pub(crate) mod volumes;

pub(crate) use overdue::{LastHeard, overdue_by_node};

use crate::facts::{All, Facts, Gap, Known, Readable, ago, since};
use crate::kubernetes::lease::renewed;
use crate::kubernetes::statements::events;
use crate::kubernetes::storage::claim_name;
use crate::report::Ref;
use crate::survey::{Form, LogOf, LogReading, Object, Seen, Topic, Want};
use jiff::{SignedDuration, Timestamp};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use serde_json::Value;

/// How many events about one object are read whole.
const MAX_EVENTS: usize = 12;

/// An event.
#[derive(Debug, Clone)]
pub(crate) struct PodEvent {
    /// Its reason, one word.
    pub(crate) reason: String,
    /// Its message.
    pub(crate) message: String,
    /// When it was last seen.
    pub(crate) last: Option<Timestamp>,
    /// Whether it is a warning.
    pub(crate) warns: bool,
}

/// The reasons of warnings about the beginning of a pod and about its probes, which may still come
/// while it ends (kubernetes/kubernetes: `pkg/kubelet/events/event.go`,
/// `pkg/kubelet/network/dns/dns.go`).
const NOT_ABOUT_THE_END: [&str; 7] = [
    "BackOff",
    "CheckLimitsForResolvConf",
    "DNSConfigForming",
    "FailedToRetrieveImagePullSecret",
    "MissingClusterDNS",
    "ProbeWarning",
    "Unhealthy",
];

impl PodEvent {
    /// Whether it warns of something that may keep the pod from ending.
    pub(crate) fn warns_of_its_end(&self) -> bool {
        self.warns && !NOT_ABOUT_THE_END.contains(&self.reason.as_str())
    }
}

/// The events about an object since `from`, the latest first. Events are read only if something is
/// stuck; their names begin with that of their object.
pub(crate) fn told_of(seen: Seen<'_>, from: Option<Timestamp>, facts: &Facts<'_>) -> Known<Vec<PodEvent>> {
    let mut told: Vec<PodEvent> = events::about(seen, MAX_EVENTS, facts)?.into_iter().map(told).collect();
    told.retain(|told| from.is_none_or(|from| told.last.is_some_and(|last| last >= from)));
    told.sort_by_key(|told| std::cmp::Reverse(told.last));
    Ok(told)
}

fn told(event: &Object) -> PodEvent {
    let text = |pointer: &str| event.text(pointer).unwrap_or_default();
    PodEvent {
        reason: text("/reason").to_owned(),
        message: text("/message").to_owned(),
        last: events::last_seen(event),
        warns: text("/type") == "Warning",
    }
}

/// The last sign of life of a node's kubelet.
#[derive(Debug, Clone)]
pub(crate) struct SignOfLife {
    /// Its lease.
    pub(crate) lease: Ref,
    /// When it was last renewed.
    pub(crate) at: Timestamp,
    /// Whether that is longer ago than the lease's duration.
    pub(crate) silent: bool,
    /// The field manager that renews it.
    pub(crate) by: Option<String>,
}

impl SignOfLife {
    /// How long ago that was, in words.
    pub(crate) fn ago(&self, facts: &Facts<'_>) -> String {
        ago(self.at, facts)
    }
}

/// The namespace in which kubelets renew their leases, every 10 seconds (kubernetes/kubernetes:
/// `pkg/kubelet/apis/config/v1beta1/defaults.go`).
const LEASES: &str = "kube-node-lease";
/// The duration of a lease that sets none, in seconds.
const LASTS: i64 = 40;

/// The last sign of life of the kubelet of `node`; `None` if it has no lease.
pub(crate) fn heard(node: &str, facts: &Facts<'_>) -> Known<Option<SignOfLife>> {
    let Some(leases) = facts.preferred("coordination.k8s.io", "leases") else { return Ok(None) };
    let Some(lease) = facts.get(&leases.id, Some(LEASES), node, Form::Whole)? else { return Ok(None) };
    // The node's clock may be wrong; managedFields have the server's time.
    let written = lease.managers().filter_map(|manager| manager.time).max();
    let Some(at) = renewed(lease).into_iter().chain(written).max() else { return Ok(None) };
    let lasts = lease.at("/spec/leaseDurationSeconds").and_then(Value::as_i64).unwrap_or(LASTS).clamp(10, 600);
    let silent = since(at, facts.now()) > SignedDuration::from_secs(lasts);
    let by = lease.managers().filter(|manager| manager.time.is_some()).max_by_key(|manager| manager.time);
    Ok(Some(SignOfLife { lease: Ref::of(leases, lease), at, silent, by: by.map(|manager| manager.name) }))
}

/// The names of the containers that are running according to the pod's status.
pub(crate) fn running(pod: &Object) -> Vec<&str> {
    let statuses = ["/status/containerStatuses", "/status/ephemeralContainerStatuses", "/status/initContainerStatuses"];
    let all = statuses.iter().flat_map(|pointer| pod.array(pointer));
    all.filter(|status| status.pointer("/state/running").is_some())
        .filter_map(|status| status.get("name")?.as_str())
        .collect()
}

/// The containers of a pod that have a preStop hook.
pub(crate) fn with_hooks(pod: &Object) -> Vec<&str> {
    let has_hook = |container: &&Value| container.pointer("/lifecycle/preStop").is_some();
    let containers = pod.array("/spec/containers").iter().filter(has_hook);
    containers.filter_map(|container| container.get("name")?.as_str()).collect()
}

/// Whether all containers have ended according to the pod's status.
pub(crate) fn all_ended(pod: &Object) -> bool {
    let statuses = pod.array("/status/containerStatuses");
    !statuses.is_empty() && statuses.iter().all(|status| status.pointer("/state/terminated").is_some())
}

/// Whether the pod has volumes of its own. The token that every pod gets does not count: it is a
/// directory in memory.
pub(crate) fn has_volumes(pod: &Object) -> bool {
    let is_token = |volume: &Value| {
        let sources = volume.pointer("/projected/sources").and_then(Value::as_array);
        sources.is_some_and(|sources| sources.iter().any(|source| source.get("serviceAccountToken").is_some()))
    };
    pod.array("/spec/volumes").iter().any(|volume| !is_token(volume))
}

/// The volumes that must be unmounted on the node, such as `data (claim db-0)`.
pub(crate) fn mounts(pod: &Object) -> Vec<String> {
    let words = |volume: &Value| {
        let name = volume.get("name")?.as_str()?;
        let text = |pointer: &str| volume.pointer(pointer).and_then(Value::as_str);
        if let Some(claim) = claim_name(pod, volume) {
            Some(format!("{name} (claim {claim})"))
        } else if let Some(server) = text("/nfs/server") {
            Some(format!("{name} (NFS server {server}{})", text("/nfs/path").unwrap_or_default()))
        } else {
            text("/csi/driver").map(|driver| format!("{name} (CSI driver {driver})"))
        }
    };
    pod.array("/spec/volumes").iter().filter_map(words).collect()
}

/// The annotation of a mirror pod, which represents a static pod (kubernetes/kubernetes:
/// `pkg/kubelet/types/pod_update.go`).
const MIRROR: &str = "kubernetes.io/config.mirror";

/// Whether a pod is the mirror of a static pod. Anybody who creates pods may write the annotation; the
/// kubelet makes its node the owner, too (kubernetes/kubernetes: `pkg/kubelet/pod/mirror_client.go`), and
/// ends the pod's name with that of the node (`pkg/kubelet/config/common.go`).
pub(crate) fn is_mirror(pod: &Object) -> bool {
    let bound = pod.text("/spec/nodeName");
    let is_its_node = |owner: &OwnerReference| {
        let is_node = owner.kind == "Node" && owner.api_version == "v1" && owner.controller == Some(true);
        is_node && bound.is_none_or(|bound| bound == owner.name) && pod.name().ends_with(&format!("-{}", owner.name))
    };
    pod.metadata.annotations.contains_key(MIRROR) && pod.metadata.owner_references.iter().any(is_its_node)
}

/// The kubelet's own answers about a pod, which are requested with `--logs` only.
#[derive(Debug, Default)]
pub(crate) struct OwnWords {
    /// The containers that its runtime runs now; `None` if it did not answer.
    pub(crate) running: Option<Vec<String>>,
    /// Lines of its log that are about the pod.
    pub(crate) log: Vec<String>,
    /// The questions that it did not answer, with the reason: one for each reason.
    pub(crate) unanswered: Vec<Gap>,
}

/// How many lines of its log are shown.
const MAX_LINES: usize = 4;

/// Asks the kubelet of `node` about a pod, if the survey asks kubelets.
pub(crate) fn own_words(pod: Seen<'_>, node: &str, facts: &Facts<'_>) -> Known<OwnWords> {
    if facts.log_reading() != LogReading::Always {
        return Ok(OwnWords::default());
    }
    let about = Topic {
        kind: pod.resource.kind.clone(),
        resource: pod.resource.id.plural.clone(),
        namespace: pod.object.metadata.namespace.as_deref().map(ToOwned::to_owned),
        name: pod.object.name().to_owned(),
        uid: pod.object.uid().to_owned(),
        ..Topic::default()
    };
    let ask = |what: &str| {
        let log = LogOf { container: what.into(), previous: false, about: about.clone() };
        facts.log(&Want::node_log(node, log))
    };
    let (running, log) = (ask(LogOf::RUNNING).surveyed(), ask(LogOf::KUBELET).surveyed()).all()?;
    let mut words = OwnWords::default();
    match running {
        Ok(log) => words.running = log.map(|log| log.lines.iter().map(|line| line.text.clone()).collect()),
        Err(gap) => words.lacks(gap),
    }
    match log {
        Ok(log) => {
            let lines = log.iter().flat_map(|log| &log.lines);
            words.log = lines.take(MAX_LINES).map(|line| line.text.clone()).collect();
        }
        Err(gap) => words.lacks(gap),
    }
    Ok(words)
}

impl OwnWords {
    fn lacks(&mut self, gap: Gap) {
        // Both questions may fail for the same reason.
        if self.unanswered.iter().all(|known| known.why != gap.why) {
            self.unanswered.push(gap);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_mirror;
    use crate::survey::Object;
    use serde_json::{Value, json};

    #[test]
    fn a_mirror_pod_is_owned_by_its_node() {
        let node =
            |name: &str| json!([{"apiVersion": "v1", "kind": "Node", "name": name, "uid": "u", "controller": true}]);
        let pod = |owners: Value| {
            let metadata = json!({"name": "etcd-worker", "namespace": "shop", "ownerReferences": owners,
                "annotations": {"kubernetes.io/config.mirror": "0a1b"}});
            Object::single(json!({"metadata": metadata, "spec": {"nodeName": "worker"}})).unwrap()
        };
        assert!(is_mirror(&pod(node("worker"))));
        assert!(!is_mirror(&pod(json!([]))), "anybody may write the annotation");
        assert!(!is_mirror(&pod(node("other"))));
    }
}
