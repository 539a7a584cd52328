//! Pods that do not disappear.

use crate::draft::{Draft, Phase, until};
use crate::nodes;
use crate::object::Id;
use crate::operator::{ready, set_pod, unreachable};
use crate::truth::{Named, Truth};
use serde_json::{Value, json};

/// On a node whose kubelet does not report.
pub fn on_a_lost_node(draft: &mut Draft) -> Id {
    let name = format!("node-{}", draft.random.suffix());
    let node = nodes::not_ready(draft, &name);
    let pod = pod(draft, &name, None, &unreachable());
    draft.truths.push(Truth::object("its node is lost", &node));
    draft.allowed.push(pod.clone());
    // Only a person who knows that the machine is off can declare its pods dead.
    draft.releasable = false;
    draft.youngest = draft.youngest.max(150);
    pod
}

/// On a node that no longer exists: the pod garbage collector may not delete the pod.
pub fn on_a_gone_node(draft: &mut Draft) -> Id {
    let (name, hook) = (format!("node-{}", draft.random.suffix()), draft.random.word());
    let pod = pod(draft, &name, None, &unreachable());
    let (gone, namespace) = (Id::of("Node", None, &name), draft.namespace.clone());
    // The webhook is created after the deletion, which it would refuse, too.
    let webhook = draft.create(
        Phase::Afterwards,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": hook},
            "webhooks": [{"name": format!("ends.{hook}.example.com"), "admissionReviewVersions": ["v1"],
                "sideEffects": "None", "failurePolicy": "Fail",
                "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
                "clientConfig": {"service": {"namespace": hook, "name": hook, "path": "/ends"}},
                "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["DELETE"], "resources": ["pods"]}]}]}),
    );
    let path = format!("{}?dryRun=All", pod.path());
    draft.act(Phase::Afterwards, move |api| {
        // For a pod in its grace period, admission only runs for an earlier end.
        let at_once = json!({"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0, "dryRun": ["All"]});
        until("the webhook is heeded", 20, || Ok(api.send("DELETE", &path, Some(&at_once)).is_err()))
    });
    draft.truths.push(Truth::object("the pod garbage collector is refused", &webhook).besides(&gone));
    draft.allowed.push(pod.clone());
    draft.foreseeable = false;
    draft.youngest = draft.youngest.max(150);
    pod
}

/// Not on any node, with the finalizer of an operator that is gone.
pub fn with_a_finalizer(draft: &mut Draft) -> Id {
    let (product, node) = (draft.random.word(), crate::operator::WORKER);
    let finalizer = format!("{product}.io/drain");
    let mut over = ready();
    over["phase"] = json!("Succeeded");
    over["containerStatuses"][0]["ready"] = json!(false);
    over["containerStatuses"][0]["state"] = json!({"terminated": {"exitCode": 0, "reason": "Completed",
        "startedAt": crate::api::now(), "finishedAt": crate::api::now()}});
    let pod = pod(draft, node, Some((&finalizer, &product)), &over);
    let truth = Truth::finalizer("a finished pod has a finalizer of somebody who is gone", &pod, &finalizer);
    draft.truths.push(truth.controller(&["Gone", "Unknown"]));
    pod
}

/// A pod on a node, as its kubelet describes it.
pub fn pod(draft: &mut Draft, node: &str, finalizer: Option<(&str, &str)>, status: &Value) -> Id {
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let mut manifest = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": namespace},
        "spec": {"automountServiceAccountToken": false, "restartPolicy": "Never", "terminationGracePeriodSeconds": 5,
            "containers": [{"name": "manager", "image": "example.invalid/none"}]}});
    let mut manager = "kubectl-create";
    if let Some((finalizer, by)) = finalizer {
        manifest["metadata"]["finalizers"] = json!([finalizer]);
        manager = by;
    }
    let id = draft.create_as(Phase::Things, manifest, None, manager);
    let (node, status, path) = (node.to_owned(), status.clone(), id.path());
    draft.act(Phase::Pods, move |api| {
        let pod = api.get(&path)?.unwrap_or_default();
        set_pod(api, &namespace, &pod, &node, &status)
    });
    id
}

/// A claim that a running pod uses.
pub fn claim_in_use(draft: &mut Draft) -> Id {
    let (namespace, name, user) = (draft.namespace.clone(), draft.random.word(), draft.random.word());
    let claim = draft.create(
        Phase::Ground,
        json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": namespace},
            "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "volumeName": format!("pv-{name}"),
                "resources": {"requests": {"storage": "1Gi"}}}}),
    );
    let pod = draft.create(
        Phase::Things,
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": user, "namespace": namespace},
            "spec": {"automountServiceAccountToken": false, "terminationGracePeriodSeconds": 5,
                "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": name}}],
                "containers": [{"name": "manager", "image": "example.invalid/none"}]}}),
    );
    let path = pod.path();
    draft.act(Phase::Pods, move |api| {
        let pod = api.get(&path)?.unwrap_or_default();
        set_pod(api, &namespace, &pod, crate::operator::WORKER, &ready())
    });
    draft.truths.push(Truth { names: vec![Named::Object(pod.clone())], ..Truth::object("a pod uses the claim", &pod) });
    // The claim is in use: it is removed only on explicit request.
    draft.releasable = false;
    claim
}
