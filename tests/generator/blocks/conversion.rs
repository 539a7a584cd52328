//! A kind that cannot be listed: its objects are stored in a version that needs a conversion by a
//! missing webhook.

use crate::draft::{Draft, Phase, until};
use crate::object::Id;
use crate::operator::Operator;
use crate::truth::Truth;
use serde_json::{Value, json};

pub fn build(draft: &mut Draft) {
    let operator = Operator::invent(draft);
    operator.define(draft);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.object(&namespace, &name);
    let manifest = json!({"apiVersion": object.api_version, "kind": object.kind,
        "metadata": {"name": name, "namespace": namespace}});
    draft.create_as(Phase::Things, manifest, Some(&operator.plural), "kubectl-create");
    let (definition, home) = (operator.definition(), operator.namespace.clone());
    let (changes, list) = (definition.clone(), format!("/apis/{}/v2/{}", operator.group, operator.plural));
    draft.act(Phase::Breakage, move |api| {
        let conversion = json!({"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"],
            "clientConfig": {"service": {"namespace": home, "name": "conversion"}}}});
        let body = json!({"spec": {"versions": [version("v2", true), version("v1", false)], "conversion": conversion}});
        api.patch(&changes, &body, "kubectl-edit")?;
        until("nobody can list the kind", 30, || {
            Ok(api.send("GET", &list, None).is_err_and(|refusal| refusal.code != 404))
        })
    });
    let service = Id::of("Service", Some(&operator.namespace), "conversion");
    draft.truths.push(Truth::object("a conversion webhook is gone", &definition).or(&service));
    draft.allowed.push(object);
    // A conversion to None can release it, but may lose fields.
    draft.releasable = false;
}

fn version(name: &str, storage: bool) -> Value {
    json!({"name": name, "served": true, "storage": storage,
        "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}})
}
