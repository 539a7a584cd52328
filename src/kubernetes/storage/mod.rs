//! Finalizers by which Kubernetes and its CSI controllers keep what is in use, and
//! who uses what.

mod claim;
pub(crate) mod snapshots;

pub(crate) use claim::{Claim, claim_of};

use crate::facts::{Facts, Known, Target, Unknown, is_pod};
use crate::needs::{Draft, Findings};
use crate::plan::{in_namespace, one, quote};
use crate::report::{Cause, Ref, Remedy};
use crate::survey::{Object, Resource, Seen};

/// Keeps a claim that pods use (kubernetes/kubernetes: `pkg/volume/util/finalizer.go`).
pub(crate) const CLAIM_IN_USE: &str = "kubernetes.io/pvc-protection";
/// Keeps a volume that is bound.
pub(crate) const VOLUME_BOUND: &str = "kubernetes.io/pv-protection";
/// Keeps a claim for devices that pods use (kubernetes/kubernetes:
/// `staging/src/k8s.io/api/resource/v1/types.go`).
pub(crate) const DEVICES_IN_USE: &str = "resource.kubernetes.io/delete-protection";
/// Keeps a class that claims or volumes name.
pub(crate) const CLASS_IN_USE: &str = "kubernetes.io/vac-protection";
/// Of a volume or an attachment: it is detached first (kubernetes-csi/external-attacher:
/// `pkg/controller/util.go`).
const ATTACHER: &str = "external-attacher/";
/// Of a volume: what is behind it is deleted first.
const PROVISIONERS: [&str; 2] = ["external-provisioner.volume.kubernetes.io/finalizer", "kubernetes.io/pv-controller"];
/// Of snapshots, their contents and the claims that they are made of
/// (kubernetes-csi/external-snapshotter: `pkg/utils/util.go`).
const SNAPSHOTS: [&str; 4] = [
    "snapshot.storage.kubernetes.io/pvc-as-source-protection",
    "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection",
    "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection",
    "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection",
];

fn is(resource: &Resource, group: &str, plural: &str) -> bool {
    resource.id.group == group && resource.id.plural == plural
}

/// Whether a resource is claims of storage.
pub(crate) fn is_claim(resource: &Resource) -> bool {
    is(resource, "", "persistentvolumeclaims")
}

/// Whether a resource is volumes.
pub(crate) fn is_volume(resource: &Resource) -> bool {
    is(resource, "", "persistentvolumes")
}

/// Whether a resource is classes of volume attributes.
pub(crate) fn is_attributes_class(resource: &Resource) -> bool {
    is(resource, "storage.k8s.io", "volumeattributesclasses")
}

/// Whether a resource is attachments of volumes to nodes.
pub(crate) fn is_attachment(resource: &Resource) -> bool {
    is(resource, "storage.k8s.io", "volumeattachments")
}

/// Whether a resource is claims for devices.
pub(crate) fn is_device_claim(resource: &Resource) -> bool {
    is(resource, "resource.k8s.io", "resourceclaims")
}

/// Whether a finalizer keeps a volume or an attachment until it is detached and
/// deleted behind.
pub(crate) fn keeps_attached(resource: &Resource, finalizer: &str) -> bool {
    let detached = finalizer.starts_with(ATTACHER) && (is_volume(resource) || is_attachment(resource));
    detached || (is_volume(resource) && PROVISIONERS.contains(&finalizer))
}

/// Whether a finalizer is one of the snapshot controller's.
pub(crate) fn keeps_snapshots(finalizer: &str) -> bool {
    SNAPSHOTS.contains(&finalizer)
}

/// Whether a rule of its own explains what holds an object by this finalizer.
pub(crate) fn has_own_rule(resource: &Resource, finalizer: &str) -> bool {
    (is_claim(resource) && finalizer == CLAIM_IN_USE)
        || (is_volume(resource) && finalizer == VOLUME_BOUND)
        || (is_device_claim(resource) && finalizer == DEVICES_IN_USE)
        || (is_attributes_class(resource) && finalizer == CLASS_IN_USE)
        || keeps_attached(resource, finalizer)
}

/// The finding that an object is kept by the finalizer of what is in use.
pub(crate) fn kept(cause: Cause, named: &Ref, finalizer: &str, summary: String) -> Draft {
    let draft = Draft::new(cause, named.clone(), summary).finalizer(finalizer);
    draft.evidence(format!("is being deleted and has finalizer {finalizer}"), named, "metadata.finalizers")
}

/// Whether an object has a finalizer.
pub(crate) fn has(seen: Seen<'_>, finalizer: &str) -> bool {
    seen.object.metadata.finalizers.iter().any(|key| key == finalizer)
}

/// Whether the containers of a pod are over; `kubectl get` shows Completed or Error.
pub(crate) fn is_finished(pod: &Object) -> bool {
    matches!(pod.text("/status/phase"), Some("Succeeded" | "Failed"))
}

/// Adds what uses the subject. What is being deleted is looked at in turn: then
/// what holds it is the root. Otherwise somebody has to decide about it.
pub(crate) fn used_by(
    draft: Draft,
    users: &[Seen<'_>],
    target: &Target<'_>,
    facts: &Facts<'_>,
    found: &mut Findings,
) -> Known<Draft> {
    let Some(first) = users.iter().find(|user| !user.object.is_deleting()).or(users.first()) else { return Ok(draft) };
    let named = Ref::from(*first);
    let draft = draft.waits_for(named.clone());
    if first.object.is_deleting() {
        // In a namespace that is a target, what is deleted there is looked at anyway.
        let inside = target.is_namespace() && named.namespace.as_deref() == Some(target.object().name());
        if !inside {
            found.follow(*first);
        }
        return Ok(draft.underway().evidence("is being deleted, and still here", &named, "metadata.deletionTimestamp"));
    }
    let stop = if is_pod(first.resource) { stop(*first, facts)? } else { decide(&named) };
    Ok(draft.evidence("is not being deleted", &named, "metadata.deletionTimestamp").remedy(stop))
}

fn decide(object: &Ref) -> Remedy {
    let (name, namespace) = (quote(&object.kubectl()), in_namespace(object));
    Remedy::manual(
        format!("decide about {object} first, which is not being deleted: kubectl get {name}{namespace} -o yaml"),
        "nothing is lost by looking",
    )
}

/// How to end a pod so that it stays away.
fn stop(pod: Seen<'_>, facts: &Facts<'_>) -> Known<Remedy> {
    let named = Ref::from(pod);
    let namespace = in_namespace(&named);
    let delete = format!("kubectl delete {}{namespace}", one("pod", &named.name));
    if is_finished(pod.object) {
        return Ok(Remedy::manual(
            format!("delete {named}, which has finished: {delete}"),
            "its log and its status go with it",
        ));
    }
    let owner = pod.object.metadata.owner_references.iter().find(|owner| owner.controller == Some(true));
    let Some(owner) = owner else {
        return Ok(Remedy::manual(format!("stop {named}: {delete}"), "what runs in it stops"));
    };
    let (kind, name) = match above(owner, &named, facts)? {
        Some(above) => above,
        None => (owner.kind.clone(), owner.name.clone()),
    };
    let how = match kind.as_str() {
        "Deployment" | "StatefulSet" | "ReplicaSet" | "ReplicationController" => {
            format!(": kubectl scale {}{namespace} --replicas=0", one(&kind.to_lowercase(), &name))
        }
        "Job" | "DaemonSet" => format!(": kubectl delete {}{namespace}", one(&kind.to_lowercase(), &name)),
        _ => String::new(),
    };
    Ok(Remedy::manual(
        format!("stop {named} by what makes it again, {kind} {name}{how}"),
        "what runs in it stops until it is started again",
    ))
}

/// The Deployment of a pod's `ReplicaSet`.
fn above(
    owner: &k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference,
    pod: &Ref,
    facts: &Facts<'_>,
) -> Known<Option<(String, String)>> {
    let Some(sets) = facts.preferred("apps", "replicasets").filter(|_| owner.kind == "ReplicaSet") else {
        return Ok(None);
    };
    let set = match facts.metadata(&sets.id, pod.namespace.as_deref(), &owner.name) {
        Err(Unknown::NotSurveyed) => return Err(Unknown::NotSurveyed),
        other => other.ok().flatten(),
    };
    let above = set.and_then(|set| set.metadata.owner_references.iter().find(|owner| owner.controller == Some(true)));
    Ok(above.map(|above| (above.kind.clone(), above.name.clone())))
}
