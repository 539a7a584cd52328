//! Forecasts: each state has a twin without problems.

use super::NOW;
use crate::diagnosis::preflight;
use crate::report::{Report, State};
use crate::survey::{
    Cascade, Fact, InMemory, Probe, Probed, Purpose, Reason, Refused, Resource, ResourceId, Survey, TargetName,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The groups, plurals and kinds that are served, and whether they are namespaced.
const KINDS: [(&str, &str, &str, bool); 29] = [
    ("", "namespaces", "Namespace", false),
    ("", "nodes", "Node", false),
    ("", "pods", "Pod", true),
    ("", "secrets", "Secret", true),
    ("", "configmaps", "ConfigMap", true),
    ("", "serviceaccounts", "ServiceAccount", true),
    ("", "persistentvolumes", "PersistentVolume", false),
    ("apps", "deployments", "Deployment", true),
    ("batch", "jobs", "Job", true),
    ("policy", "poddisruptionbudgets", "PodDisruptionBudget", true),
    ("resource.k8s.io", "resourceclaims", "ResourceClaim", true),
    ("resource.k8s.io", "resourceslices", "ResourceSlice", false),
    ("rbac.authorization.k8s.io", "clusterroles", "ClusterRole", false),
    ("rbac.authorization.k8s.io", "clusterrolebindings", "ClusterRoleBinding", false),
    ("rbac.authorization.k8s.io", "roles", "Role", true),
    ("rbac.authorization.k8s.io", "rolebindings", "RoleBinding", true),
    ("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition", false),
    ("apiregistration.k8s.io", "apiservices", "APIService", false),
    ("admissionregistration.k8s.io", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false),
    ("admissionregistration.k8s.io", "validatingadmissionpolicies", "ValidatingAdmissionPolicy", false),
    ("admissionregistration.k8s.io", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", false),
    ("fleet.io", "fleets", "Fleet", true),
    ("fleet.io", "ships", "Ship", true),
    ("hulls.fleet.io", "steelhulls", "SteelHull", true),
    ("fleet.io", "harbours", "Harbour", true),
    ("fleet.io", "fleetprojects", "FleetProject", true),
    ("classes.dock", "dockclasses", "DockClass", false),
    ("docks.example", "docks", "Dock", false),
    ("acme.io", "kustoms", "Kustom", true),
];

/// A cluster in which one running operator works on all kinds of products.
pub(super) struct FleetCluster(InMemory);

impl FleetCluster {
    pub(super) fn new() -> Self {
        let groups = json!(["", "fleet.io", "classes.dock", "docks.example", "acme.io"]);
        let kinds = json!(["fleets", "ships", "harbours", "dockclasses", "docks", "kustoms", "persistentvolumes"]);
        let account = json!({"kind": "ServiceAccount", "namespace": "ops", "name": "fleet-operator"});
        let apis = KINDS
            .iter()
            .map(|(group, ..)| *group)
            .collect::<BTreeSet<&str>>()
            .into_iter()
            .map(|group| super::served_by_the_server(&format!("v1.{group}")));
        let objects = vec![
            ("namespaces", json!({"metadata": {"name": "shop", "uid": "ns"}})),
            ("namespaces", json!({"metadata": {"name": "ops", "uid": "ops"}})),
            (
                "clusterroles",
                json!({"metadata": {"name": "fleet", "uid": "r"},
                "rules": [{"apiGroups": groups, "resources": kinds, "verbs": ["*"]}]}),
            ),
            (
                "clusterrolebindings",
                json!({"metadata": {"name": "fleet", "uid": "b"},
                "roleRef": {"kind": "ClusterRole", "name": "fleet"}, "subjects": [account]}),
            ),
            ("serviceaccounts", json!({"metadata": {"name": "fleet-operator", "namespace": "ops", "uid": "sa"}})),
            (
                "deployments",
                json!({"metadata": {"name": "fleet-operator", "namespace": "ops", "uid": "op"},
                "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "x"}},
                    "template": {"spec": {"serviceAccountName": "fleet-operator"}}}}),
            ),
            (
                "pods",
                json!({"metadata": {"name": "fleet-operator-1a2b-x", "namespace": "ops", "uid": "pod",
                    "labels": {"app": "x", "pod-template-hash": "1a2b"}, "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet",
                        "name": "fleet-operator-1a2b", "uid": "rs", "controller": true}]},
                "spec": {"serviceAccountName": "fleet-operator"},
                "status": {"conditions": [{"type": "Ready", "status": "True"}]}}),
            ),
        ];
        let kinds = KINDS.map(|(group, plural, kind, namespaced)| Resource::tested(group, plural, kind, namespaced));
        Self(InMemory::holding(NOW, kinds, objects.into_iter().chain(apis)))
    }

    /// Adds an object in the namespace `shop`.
    pub(super) fn with(mut self, plural: &'static str, name: &str, rest: Value) -> Self {
        self.0.put(plural, merged(json!({"metadata": {"name": name, "namespace": "shop", "uid": name}}), rest));
        self
    }

    /// Adds a cluster-scoped object.
    pub(super) fn wide(mut self, plural: &'static str, name: &str, rest: Value) -> Self {
        self.0.put(plural, merged(json!({"metadata": {"name": name, "uid": name}}), rest));
        self
    }

    /// Refuses each removal of a finalizer with this message.
    fn refusing(mut self, message: &str) -> Self {
        let refusal = Refused { code: 400, reason: String::new(), message: message.into() };
        self.0.try_out(move |want| match want.probe.as_deref().map(|probe| &probe.what) {
            Some(Probe::RemoveFinalizer(_)) => Fact::Probed(Probed::Refused(refusal.clone())),
            _ => Fact::Probed(Probed::Passed),
        });
        self
    }

    /// The forecast for one object.
    pub(super) fn of(&self, plural: &str, name: &str) -> Report {
        let (group, _, _, namespaced) = KINDS.iter().find(|kind| kind.1 == plural).expect("a kind");
        let target = TargetName {
            resource: ResourceId::new(group, "v1", plural),
            namespace: namespaced.then(|| "shop".into()),
            name: name.into(),
        };
        let foreseen =
            |survey: &Survey| preflight::diagnose(survey, std::slice::from_ref(&target), Cascade::Background);
        let mut survey = self.0.survey();
        survey.purpose = Purpose::preflight(Cascade::Background);
        survey.targets = vec![target.clone()];
        super::report_for(survey, &self.0, foreseen)
    }

    /// The obstacles of one object, in words; empty if there are none.
    pub(super) fn holds(&self, plural: &str, name: &str) -> String {
        let report = self.of(plural, name);
        let words: Vec<&str> = report.findings.iter().map(|finding| &*finding.summary).collect();
        assert_eq!(report.targets[0].state == State::WouldGo, words.is_empty(), "{:?} {words:?}", report.targets);
        words.join("\n")
    }
}

fn merged(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        for (key, value) in other {
            let known = one.remove(&key).unwrap_or(Value::Null);
            one.insert(key, if known.is_object() { merged(known, value) } else { value });
        }
    }
    one
}

/// Metadata with a finalizer that the operator sets.
pub(super) fn held() -> Value {
    let fields = json!({"f:metadata": {"f:finalizers": {"v:\"fleet.io/cleanup\"": {}}}});
    json!({"finalizers": ["fleet.io/cleanup"], "managedFields": [{"manager": "fleet-operator", "operation": "Update",
        "time": "2026-01-01T00:00:00Z", "fieldsV1": fields}]})
}

fn owned_by(kind: &str, name: &str) -> Value {
    merged(held(), json!({"ownerReferences": [{"apiVersion": "fleet.io/v1", "kind": kind, "name": name, "uid": name}]}))
}

#[test]
fn a_child_without_its_source_holds_its_owner() {
    let spec = json!({"boot": {"dataSecretName": "boot-1"}});
    let cluster = || {
        FleetCluster::new().with("fleets", "north", json!({"metadata": held(), "spec": {}})).with(
            "ships",
            "one",
            json!({"metadata": owned_by("Fleet", "north"), "spec": spec}),
        )
    };
    let held = cluster().holds("fleets", "north");
    let line = "Ship shop/one, which is deleted with it, may wait for finalizer fleet.io/cleanup: \
                its clean-up may need Secret shop/boot-1, which spec.boot.dataSecretName names and which does not exist";
    assert_eq!(held, line);
    assert_eq!(cluster().with("secrets", "boot-1", json!({})).holds("fleets", "north"), "");
}

#[test]
fn dependents_are_not_users() {
    let named = json!({"metadata": owned_by("Fleet", "north"), "spec": {"fleetName": "north"}});
    let stranger = json!({"metadata": held(), "spec": {"fleetName": "north"}});
    let cluster = || FleetCluster::new().with("fleets", "north", json!({"metadata": held(), "spec": {}}));
    assert_eq!(cluster().with("ships", "own", named).holds("fleets", "north"), "");
    let used = cluster().with("ships", "foreign", stranger).holds("fleets", "north");
    assert!(used.contains("it is in use by Ship shop/foreign"), "{used}");
}

#[test]
fn a_counterpart_is_deleted_too_and_may_get_stuck() {
    let harbour = json!({"metadata": held(), "spec": {}, "status": {"boundShipName": "one"}});
    let ship =
        |finalizer: &str| json!({"metadata": {"finalizers": [finalizer]}, "spec": {"harbourRef": {"name": "west"}}});
    let with = |finalizer: &str| {
        FleetCluster::new()
            .with("harbours", "west", harbour.clone())
            .with("ships", "one", ship(finalizer))
            .holds("harbours", "west")
    };
    assert_eq!(with("fleet.io/cleanup"), "");
}

#[test]
fn kinds_that_its_controller_works_on_may_use_it() {
    let class = json!({"metadata": held(), "spec": {}});
    let dock = |kind: &str| json!({"spec": {"classRef": {"group": "classes.dock", "kind": kind, "name": "default"}}});
    let with = |kind: &str| {
        let cluster = FleetCluster::new().wide("dockclasses", "default", class.clone());
        cluster.wide("docks", "one", dock(kind)).holds("dockclasses", "default")
    };
    assert!(with("DockClass").contains("it is in use by Dock one"), "{}", with("DockClass"));
    assert_eq!(with("OtherClass"), "");
}

#[test]
fn a_machine_whose_node_cannot_be_drained_keeps_what_it_uses() {
    let dock = |uid: &str| {
        json!({"metadata": held(), "status": {"providerID": uid, "nodeName": "worker"},
        "spec": {"classRef": {"group": "classes.dock", "kind": "DockClass", "name": "default"}}})
    };
    let node = json!({"spec": {"providerID": "cloud://1"}});
    let pod =
        json!({"metadata": {"labels": {"app": "db"}}, "spec": {"nodeName": "worker"}, "status": {"phase": "Running"}});
    let budget = |allowed: i64| json!({"spec": {"selector": {"matchLabels": {"app": "db"}}}, "status": {"disruptionsAllowed": allowed}});
    let with = |uid: &str, allowed: i64| {
        let cluster = FleetCluster::new().wide("nodes", "worker", node.clone()).with("pods", "db-0", pod.clone());
        let cluster = cluster.wide("dockclasses", "default", json!({}));
        let cluster = cluster.with("poddisruptionbudgets", "db", budget(allowed)).wide("docks", "one", dock(uid));
        cluster.holds("docks", "one")
    };
    let held = with("cloud://1", 0);
    assert_eq!(
        held,
        "Pod shop/db-0 could not be evicted from node worker: PodDisruptionBudget shop/db allows no eviction"
    );
    assert_eq!((with("cloud://1", 1).as_str(), with("cloud://2", 0).as_str()), ("", ""));
}

#[test]
fn devices_are_released_by_a_driver_on_the_node() {
    let ready = json!({"status": {"conditions": [{"type": "Ready", "status": "True"}]}});
    let pod =
        json!({"spec": {"nodeName": "worker", "resourceClaims": [{"name": "gpu", "resourceClaimName": "gpu-1"}]}});
    let claim = json!({"status": {"allocation": {"devices": {"results": [{"driver": "gpu.example", "device": "d"}]}}}});
    let with = |driver: &str, node: Value| {
        let cluster = FleetCluster::new().wide("nodes", "worker", ready.clone()).with("pods", "train", pod.clone());
        let slice = json!({"spec": {"driver": driver, "nodeName": node}});
        cluster.with("resourceclaims", "gpu-1", claim.clone()).wide("resourceslices", "s", slice).holds("pods", "train")
    };
    let gone = "Pod shop/train would wait for the kubelet of node worker: driver gpu.example, which releases the devices \
                of ResourceClaim shop/gpu-1, is not registered";
    assert_eq!(with("nic.example", json!("worker")), gone);
    assert_eq!(with("gpu.example", json!("other")), gone);
    assert_eq!(with("gpu.example", json!("worker")), "");
    assert_eq!(with("gpu.example", Value::Null), "", "it offers devices of the network");
}

#[test]
fn a_tenant_account_needs_the_right_to_delete_its_inventory() {
    let own = json!({"metadata": held(), "spec": {"serviceAccountName": "deployer"},
        "status": {"inventory": {"entries": [{"id": "shop_settings__ConfigMap", "v": "v1"}]}}});
    let with = |verb: &str| {
        let rule = json!({"rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": [verb]}]});
        let account = json!({"kind": "ServiceAccount", "namespace": "shop", "name": "deployer"});
        let bound = json!({"roleRef": {"kind": "Role", "name": "deployer"}, "subjects": [account]});
        let cluster = FleetCluster::new().with("kustoms", "app", own.clone()).with("configmaps", "settings", json!({}));
        let cluster = cluster.with("serviceaccounts", "deployer", json!({}));
        cluster.with("roles", "deployer", rule).with("rolebindings", "deployer", bound).holds("kustoms", "app")
    };
    let held = with("get");
    assert!(
        held.contains(
            "ServiceAccount shop/deployer, which its controller acts as, may not delete ConfigMap shop/settings"
        ),
        "{held}"
    );
    assert_eq!(with("delete"), "");
}

#[test]
fn nobody_deletes_a_volume_whose_only_node_is_gone() {
    let requirement = json!({"key": "topology.acme.io/node", "operator": "In", "values": ["worker"]});
    let affinity = json!({"required": {"nodeSelectorTerms": [{"matchExpressions": [requirement]}]}});
    let volume = json!({"metadata": held(), "spec": {"nodeAffinity": affinity}});
    let with = |node: &str, labels: Value| {
        let cluster = FleetCluster::new().wide("nodes", node, json!({"metadata": {"labels": labels}}));
        cluster.wide("persistentvolumes", "disk", volume.clone()).holds("persistentvolumes", "disk")
    };
    let gone = with("other", json!({}));
    assert!(
        gone.contains("Node worker, which its node affinity (topology.acme.io/node) names, does not exist"),
        "{gone}"
    );
    for held in [with("worker", json!({})), with("other", json!({"topology.acme.io/node": "worker"}))] {
        assert!(!held.contains("does not exist"), "{held}");
    }
}

#[test]
fn a_refused_trial_removal_is_foreseen() {
    let words = "admission webhook \"guard.fleet.io\" denied the request: made by an older version";
    let webhook = json!({"webhooks": [{"name": "guard.fleet.io", "failurePolicy": "Fail",
        "clientConfig": {"url": "https://guard.example"},
        "rules": [{"apiGroups": ["fleet.io"], "apiVersions": ["*"], "operations": ["UPDATE"], "resources": ["fleets"]}]}]});
    let cluster = || {
        let cluster = FleetCluster::new().wide("validatingwebhookconfigurations", "guard", webhook.clone());
        cluster.with("fleets", "north", json!({"metadata": held(), "spec": {}}))
    };
    let refused = cluster().refusing(words).holds("fleets", "north");
    assert!(refused.contains("guard.fleet.io refuses the removal of a finalizer from Fleet shop/north"), "{refused}");
    assert_eq!(cluster().holds("fleets", "north"), "");
}

#[test]
fn errors_and_missing_references_of_a_source_are_foreseen() {
    let harbour = json!({"metadata": held(), "spec": {"fleetRef": {"name": "north"}}});
    let fleet = |spec: Value, ready: &str, message: &str| {
        let conditions = json!([{"type": "Ready", "status": ready, "reason": "Login", "message": message}]);
        json!({"spec": spec, "status": {"conditions": conditions}})
    };
    let with = |fleet: Value| {
        let cluster = FleetCluster::new().with("harbours", "west", harbour.clone()).with("fleets", "north", fleet);
        cluster.holds("harbours", "west")
    };
    let refused = with(fleet(json!({}), "False", "401 Unauthorized: the token has expired"));
    assert!(
        refused.contains("Fleet shop/north already reports: Login: 401 Unauthorized: the token has expired"),
        "{refused}"
    );
    assert_eq!(with(fleet(json!({}), "False", "it is being painted: invalid colour")), "");
    let lacks = with(fleet(json!({"credentialsSecretRef": {"name": "login"}}), "True", ""));
    assert!(lacks.contains("Fleet shop/north, which it was created from, needs Secret shop/login"), "{lacks}");
    assert_eq!(with(fleet(json!({}), "True", "")), "");
}

#[test]
fn a_missing_object_that_a_field_names_may_be_needed() {
    let harbour = |spec: Value| FleetCluster::new().with("harbours", "west", json!({"metadata": held(), "spec": spec}));
    let lacks = harbour(json!({"project": "navy"})).holds("harbours", "west");
    let needs = "may need FleetProject shop/navy, which spec.project names and which does not exist";
    assert!(lacks.contains(needs), "{lacks}");
    let there = harbour(json!({"project": "navy"})).with("fleetprojects", "navy", json!({"spec": {}}));
    assert_eq!(there.holds("harbours", "west"), "");
    assert_eq!(harbour(json!({"motto": "navy"})).holds("harbours", "west"), "");
}

#[test]
fn counted_users_block_and_mere_references_do_not() {
    let with = |ships: i64, at: &str| {
        let fleet = json!({"metadata": held(), "spec": {}, "status": {"admittedShips": ships}});
        let ship = json!({"metadata": {"ownerReferences": [{"apiVersion": "acme.io/v1", "kind": "Kustom",
            "name": "race", "uid": "race", "controller": true}]}, "spec": {}, "status": {"fleetName": at}});
        let cluster = FleetCluster::new().with("fleets", "north", fleet).with("ships", "one", ship);
        let cluster = cluster.with("harbours", "west", json!({"spec": {"fleetRef": {"name": "north"}}}));
        cluster.with("kustoms", "race", json!({"metadata": {"uid": "race"}})).holds("fleets", "north")
    };
    let used = with(1, "north");
    assert!(used.contains("it is in use by Kustom shop/race"), "{used}");
    assert_eq!(with(0, ""), "");
}

#[test]
fn a_pause_blocks_finalization_and_a_suspension_does_not() {
    let with = |spec: Value| {
        FleetCluster::new().with("fleets", "north", json!({"metadata": held(), "spec": spec})).holds("fleets", "north")
    };
    assert!(with(json!({"paused": true})).contains("it is paused by spec.paused: true"));
    assert_eq!(with(json!({"suspend": true})), "");
}

#[test]
fn an_old_error_matters_only_if_something_external_was_created() {
    let conditions =
        json!([{"type": "Ready", "status": "False", "reason": "Login", "message": "dial tcp: no such host"}]);
    let with = |status: Value| {
        let fleet =
            json!({"metadata": held(), "spec": {}, "status": merged(json!({"conditions": conditions}), status)});
        FleetCluster::new().with("fleets", "north", fleet).holds("fleets", "north")
    };
    assert_eq!(with(json!({})), "", "what was never reached has made nothing");
    let made = with(json!({"atProvider": {"arn": "arn:aws:fleet/1"}}));
    assert!(made.contains("Fleet shop/north already reports: Login: dial tcp: no such host"), "{made}");
}

#[test]
fn an_inventory_is_waited_for_only_if_the_object_says_so() {
    let listed = json!({"entries": [{"id": "shop_settings__ConfigMap", "v": "v1"}]});
    let with = |policy: &str| {
        let app = json!({"metadata": held(), "spec": {"deletionPolicy": policy, "fleetRef": {"name": "gone"}},
            "status": {"inventory": listed}});
        let own = json!({"metadata": {"finalizers": ["other.example/audit"]}});
        FleetCluster::new().with("kustoms", "app", app).with("configmaps", "settings", own).holds("kustoms", "app")
    };
    assert_eq!(with("MirrorPrune"), "");
    let waits = with("WaitForTermination");
    assert!(waits.contains("ConfigMap shop/settings, which is deleted with it,"), "{waits}");
}

#[test]
fn unread_roles_and_kinds_leave_it_undecided_who_loses_a_controller() {
    let cluster = || FleetCluster::new().with("ships", "one", json!({"metadata": held(), "spec": {}}));
    let state = |cluster: &FleetCluster| cluster.of("namespaces", "ops").targets.swap_remove(0).state;
    assert_eq!(state(&cluster()), State::WouldHang, "the operator of the ship is deleted");
    for hidden in ["clusterroles", "clusterrolebindings", "ships"] {
        let mut cluster = cluster();
        cluster.0.hide(hidden, Reason::Forbidden, "");
        let report = cluster.of("namespaces", "ops");
        assert_eq!(report.targets[0].state, State::Unknown, "{hidden}: {}", report.targets[0].summary);
        assert!(
            report.unread.iter().any(|note| note.kind.as_ref().is_some_and(|kind| kind.starts_with(hidden))),
            "{:?}",
            report.unread
        );
    }
}
