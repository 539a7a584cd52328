//! Things that look guilty but are not, or are simply healthy.

use crate::blocks::dead_webhook;
use crate::draft::{Draft, Phase};
use crate::operator::{Operator, Pods, Rights};
use serde_json::{Value, json};

/// A thing that must not be blamed.
pub struct Decoy {
    /// Its name, for people.
    pub name: &'static str,
    /// Creates the decoy.
    pub build: fn(&mut Draft),
}

/// Every decoy.
pub const DECOYS: &[Decoy] = &[
    Decoy { name: "parked-operator-of-another-kind", build: parked },
    Decoy { name: "crashing-operator-that-may-write-everything", build: almighty },
    Decoy { name: "dead-webhook-about-another-kind", build: webhook_elsewhere },
    Decoy { name: "fail-open-webhook-about-everything", build: fail_open },
    Decoy { name: "old-warning-about-something-else", build: old_warning },
    Decoy { name: "finalizer-on-what-nobody-deletes", build: bystander },
    Decoy { name: "policy-about-another-kind", build: policy_elsewhere },
    Decoy { name: "namesake-without-rights", build: namesake },
    Decoy { name: "dead-webhook-about-creations", build: webhook_on_creation },
    Decoy { name: "dead-webhook-of-other-namespaces", build: webhook_of_others },
    Decoy { name: "dead-api-that-does-not-matter", build: dead_api },
];

fn parked(draft: &mut Draft) {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Parked, Rights::AndCommon);
}

fn almighty(draft: &mut Draft) {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Crashing, Rights::Everything);
}

fn webhook_elsewhere(draft: &mut Draft) {
    let operator = Operator::invent(draft);
    operator.define(draft);
    dead_webhook(draft, &["CREATE", "UPDATE", "DELETE"], &operator.group, &operator.plural);
}

fn fail_open(draft: &mut Draft) {
    let (name, home) = (draft.random.word(), draft.random.word());
    draft.create(
        Phase::Things,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": name},
            "webhooks": [{"name": format!("all.{name}.example.com"), "admissionReviewVersions": ["v1"],
                "sideEffects": "None", "failurePolicy": "Ignore", "timeoutSeconds": 1,
                "clientConfig": {"service": {"namespace": home, "name": name, "path": "/"}},
                "rules": [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["DELETE"], "resources": ["*"]}]}]}),
    );
}

fn old_warning(draft: &mut Draft) {
    let (name, component, suffix) = (draft.random.word(), draft.random.word(), draft.random.suffix());
    let namespace = draft.namespace.clone();
    let about = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}});
    draft.create(Phase::Things, about);
    let at = "2026-01-02T03:04:05Z";
    draft.create(
        Phase::Things,
        json!({"apiVersion": "v1", "kind": "Event",
            "metadata": {"name": format!("{name}.{suffix}"), "namespace": namespace},
            "involvedObject": {"apiVersion": "v1", "kind": "ConfigMap", "namespace": namespace, "name": name},
            "type": "Warning", "reason": "SyncFailed", "message": format!("cannot reach {component}: timed out"),
            "source": {"component": component}, "count": 9, "firstTimestamp": at, "lastTimestamp": at}),
    );
}

fn bystander(draft: &mut Draft) {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Parked, Rights::OwnKind);
    let name = draft.random.word();
    operator.adopt(draft, "team-one", &name);
}

fn policy_elsewhere(draft: &mut Draft) {
    let name = draft.random.word();
    draft.create(
        Phase::Things,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": name},
            "spec": {"failurePolicy": "Fail",
                "matchConstraints": {"resourceRules": [{"apiGroups": ["apps"], "apiVersions": ["v1"],
                    "operations": ["DELETE"], "resources": ["statefulsets"]}]},
                "validations": [{"expression": "false", "message": "not now"}]}}),
    );
    draft.create(
        Phase::Things,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": name}, "spec": {"policyName": name, "validationActions": ["Deny"]}}),
    );
}

/// A Deployment with the operator's name, of another product.
fn namesake(draft: &mut Draft) {
    let Some(name) = draft.operators.first().cloned() else { return };
    let mut operator = Operator::invent(draft);
    // Its labels and its image distinguish it.
    operator.name = name;
    operator.helm = false;
    operator.install(draft, &Pods::Parked, Rights::OwnKind);
}

fn webhook_on_creation(draft: &mut Draft) {
    dead(draft, &["CREATE"], &json!({}));
}

fn webhook_of_others(draft: &mut Draft) {
    let selector = json!({"matchLabels": {"kubernetes.io/metadata.name": "team-two"}});
    dead(draft, &["CREATE", "UPDATE", "DELETE"], &selector);
}

/// A webhook for a cause's kind that does not answer.
fn dead(draft: &mut Draft, operations: &[&str], namespaces: &Value) {
    let Some((group, plural)) = draft.kinds.first().cloned() else { return };
    let name = draft.random.word();
    draft.create(
        Phase::Breakage,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": name},
            "webhooks": [{"name": format!("some.{name}.example.com"), "admissionReviewVersions": ["v1"],
                "sideEffects": "None", "failurePolicy": "Fail", "namespaceSelector": namespaces,
                "clientConfig": {"service": {"namespace": name, "name": "webhook", "path": "/"}},
                "rules": [{"apiGroups": [group], "apiVersions": ["*"], "operations": operations,
                    "resources": [plural]}]}]}),
    );
}

/// An aggregated API without a Service, for which no namespace waits.
fn dead_api(draft: &mut Draft) {
    if draft.goes {
        return;
    }
    let name = draft.random.word();
    draft.create(
        Phase::Breakage,
        json!({"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
            "metadata": {"name": format!("v1.agg.{name}.io")},
            "spec": {"group": format!("agg.{name}.io"), "version": "v1", "groupPriorityMinimum": 100,
                "versionPriority": 100, "insecureSkipTLSVerify": true,
                "service": {"namespace": name, "name": "api", "port": 443}}}),
    );
}
