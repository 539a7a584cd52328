//! The same act has the same risk, whichever way it is asked for.

use super::{NOW, report_for};
use crate::diagnosis::preflight;
use crate::report::{Report, Risk};
use crate::survey::{Cascade, InMemory, ProductName, Purpose, Resource, ResourceId, TargetName};
use serde_json::{Value, json};

const KINDS: [(&str, &str, &str, bool); 6] = [
    ("apiregistration.k8s.io", "apiservices", "APIService", false),
    ("", "namespaces", "Namespace", false),
    ("apps", "deployments", "Deployment", true),
    ("acme.io", "gizmos", "Gizmo", true),
    ("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition", false),
    ("rbac.authorization.k8s.io", "clusterroles", "ClusterRole", false),
];

/// A Helm release with its definition, and so many objects of its kind that somebody else has made.
fn cluster(gizmos: usize) -> InMemory {
    let marks = json!({"meta.helm.sh/release-name": "gizmo", "meta.helm.sh/release-namespace": "ops"});
    let made =
        |name: &str, namespace: Value| json!({"name": name, "namespace": namespace, "uid": name, "annotations": marks});
    let definition = json!({"metadata": made("gizmos.acme.io", Value::Null),
        "spec": {"group": "acme.io", "scope": "Namespaced", "names": {"plural": "gizmos", "kind": "Gizmo"},
            "versions": [{"name": "v1", "served": true, "storage": true}]},
        "status": {"storedVersions": ["v1"]}});
    let service =
        json!({"metadata": {"name": "v1.acme.io", "uid": "v1"}, "spec": {"group": "acme.io", "version": "v1"}});
    let mut objects = vec![
        ("apiservices", service),
        ("customresourcedefinitions", definition),
        ("deployments", json!({"metadata": made("gizmo", "ops".into())})),
    ];
    objects.extend((0..gizmos).map(|number| {
        let name = format!("g{number}");
        ("gizmos", json!({"metadata": {"name": name, "namespace": "shop", "uid": name}}))
    }));
    let kinds = KINDS.map(|(group, plural, kind, namespaced)| Resource::tested(group, plural, kind, namespaced));
    InMemory::holding(NOW, kinds, objects)
}

fn foreseen(cluster: &InMemory, products: Vec<ProductName>, targets: &[TargetName]) -> Report {
    let mut survey = cluster.survey();
    survey.purpose = Purpose::Preflight { cascade: Cascade::Background, products };
    report_for(survey, cluster, |survey| preflight::diagnose(survey, targets, Cascade::Background))
}

/// The risk of the turn that deletes an object, and what the line of the object says, if it is a target.
fn told(report: &Report, name: &str) -> (Option<Risk>, String) {
    let turn = report.order.iter().find(|turn| turn.steps.iter().any(|step| step.object.name == name));
    let target = report.targets.iter().find(|target| target.object.name == name);
    (turn.map(|turn| turn.risk), target.map(|target| target.summary.to_string()).unwrap_or_default())
}

fn by_product(cluster: &InMemory) -> Report {
    let name = ProductName {
        installer: "helm".into(),
        name: "gizmo".into(),
        namespace: Some("ops".into()),
        ..ProductName::default()
    };
    foreseen(cluster, vec![name], &[])
}

fn definition() -> TargetName {
    let resource = ResourceId::new("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    TargetName { resource, namespace: None, name: DEFINITION.into() }
}

const DEFINITION: &str = "gizmos.acme.io";

#[test]
fn objects_of_a_kind_have_one_risk_by_product_by_definition_and_by_name() {
    let cluster = cluster(3);
    let names = ["g0", "g1", "g2"];
    let gizmos = names.map(|name| TargetName {
        resource: ResourceId::new("acme.io", "v1", "gizmos"),
        namespace: Some("shop".into()),
        name: name.into(),
    });
    let alone = foreseen(&cluster, Vec::new(), &gizmos);
    for name in names {
        let (risk, line) = told(&alone, name);
        assert_eq!(risk, Some(Risk::LosesData));
        assert!(line.ends_with("; risk: loses-data"), "{line}");
    }
    for report in [foreseen(&cluster, Vec::new(), &[definition()]), by_product(&cluster)] {
        assert_eq!(told(&report, DEFINITION).0, Some(Risk::LosesData));
        for name in names {
            // Without a turn of their own they are deleted with the definition.
            assert!(told(&report, name).0.is_none_or(|risk| risk == Risk::LosesData), "{name}");
        }
    }
}

#[test]
fn a_definition_without_objects_loses_nothing() {
    let cluster = cluster(0);
    for report in [foreseen(&cluster, Vec::new(), &[definition()]), by_product(&cluster)] {
        let (risk, line) = told(&report, DEFINITION);
        assert_eq!(risk, Some(Risk::Disruptive), "{line}");
        assert!(line.ends_with("; risk: disruptive"), "{line}");
    }
}
