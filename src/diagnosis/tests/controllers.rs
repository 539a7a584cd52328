//! Small clusters in memory, for states that are hard to produce in a real one.

use super::NOW;
use crate::diagnosis::answer::Diagnosis;
use crate::diagnosis::targets::diagnose;
use crate::report::{Cause, ControllerState, Finding, Remedy, Report, Risk, Sentence, State, StepKind, Why};
use crate::survey::{InMemory, Object, Reason, Resource, ResourceId, Survey, TargetName};
use serde_json::{Value, json};

mod forged;
mod named;
mod one_order;
mod speakers;

const DELETED: &str = "2026-01-01T00:00:00Z";

/// The content of a cluster: objects by plural, and kinds that may not be listed.
#[derive(Default)]
struct DatabaseCluster {
    objects: Vec<(&'static str, Object)>,
    forbidden: Vec<&'static str>,
    /// Kinds whose list fails, with the server's message.
    failing: Vec<(&'static str, &'static str)>,
}

fn kinds() -> Vec<Resource> {
    let (resource, rbac) = (Resource::tested, "rbac.authorization.k8s.io");
    vec![
        resource("", "namespaces", "Namespace", false),
        resource("", "events", "Event", true),
        resource("", "pods", "Pod", true),
        resource("", "serviceaccounts", "ServiceAccount", true),
        resource("", "services", "Service", true),
        resource("apps", "deployments", "Deployment", true),
        resource("apps", "statefulsets", "StatefulSet", true),
        resource("apps", "daemonsets", "DaemonSet", true),
        resource(rbac, "clusterroles", "ClusterRole", false),
        resource(rbac, "clusterrolebindings", "ClusterRoleBinding", false),
        resource(rbac, "roles", "Role", true),
        resource(rbac, "rolebindings", "RoleBinding", true),
        resource("coordination.k8s.io", "leases", "Lease", true),
        resource("acme.io", "databases", "Database", true),
        resource("acme.io", "buckets", "Bucket", true),
        resource("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition", false),
        resource("apiregistration.k8s.io", "apiservices", "APIService", false),
    ]
}

impl DatabaseCluster {
    /// A database that waits for its finalizer, and a role that may write it.
    fn new() -> Self {
        let mut cluster = Self::default();
        for name in ["shop", "ops", "other"] {
            cluster.add("namespaces", json!({"metadata": {"name": name, "uid": name}}));
        }
        cluster.add(
            "clusterroles",
            json!({"metadata": {"name": "acme", "uid": "role"},
                "rules": [{"apiGroups": ["acme.io"], "resources": ["databases", "databases/status"],
                    "verbs": ["list", "watch", "update"]}]}),
        );
        cluster.database(&json!({}));
        cluster
    }

    fn add(&mut self, plural: &'static str, object: Value) {
        self.objects.push((plural, Object::single(object).expect("an object")));
    }

    fn database(&mut self, status: &Value) {
        self.objects.retain(|(plural, _)| *plural != "databases");
        self.add(
            "databases",
            json!({"metadata": {"name": "orders", "namespace": "shop", "uid": "orders", "generation": 2,
                "deletionTimestamp": DELETED, "deletionGracePeriodSeconds": 0, "finalizers": ["acme.io/backup"]},
                "spec": {}, "status": status}),
        );
    }

    fn bound(&mut self, subject: &Value) {
        let name = format!("binding-{}", self.objects.len());
        self.add(
            "clusterrolebindings",
            json!({"metadata": {"name": name, "uid": name}, "roleRef": {"kind": "ClusterRole", "name": "acme"},
                "subjects": [subject]}),
        );
    }

    fn account(&mut self, namespace: &str, name: &str) {
        self.bound(&json!({"kind": "ServiceAccount", "namespace": namespace, "name": name}));
        self.add("serviceaccounts", json!({"metadata": {"name": name, "namespace": namespace, "uid": name}}));
    }

    fn deployment(&mut self, namespace: &str, name: &str, account: &str, replicas: i64) {
        self.add(
            "deployments",
            json!({"metadata": {"name": name, "namespace": namespace, "uid": format!("{namespace}-{name}")},
                "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": "x"}},
                    "template": {"spec": {"serviceAccountName": account}}}}),
        );
    }

    /// A Ready pod, of a Deployment if one is named.
    fn pod(&mut self, namespace: &str, name: &str, account: &str, of: Option<&str>) {
        let owners: Vec<Value> = of
            .map(|of| json!({"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": format!("{of}-1a2b"), "uid": of, "controller": true}))
            .into_iter()
            .collect();
        self.add(
            "pods",
            json!({"metadata": {"name": name, "namespace": namespace, "uid": name, "ownerReferences": owners,
                    "labels": {"app": "x", "pod-template-hash": "1a2b"}},
                "spec": {"serviceAccountName": account},
                "status": {"conditions": [{"type": "Ready", "status": "True"}]}}),
        );
    }

    /// The report of a diagnosis.
    fn asked(&self, diagnose: impl Fn(&Survey) -> Diagnosis) -> Report {
        let mut cluster = InMemory::holding(NOW, kinds(), []);
        for (plural, object) in &self.objects {
            cluster.insert(plural, object.clone());
        }
        for plural in &self.forbidden {
            cluster.hide(plural, Reason::Forbidden, "");
        }
        for (plural, message) in &self.failing {
            cluster.hide(plural, Reason::ServerError, message);
        }
        super::report(&cluster, diagnose)
    }

    /// The finding about the database, and its remedies.
    fn finding(&self) -> (Finding, Vec<Remedy>) {
        let report = self.report();
        let finding = report.findings.iter().find(|it| it.finalizer.is_some()).expect("a finding");
        (finding.clone(), report.remedies_of(finding).cloned().collect())
    }

    /// The report about the database.
    fn report(&self) -> Report {
        let target = TargetName {
            resource: ResourceId::new("acme.io", "v1", "databases"),
            namespace: Some("shop".into()),
            name: "orders".into(),
        };
        self.asked(|survey| diagnose(survey, std::slice::from_ref(&target)))
    }

    fn controller(&self) -> (ControllerState, String) {
        let controller = self.finding().0.controller.expect("a controller");
        (controller.state, controller.workload.map(|workload| workload.to_string()).unwrap_or_default())
    }
}

#[test]
fn with_equal_evidence_the_running_workload_is_chosen() {
    let mut cluster = DatabaseCluster::new();
    for namespace in ["ops", "other"] {
        cluster.account(namespace, "acme");
        cluster.deployment(namespace, "acme", "acme", i64::from(namespace == "other"));
    }
    cluster.pod("other", "acme-1a2b-x", "acme", Some("acme"));
    assert_eq!(cluster.controller(), (ControllerState::Alive, "Deployment other/acme".into()));
    let (finding, _) = cluster.finding();
    let evidence = finding.controller.expect("a controller").evidence.join("\n");
    assert!(evidence.contains("with the same evidence: Deployment ops/acme"), "{evidence}");
}

#[test]
fn a_workload_found_by_rights_alone_is_likely_and_disruptive_to_start() {
    let mut cluster = DatabaseCluster::new();
    cluster.account("ops", "acme");
    cluster.deployment("ops", "acme", "acme", 0);
    let (finding, remedies) = cluster.finding();
    assert_eq!(finding.why, Why::Likely);
    assert_eq!(remedies[0].risk, Risk::Disruptive);
}

/// A Deployment with a mark of the installation that the kind's definition has, too.
fn installed_with_the_kind(cluster: &mut DatabaseCluster, deployment: &str) {
    let mark = json!({"app.kubernetes.io/part-of": "acme-suite", "app.kubernetes.io/name": "databases"});
    cluster.add(
        "customresourcedefinitions",
        json!({"metadata": {"name": "databases.acme.io", "uid": "crd", "labels": mark},
            "spec": {"group": "acme.io", "names": {"plural": "databases", "kind": "Database"}}}),
    );
    for (plural, object) in &mut cluster.objects {
        if *plural == "deployments" && object.name() == deployment {
            object.metadata.labels = serde_json::from_value(mark.clone()).unwrap();
        }
    }
}

#[test]
fn the_owner_of_an_unrelated_finalizer_is_never_proven() {
    let parked = |finalizer: &str| {
        let mut cluster = DatabaseCluster::new();
        cluster.account("ops", "acme");
        cluster.deployment("ops", "db-keeper", "acme", 0);
        installed_with_the_kind(&mut cluster, "db-keeper");
        // The status is written under its name, too.
        let object = database(&mut cluster);
        object.metadata.finalizers = vec![finalizer.into()];
        object.metadata.managed_fields = json!([{"manager": "db-keeper", "operation": "Update",
            "subresource": "status", "time": "2025-12-01T00:00:00Z", "fieldsV1": {"f:status": {}}}]);
        let (finding, remedies) = cluster.finding();
        let controller = finding.controller.expect("a controller");
        (controller.state, finding.why, remedies)
    };
    // With a name, a mark and permissions, the owner of the kind is certain.
    let (state, certainty, _) = parked("acme.io/backup");
    assert_eq!((state, certainty), (ControllerState::Down, Why::Proven));
    // The owner of the finalizer is not.
    let (_, certainty, remedies) = parked("hold.example.com/legal");
    assert_eq!(certainty, Why::Likely);
    assert!(remedies.iter().all(|remedy| remedy.risk != Risk::Harmless), "{remedies:?}");
}

#[test]
fn a_right_that_many_accounts_have_proves_nothing() {
    let parked = |others: usize| {
        let mut cluster = DatabaseCluster::new();
        cluster.account("ops", "acme");
        cluster.deployment("ops", "keeper", "acme", 0);
        installed_with_the_kind(&mut cluster, "keeper");
        for other in 0..others {
            cluster.account("other", &format!("reader-{other}"));
        }
        cluster.finding().0.why
    };
    assert_eq!(parked(0), Why::Proven);
    assert_eq!(parked(11), Why::Likely);
}

/// A cluster whose controller is at 0, according to its name and its permissions.
fn at_zero() -> DatabaseCluster {
    let mut cluster = DatabaseCluster::new();
    cluster.account("ops", "acme");
    cluster.deployment("ops", "acme-operator", "acme", 0);
    let (_, database) = cluster.objects.iter_mut().find(|(plural, _)| *plural == "databases").expect("a database");
    database.metadata.managed_fields = json!([{"manager": "acme-operator", "operation": "Update", "apiVersion": "acme.io/v1",
        "fieldsV1": {"f:metadata": {"f:finalizers": {".": {}, "v:\"acme.io/backup\"": {}}}}}]);
    cluster
}

/// Another object of the same product, in another namespace.
fn bucket(name: &str, finalizer: &str, deleting: bool) -> Value {
    let mut object = json!({"metadata": {"name": name, "namespace": "other", "uid": name, "finalizers": [finalizer]}});
    if deleting {
        object["metadata"]["deletionTimestamp"] = DELETED.into();
    }
    object
}

fn scale_up(cluster: &DatabaseCluster) -> Remedy {
    let remedies = cluster.finding().1;
    let scales = |remedy: &Remedy| remedy.title.starts_with("scale ");
    remedies.into_iter().find(scales).expect("a scale-up")
}

#[test]
fn a_controller_that_comes_back_finishes_every_deletion_that_waits_for_it() {
    let mut cluster = at_zero();
    let alone = scale_up(&cluster);
    // The catalogue does not know what else it does.
    assert_eq!(alone.risk, Risk::Disruptive, "{}", alone.consequence);
    assert_eq!(
        alone.consequence,
        "it starts again and does the clean-up of 1 deletion, and resumes all its other work"
    );
    // Objects that are not being deleted do not count.
    cluster.add("buckets", bucket("kept", "cephblockpool.ceph.rook.io", false));
    cluster.add("buckets", bucket("plain", "acme.io/other", true));
    let more = scale_up(&cluster);
    let text = "also finishes 1 deletion requested elsewhere: Bucket other/plain (60m ago); it starts again and does the \
                clean-up of 1 deletion, and resumes all its other work";
    assert_eq!((more.risk, more.level(), &*more.consequence), (Risk::Disruptive, Risk::LosesData, text));
    cluster.add("buckets", bucket("pool", "cephblockpool.ceph.rook.io", true));
    let worst = scale_up(&cluster);
    assert_eq!((worst.risk, worst.level()), (Risk::Disruptive, Risk::LosesData));
    let says = "also finishes 2 deletions requested elsewhere: Bucket other/plain (60m ago), Bucket other/pool (60m ago): \
                the pool and its data are deleted; it starts again";
    assert!(worst.consequence.starts_with(says), "{}", worst.consequence);
    for name in ["a", "b", "c"] {
        cluster.add("buckets", bucket(name, "cephblockpool.ceph.rook.io", true));
    }
    let many = scale_up(&cluster);
    let confirms = many.confirms.expect("what it also finishes");
    assert_eq!((confirms.deletions, confirms.elsewhere, confirms.named.len()), (6, 5, 3));
    assert!(many.consequence.contains(" and 2 more: the pool"), "{}", many.consequence);
}

#[test]
fn unreadable_deletions_require_confirmation_by_name() {
    let mut cluster = at_zero();
    cluster.forbidden = vec!["buckets"];
    let blind = scale_up(&cluster);
    assert_eq!((blind.risk, blind.level()), (Risk::Disruptive, Risk::LosesData));
    let says = "may also finish other deletions: could not read buckets.acme.io: forbidden";
    assert!(blind.consequence.contains(says), "{}", blind.consequence);
}

#[test]
fn a_pod_of_another_workload_with_the_same_labels_is_not_its_own() {
    let mut cluster = DatabaseCluster::new();
    cluster.account("ops", "acme");
    cluster.deployment("ops", "acme", "acme", 0);
    cluster.pod("ops", "acme-web-1a2b-x", "web", Some("acme-web"));
    assert_eq!(cluster.controller(), (ControllerState::Down, "Deployment ops/acme".into()));
}

#[test]
fn a_lone_pod_with_the_rights_counts_as_the_controller() {
    let mut cluster = DatabaseCluster::new();
    cluster.account("ops", "acme");
    cluster.pod("ops", "by-hand", "acme", None);
    assert_eq!(cluster.controller(), (ControllerState::Alive, "Pod ops/by-hand".into()));
}

#[test]
fn gone_is_said_only_when_everything_that_could_tell_was_read() {
    let mut cluster = DatabaseCluster::new();
    cluster.account("ops", "acme");
    assert_eq!(cluster.controller().0, ControllerState::Gone);
    cluster.bound(&json!({"kind": "User", "name": "acme@example.com"}));
    assert_eq!(cluster.controller().0, ControllerState::Unknown);
    let mut blind = DatabaseCluster::new();
    blind.account("ops", "acme");
    blind.forbidden = vec!["clusterroles"];
    assert_eq!(blind.controller().0, ControllerState::Unknown);
    blind.forbidden = vec!["deployments"];
    assert_eq!(blind.controller().0, ControllerState::Unknown);
}

/// A cluster whose controller runs, and the condition of the object.
fn running(condition: &Value) -> DatabaseCluster {
    let mut cluster = DatabaseCluster::new();
    cluster.account("ops", "acme");
    cluster.deployment("ops", "acme", "acme", 1);
    cluster.pod("ops", "acme-1a2b-x", "acme", Some("acme"));
    cluster.add("services", json!({"metadata": {"name": "api", "namespace": "shop", "uid": "api"}}));
    cluster.database(&json!({"conditions": [condition]}));
    cluster
}

#[test]
fn conditions_are_read_with_their_status_time_and_message() {
    let said = |status: &str, kind: &str, at: &str, message: &str| json!({"type": kind, "status": status, "reason": "R", "message": message, "lastTransitionTime": at});
    let after = "2026-01-01T00:10:00Z";
    let failing = running(&said("False", "Ready", after, "cannot reach the bucket"));
    assert_eq!(failing.controller().0, ControllerState::Failing);
    // A condition from before the deletion, or a good one, is no reason.
    let before = running(&said("False", "Ready", "2025-01-01T00:00:00Z", "cannot reach the bucket"));
    assert_eq!(before.controller().0, ControllerState::Alive);
    let good = running(&said("True", "Healthy", after, "no errors; 3 of 9 still to go"));
    assert_eq!(good.controller().0, ControllerState::Alive);
    // A kind by chance, and a name elsewhere in the message.
    let chance = running(&said("False", "Ready", after, "Service Unavailable: timeout talking to cloud api"));
    let (finding, _) = chance.finding();
    assert_ne!(finding.waits_for.as_ref().map(|it| it.kind.as_str()), Some("Service"));
    let named = running(&said("False", "Ready", after, "waiting for Service api to be deleted"));
    assert_eq!(named.finding().0.waits_for.map(|it| it.to_string()).as_deref(), Some("Service shop/api"));
}

/// A controller's message an hour after the deletion, and 10 minutes before now.
fn says(message: &str) -> DatabaseCluster {
    running(&json!({"type": "Ready", "status": "False", "reason": "Failed", "message": message,
        "lastTransitionTime": "2026-01-01T00:50:00Z"}))
}

#[test]
fn the_remedy_for_a_missing_pod_is_its_workload() {
    let missing = "Pod db-0 not found";
    let titles =
        |cluster: &DatabaseCluster| -> Vec<Sentence> { cluster.finding().1.into_iter().map(|it| it.title).collect() };
    let mut cluster = says(missing);
    let made = titles(&cluster);
    assert!(made[0].starts_with("bring back what creates Pod shop/db-0 (its StatefulSet"), "{made:?}");
    cluster.add("statefulsets", json!({"metadata": {"name": "db", "namespace": "other", "uid": "elsewhere"}}));
    assert_eq!(titles(&cluster), made);
    cluster.add("statefulsets", json!({"metadata": {"name": "db", "namespace": "shop", "uid": "db"}}));
    let made = titles(&cluster);
    let title = "check why StatefulSet shop/db does not create Pod shop/db-0 again, and fix that: kubectl describe statefulsets.apps/db -n shop";
    assert_eq!(made[0], title);
}

fn roots(report: &Report) -> Vec<(&str, String)> {
    let roots = report.findings.iter().filter(|finding| finding.root);
    roots.map(|finding| (finding.rule, finding.subject.to_string())).collect()
}

const UNCONVERTED: &str = "list of backups: conversion webhook for acme.io/v1, Kind=Bucket failed: Post \"https://conv.gone.svc:443/\": service \"conv\" not found";

/// The definition of buckets with this `conversion`, written 30 s before now.
fn buckets(conversion: &Value) -> Value {
    json!({"metadata": {"name": "buckets.acme.io", "uid": "crd", "managedFields": [
            {"manager": "kubectl", "operation": "Update", "time": "2026-01-01T00:59:30Z", "fieldsV1": {"f:spec": {}}}]},
        "spec": {"group": "acme.io", "names": {"plural": "buckets", "kind": "Bucket"}, "conversion": conversion,
            "versions": [{"name": "v1", "served": true, "storage": false}, {"name": "v2", "served": true, "storage": true}]},
        "status": {"storedVersions": ["v1", "v2"]}})
}

#[test]
fn a_conversion_that_a_controllers_words_name_is_the_root() {
    let mut cluster = says(UNCONVERTED);
    let webhook =
        json!({"strategy": "Webhook", "webhook": {"clientConfig": {"service": {"namespace": "gone", "name": "conv"}}}});
    cluster.add("customresourcedefinitions", buckets(&webhook));
    cluster.failing = vec![("buckets", UNCONVERTED)];
    let report = cluster.report();
    let definition = "CustomResourceDefinition buckets.acme.io".to_owned();
    assert_eq!(roots(&report), [("conversion-webhook-dead", definition)]);
}

#[test]
fn a_controller_is_given_time_once_its_conversion_is_repaired() {
    let mut cluster = says(UNCONVERTED);
    cluster.add("customresourcedefinitions", buckets(&json!({"strategy": "None"})));
    let (finding, _) = cluster.finding();
    assert_eq!(finding.cause, Cause::Progressing, "{}", finding.summary);
    let evidence = finding.controller.expect("a controller").evidence.join("; ");
    let was = "the webhook that converts buckets.acme.io failed until 2026-01-01 00:59:30 UTC";
    assert!(evidence.contains(was), "{evidence}");
}

/// An aggregated API in a namespace that does not exist.
fn metrics(available: &str) -> Value {
    json!({"metadata": {"name": "v1.metrics.example.com", "uid": "api"},
        "spec": {"group": "metrics.example.com", "version": "v1", "service": {"namespace": "gone", "name": "metrics"}},
        "status": {"conditions": [{"type": "Available", "status": available, "reason": "ServiceNotFound",
            "message": "no such service", "lastTransitionTime": "2026-01-01T00:59:30Z"}]}})
}

#[test]
fn an_api_that_a_controllers_words_name_is_the_root() {
    let named = "unable to retrieve the complete list of server APIs: metrics.example.com/v1: the server is currently unable to handle the request";
    let mut cluster = says(named);
    cluster.add("apiservices", metrics("False"));
    let report = cluster.report();
    assert_eq!(roots(&report), [("apiservice-unavailable", "APIService v1.metrics.example.com".to_owned())]);
    assert!(report.also_broken.is_empty(), "{:?}", report.also_broken);
    // Until that is repaired, a finalizer is removed only if the object is named by hand.
    let takes_off = |remedy: &&Remedy| remedy.steps.iter().any(|step| step.kind() == StepKind::RemoveFinalizer);
    assert!(report.remedies.iter().filter(takes_off).all(|remedy| remedy.by_name), "{:?}", report.remedies);
    let place = |kind| report.remedies.iter().position(|it| it.steps.iter().any(|step| step.kind() == kind));
    assert!(place(StepKind::DeleteApiService) < place(StepKind::RemoveFinalizer).or(Some(usize::MAX)));
    // It answers again.
    let mut back = says(named);
    back.add("apiservices", metrics("True"));
    assert_eq!(back.finding().0.cause, Cause::Progressing);
    // No message mentions it.
    let mut beside = says("cannot reach the bucket");
    beside.add("apiservices", metrics("False"));
    let report = beside.report();
    assert_eq!(roots(&report), [("held-by-finalizer", "Database shop/orders".to_owned())]);
    assert!(report.also_broken.is_empty(), "one object waits for no API but its own: {:?}", report.also_broken);
}

#[test]
fn finalizers_of_a_failing_ready_controller_are_removed_by_name_only() {
    let removals = |report: &Report| -> Vec<bool> {
        let takes_off = |remedy: &&Remedy| remedy.steps.iter().any(|step| step.kind() == StepKind::RemoveFinalizer);
        report.remedies.iter().filter(takes_off).map(|remedy| remedy.by_name).collect()
    };
    let report = says("cannot reach the bucket").report();
    assert_eq!(removals(&report), [true]);
    // The repair comes before that.
    let titles: Vec<&str> = report.remedies.iter().map(|remedy| &*remedy.title).collect();
    assert!(titles[0].starts_with("make the server answer") && titles[1].starts_with("remove finalizer"), "{titles:?}");
    // A controller without a message has no obstacle that could be repaired.
    let mut silent = DatabaseCluster::new();
    silent.account("ops", "acme");
    assert!(removals(&silent.report()).iter().all(|by_name| !by_name));
}

/// Managed fields in which `manager` set these finalizers, and `writer` wrote the status at that time.
fn written(manager: &str, finalizers: &[&str], writer: &str, at: &str) -> Value {
    let set: serde_json::Map<String, Value> =
        finalizers.iter().map(|key| (format!("v:\"{key}\""), json!({}))).collect();
    json!([
        {"manager": manager, "operation": "Update", "time": "2025-12-31T00:00:00Z",
            "fieldsV1": {"f:metadata": {"f:finalizers": set}, "f:spec": {}}},
        {"manager": writer, "operation": "Update", "subresource": "status", "time": at, "fieldsV1": {"f:status": {}}}
    ])
}

/// The database, whose managers are set.
fn database(cluster: &mut DatabaseCluster) -> &mut Object {
    let found = cluster.objects.iter_mut().find(|(plural, _)| *plural == "databases");
    &mut found.expect("a database").1
}

#[test]
fn a_status_writer_is_alive_even_if_a_manifest_set_the_finalizer() {
    let mut cluster = DatabaseCluster::new();
    cluster.account("ops", "acme");
    let applied = |finalizers: &[&str]| written("kubectl", finalizers, "acme-agent", "2026-01-01T00:59:56Z");
    database(&mut cluster).metadata.managed_fields = applied(&["acme.io/backup"]);
    assert_eq!(cluster.controller(), (ControllerState::Alive, String::new()));
    // With two finalizers whose owners are unknown, it may own the other one.
    database(&mut cluster).metadata.finalizers.push("other.io/hold".into());
    database(&mut cluster).metadata.managed_fields = applied(&["acme.io/backup", "other.io/hold"]);
    assert_eq!(cluster.controller().0, ControllerState::Unknown);
}

#[test]
fn a_recent_writer_without_pods_runs_elsewhere() {
    let at = |time: &str| {
        let mut cluster = at_zero();
        database(&mut cluster).metadata.managed_fields =
            written("acme-operator", &["acme.io/backup"], "acme-operator", time);
        cluster.finding().0
    };
    let alive = at("2026-01-01T00:59:56Z");
    assert_eq!(alive.cause, Cause::Progressing, "{}", alive.summary);
    assert_eq!(alive.controller.map(|it| (it.state, it.workload)), Some((ControllerState::Alive, None)));
    assert_eq!(at("2026-01-01T00:50:00Z").controller.map(|it| it.state), Some(ControllerState::Down));
}

#[test]
fn a_pod_of_an_unknown_workload_counts_as_the_controller() {
    let mut cluster = DatabaseCluster::new();
    cluster.account("ops", "acme");
    cluster.pod("ops", "acme-1a2b-x", "acme", Some("acme"));
    assert_eq!(cluster.controller(), (ControllerState::Alive, "Pod ops/acme-1a2b-x".into()));
}

#[test]
fn only_a_controller_that_runs_has_time_after_a_deletion() {
    let asked = |replicas: i64| {
        let mut cluster = DatabaseCluster::new();
        cluster.account("ops", "acme");
        cluster.deployment("ops", "acme-operator", "acme", replicas);
        if replicas > 0 {
            cluster.pod("ops", "acme-operator-1a2b-x", "acme", Some("acme-operator"));
        }
        for (_, database) in cluster.objects.iter_mut().filter(|(plural, _)| *plural == "databases") {
            database.metadata.deletion_timestamp = Some("2026-01-01T00:59:57Z".parse().unwrap());
        }
        let report = cluster.report();
        (report.targets[0].state, report.targets[0].summary.to_string())
    };
    let (state, summary) = asked(0);
    assert_eq!(state, State::Stuck, "{summary}");
    assert!(summary.contains("is scaled to 0 replicas"), "{summary}");
    let (state, summary) = asked(1);
    assert_eq!(state, State::Progressing, "{summary}");
    assert!(summary.contains("nothing is late yet"), "{summary}");
}
