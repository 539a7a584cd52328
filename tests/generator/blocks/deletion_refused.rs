//! Content whose deletion always fails: a fail-closed webhook for deletions of its kind does not
//! answer.

use crate::draft::{Draft, Phase, until};
use crate::object::Id;
use crate::operator::Operator;
use crate::truth::Truth;
use serde_json::json;

pub fn build(draft: &mut Draft) {
    let operator = Operator::invent(draft);
    operator.define(draft);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.object(&namespace, &name);
    let manifest = json!({"apiVersion": object.api_version, "kind": object.kind,
        "metadata": {"name": name, "namespace": namespace}});
    draft.create_as(Phase::Things, manifest, Some(&operator.plural), "kubectl-create");
    let webhook = dead_webhook(draft, &["DELETE"], &operator.group, &operator.plural);
    draft.truths.push(Truth::object("a dead webhook refuses the deletion", &webhook));
    draft.allowed.push(object);
}

/// A fail-closed webhook whose Service does not exist.
pub fn dead_webhook(draft: &mut Draft, operations: &[&str], group: &str, plural: &str) -> Id {
    let (name, home) = (draft.random.word(), draft.random.word());
    let configuration = json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": name},
        "webhooks": [{"name": format!("{plural}.{name}.example.com"), "admissionReviewVersions": ["v1"],
            "sideEffects": "None", "failurePolicy": "Fail",
            "clientConfig": {"service": {"namespace": home, "name": format!("{name}-webhook"), "path": "/validate"}},
            "rules": [{"apiGroups": [group], "apiVersions": ["*"], "operations": operations, "resources": [plural]}]}]});
    let id = draft.create(Phase::Breakage, configuration);
    let (group, plural, namespace) = (group.to_owned(), plural.to_owned(), draft.namespace.clone());
    let deletes = operations.contains(&"DELETE");
    draft.act(Phase::Breakage, move |api| {
        // It takes a moment until the API server calls the webhook.
        let collection = format!("/apis/{group}/v1/namespaces/{namespace}/{plural}");
        until("the webhook is heeded", 20, || {
            let Some(item) = api.list(&collection)?.into_iter().next() else { return Ok(true) };
            let path = format!("{collection}/{}?dryRun=All", item["metadata"]["name"].as_str().unwrap_or_default());
            let answer = if deletes {
                api.send("DELETE", &path, None)
            } else {
                api.send("PATCH", &path, Some(&json!({"metadata": {"labels": {"tried": "yes"}}})))
            };
            Ok(answer.is_err())
        })
    });
    id
}
