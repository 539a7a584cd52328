//! More small clusters in memory: parts of objects, and registrations that may not be
//! read.

use super::NOW;
use crate::diagnosis::answer::Diagnosis;
use crate::diagnosis::targets::diagnose;
use crate::diagnosis::{apis, orphans};
use crate::kubernetes::admission::GROUP;
use crate::report::{About, Cause, Finding, Report, Sentence, Why};
use crate::survey::{Fact, InMemory, Probed, Reason, Refused, Resource, ResourceId, Scope, Survey, TargetName, Want};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[derive(Default)]
pub(super) struct SmallCluster {
    /// The objects, by the plural of their kind.
    pub(super) objects: Vec<(&'static str, Value)>,
    /// Kinds that may not be read.
    pub(super) forbidden: Vec<&'static str>,
    /// What each dry run is refused with.
    pub(super) refusal: Option<String>,
}

fn kinds() -> Vec<Resource> {
    let resource = Resource::tested;
    vec![
        resource("", "namespaces", "Namespace", false),
        resource("", "configmaps", "ConfigMap", true),
        resource("", "pods", "Pod", true),
        resource("", "nodes", "Node", false),
        resource("", "persistentvolumeclaims", "PersistentVolumeClaim", true),
        resource("", "persistentvolumes", "PersistentVolume", false),
        resource("", "services", "Service", true),
        resource("acme.io", "widgets", "Widget", true),
        resource("acme.io", "gadgets", "Gadget", true),
        Resource { id: ResourceId::new("acme.io", "v2", "gadgets"), ..resource("acme.io", "gadgets", "Gadget", true) },
        resource("discovery.k8s.io", "endpointslices", "EndpointSlice", true),
        resource("apps", "deployments", "Deployment", true),
        resource("apps", "statefulsets", "StatefulSet", true),
        resource("argoproj.io", "applications", "Application", true),
        resource("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition", false),
        resource("apiregistration.k8s.io", "apiservices", "APIService", false),
        resource("rbac.authorization.k8s.io", "clusterroles", "ClusterRole", false),
        resource("rbac.authorization.k8s.io", "clusterrolebindings", "ClusterRoleBinding", false),
        resource(GROUP, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false),
        resource(GROUP, "validatingadmissionpolicies", "ValidatingAdmissionPolicy", false),
        resource(GROUP, "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", false),
    ]
}

impl SmallCluster {
    fn cluster(&self) -> InMemory {
        let mut cluster = InMemory::holding(NOW, kinds(), self.objects.iter().cloned());
        for plural in &self.forbidden {
            cluster.hide(plural, Reason::Forbidden, "");
        }
        if let Some(message) = self.refusal.clone() {
            let refused = Fact::Probed(Probed::Refused(Refused { code: 400, reason: String::new(), message }));
            cluster.try_out(move |_| refused.clone());
        }
        cluster
    }

    fn report(&self, group: &str, plural: &str, namespace: Option<&str>, name: &str) -> Report {
        let resource = ResourceId::new(group, "v1", plural);
        let target = TargetName { resource, namespace: namespace.map(Into::into), name: name.into() };
        self.answer(|survey| diagnose(survey, std::slice::from_ref(&target)))
    }

    /// The report once nothing is wanted any more.
    pub(super) fn answer(&self, diagnose: impl Fn(&Survey) -> Diagnosis) -> Report {
        super::report(&self.cluster(), diagnose)
    }

    /// The answer once nothing is wanted any more.
    pub(super) fn told<T>(&self, ask: impl Fn(&Survey) -> (T, BTreeSet<Want>)) -> T {
        self.cluster().told(ask)
    }
}

fn roots(report: &Report) -> Vec<&Finding> {
    report.findings.iter().filter(|finding| finding.root).collect()
}

fn hook(name: &str, entry: &str, operation: &str, group: &str, resources: &str, place: &str) -> (&'static str, Value) {
    let hook = json!({"metadata": {"name": name, "uid": name}, "webhooks": [{
        "name": entry, "failurePolicy": "Fail",
        "clientConfig": {"service": {"namespace": "vanished", "name": name}},
        "namespaceSelector": if place.is_empty() { json!({}) } else { json!({"matchLabels": {"place": place}}) },
        "rules": [{"apiGroups": [group], "apiVersions": ["*"], "operations": [operation], "resources": [resources]}]}]});
    ("validatingwebhookconfigurations", hook)
}

fn shop(message: &str) -> (&'static str, Value) {
    let condition = |status: &str| {
        json!([{"type": "NamespaceDeletionContentFailure", "status": status, "reason": "ContentDeletionFailed",
            "message": message, "lastTransitionTime": "2026-01-01T00:00:05Z"}])
    };
    let status = if message.is_empty() { "False" } else { "True" };
    let namespace = json!({"metadata": {"name": "shop", "uid": "ns", "labels": {"place": "shop"},
            "deletionTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Terminating", "conditions": condition(status)}});
    ("namespaces", namespace)
}

fn left_over() -> (&'static str, Value) {
    ("configmaps", json!({"metadata": {"name": "keepme", "namespace": "shop", "uid": "cm"}}))
}

#[test]
fn a_webhook_on_its_status_blocks_the_end_of_a_pod() {
    let pod = json!({"metadata": {"name": "web", "namespace": "shop", "uid": "p", "deletionGracePeriodSeconds": 3,
            "deletionTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"nodeName": "lost"}, "status": {"phase": "Running"}});
    let guard = hook("guard", "guard.acme.io", "UPDATE", "", "pods/status", "shop");
    let elsewhere = hook("elsewhere", "elsewhere.acme.io", "UPDATE", "", "pods/status", "market");
    let world = SmallCluster { objects: vec![("pods", pod), shop(""), guard, elsewhere], ..SmallCluster::default() };
    let report = world.report("", "pods", Some("shop"), "web");
    let roots = roots(&report);
    let [root] = &roots[..] else { panic!("{roots:?}") };
    assert_eq!((root.cause, root.rule), (Cause::Admission, "deletion-refused"));
    assert_eq!(root.waits_for.as_ref().map(|object| object.name.as_str()), Some("guard"));
    assert!(root.evidence.iter().any(|one| one.text.contains("UPDATE of pods/status")), "{:?}", root.evidence);
}

#[test]
fn a_webhook_on_its_status_blocks_a_definition() {
    let definition = json!({"metadata": {"name": "widgets.acme.io", "uid": "d",
            "deletionTimestamp": "2026-01-01T00:00:00Z",
            "finalizers": ["customresourcecleanup.apiextensions.k8s.io"]},
        "spec": {"group": "acme.io", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{"name": "v1", "served": true, "storage": true}]},
        "status": {"storedVersions": ["v1"], "conditions": [{"type": "Terminating", "status": "True",
            "reason": "InstanceDeletionPending", "message": "soon"}]}});
    let about = |resources: &str| hook("guard", "guard.acme.io", "UPDATE", "apiextensions.k8s.io", resources, "");
    let report = |hook| {
        let objects = vec![("customresourcedefinitions", definition.clone()), hook];
        SmallCluster { objects, ..SmallCluster::default() }
            .report("apiextensions.k8s.io", "customresourcedefinitions", None, "widgets.acme.io")
    };
    let refused = report(about("customresourcedefinitions/status"));
    let found = roots(&refused);
    let [root] = &found[..] else { panic!("{found:?}") };
    assert_eq!((root.cause, root.rule), (Cause::Admission, "finalizer-removal-refused"));
    let other = report(about("customresourcedefinitions/scale"));
    assert!(roots(&other).iter().all(|finding| finding.cause != Cause::Admission), "{:?}", other.findings);
}

#[test]
fn a_namesake_webhook_for_another_namespace_is_not_blamed() {
    let entry = "guard.acme.io";
    let message = format!(
        "Failed to delete all resource types, 1 remaining: admission webhook \"{entry}\" denied the request: no"
    );
    let objects = vec![
        shop(&message),
        left_over(),
        hook("here", entry, "DELETE", "", "configmaps", "shop"),
        hook("there", entry, "DELETE", "", "configmaps", "market"),
    ];
    let world = SmallCluster { objects, refusal: Some("no".into()), ..SmallCluster::default() };
    let report = world.report("", "namespaces", None, "shop");
    let found = roots(&report);
    let [root] = &found[..] else { panic!("{found:?}") };
    assert_eq!(root.waits_for.as_ref().map(|object| object.name.as_str()), Some("here"));
    assert_eq!(root.why, Why::Proven);
    let cited = |name: &str| root.evidence.iter().any(|one| one.object.as_ref().is_some_and(|it| it.name == name));
    assert!(cited("here") && !cited("there"), "{:?}", root.evidence);
}

#[test]
fn an_unreadable_configuration_is_not_called_missing() {
    let message =
        "Failed to delete all resource types, 1 remaining: admission webhook \"guard.acme.io\" denied the request: no";
    let said = |forbidden| {
        let world = SmallCluster { objects: vec![shop(message), left_over()], forbidden, refusal: Some("no".into()) };
        let report = world.report("", "namespaces", None, "shop");
        let found = roots(&report);
        let [root] = &found[..] else { panic!("{found:?}") };
        assert_eq!((root.cause, root.waits_for.is_none()), (Cause::Admission, true));
        let all: Vec<&str> = root.evidence.iter().map(|one| &*one.text).collect();
        all.join("; ")
    };
    let hidden = said(vec!["validatingwebhookconfigurations"]);
    assert!(hidden.contains("its configuration is not known") && !hidden.contains("no configuration"), "{hidden}");
    let missing = said(vec!["validatingadmissionpolicies"]);
    assert!(missing.contains("no configuration in this cluster contains it"), "{missing}");
}

#[test]
fn a_binding_that_only_audits_denies_without_its_parameter() {
    let words = "ValidatingAdmissionPolicy 'keep' with binding 'audit' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";
    let said =
        format!("Failed to delete all resource types, 1 remaining: configmaps \"Unknown\" is forbidden: {words}");
    let policy = json!({"metadata": {"name": "keep", "uid": "k"}, "spec": {"failurePolicy": "Fail",
        "paramKind": {"apiVersion": "acme.io/v1", "kind": "Widget"},
        "matchConstraints": {"resourceRules": [{"apiGroups": [""], "apiVersions": ["*"], "operations": ["DELETE"],
            "resources": ["configmaps"]}]}}});
    let binding = json!({"metadata": {"name": "audit", "uid": "a"}, "spec": {"policyName": "keep",
        "validationActions": ["Audit"], "paramRef": {"selector": {"matchLabels": {"role": "judge"}},
            "parameterNotFoundAction": "Deny"}}});
    let told = |refusal: &str| {
        let objects = vec![
            shop(&said),
            left_over(),
            ("validatingadmissionpolicies", policy.clone()),
            ("validatingadmissionpolicybindings", binding.clone()),
        ];
        SmallCluster { objects, refusal: Some(refusal.into()), ..SmallCluster::default() }
            .report("", "namespaces", None, "shop")
    };
    let entries = |report: &Report| -> Vec<String> {
        report
            .remedies
            .iter()
            .flat_map(|remedy| &remedy.steps)
            .filter_map(|step| step.action.parameters().entry)
            .collect()
    };
    // The namespace's condition alone is no proof: anybody who may write it can name any gate.
    assert!(entries(&told("no")).is_empty());
    let report = told(&format!("configmaps \"Unknown\" is forbidden: {words}"));
    let found = roots(&report);
    let [root] = &found[..] else { panic!("{found:?}") };
    assert_eq!(root.waits_for.as_ref().map(|object| object.name.as_str()), Some("audit"));
    assert!(root.summary.contains("a Widget with label role=judge"), "{}", root.summary);
    assert_eq!(entries(&report), ["paramRef/parameterNotFoundAction"]);
}

const UNCONVERTED: &str = "Failed to delete all resource types, 1 remaining: conversion webhook for acme.io/v1, Kind=Widget failed: Post \"https://conv.gone.svc:443/?timeout=30s\": service \"conv\" not found";

/// The definition of widgets, which has needed no webhook for 10 seconds.
fn mended_definition() -> Value {
    json!({"metadata": {"name": "widgets.acme.io", "uid": "d", "managedFields": [
            {"manager": "kubectl", "operation": "Update", "time": "2026-01-01T00:59:50Z", "fieldsV1": {"f:spec": {}}}]},
        "spec": {"group": "acme.io", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
            "conversion": {"strategy": "None"}, "versions": [{"name": "v1", "served": true, "storage": true}]},
        "status": {"storedVersions": ["v1"]}})
}

#[test]
fn nobody_is_late_right_after_a_conversion_was_repaired() {
    let until = "the webhook that converts widgets.acme.io failed until 2026-01-01 00:59:50 UTC";
    let definition = ("customresourcedefinitions", mended_definition());
    let world = SmallCluster { objects: vec![shop(UNCONVERTED), definition], ..SmallCluster::default() };
    let report = world.report("", "namespaces", None, "shop");
    let found = roots(&report);
    let [root] = &found[..] else { panic!("{found:?}") };
    assert_eq!((root.rule, root.cause), ("namespace-controller-waits", Cause::Progressing));
    assert!(root.summary.contains(until), "{}", root.summary);
    // None of the remaining objects is being deleted.
    let objects = vec![shop(UNCONVERTED), left_over(), ("customresourcedefinitions", mended_definition())];
    let report = SmallCluster { objects, ..SmallCluster::default() }.report("", "namespaces", None, "shop");
    let found = roots(&report);
    let [root] = &found[..] else { panic!("{found:?}") };
    assert_eq!((root.rule, root.cause), ("content-remains", Cause::Progressing));
    assert!(root.summary.contains(until), "{}", root.summary);
    // The same for the definition itself, whose instance the API server could not delete.
    let mut going = mended_definition();
    going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
    going["metadata"]["finalizers"] = json!(["customresourcecleanup.apiextensions.k8s.io"]);
    going["status"]["conditions"] = json!([{"type": "Terminating", "status": "True", "reason": "InstanceDeletionFailed",
        "message": format!("could not list instances: {UNCONVERTED}")}]);
    let widget = ("widgets", json!({"metadata": {"name": "w", "namespace": "shop", "uid": "w"}}));
    let world = SmallCluster { objects: vec![("customresourcedefinitions", going), widget], ..SmallCluster::default() };
    let report = world.report("apiextensions.k8s.io", "customresourcedefinitions", None, "widgets.acme.io");
    let found = roots(&report);
    let [root] = &found[..] else { panic!("{found:?}") };
    assert_eq!((root.rule, root.cause), ("crd-waits-for-instances", Cause::Progressing));
    assert!(root.summary.contains(until), "{}", root.summary);
}

/// A kind in two versions, whose conversion was set at `changed`.
fn gadgets(created: &str, changed: &str, conversion: &Value) -> (&'static str, Value) {
    let written = |fields: &Value, time: &str| json!({"manager": "kubectl", "operation": "Update", "time": time, "fieldsV1": {"f:spec": fields}});
    let fields = [
        written(&json!({"f:conversion": {"f:strategy": {}}}), changed),
        written(&json!({"f:names": {}}), "2026-01-01T00:59:55Z"),
    ];
    let definition = json!({"metadata": {"name": "gadgets.acme.io", "uid": "g", "creationTimestamp": created, "managedFields": fields},
        "spec": {"group": "acme.io", "scope": "Namespaced", "names": {"plural": "gadgets", "kind": "Gadget"},
            "conversion": conversion, "versions": [{"name": "v1", "served": true, "storage": true}, {"name": "v2", "served": true}]},
        "status": {"storedVersions": ["v1"]}});
    ("customresourcedefinitions", definition)
}

/// A namespace whose controller has written nothing yet, an hour after its deletion, and may
/// delete everything.
fn silent_shop() -> Vec<(&'static str, Value)> {
    let namespace = json!({"metadata": {"name": "shop", "uid": "ns", "deletionTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Terminating"}});
    let name = "system:controller:namespace-controller";
    let role = json!({"metadata": {"name": name, "uid": "r"}, "rules": [{"apiGroups": ["*"], "resources": ["*"],
        "verbs": ["delete", "deletecollection", "get", "list"]}]});
    let binding = json!({"metadata": {"name": name, "uid": "b"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
        "subjects": [{"kind": "ServiceAccount", "namespace": "kube-system", "name": "namespace-controller"}]});
    vec![("namespaces", namespace), ("clusterroles", role), ("clusterrolebindings", binding)]
}

/// The backend of a conversion webhook, Ready since `ready`.
fn answering(ready: &str) -> Vec<(&'static str, Value)> {
    vec![
        (
            "services",
            json!({"metadata": {"name": "conv", "namespace": "ops", "uid": "s", "creationTimestamp": "2025-01-01T00:00:00Z"},
            "spec": {"selector": {"app": "conv"}, "ports": [{"port": 443, "targetPort": 8443}]}}),
        ),
        (
            "endpointslices",
            json!({"metadata": {"name": "conv-1", "namespace": "ops", "uid": "e", "labels": {"kubernetes.io/service-name": "conv"}},
            "ports": [{"port": 8443}], "endpoints": [{"addresses": ["10.0.0.1"], "conditions": {"ready": true},
                "targetRef": {"kind": "Pod", "name": "conv-0"}}]}),
        ),
        (
            "pods",
            json!({"metadata": {"name": "conv-0", "namespace": "ops", "uid": "p", "labels": {"app": "conv"}},
            "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": ready}]}}),
        ),
    ]
}

fn asked_of_a_webhook() -> Value {
    json!({"strategy": "Webhook", "webhook": {"clientConfig": {"service": {"namespace": "ops", "name": "conv"}}}})
}

#[test]
fn nobody_is_late_right_after_an_unreported_conversion_failure() {
    let (old, before) = ("2025-06-01T00:00:00Z", "2025-07-01T00:00:00Z");
    let told = |objects: &[(&'static str, Value)]| {
        let objects = [silent_shop(), objects.to_vec()].concat();
        let report = SmallCluster { objects, ..SmallCluster::default() }.report("", "namespaces", None, "shop");
        let found = roots(&report);
        let [root] = &found[..] else { panic!("{found:?}") };
        (root.rule, root.cause, root.why, root.summary.clone())
    };
    // The webhook is no longer called.
    let none = json!({"strategy": "None"});
    let (rule, cause, certainty, summary) = told(&[gadgets(old, "2026-01-01T00:59:50Z", &none)]);
    assert_eq!((rule, cause, certainty), ("namespace-controller-waits", Cause::Progressing, Why::Likely));
    let until = "the conversion of gadgets.acme.io was set to something else until 2026-01-01 00:59:50 UTC";
    assert!(summary.contains(until), "{summary}");
    // It answers again.
    let mut objects = answering("2026-01-01T00:59:45Z");
    objects.push(gadgets(old, before, &asked_of_a_webhook()));
    let (_, cause, _, summary) = told(&objects);
    let until = "the conversion webhook of gadgets.acme.io did not answer until 2026-01-01 00:59:45 UTC";
    assert!(cause == Cause::Progressing && summary.contains(until), "{summary}");
    // Something is left, too.
    objects.push(left_over());
    let (rule, cause, certainty, summary) = told(&objects);
    assert_eq!((rule, cause, certainty), ("content-remains", Cause::Progressing, Why::Likely));
    assert!(summary.contains(until), "{summary}");
    // The CA was set a moment ago, while the backend has been Ready for long.
    let mut objects = answering(before);
    objects.push(gadgets(old, "2026-01-01T00:59:50Z", &asked_of_a_webhook()));
    assert_eq!(told(&objects).1, Cause::Progressing);
}

#[test]
fn old_repairs_and_new_definitions_excuse_nobody() {
    let none = json!({"strategy": "None"});
    let (old, moment) = ("2025-06-01T00:00:00Z", "2026-01-01T00:59:50Z");
    for definition in [
        gadgets(old, "2026-01-01T00:57:00Z", &none),
        gadgets(old, "2025-07-01T00:00:00Z", &none),
        gadgets(moment, moment, &none),
    ] {
        let objects = [silent_shop(), vec![definition]].concat();
        let world = SmallCluster { objects, ..SmallCluster::default() };
        let report = world.report("", "namespaces", None, "shop");
        let found = roots(&report);
        let [root] = &found[..] else { panic!("{found:?}") };
        assert_eq!((root.rule, root.cause), ("namespace-controller-waits", Cause::NamespaceController));
        assert!(!root.summary.contains("until"), "{}", root.summary);
    }
}

#[test]
fn an_object_that_owns_itself_is_a_ring() {
    let owned = |name: &str, owners: &[&str]| {
        let owners: Vec<Value> = owners
            .iter()
            .map(|owner| json!({"apiVersion": "v1", "kind": "ConfigMap", "name": owner, "uid": owner, "blockOwnerDeletion": true}))
            .collect();
        (
            "configmaps",
            json!({"metadata": {"name": name, "namespace": "shop", "uid": name, "ownerReferences": owners,
            "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["foregroundDeletion"]}}),
        )
    };
    let namespace = ("namespaces", json!({"metadata": {"name": "shop", "uid": "ns"}}));
    let objects = vec![namespace, owned("top", &[]), owned("alone", &["top", "alone"])];
    let world = SmallCluster { objects, ..SmallCluster::default() };
    let told = |name: &str| -> Vec<(&str, String, bool)> {
        let report = world.report("", "configmaps", Some("shop"), name);
        report.findings.iter().map(|it| (it.rule, it.subject.to_string(), it.root)).collect()
    };
    let ring = ("ownership-ring", "ConfigMap shop/alone".to_owned(), true);
    assert_eq!(told("alone"), std::slice::from_ref(&ring));
    let waits = ("foreground-deletion-waits", "ConfigMap shop/top".to_owned(), false);
    assert_eq!(told("top"), [ring, waits]);
}

#[test]
fn objects_that_wait_for_each_other_are_a_ring_for_either_target() {
    let widget = |name: &str, other: &str| {
        let condition = json!({"type": "Deleted", "status": "False", "reason": "InUse",
            "message": format!("Widget {other} has to be deleted first"), "lastTransitionTime": "2026-01-01T00:00:05Z"});
        let written = json!({"manager": "acme-operator", "operation": "Update", "subresource": "status",
            "apiVersion": "acme.io/v1", "time": "2026-01-01T00:59:30Z", "fieldsType": "FieldsV1",
            "fieldsV1": {"f:status": {"f:conditions": {}}}});
        let object = json!({"metadata": {"name": name, "namespace": "shop", "uid": name,
                "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["acme.io/widget"],
                "managedFields": [written]},
            "status": {"conditions": [condition]}});
        ("widgets", object)
    };
    let namespace = ("namespaces", json!({"metadata": {"name": "shop", "uid": "ns"}}));
    let objects = vec![namespace, widget("a", "b"), widget("b", "a"), widget("c", "a")];
    let world = SmallCluster { objects, ..SmallCluster::default() };
    let told = |name: &str| -> Vec<(&str, Sentence)> {
        let report = world.report("acme.io", "widgets", Some("shop"), name);
        roots(&report).iter().map(|it| (it.rule, it.summary.clone())).collect()
    };
    for name in ["a", "b", "c"] {
        let told = told(name);
        let [(rule, summary)] = &told[..] else { panic!("{name}: {told:?}") };
        assert_eq!(*rule, "ring-of-waits");
        assert!(summary.contains("Widget shop/a") && summary.contains("Widget shop/b"), "{summary}");
        assert!(!summary.contains("Widget shop/c"), "{summary}");
    }
}

#[test]
fn an_api_holds_only_late_namespaces() {
    let api = json!({"metadata": {"name": "v1.dead.io", "uid": "api"},
        "spec": {"group": "dead.io", "version": "v1", "service": {"namespace": "dead", "name": "dead"}},
        "status": {"conditions": [{"type": "Available", "status": "False", "reason": "ServiceNotFound",
            "message": "service/dead in \"dead\" is not present", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}});
    let namespace = |name: &str, deleted: &str, finalizers: Value| {
        let namespace = json!({"metadata": {"name": name, "uid": name, "deletionTimestamp": deleted},
            "spec": {"finalizers": finalizers}, "status": {"phase": "Terminating"}});
        ("namespaces", namespace)
    };
    let objects = vec![
        ("apiservices", api),
        namespace("late", "2026-01-01T00:00:00Z", json!(["kubernetes"])),
        namespace("young", "2026-01-01T00:59:59Z", json!(["kubernetes"])),
        namespace("emptied", "2026-01-01T00:00:00Z", json!([])),
    ];
    let report = SmallCluster { objects, ..SmallCluster::default() }.answer(apis::diagnose);
    let held: Vec<&str> = report.targets.iter().map(|target| target.object.name.as_str()).collect();
    assert_eq!(held, ["late"], "{report:#?}");
    assert!(!report.needs.is_empty());
    assert_eq!((report.about, report.targets[0].object.uid.as_str()), (About::Apis(1), "late"));
}

#[test]
fn a_terminating_namespace_with_older_content_is_a_target() {
    let namespace = json!({"metadata": {"name": "shop", "uid": "ns", "creationTimestamp": "2026-01-01T00:10:00Z",
            "deletionTimestamp": "2026-01-01T00:20:00Z"},
        "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Terminating"}});
    let widget = |made: &str| {
        let widget = json!({"metadata": {"name": "held", "namespace": "shop", "uid": "w", "creationTimestamp": made,
            "deletionTimestamp": "2026-01-01T00:20:05Z", "finalizers": ["acme.io/hold"]}});
        ("widgets", widget)
    };
    for (made, expected) in [("2026-01-01T00:05:00Z", &["shop"][..]), ("2026-01-01T00:15:00Z", &[])] {
        let objects = vec![("namespaces", namespace.clone()), widget(made)];
        let report = SmallCluster { objects, ..SmallCluster::default() }
            .answer(|survey| orphans::diagnose(survey, &Scope::default()));
        let targets: Vec<&str> = report.targets.iter().map(|target| target.object.name.as_str()).collect();
        assert_eq!(targets, expected, "{report:#?}");
        assert_eq!(roots(&report).is_empty(), expected.is_empty());
    }
}

#[test]
fn a_terminating_recreated_namespace_is_a_target() {
    let target = |annotations: Value| {
        let namespace = json!({"metadata": {"name": "shop", "uid": "ns", "annotations": annotations,
                "creationTimestamp": "2026-01-01T00:10:00Z", "deletionTimestamp": "2026-01-01T00:20:00Z"},
            "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Terminating"}});
        let widget = json!({"metadata": {"name": "held", "namespace": "shop", "uid": "w",
            "creationTimestamp": "2026-01-01T00:15:00Z", "deletionTimestamp": "2026-01-01T00:20:05Z",
            "finalizers": ["acme.io/hold"]}});
        let objects = vec![("namespaces", namespace), ("widgets", widget)];
        let report = SmallCluster { objects, ..SmallCluster::default() }
            .answer(|survey| orphans::diagnose(survey, &Scope::default()));
        report.targets.len()
    };
    assert_eq!((target(json!({})), target(json!({"unstick.dev/recreated": "yes"}))), (0, 1));
}
