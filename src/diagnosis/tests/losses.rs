//! Every remedy says which data and snapshots the end of the deletion destroys.

use super::{NOW, report};
use crate::diagnosis::{scan, targets};
use crate::report::{Remedy, Report, Risk, StepKind};
use crate::survey::{InMemory, Reason, Resource, ResourceId, Scan, TargetName};
use serde_json::{Value, json};

const DELETED: &str = "2026-01-01T00:00:00Z";
const SNAPSHOTS: &str = "snapshot.storage.k8s.io";
const KINDS: [(&str, &str, &str, bool); 12] = [
    ("", "namespaces", "Namespace", false),
    ("", "nodes", "Node", false),
    ("", "pods", "Pod", true),
    ("", "configmaps", "ConfigMap", true),
    ("", "persistentvolumeclaims", "PersistentVolumeClaim", true),
    ("", "persistentvolumes", "PersistentVolume", false),
    ("apps", "statefulsets", "StatefulSet", true),
    (SNAPSHOTS, "volumesnapshots", "VolumeSnapshot", true),
    (SNAPSHOTS, "volumesnapshotcontents", "VolumeSnapshotContent", false),
    ("rbac.authorization.k8s.io", "clusterroles", "ClusterRole", false),
    ("rbac.authorization.k8s.io", "clusterrolebindings", "ClusterRoleBinding", false),
    ("apiregistration.k8s.io", "apiservices", "APIService", false),
];

/// A cluster with these objects, and with their namespace if that is not among them.
fn cluster(objects: impl IntoIterator<Item = (&'static str, Value)>) -> InMemory {
    let kinds = KINDS.map(|(group, plural, kind, namespaced)| Resource::tested(group, plural, kind, namespaced));
    let mut objects: Vec<(&'static str, Value)> = objects.into_iter().collect();
    if !objects.iter().any(|(plural, _)| *plural == "namespaces") {
        objects.push(("namespaces", json!({"metadata": {"name": "shop", "uid": "ns"}})));
    }
    InMemory::holding(NOW, kinds, objects)
}

fn asked(cluster: &InMemory, group: &str, plural: &str, namespace: Option<&str>, name: &str) -> Report {
    let resource = ResourceId::new(group, "v1", plural);
    let target = TargetName { resource, namespace: namespace.map(Into::into), name: name.into() };
    report(cluster, |survey| targets::diagnose(survey, std::slice::from_ref(&target)))
}

/// A pod that is being deleted on a node that does not exist, with this volume.
fn pod(volume: &Value) -> (&'static str, Value) {
    let pod = json!({"metadata": {"name": "web", "namespace": "shop", "uid": "web", "deletionTimestamp": DELETED,
            "deletionGracePeriodSeconds": 30},
        "spec": {"nodeName": "lost", "volumes": [volume]}, "status": {"phase": "Running"}});
    ("pods", pod)
}

/// A claim with a volume of its own, with more metadata.
fn claim(name: &str, more: &Value) -> (&'static str, Value) {
    let mut metadata = json!({"name": name, "namespace": "shop", "uid": name});
    metadata.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    ("persistentvolumeclaims", json!({"metadata": metadata, "spec": {"volumeName": format!("pv-{name}")}}))
}

fn deleted_claim(name: &str) -> (&'static str, Value) {
    claim(name, &json!({"deletionTimestamp": DELETED, "finalizers": ["kubernetes.io/pvc-protection"]}))
}

fn volume(of: &str, policy: &str) -> (&'static str, Value) {
    let volume = json!({"metadata": {"name": format!("pv-{of}"), "uid": format!("pv-{of}")},
        "spec": {"persistentVolumeReclaimPolicy": policy, "claimRef": {"uid": of}}, "status": {"phase": "Bound"}});
    ("persistentvolumes", volume)
}

fn is_to_keep(remedy: &Remedy) -> bool {
    remedy.title.contains("to keep the ")
}

/// Whether each way says that this is lost, and the first says how to keep it with this command.
#[track_caller]
fn is_told(report: &Report, words: &str, command: &str) -> bool {
    let (keep, ways): (Vec<&Remedy>, Vec<&Remedy>) =
        report.remedies.iter().filter(|remedy| !remedy.warns).partition(|remedy| is_to_keep(remedy));
    assert!(!ways.is_empty(), "{report:?}");
    let told = ways.iter().filter(|way| way.risk == Risk::LosesData && way.consequence.contains(words)).count();
    assert!(told == 0 || told == ways.len(), "{ways:?}");
    assert_eq!(told > 0, keep.iter().any(|keep| keep.title.contains(command)), "{keep:?}");
    told > 0
}

const KEEP_DATA: &str = "kubectl patch pv pv-data -p ";

#[test]
fn the_end_of_a_pod_deletes_the_data_of_a_claim_that_only_it_keeps() {
    let named = json!({"name": "v", "persistentVolumeClaim": {"claimName": "data"}});
    let told = |claim: (&'static str, Value), policy: &str| {
        let cluster = cluster([pod(&named), claim, volume("data", policy)]);
        is_told(&asked(&cluster, "", "pods", Some("shop"), "web"), "deleted with the claim", KEEP_DATA)
    };
    assert!(told(deleted_claim("data"), "Delete"));
    assert!(!told(deleted_claim("data"), "Retain"));
    assert!(!told(claim("data", &json!({})), "Delete"), "nobody deletes the claim");
    // The claim names the volume of another claim.
    let stranger = cluster([pod(&named), deleted_claim("data"), {
        let (kind, mut volume) = volume("data", "Delete");
        volume["spec"]["claimRef"]["uid"] = json!("another");
        (kind, volume)
    }]);
    let report = asked(&stranger, "", "pods", Some("shop"), "web");
    assert!(!is_told(&report, "deleted with the claim", KEEP_DATA));
}

#[test]
fn the_end_of_a_pod_deletes_its_ephemeral_volumes() {
    let own = json!({"name": "data", "ephemeral": {}});
    let told = |owner: &str| {
        let owners = json!([{"apiVersion": "v1", "kind": "Pod", "name": "web", "uid": owner}]);
        let claim = claim("web-data", &json!({"ownerReferences": owners}));
        let cluster = cluster([pod(&own), claim, volume("web-data", "Delete")]);
        let report = asked(&cluster, "", "pods", Some("shop"), "web");
        is_told(&report, "deleted with the claim", "kubectl patch pv pv-web-data -p ")
    };
    assert!(told("web"));
    assert!(!told("another"), "the claim belongs to another pod");
}

#[test]
fn a_volume_that_cannot_be_read_is_not_taken_for_kept() {
    let named = json!({"name": "v", "persistentVolumeClaim": {"claimName": "data"}});
    let mut cluster = cluster([pod(&named), deleted_claim("data"), volume("data", "Retain")]);
    cluster.hide("persistentvolumes", Reason::Forbidden, "");
    let report = asked(&cluster, "", "pods", Some("shop"), "web");
    let ways = report.remedies.iter().filter(|remedy| remedy.consequence.contains("could not read whether deleting "));
    assert!(ways.clone().count() > 0 && ways.clone().all(|way| way.risk == Risk::LosesData), "{:?}", report.remedies);
    assert!(report.remedies[0].title.contains("kubectl get pv"), "{:?}", report.remedies);
}

#[test]
fn a_namespace_that_is_emptied_deletes_the_data_of_its_claims() {
    let told = |policy: &str| {
        let namespace = json!({"metadata": {"name": "shop", "uid": "ns", "deletionTimestamp": DELETED},
            "spec": {"finalizers": ["kubernetes"]},
            "status": {"phase": "Terminating", "conditions": [{"type": "NamespaceDeletionContentFailure",
                "status": "True", "reason": "ContentDeletionFailed", "message": "etcdserver: no leader",
                "lastTransitionTime": "2026-01-01T00:00:05Z"}]}});
        let left = [("namespaces", namespace), claim("data", &json!({})), volume("data", policy)];
        let report = asked(&cluster(left), "", "namespaces", None, "shop");
        is_told(&report, "deleted with the claim", KEEP_DATA)
    };
    assert!(told("Delete"));
    assert!(!told("Retain"));
}

#[test]
fn an_owner_deletes_the_data_of_the_claims_below_it() {
    let told = |policy: &str| {
        let set = json!({"metadata": {"name": "db", "namespace": "shop", "uid": "db", "deletionTimestamp": DELETED,
            "finalizers": ["foregroundDeletion"]}});
        let owner = json!([{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db",
            "blockOwnerDeletion": true}]);
        let claim = claim(
            "data",
            &json!({"deletionTimestamp": DELETED, "ownerReferences": owner,
            "finalizers": ["kubernetes.io/pvc-protection"]}),
        );
        let cluster = cluster([("statefulsets", set), claim, volume("data", policy)]);
        is_told(&asked(&cluster, "apps", "statefulsets", Some("shop"), "db"), "deleted with the claim", KEEP_DATA)
    };
    assert!(told("Delete"));
    assert!(!told("Retain"));
}

#[test]
fn the_end_of_a_content_deletes_its_snapshot_unless_only_a_finalizer_is_removed() {
    let ways = |policy: &str| {
        let content = json!({"metadata": {"name": "snap", "uid": "snap", "deletionTimestamp": DELETED,
            "finalizers": ["acme.io/hold"]}, "spec": {"deletionPolicy": policy}});
        asked(&cluster([("volumesnapshotcontents", content)]), SNAPSHOTS, "volumesnapshotcontents", None, "snap")
            .remedies
    };
    let is_lost = |remedy: &&Remedy| remedy.consequence.contains("is deleted at the storage system");
    assert_eq!(ways("Retain").iter().filter(is_lost).count(), 0);
    let ways = ways("Delete");
    let command =
        "kubectl patch volumesnapshotcontent snap --type merge -p '{\"spec\":{\"deletionPolicy\":\"Retain\"}}'";
    assert!(ways[0].title.contains(command), "{}", ways[0].title);
    for way in &ways[1..] {
        let removes = way.steps.iter().any(|step| step.kind() == StepKind::RemoveFinalizer);
        assert_eq!(is_lost(&way), !removes, "{way:?}");
    }
}

#[test]
fn a_scan_names_the_volumes_of_all_claims_of_one_cause() {
    let objects = [deleted_claim("kept"), volume("kept", "Retain"), deleted_claim("data"), volume("data", "Delete")];
    let report = report(&cluster(objects), |survey| scan::diagnose(survey, &Scan::default()));
    assert!(is_told(&report, "the data of PersistentVolume pv-data is deleted with the claim", KEEP_DATA));
}
