//! A policy about updates that depends on the user. It refuses people but not the operator, which
//! is at zero; in the twin the operator runs, and is the one that the policy refuses.

use crate::draft::{Draft, Phase, until};
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;
use serde_json::json;

/// A policy that allows only users for whom `expression` holds, and its binding.
fn policy(draft: &mut Draft, operator: &Operator, expression: &str) -> (Id, Id) {
    let name = draft.random.word();
    let policy = draft.create(
        Phase::Breakage,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": name},
            "spec": {"failurePolicy": "Fail",
                "matchConstraints": {"resourceRules": [{"apiGroups": [operator.group], "apiVersions": ["*"],
                    "operations": ["UPDATE"], "resources": [operator.plural]}]},
                "validations": [{"expression": expression, "message": "not for you"}]}}),
    );
    let binding = draft.create(
        Phase::Breakage,
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": name}, "spec": {"policyName": name, "validationActions": ["Deny"]}}),
    );
    (policy, binding)
}

/// Waits until an update by this user, or by the administrator, is refused.
fn heeded(draft: &mut Draft, object: &Id, user: Option<String>) {
    let path = format!("{}?dryRun=All", object.path());
    draft.act(Phase::Breakage, move |api| {
        let change = json!({"metadata": {"labels": {"tried": "yes"}}});
        until("the policy is heeded", 20, || {
            Ok(match &user {
                Some(user) => api.send_as(user, "PATCH", &path, Some(&change)).is_err(),
                None => api.send("PATCH", &path, Some(&change)).is_err(),
            })
        })
    });
}

/// The policy refuses people, but not the operator.
pub fn others(draft: &mut Draft) -> Id {
    let operator = Operator { acts_itself: true, ..Operator::invent(draft) };
    operator.define(draft);
    operator.install(draft, &Pods::Parked, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let expression = format!("request.userInfo.username == '{}'", operator.account());
    policy(draft, &operator, &expression);
    heeded(draft, &object, None);
    let truth = Truth::object("its operator, which the policy lets through, is at zero", &operator.deployment());
    draft.truths.push(truth.controller(&["Down"]));
    draft.allowed.push(object.clone());
    let starts = operator.clone();
    operator.works_once(draft, &object, move |api| starts.is_started(api));
    object
}

/// The policy refuses the operator, but not people.
pub fn itself(draft: &mut Draft) -> Id {
    let operator = Operator { acts_itself: true, ..Operator::invent(draft) };
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let expression = format!("!request.userInfo.username.startsWith('system:serviceaccount:{}:')", operator.namespace);
    let (policy, binding) = policy(draft, &operator, &expression);
    heeded(draft, &object, Some(operator.account()));
    draft.truths.push(Truth::object("a policy refuses its operator", &policy).or(&binding));
    draft.allowed.push(object.clone());
    draft.youngest = draft.youngest.max(900);
    // A person has to decide whom a policy allows.
    draft.releasable = false;
    operator.works_once(draft, &object, |_| true);
    object
}
