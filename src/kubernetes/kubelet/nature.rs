//! The nature of a node: its operating system, whether it has a machine, whether it belongs to the
//! control plane, and which object it was made from.

use crate::facts::{Facts, Known, Readable};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::survey::{Form, Object, Seen};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use serde_json::Value;

/// The nature of a node.
#[derive(Debug, Default)]
pub(crate) struct Nature<'s> {
    /// Whether it runs Windows.
    pub(crate) windows: bool,
    /// The evidence that it has no machine, and the field that shows it.
    pub(crate) no_machine: Option<(String, &'static str)>,
    /// Whether it runs part of the control plane, or a member of etcd.
    pub(crate) control_plane: bool,
    /// The object that it was made from, if that still exists: the controller of such objects also turns
    /// machines off.
    pub(crate) made_from: Option<Seen<'s>>,
}

/// The labels of nodes that run the control plane or etcd
/// (<https://kubernetes.io/docs/reference/labels-annotations-taints/>).
const CONTROL_PLANE: [&str; 4] = [
    "node-role.kubernetes.io/control-plane",
    "node-role.kubernetes.io/controlplane",
    "node-role.kubernetes.io/etcd",
    "node-role.kubernetes.io/master",
];
/// The label and the taint that the library for kubelets without a machine sets
/// (virtual-kubelet/virtual-kubelet: `cmd/virtual-kubelet/internal/commands/root/node.go`).
const VIRTUAL_TYPE: (&str, &str) = ("type", "virtual-kubelet");
const VIRTUAL_TAINT: &str = "virtual-kubelet.io/";

impl<'s> Nature<'s> {
    /// Reads the nature of `node`.
    pub(crate) fn of(node: &Object, facts: &Facts<'s>) -> Known<Self> {
        let labels = &node.metadata.labels;
        let system = labels.get("kubernetes.io/os").map(String::as_str);
        Ok(Self {
            windows: system.or(node.text("/status/nodeInfo/operatingSystem")) == Some("windows"),
            no_machine: no_machine(node),
            control_plane: CONTROL_PLANE.iter().any(|label| labels.contains_key(label)),
            made_from: made_from(node, facts)?,
        })
    }
}

/// The evidence that a node has no machine.
fn no_machine(node: &Object) -> Option<(String, &'static str)> {
    let (label, value) = VIRTUAL_TYPE;
    if node.metadata.labels.get(label).is_some_and(|of| of == value) {
        return Some((format!("has label {label}={value}: no machine is behind it"), "metadata.labels"));
    }
    let key = |taint: &Value| taint.get("key").and_then(Value::as_str).unwrap_or_default().to_owned();
    if let Some(key) = node.array("/spec/taints").iter().map(key).find(|key| key.starts_with(VIRTUAL_TAINT)) {
        return Some((format!("has taint {key}: no machine is behind it"), "spec.taints"));
    }
    // A kubelet reports the kernel and the container runtime of its machine (kubernetes/kubernetes:
    // `pkg/kubelet/nodestatus/setters.go`).
    let says = |field: &str| node.text(&format!("/status/nodeInfo/{field}")).filter(|text| !text.is_empty());
    let version = says("kubeletVersion")?;
    (says("kernelVersion").is_none() && says("containerRuntimeVersion").is_none()).then(|| {
        (
            format!("kubelet {version} reports neither a kernel nor a container runtime: no machine is behind it"),
            "status.nodeInfo",
        )
    })
}

/// The object that a node was made from: its owner, or the one that an annotation of the machine
/// provider names (kubernetes-sigs/cluster-api: `api/core/v1beta2/machine_types.go`,
/// `MachineAnnotation`).
fn made_from<'s>(node: &Object, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
    let group = |owner: &&OwnerReference| is_custom(owner.api_version.split('/').next().unwrap_or_default());
    let owners = node.metadata.owner_references.iter().filter(group);
    let owners = owners.map(|owner| (owner.api_version.clone(), owner.kind.clone(), None, owner.name.clone()));
    let annotations = &node.metadata.annotations;
    let noted = annotations.iter().filter_map(|(key, value)| {
        let domain = key.strip_suffix("/machine")?;
        let beside = annotations.get(format!("{domain}/cluster-namespace").as_str()).cloned();
        let (namespace, name) = match value.split_once('/') {
            Some((namespace, name)) => (Some(namespace.to_owned()), name.to_owned()),
            None => (beside, value.clone()),
        };
        let kind = facts.preferred(domain, "machines")?;
        Some((kind.id.api_version(), kind.kind.clone(), namespace, name))
    });
    for (api_version, kind, namespace, name) in owners.chain(noted).take(2) {
        let Some(resource) = facts.discovery().by_kind(&api_version, &kind) else { continue };
        let namespace = namespace.as_deref().filter(|_| resource.namespaced);
        if resource.namespaced && namespace.is_none() {
            continue;
        }
        let object = facts.get(&resource.id, namespace, &name, Form::Whole).if_readable()?.flatten();
        if let Some(object) = object {
            return Ok(Some(Seen { resource, object }));
        }
    }
    Ok(None)
}

/// How many other nodes run a part of the control plane; `None` if they cannot be read.
pub(crate) fn others_of_control_plane(node: &Object, facts: &Facts<'_>) -> Known<Option<usize>> {
    let Some(nodes) = facts.preferred("", "nodes") else { return Ok(None) };
    let all = facts.list(&nodes.id, None, Form::Metadata).if_readable()?;
    let is_one = |other: &&Object| CONTROL_PLANE.iter().any(|label| other.metadata.labels.contains_key(label));
    Ok(all.map(|all| all.iter().filter(is_one).filter(|other| other.name() != node.name()).count()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nodes_without_a_machine_are_recognized() {
        let node = |value: Value| -> Object { serde_json::from_value(value).unwrap() };
        let info = |kernel: &str, runtime: &str| {
            json!({"metadata": {"name": "n"}, "status": {"nodeInfo": {"kubeletVersion": "v1.34.1",
                "kernelVersion": kernel, "containerRuntimeVersion": runtime, "operatingSystem": "linux"}}})
        };
        assert!(no_machine(&node(info("", ""))).is_some());
        assert!(no_machine(&node(info("6.1.0", "containerd://2.0"))).is_none());
        assert!(no_machine(&node(json!({"metadata": {"name": "n"}}))).is_none(), "nothing is reported at all");
        assert!(no_machine(&node(json!({"metadata": {"name": "n", "labels": {"type": "virtual-kubelet"}}}))).is_some());
        assert!(no_machine(&node(json!({"metadata": {"name": "n", "labels": {"type": "spot"}}}))).is_none());
        let tainted = json!({"metadata": {"name": "n"}, "spec": {"taints": [{"key": "virtual-kubelet.io/provider"}]}});
        assert!(no_machine(&node(tainted)).is_some());
    }
}
