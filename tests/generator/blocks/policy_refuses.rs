//! A custom resource with a healthy operator: a policy whose parameter object is gone refuses the
//! update that would release it.

use crate::draft::{Draft, Phase, until};
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;
use serde_json::json;

pub fn build(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let policy = draft.random.word();
    let of = draft.create(
        Phase::Breakage,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": policy},
            "spec": {"failurePolicy": "Fail", "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
                "matchConstraints": {"resourceRules": [{"apiGroups": [operator.group], "apiVersions": ["*"],
                    "operations": ["UPDATE"], "resources": [operator.plural]}]},
                "validations": [{"expression": "params.data.open == 'yes'"}]}}),
    );
    let binding = draft.create(
        Phase::Breakage,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": format!("{policy}-everywhere")},
            "spec": {"policyName": policy, "validationActions": ["Deny"],
                "paramRef": {"name": format!("{policy}-rules"), "namespace": "commons",
                    "parameterNotFoundAction": "Deny"}}}),
    );
    let parameter = Id::of("ConfigMap", Some("commons"), &format!("{policy}-rules"));
    let path = format!("{}?dryRun=All", object.path());
    draft.act(Phase::Breakage, move |api| {
        let change = json!({"metadata": {"labels": {"tried": "yes"}}});
        until("the policy is heeded", 20, || Ok(api.send("PATCH", &path, Some(&change)).is_err()))
    });
    draft
        .truths
        .push(Truth::object("a policy without its parameter refuses the update", &of).or(&binding).or(&parameter));
    draft.allowed.push(object.clone());
    operator.works_once(draft, &object, |_| true);
    object
}
