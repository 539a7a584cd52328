//! Content whose deletion is never accepted: a policy denies it to everybody.

use crate::draft::{Draft, Phase, until};
use crate::operator::Operator;
use crate::truth::Truth;
use serde_json::json;

pub fn build(draft: &mut Draft) {
    let operator = Operator::invent(draft);
    operator.define(draft);
    let (namespace, name, policy) = (draft.namespace.clone(), draft.random.word(), draft.random.word());
    let object = operator.object(&namespace, &name);
    let manifest = json!({"apiVersion": object.api_version, "kind": object.kind,
        "metadata": {"name": name, "namespace": namespace}});
    draft.create_as(Phase::Things, manifest, Some(&operator.plural), "kubectl-create");
    let rules = json!([{"apiGroups": [operator.group], "apiVersions": ["*"], "operations": ["DELETE"],
        "resources": [operator.plural]}]);
    let of_policy = draft.create(
        Phase::Breakage,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": policy},
            "spec": {"failurePolicy": "Fail", "matchConstraints": {"resourceRules": rules},
                "validations": [{"expression": "false", "message": "records are kept"}]}}),
    );
    let binding = draft.create(
        Phase::Breakage,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": format!("{policy}-everywhere")},
            "spec": {"policyName": policy, "validationActions": ["Deny"]}}),
    );
    let path = format!("{}?dryRun=All", object.path());
    draft.act(Phase::Breakage, move |api| {
        until("the policy is heeded", 20, || Ok(api.send("DELETE", &path, None).is_err()))
    });
    draft.truths.push(Truth::object("a policy denies the deletion", &binding).or(&of_policy));
    draft.allowed.push(object);
    // The policy does its job: it is switched off only on explicit request.
    draft.releasable = false;
}
