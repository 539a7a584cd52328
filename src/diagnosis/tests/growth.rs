//! The time of a diagnosis grows only with its input: counted, not measured.

use super::NOW;
use crate::diagnosis::targets::diagnose;
use crate::facts::LOOKED_UP;
use crate::report::Report;
use crate::survey::{InMemory, Object, Resource, Survey, TargetName, answered};
use serde_json::{Value, json};

const RBAC: &str = "rbac.authorization.k8s.io";

/// A number of objects that wait for one controller at 0 replicas; each alone in its namespace, or all in
/// one.
fn cluster(count: usize, namespaces: usize) -> InMemory {
    let kinds = [
        Resource::tested("", "namespaces", "Namespace", false),
        Resource::tested("apps", "deployments", "Deployment", true),
        Resource::tested(RBAC, "clusterroles", "ClusterRole", false),
        Resource::tested(RBAC, "clusterrolebindings", "ClusterRoleBinding", false),
        Resource::tested(RBAC, "roles", "Role", true),
        Resource::tested(RBAC, "rolebindings", "RoleBinding", true),
        Resource::tested("acme.io", "databases", "Database", true),
    ];
    let operator = [
        namespace("ops"),
        (
            "deployments",
            json!({"metadata": {"name": "acme-operator", "namespace": "ops", "uid": "acme"},
            "spec": {"replicas": 0, "template": {"spec": {"serviceAccountName": "acme"}}}}),
        ),
        (
            "clusterroles",
            json!({"metadata": {"name": "acme"},
            "rules": [{"apiGroups": ["acme.io"], "resources": ["databases"], "verbs": ["list", "update"]}]}),
        ),
        (
            "clusterrolebindings",
            json!({"metadata": {"name": "acme"}, "roleRef": {"kind": "ClusterRole", "name": "acme"},
            "subjects": [{"kind": "ServiceAccount", "namespace": "ops", "name": "acme"}]}),
        ),
    ];
    let places = (0..count.min(namespaces)).map(|number| namespace(&format!("shop-{number}")));
    let databases =
        (0..count).map(|number| database(&format!("db-{number}"), &format!("shop-{}", number % namespaces)));
    InMemory::holding(NOW, kinds, operator.into_iter().chain(places).chain(databases))
}

fn database(name: &str, namespace: &str) -> (&'static str, Value) {
    let object = json!({"metadata": {"name": name, "namespace": namespace, "uid": name,
        "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["acme.io/backup"],
        "managedFields": [{"manager": "acme-operator", "operation": "Update",
            "fieldsV1": {"f:metadata": {"f:finalizers": {"v:\"acme.io/backup\"": {}}}}}]}, "spec": {"size": 1}});
    ("databases", object)
}

fn namespace(name: &str) -> (&'static str, Value) {
    ("namespaces", json!({"metadata": {"name": name, "uid": name}}))
}

/// The report, and how often each round has looked up a fact.
fn diagnosed(cluster: &InMemory) -> (Report, Vec<usize>) {
    let kind = cluster.discovery.preferred("acme.io", "databases").expect("it is served").id.clone();
    let targets: Vec<TargetName> = cluster.of(&kind).map(|object: &Object| TargetName::of(&kind, object)).collect();
    let mut survey = cluster.survey();
    survey.targets = targets;
    let mut rounds = Vec::new();
    let ask = |survey: &Survey| {
        LOOKED_UP.set(0);
        let diagnosis = diagnose(survey, &survey.targets);
        rounds.push(LOOKED_UP.get());
        (diagnosis.report, diagnosis.wants)
    };
    let report = answered(&mut survey, |want| cluster.answer(want), ask).expect("it comes to an end");
    (report, rounds)
}

#[test]
fn the_cost_grows_linearly_with_the_targets() {
    for namespaces in [1, usize::MAX] {
        let looked_up = |count: usize| {
            let (report, rounds) = diagnosed(&cluster(count, namespaces));
            assert_eq!(report.findings[0].objects.len(), count);
            let summary = &report.findings[0].summary;
            assert!(summary.ends_with("Deployment ops/acme-operator is scaled to 0 replicas"), "{summary}");
            assert!(rounds.len() <= 8, "{} rounds", rounds.len());
            rounds[rounds.len() - 1]
        };
        let [few, some, many] = [60, 120, 240].map(looked_up);
        assert_eq!(many - some, 2 * (some - few), "in {namespaces} namespaces");
        assert!(few < 60 * 60, "{few} look-ups for 60 targets");
    }
}

#[test]
fn a_few_targets_request_facts_for_all() {
    let (report, rounds) = diagnosed(&cluster(600, 1));
    assert_eq!(report.findings[0].objects.len(), 600);
    let (last, before) = rounds.split_last().expect("a round");
    assert!(before.len() > 2, "{rounds:?}");
    assert!(before.iter().sum::<usize>() < *last, "each round looks at all: {rounds:?}");
}

#[test]
fn other_waiting_deletions_are_counted_once_for_all_targets() {
    let (report, ..) = diagnosed(&cluster(50, 1));
    let consequence = &report.remedies[0].consequence;
    assert!(consequence.contains("50 deletions, "), "{consequence}");
}
