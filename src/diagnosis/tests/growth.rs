//! The time of a diagnosis grows only with its input: counted, not measured.

use super::resource;
use crate::diagnosis::targets::diagnose;
use crate::facts::LOOKED_UP;
use crate::report::Report;
use crate::survey::{Discovery, Fact, Object, ResourceId, Survey, TargetName, Want};
use serde_json::{Value, json};

const RBAC: &str = "rbac.authorization.k8s.io";

/// A number of objects that wait for one controller at 0 replicas; each alone in its namespace, or all in
/// one.
fn survey(count: usize, namespaces: usize) -> Survey {
    let resources = vec![
        resource("", "namespaces", "Namespace", false),
        resource("apps", "deployments", "Deployment", true),
        resource(RBAC, "clusterroles", "ClusterRole", false),
        resource(RBAC, "clusterrolebindings", "ClusterRoleBinding", false),
        resource(RBAC, "roles", "Role", true),
        resource(RBAC, "rolebindings", "RoleBinding", true),
        resource("acme.io", "databases", "Database", true),
    ];
    let now = "2026-01-01T01:00:00Z".parse().unwrap();
    let mut survey = Survey::new(now, Discovery { resources, stale: vec![] });
    survey.targets = (0..count)
        .map(|number| TargetName {
            resource: ResourceId::new("acme.io", "v1", "databases"),
            namespace: Some(format!("shop-{}", number % namespaces)),
            name: format!("db-{number}"),
        })
        .collect();
    survey
}

fn database(target: &TargetName) -> Object {
    object(json!({"metadata": {"name": target.name, "namespace": target.namespace, "uid": target.name,
        "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["acme.io/backup"],
        "managedFields": [{"manager": "acme-operator", "operation": "Update",
            "fieldsV1": {"f:metadata": {"f:finalizers": {"v:\"acme.io/backup\"": {}}}}}]}, "spec": {"size": 1}}))
}

fn namespace(name: &str) -> Object {
    object(json!({"metadata": {"name": name, "uid": name}}))
}

fn object(value: Value) -> Object {
    Object::single(value).unwrap()
}

fn answer(want: &Want, targets: &[TargetName]) -> Fact {
    let list = match want.resource.plural.as_str() {
        "databases" => targets.iter().map(database).collect(),
        "namespaces" => {
            targets.iter().filter_map(|target| target.namespace.as_deref()).chain(["ops"]).map(namespace).collect()
        }
        "deployments" => vec![object(json!({"metadata": {"name": "acme-operator", "namespace": "ops", "uid": "acme"},
            "spec": {"replicas": 0, "template": {"spec": {"serviceAccountName": "acme"}}}}))],
        "clusterroles" => vec![object(json!({"metadata": {"name": "acme"},
            "rules": [{"apiGroups": ["acme.io"], "resources": ["databases"], "verbs": ["list", "update"]}]}))],
        "clusterrolebindings" => vec![object(json!({"metadata": {"name": "acme"},
            "roleRef": {"kind": "ClusterRole", "name": "acme"},
            "subjects": [{"kind": "ServiceAccount", "namespace": "ops", "name": "acme"}]}))],
        _ => Vec::new(),
    };
    let here =
        |object: &Object| want.namespace.is_none() || object.metadata.namespace.as_deref() == want.namespace.as_deref();
    let mut list = list.into_iter().filter(here);
    match &want.name {
        Some(name) => list.find(|object| object.name() == name).map_or(Fact::Missing, |it| Fact::Found(Box::new(it))),
        None => Fact::Listed(list.collect()),
    }
}

/// The report, and how often each round has looked up a fact.
fn diagnosed(mut survey: Survey) -> (Report, Vec<usize>) {
    let mut rounds = Vec::new();
    loop {
        LOOKED_UP.set(0);
        let diagnosis = diagnose(&survey, &survey.targets);
        rounds.push(LOOKED_UP.get());
        if diagnosis.wants.is_empty() {
            return (diagnosis.report, rounds);
        }
        for want in diagnosis.wants {
            let fact = answer(&want, &survey.targets);
            survey.record(want, fact);
        }
    }
}

#[test]
fn the_cost_grows_linearly_with_the_targets() {
    for namespaces in [1, usize::MAX] {
        let looked_up = |count: usize| {
            let (report, rounds) = diagnosed(survey(count, namespaces));
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
    let (report, rounds) = diagnosed(survey(600, 1));
    assert_eq!(report.findings[0].objects.len(), 600);
    let (last, before) = rounds.split_last().expect("a round");
    assert!(before.len() > 2, "{rounds:?}");
    assert!(before.iter().sum::<usize>() < *last, "each round looks at all: {rounds:?}");
}

#[test]
fn other_waiting_deletions_are_counted_once_for_all_targets() {
    let (report, ..) = diagnosed(survey(50, 1));
    let consequence = &report.remedies[0].consequence;
    assert!(consequence.contains("50 deletions, "), "{consequence}");
}
