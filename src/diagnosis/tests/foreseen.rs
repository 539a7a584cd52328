//! Forecasts of deletions that are not requested yet, in small clusters in memory.

use super::worlds::SmallCluster;
use crate::diagnosis::preflight;
use crate::report::{Report, State};
use crate::survey::{Cascade, ResourceId, TargetName};
use serde_json::{Value, json};

/// A finalizer whose controller destroys something.
const DESTROYS: &str = "resources-finalizer.argocd.argoproj.io";

/// An object in the namespace `shop`.
fn object(kind: &'static str, name: &str, owners: &Value) -> (&'static str, Value) {
    (kind, json!({"metadata": {"name": name, "namespace": "shop", "uid": name, "ownerReferences": owners}}))
}

fn widget(name: &str) -> TargetName {
    target("acme.io", "widgets", Some("shop"), name)
}

fn target(group: &str, plural: &str, namespace: Option<&str>, name: &str) -> TargetName {
    TargetName {
        resource: ResourceId::new(group, "v1", plural),
        namespace: namespace.map(Into::into),
        name: name.into(),
    }
}

fn foreseen(world: &SmallCluster, targets: &[TargetName], cascade: Cascade) -> Report {
    world.answer(|survey| preflight::diagnose(survey, targets, cascade))
}

fn consequences(report: &Report) -> Vec<&str> {
    report.consequences.iter().map(|note| &*note.why).collect()
}

#[test]
fn a_managed_object_is_recreated_unless_its_manager_is_deleted() {
    let owner = |controller: bool| json!([{"apiVersion": "acme.io/v1", "kind": "Widget", "name": "top", "uid": "top", "controller": controller}]);
    let comes_back = |controller: bool, targets: &[TargetName]| {
        let objects = vec![object("widgets", "top", &json!([])), object("widgets", "web", &owner(controller))];
        let report = foreseen(&SmallCluster { objects, ..SmallCluster::default() }, targets, Cascade::Background);
        let words = "Widget shop/top manages it and would create it again";
        consequences(&report).contains(&words)
    };
    assert!(comes_back(true, &[widget("web")]));
    assert!(!comes_back(true, &[widget("top"), widget("web")]));
    assert!(!comes_back(false, &[widget("web")]));
}

#[test]
fn in_the_foreground_the_dependents_that_block_go_with_their_owner() {
    let owned = |name: &str, blocks: bool| {
        let owner = json!([{"apiVersion": "v1", "kind": "ConfigMap", "name": "top", "uid": "top", "blockOwnerDeletion": blocks}]);
        let (kind, mut application) = object("applications", name, &owner);
        application["metadata"]["finalizers"] = json!([DESTROYS]);
        (kind, application)
    };
    let objects = vec![object("configmaps", "top", &json!([])), owned("blog", true), owned("wiki", false)];
    let world = SmallCluster { objects, ..SmallCluster::default() };
    let costs = |cascade| {
        let report = foreseen(&world, &[target("", "configmaps", Some("shop"), "top")], cascade);
        report.order.last().map(|turn| turn.consequence.clone()).unwrap_or_default()
    };
    let foreground = costs(Cascade::Foreground);
    assert!(foreground.contains("also deleted: Application shop/blog: "), "{foreground}");
    assert!(!costs(Cascade::Background).contains("Application"));
}

#[test]
fn unlistable_dependents_are_reported_as_unknown() {
    let hidden = |forbidden: &[&'static str]| {
        let world = SmallCluster {
            objects: vec![object("widgets", "web", &json!([]))],
            forbidden: forbidden.to_vec(),
            refusal: None,
        };
        let report = foreseen(&world, &[widget("web")], Cascade::Background);
        consequences(&report)
            .iter()
            .find(|why| why.starts_with("it is not known whether it owns any"))
            .map(|why| (*why).to_owned())
    };
    assert_eq!(hidden(&[]), None);
    let one = hidden(&["pods"]).unwrap();
    assert!(one.starts_with("it is not known whether it owns any pods, which would be deleted with it"), "{one}");
    let three = hidden(&["pods", "configmaps", "services"]).unwrap();
    assert!(three.contains(" 2 more kinds"), "{three}");
}

#[test]
fn dependents_are_searched_only_for_products_and_stateful_sets() {
    let objects = vec![
        object("configmaps", "settings", &json!([])),
        object("deployments", "web", &json!([])),
        object("statefulsets", "db", &json!([])),
        ("clusterroles", json!({"metadata": {"name": "role", "uid": "role"}})),
    ];
    let world = SmallCluster { objects, forbidden: vec!["pods"], refusal: None };
    let is_looked_for = |target: TargetName| {
        let report = foreseen(&world, &[target], Cascade::Background);
        consequences(&report).iter().any(|why| why.starts_with("it is not known whether it owns any"))
    };
    assert!(is_looked_for(target("apps", "statefulsets", Some("shop"), "db")));
    assert!(!is_looked_for(target("apps", "deployments", Some("shop"), "web")));
    assert!(!is_looked_for(target("", "configmaps", Some("shop"), "settings")));
    assert!(!is_looked_for(target("rbac.authorization.k8s.io", "clusterroles", None, "role")));
}

#[test]
fn the_garbage_collector_deletes_what_no_other_owner_keeps() {
    let reference = |name: &str| json!({"apiVersion": "acme.io/v1", "kind": "Widget", "name": name, "uid": name});
    let owned = |name: &str, owners: &[&str]| {
        let (kind, mut application) =
            object("applications", name, &owners.iter().map(|name| reference(name)).collect());
        application["metadata"]["finalizers"] = json!([DESTROYS]);
        (kind, application)
    };
    let widgets = ["top", "other"].map(|name| object("widgets", name, &json!([])));
    let mut objects = vec![owned("blog", &["top"]), owned("wiki", &["top", "other"])];
    objects.extend(widgets);
    let report = foreseen(&SmallCluster { objects, ..SmallCluster::default() }, &[widget("top")], Cascade::Background);
    let told = consequences(&report).join("\n");
    assert!(told.contains("also deleted: Application shop/blog: "), "{told}");
    assert!(!told.contains("more: "), "{told}");
}

#[test]
fn the_instances_of_a_definition_go_with_it() {
    let definition = json!({"metadata": {"name": "widgets.acme.io", "uid": "d"},
        "spec": {"group": "acme.io", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{"name": "v1", "served": true, "storage": true}]},
        "status": {"storedVersions": ["v1"]}});
    let definition = ("customresourcedefinitions", definition);
    let world =
        SmallCluster { objects: vec![definition, object("widgets", "web", &json!([]))], ..SmallCluster::default() };
    let name = target("apiextensions.k8s.io", "customresourcedefinitions", None, "widgets.acme.io");
    let report = foreseen(&world, &[name], Cascade::Background);
    assert_eq!(report.targets[0].state, State::WouldGo);
    let summary = "nothing would hold it; 1 object of its kind would be deleted with it; risk: loses-data";
    assert_eq!(report.targets[0].summary, summary);
    let turn = report.order.last().unwrap();
    assert!(turn.consequence.starts_with("all objects of its kind are deleted, in all namespaces"), "{turn:?}");
}

#[test]
fn deleting_a_node_mentions_its_pods_and_a_namesake_does_not() {
    let pod = json!({"metadata": {"name": "web", "namespace": "shop", "uid": "p"}, "spec": {"nodeName": "worker"}});
    let node = json!({"metadata": {"name": "worker", "uid": "n"}});
    let objects = vec![("nodes", node), ("pods", pod), object("configmaps", "worker", &json!([]))];
    let world = SmallCluster { objects, ..SmallCluster::default() };
    let told = |target: TargetName| consequences(&foreseen(&world, &[target], Cascade::Background)).join("\n");
    let of_node = told(target("", "nodes", None, "worker"));
    assert!(of_node.contains("which runs on it, is removed by the pod garbage collector"), "{of_node}");
    assert_eq!(told(target("", "configmaps", Some("shop"), "worker")), "");
}

#[test]
fn the_fate_of_at_most_50_volumes_is_reported() {
    let untold = |count: usize| {
        let mut objects = vec![("namespaces", json!({"metadata": {"name": "shop", "uid": "ns"}}))];
        for number in 0..count {
            let volume = json!({"metadata": {"name": format!("pv-{number}"), "uid": format!("v{number}")},
                "spec": {"persistentVolumeReclaimPolicy": "Retain", "claimRef": {"uid": format!("data-{number}")}}});
            objects.push(object("persistentvolumeclaims", &format!("data-{number}"), &json!([])));
            objects.push(("persistentvolumes", volume));
        }
        let shop = target("", "namespaces", None, "shop");
        let report = foreseen(&SmallCluster { objects, ..SmallCluster::default() }, &[shop], Cascade::Background);
        assert_eq!(consequences(&report).iter().filter(|why| why.contains("Released")).count(), count.min(50));
        report.unread.iter().any(|note| format!("{note:?}").contains("the data of 2 more volumes"))
    };
    assert!(!untold(50));
    assert!(untold(52));
}

#[test]
fn the_reclaim_policy_decides_the_fate_of_a_volume() {
    let fate = |policy: &str| {
        let volume = json!({"metadata": {"name": "pv-1", "uid": "v"},
            "spec": {"persistentVolumeReclaimPolicy": policy, "claimRef": {"uid": "data"}}});
        let objects = vec![object("persistentvolumeclaims", "data", &json!([])), ("persistentvolumes", volume)];
        let claim = target("", "persistentvolumeclaims", Some("shop"), "data");
        let report = foreseen(&SmallCluster { objects, ..SmallCluster::default() }, &[claim], Cascade::Background);
        consequences(&report).join("\n")
    };
    assert!(fate("Delete").contains("the data is lost: PersistentVolume pv-1"), "{}", fate("Delete"));
    assert!(
        fate("Retain").contains("stays with its data, in phase Released: nothing deletes it"),
        "{}",
        fate("Retain")
    );
    assert!(fate("Recycle").contains("it is not known what happens to its data"), "{}", fate("Recycle"));
}
