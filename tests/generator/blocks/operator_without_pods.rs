//! A custom resource whose operator cannot get its pods, or has them on a lost node.

use crate::draft::{Draft, Phase, until};
use crate::nodes;
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;
use serde_json::json;

/// A quota leaves no room for the pods.
pub fn over_quota(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    let quota = draft.create(
        Phase::Ground,
        json!({"apiVersion": "v1", "kind": "ResourceQuota",
            "metadata": {"name": "pods", "namespace": operator.namespace}, "spec": {"hard": {"pods": "0"}}}),
    );
    let path = quota.path();
    draft.act(Phase::Ground, move |api| {
        until("the quota is known", 20, || Ok(api.get(&path)?.unwrap_or_default()["status"]["hard"].is_object()))
    });
    let object = install(draft, &operator, &Pods::Missing);
    let truth = Truth::object("a quota forbids its operator's pods", &operator.deployment()).or(&quota);
    draft.truths.push(truth.controller(&["Down"]));
    object
}

/// A fail-closed webhook for the pods does not answer.
pub fn refused(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    let name = draft.random.word();
    let webhook = draft.create(
        Phase::Ground,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": name},
            "webhooks": [{"name": format!("pods.{name}.example.com"), "admissionReviewVersions": ["v1"],
                "sideEffects": "None", "failurePolicy": "Fail",
                "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": operator.namespace}},
                "clientConfig": {"service": {"namespace": format!("{name}-system"), "name": name, "path": "/pods"}},
                "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}]}]}),
    );
    let namespace = operator.namespace.clone();
    draft.act(Phase::Ground, move |api| {
        let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "tried", "namespace": namespace},
            "spec": {"containers": [{"name": "c", "image": "example.invalid/none"}]}});
        let path = format!("/api/v1/namespaces/{namespace}/pods?dryRun=All");
        until("the webhook is heeded", 20, || Ok(api.send("POST", &path, Some(&pod)).is_err()))
    });
    let object = install(draft, &operator, &Pods::Missing);
    let deployment = operator.deployment();
    let truth = Truth::object("a dead webhook refuses its operator's pods", &webhook).besides(&deployment);
    draft.truths.push(truth.controller(&["Down"]));
    let starts = operator.clone();
    operator.works_once(draft, &object, move |api| starts.is_started(api));
    object
}

/// The pods are on a node whose kubelet does not report.
pub fn on_a_lost_node(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    let name = format!("node-{}", draft.random.suffix());
    let node = nodes::not_ready(draft, &name);
    let object = install(draft, &operator, &Pods::On(name));
    let truth = Truth::object("its operator's node is lost", &operator.deployment()).or(&node);
    draft.truths.push(truth.controller(&["Down"]));
    // After five minutes the pods are replaced.
    draft.oldest = draft.oldest.min(200);
    object
}

/// The pods' image cannot be pulled.
pub fn image_missing(draft: &mut Draft) -> Id {
    down(draft, "its operator's image cannot be pulled", &Pods::Pulling)
}

/// No node has room for the pods.
pub fn unscheduled(draft: &mut Draft) -> Id {
    down(draft, "no node takes its operator's pods", &Pods::Unscheduled)
}

fn down(draft: &mut Draft, what: &str, pods: &Pods) -> Id {
    let operator = Operator::invent(draft);
    let object = install(draft, &operator, pods);
    let truth = Truth::object(what, &operator.deployment());
    draft.truths.push(truth.controller(&["Down"]));
    object
}

fn install(draft: &mut Draft, operator: &Operator, pods: &Pods) -> Id {
    operator.define(draft);
    operator.install(draft, pods, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    draft.allowed.push(object.clone());
    object
}
