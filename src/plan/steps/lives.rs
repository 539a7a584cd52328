//! The life of each kind of step, from its construction to its undo, for tests.

#![expect(clippy::needless_pass_by_value, reason = "objects are written where they are handed over")]

use super::*;
use crate::plan::Property;
use crate::plan::Restore;
use crate::plan::write::{Write, WriteRequest};
use crate::report::{Named, Ref, Remedy, Risk, Step};
use crate::survey::{Cascade, Object};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A step, and the possible states of its object.
pub(crate) struct Life {
    pub(crate) step: Step,
    /// The difference from other steps of its kind.
    pub(super) which: &'static str,
    /// The object as it was shown.
    pub(crate) shown: Value,
    /// The object after the write.
    pub(crate) after: Value,
    others: Vec<(&'static str, Value)>,
}

impl Life {
    /// The states in which the object exists, with their names.
    fn states(&self) -> Vec<(&'static str, Value)> {
        let another = with(&self.shown, "/metadata/uid", json!("u2"));
        let asked = with(&self.shown, "/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"));
        let mut states =
            vec![("as shown", self.shown.clone()), ("after it", self.after.clone()), ("another uid", another)];
        if asked != self.shown {
            states.push(("being deleted", asked));
        }
        states.push(("not being deleted", without(&self.shown, "deletionTimestamp")));
        states.extend(self.others.clone());
        states
    }

    pub(super) fn told(&self) -> String {
        let (step, write): (&Step, &dyn Write) = (&self.step, &self.step);
        let least_risk = Remedy::new(step.clone(), Risk::Harmless, "").risk;
        let mut text = String::new();
        let mut line = |what: &str, value: &dyn std::fmt::Debug| writeln!(text, "{what}: {value:?}").unwrap();
        line("title", &write.title());
        line("of many", &step.class().map(|_| step.title_of_class()));
        line("record", &write.record().to_string());
        line("takes away, creates", &(!step.has(Property::KeepsItsObject), write.creates()));
        line(
            "opens admission, rests on others",
            &(step.has(Property::OpensAdmission), step.has(Property::RestsOnOtherObjects)),
        );
        line("least risk, rests on", &(least_risk, step.rests_on()));
        line("needs", &write.needs());
        line("guard, not there", &write.guard(None));
        for (state, value) in self.states() {
            line(&format!("guard, {state}"), &write.guard(Some(&object(&value))));
        }
        let request = write.request(&self.shown, "2026-01-01T10:00:00Z".parse().unwrap());
        line("request", &sent(&request));
        line("recorded", &write.recorded(&request).to_string());
        line("verdict, not there", &write.verify(None, &request));
        for (state, value) in self.states() {
            line(&format!("verdict, {state}"), &write.verify(Some(&object(&value)), &request));
            line(&format!("in vain, {state}"), &write.in_vain(&object(&value)));
        }
        let image = write.image(&self.shown);
        line("image", &image.to_string());
        line("can be undone, restored by", &(step.has(Property::CanBeUndone), step.restore(&request)));
        text.push_str(&self.undone(&request, &image));
        text
    }

    fn undone(&self, request: &WriteRequest, image: &Value) -> String {
        let restore = match Restore::of(&self.step, request, image, "run", 1) {
            Ok(restore) => restore,
            Err(why) => return format!("undo: {why:?}\n"),
        };
        let mut text = String::new();
        let mut line = |what: &str, value: &dyn std::fmt::Debug| writeln!(text, "undo, {what}: {value:?}").unwrap();
        line("title", &restore.title());
        line("consequence", &(restore.reversal.consequence, restore.reversal.risk));
        line("command", &restore.reversal.command);
        line("record", &restore.record().to_string());
        line("creates, needs", &(restore.creates(), restore.needs()));
        line("guard, not there", &restore.guard(None));
        for (state, value) in self.states() {
            line(&format!("guard, {state}"), &restore.guard(Some(&object(&value))));
        }
        let request = restore.request(&self.after, "2026-01-01T11:00:00Z".parse().unwrap());
        line("request", &sent(&request));
        line("verdict, not there", &restore.verify(None, &request));
        for (state, value) in self.states() {
            line(&format!("verdict, {state}"), &restore.verify(Some(&object(&value)), &request));
        }
        line("owners", &restore.owners());
        line("owners that are there", &restore.owned_by(|owner| owner["uid"] == "o2").owners());
        text
    }
}

fn sent(request: &WriteRequest) -> String {
    format!("{} {} {} {}", request.method, request.path, request.content_type, request.body)
}

fn object(value: &Value) -> Object {
    serde_json::from_value(value.clone()).unwrap()
}

fn with(value: &Value, at: &str, new: Value) -> Value {
    let (parent, field) = at.rsplit_once('/').unwrap();
    let mut value = value.clone();
    value.pointer_mut(parent).unwrap()[field] = new;
    value
}

fn without(value: &Value, field: &str) -> Value {
    let mut value = value.clone();
    value["metadata"].as_object_mut().unwrap().remove(field);
    value
}

/// A reference to the object with uid `u1`.
pub(in crate::plan) fn named(
    api_version: &str,
    kind: &str,
    resource: &str,
    namespace: Option<&str>,
    name: &str,
) -> Ref {
    Ref::from(Named {
        api_version: api_version.into(),
        kind: kind.into(),
        resource: resource.into(),
        namespace: namespace.map(Into::into),
        name: name.into(),
        uid: "u1".into(),
        missing: false,
    })
}

/// An object that is being deleted, with these metadata, too.
fn going(metadata: Value) -> Value {
    let mut object = json!({"metadata": {"name": "a", "uid": "u1", "resourceVersion": "7",
        "deletionTimestamp": "2026-01-01T00:00:00Z"}});
    for (field, value) in metadata.as_object().unwrap() {
        object["metadata"][field] = value.clone();
    }
    object
}

/// An object that is not being deleted, with this content.
fn there(content: Value) -> Value {
    let mut object = without(&going(json!({})), "deletionTimestamp");
    for (field, value) in content.as_object().unwrap() {
        object[field] = value.clone();
    }
    object
}

pub(crate) fn lives() -> Vec<Life> {
    [of_finalizers(), of_deletions(), of_namespaces(), of_settings(), of_workloads()].into_iter().flatten().collect()
}

fn of_finalizers() -> Vec<Life> {
    let widget = named("acme.io/v1", "Widget", "widgets", Some("shop"), "a");
    let two = ["acme.io/a".to_owned(), "acme.io/b".to_owned()];
    let held = going(json!({"finalizers": two}));
    let orphaned = going(json!({"finalizers": ["orphan", "acme.io/b"]}));
    let owner = |uid: &str| json!({"apiVersion": "acme.io/v1", "kind": "Owner", "name": "o", "uid": uid});
    let dependent = going(json!({"ownerReferences": [owner("o1"), owner("o2")]}));
    let second: OwnerReference = serde_json::from_value(owner("o2")).unwrap();
    vec![
        Life {
            step: remove_finalizer::step(&widget, &two, "acme.io/b"),
            which: "",
            shown: held.clone(),
            after: going(json!({"finalizers": ["acme.io/a"]})),
            others: vec![
                ("another order", going(json!({"finalizers": ["acme.io/b", "acme.io/a"]}))),
                ("nothing holds it", going(json!({}))),
            ],
        },
        Life {
            step: drop_garbage_collector_finalizer::step(&widget, "orphan"),
            which: "",
            shown: orphaned.clone(),
            after: going(json!({"finalizers": ["acme.io/b"]})),
            others: vec![
                ("nothing holds it", going(json!({}))),
                ("its grace period runs", going(json!({"finalizers": ["orphan"], "deletionGracePeriodSeconds": 30}))),
            ],
        },
        Life {
            step: drop_owner_reference::step(&widget, &second, 1),
            which: "",
            shown: dependent.clone(),
            after: going(json!({"ownerReferences": [owner("o1")]})),
            others: vec![("another order", going(json!({"ownerReferences": [owner("o2"), owner("o1")]})))],
        },
    ]
}

fn of_deletions() -> Vec<Life> {
    let quota = named("v1", "ResourceQuota", "resourcequotas", Some("shop"), "a");
    let settings = named("v1", "ConfigMap", "configmaps", Some("shop"), "a");
    let pod = named("v1", "Pod", "pods", Some("shop"), "a");
    let api = named("apiregistration.k8s.io/v1", "APIService", "apiservices", None, "v1.acme.io");
    let guard = named(
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        None,
        "guard",
    );
    let owners = json!([{"apiVersion": "v1", "kind": "Owner", "name": "o", "uid": "o1"},
        {"apiVersion": "v1", "kind": "Owner", "name": "p", "uid": "o2"}]);
    let owned = |content: Value| with(&there(content), "/metadata/ownerReferences", owners.clone());
    let asked = |value: &Value| with(value, "/metadata/deletionTimestamp", json!("2026-01-01T10:00:00Z"));
    let limits = owned(json!({"apiVersion": "v1", "kind": "ResourceQuota", "spec": {"hard": {"pods": "3"}},
        "status": {"used": {"pods": "1"}}}));
    let held = with(&limits, "/metadata/finalizers", json!(["acme.io/a"]));
    let text = there(json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"key": "value"}}));
    let behind = named("v1", "Service", "services", Some("acme"), "api");
    let service = there(json!({"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
        "spec": {"group": "acme.io", "version": "v1", "service": {"namespace": "acme", "name": "api"}}}));
    let hooks = |client: Value| {
        there(json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "webhooks": [{"name": "a.acme.io", "clientConfig": client, "sideEffects": "None"}]}))
    };
    let (by_service, by_url) =
        (hooks(json!({"service": {"namespace": "acme", "name": "hook"}})), hooks(json!({"url": "https://acme"})));
    let orphaned = with(&limits, "/metadata/finalizers", json!(["orphan"]));
    let life =
        |which, step, shown: &Value, others| Life { step, which, shown: shown.clone(), after: asked(shown), others };
    vec![
        life("", delete_object::step(&quota), &limits, vec![("held", asked(&held)), ("orphaned", asked(&orphaned))]),
        life(" of what may be secret", delete_object::step(&settings), &text, vec![]),
        life("", delete_on_request::step(&quota, Cascade::Background), &limits, vec![("held", asked(&held))]),
        life(" in the foreground", delete_on_request::step(&settings, Cascade::Foreground), &text, vec![]),
        life(" and orphan", delete_on_request::step(&settings, Cascade::Orphan), &text, vec![]),
        life("", delete_api_service::step(&api, &behind), &service, vec![]),
        life(
            "",
            delete_webhook_configuration::step(&guard, &object(&by_service)),
            &by_service,
            vec![("called by URL", by_url)],
        ),
        Life {
            step: force_delete_pod::step(&pod),
            which: "",
            shown: going(json!({"deletionGracePeriodSeconds": 30})),
            after: going(json!({"deletionGracePeriodSeconds": 0})),
            others: vec![("held", going(json!({"deletionGracePeriodSeconds": 0, "finalizers": ["acme.io/a"]})))],
        },
    ]
}

fn of_namespaces() -> Vec<Life> {
    let shop = named("v1", "Namespace", "namespaces", None, "shop");
    let spec = |finalizers: Value| json!({"finalizers": finalizers});
    let looked = json!({"conditions": [{"type": "NamespaceDeletionContentFailure", "status": "False",
        "lastTransitionTime": "2026-01-01T00:00:05Z"}]});
    let mut held = going(json!({"annotations": {"acme.io/note": "secret"}}));
    held["spec"] = spec(json!(["kubernetes", "acme.io/a"]));
    held["status"] = looked;
    let early = with(&held, "/status", json!({}));
    let emptied = with(&held, "/spec", spec(json!(["acme.io/a"])));
    let made = object_of(&recreate_namespace::step("shop"));
    let others = vec![("not looked into", early)];
    vec![
        Life {
            step: finalize_namespace::step(&shop, "kubernetes"),
            which: "",
            shown: held.clone(),
            after: emptied.clone(),
            others: others.clone(),
        },
        Life {
            step: finalize_namespace::by_force(&shop, "kubernetes"),
            which: " by force",
            shown: held.clone(),
            after: emptied,
            others,
        },
        Life {
            step: nudge_namespace::step(&shop),
            which: "",
            shown: held.clone(),
            after: with(
                &held,
                "/metadata/annotations",
                json!({"acme.io/note": "secret",
                "unstick.dev/nudged-at": "2026-01-01T10:00:00Z"}),
            ),
            others: vec![],
        },
        Life {
            step: recreate_namespace::step("shop"),
            which: "",
            shown: json!({"metadata": {"name": "shop", "uid": "u9"}}),
            after: made.clone(),
            others: vec![(
                "made, and gone again",
                with(&made, "/metadata/deletionTimestamp", json!("2026-01-02T00:00:00Z")),
            )],
        },
    ]
}

/// The object that a step creates, with the fields that the server adds.
fn object_of(step: &Step) -> Value {
    let mut made = step.request(&Value::Null, "2026-01-01T10:00:00Z".parse().unwrap()).body;
    made["metadata"]["uid"] = json!("u8");
    made["metadata"]["resourceVersion"] = json!("8");
    made
}

fn of_settings() -> Vec<Life> {
    let admission = "admissionregistration.k8s.io/v1";
    let guard = named(admission, "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", None, "guard");
    let hook = |name: &str, policy: &str| json!({"name": name, "failurePolicy": policy});
    let hooks = |list: &[Value]| there(json!({"webhooks": list}));
    let binding =
        named(admission, "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", None, "bound");
    let bound = |actions: Value, missing: &str| {
        there(json!({"spec": {"policyName": "policy", "validationActions": actions,
            "paramRef": {"name": "p", "parameterNotFoundAction": missing}}}))
    };
    let denies = bound(json!(["Deny", "Audit"]), "Deny");
    let definition = named(
        "apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", None, "widgets.acme.io",
    );
    let webhook = json!({"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"]}});
    let converted = |conversion: &Value| there(json!({"spec": {"group": "acme.io", "conversion": conversion}}));
    vec![
        Life {
            step: ignore_webhook::step(&guard, 1, "b.acme.io"),
            which: "",
            shown: hooks(&[hook("a.acme.io", "Fail"), hook("b.acme.io", "Fail")]),
            after: hooks(&[hook("a.acme.io", "Fail"), hook("b.acme.io", "Ignore")]),
            others: vec![
                ("another order", hooks(&[hook("b.acme.io", "Fail"), hook("a.acme.io", "Fail")])),
                ("another order, after it", hooks(&[hook("b.acme.io", "Ignore"), hook("a.acme.io", "Fail")])),
                ("without it", hooks(&[hook("a.acme.io", "Fail")])),
            ],
        },
        Life {
            step: relax_policy_binding::step(&binding, relax_policy_binding::Relax::Denial, &object(&denies)),
            which: "",
            shown: denies.clone(),
            after: bound(json!(["Audit"]), "Deny"),
            others: vec![("warns", bound(json!(["Warn"]), "Deny"))],
        },
        Life {
            step: relax_policy_binding::step(&binding, relax_policy_binding::Relax::MissingParameter, &object(&denies)),
            which: " without its parameter",
            shown: denies.clone(),
            after: bound(json!(["Deny", "Audit"]), "Allow"),
            others: vec![],
        },
        Life {
            step: conversion_none::step(&definition, &webhook),
            which: "",
            shown: converted(&webhook),
            after: converted(&json!({"strategy": "None"})),
            others: vec![("another webhook", converted(&json!({"strategy": "Webhook", "webhook": {}})))],
        },
    ]
}

fn of_workloads() -> Vec<Life> {
    let operator = named("apps/v1", "Deployment", "deployments", Some("ops"), "operator");
    let at = |replicas: i64| there(json!({"spec": {"replicas": replicas}}));
    let node = named("v1", "Node", "nodes", None, "n1");
    let ready = |status: &str| json!({"conditions": [{"type": "Ready", "status": status}]});
    let other = json!({"key": "acme.io/other", "effect": "NoSchedule"});
    let taint = json!({"key": "node.kubernetes.io/out-of-service", "value": "nodeshutdown", "effect": "NoExecute",
        "timeAdded": "2026-01-01T10:00:00Z"});
    let tainted = |taints: Value, status: &str| there(json!({"spec": {"taints": taints}, "status": ready(status)}));
    vec![
        Life {
            step: scale_workload::step(&operator),
            which: "",
            shown: at(0),
            after: at(1),
            others: vec![("at 3", at(3)), ("without a number", there(json!({"spec": {}})))],
        },
        Life {
            step: taint_out_of_service::step(&node),
            which: "",
            shown: tainted(json!([other]), "Unknown"),
            after: tainted(json!([other, taint]), "Unknown"),
            others: vec![
                ("ready", tainted(json!([other]), "True")),
                ("tainted, and ready again", tainted(json!([other, taint]), "True")),
                ("another's taint of that key", tainted(json!([with(&taint, "/value", json!("acme"))]), "Unknown")),
            ],
        },
    ]
}
