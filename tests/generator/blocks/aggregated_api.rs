//! An aggregated API that does not answer, so that no namespace can be found empty.

use crate::draft::{Draft, Phase, until};
use crate::nodes;
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;
use serde_json::json;

/// Its Service does not exist.
pub fn without_service(draft: &mut Draft) {
    let operator = Operator::invent(draft);
    let service = Id::of("Service", Some(&operator.namespace), &operator.name);
    let api = register(draft, &operator);
    draft.truths.push(Truth::object("an API's Service is gone", &api).besides(&service));
}

/// The Deployment behind it is scaled to 0.
pub fn parked(draft: &mut Draft) {
    let (operator, service) = served(draft, &Pods::Parked, "the Deployment behind an API is at zero");
    let port = draft.port;
    draft.actor(move |api| {
        if !operator.is_started(api) {
            return false;
        }
        let answers = json!({"spec": {"type": "ExternalName", "externalName": "127.0.0.1", "selector": null,
            "clusterIP": null, "clusterIPs": null, "ports": [{"port": port}]}});
        api.patch(&service, &answers, "kubectl-edit").is_ok()
    });
}

/// The pods behind it crash.
pub fn crashing(draft: &mut Draft) {
    // The API's objects are not at fault here.
    draft.releasable = false;
    served(draft, &Pods::Crashing, "the pods behind an API crash");
}

/// The node of the pods behind it is lost.
pub fn on_a_lost_node(draft: &mut Draft) {
    let name = format!("node-{}", draft.random.suffix());
    let node = nodes::not_ready(draft, &name);
    served(draft, &Pods::On(name), "the node of an API's pods is lost");
    let truth = draft.truths.pop().expect("it was just said");
    draft.truths.push(truth.besides(&node));
    draft.releasable = false;
    draft.oldest = draft.oldest.min(200);
}

fn served(draft: &mut Draft, pods: &Pods, what: &str) -> (Operator, Id) {
    let operator = Operator::invent(draft);
    operator.install(draft, pods, Rights::OwnKind);
    let service = draft.create(
        Phase::Things,
        json!({"apiVersion": "v1", "kind": "Service",
            "metadata": {"name": operator.name, "namespace": operator.namespace},
            "spec": {"selector": {"app.kubernetes.io/name": operator.name},
                "ports": [{"port": draft.port, "targetPort": 6443}]}}),
    );
    let api = register(draft, &operator);
    draft.allowed.push(operator.deployment());
    draft.truths.push(Truth::object(what, &api).besides(&service).besides(&operator.deployment()));
    (operator, service)
}

/// Registers the API of an operator, behind the Service with its name.
fn register(draft: &mut Draft, operator: &Operator) -> Id {
    let group = format!("agg.{}", operator.group);
    let id = draft.create(
        Phase::Breakage,
        json!({"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
            "metadata": {"name": format!("v1beta1.{group}")},
            "spec": {"group": group, "version": "v1beta1", "groupPriorityMinimum": 100, "versionPriority": 100,
                "insecureSkipTLSVerify": true,
                "service": {"namespace": operator.namespace, "name": operator.name, "port": draft.port}}}),
    );
    let path = id.path();
    draft.act(Phase::Breakage, move |api| {
        until("the API is known to be unavailable", 60, || {
            let found = api.get(&path)?.unwrap_or_default();
            let conditions = found["status"]["conditions"].as_array().cloned().unwrap_or_default();
            Ok(conditions.iter().any(|one| one["type"] == "Available" && one["status"] == "False"))
        })
    });
    id
}
