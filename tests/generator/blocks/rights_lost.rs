//! A custom resource with a healthy operator that lost its rights in the namespace with the
//! `RoleBinding` that was deleted there.

use crate::api::Api;
use crate::draft::{Draft, Phase};
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;
use serde_json::json;

pub fn build(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::InNamespace);
    let role = format!("{}-{}", operator.namespace, operator.name);
    // The operator still works for other objects.
    draft.create(
        Phase::Things,
        json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
            "metadata": {"name": operator.name, "namespace": "team-two"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
            "subjects": [{"kind": "ServiceAccount", "namespace": operator.namespace, "name": operator.name}]}),
    );
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let truth = Truth::object("its operator lost its rights", &operator.deployment());
    draft.truths.push(truth.controller(&["Failing"]));
    draft.allowed.push(object.clone());
    draft.lacks_rights = true;
    // A person must restore the rights. Until then, no finalizer of a healthy operator is removed
    // unless the user names the object.
    draft.releasable = false;
    let may = operator.clone();
    operator.works_once(draft, &object, move |api| may_update(api, &may, &namespace));
    object
}

fn may_update(api: &Api, operator: &Operator, namespace: &str) -> bool {
    let review = json!({"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
        "spec": {"user": format!("system:serviceaccount:{}:{}", operator.namespace, operator.name),
            "resourceAttributes": {"group": operator.group, "resource": operator.plural, "verb": "update",
                "namespace": namespace}}});
    let path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    api.send("POST", path, Some(&review)).is_ok_and(|answer| answer["status"]["allowed"] == true)
}
