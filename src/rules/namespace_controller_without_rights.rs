//! No role lets the namespace controller delete the content of namespaces: the binding or the role
//! that every API server creates at its start was deleted. The controller may then not write
//! conditions either, so nothing shows why nothing happens (kubernetes/kubernetes:
//! `plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go`).

use crate::facts::{All, Facts, Known, SETTLE, Target, is_late};
use crate::kubernetes::namespaces::controller;
use crate::kubernetes::ownership::access::roles_and_bindings;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Named, Need, Ref, Remedy};
use crate::survey::Object;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) const RULE: Rule = Rule::new(
    "namespace-controller-without-rights",
    include_str!("namespace_controller_without_rights.md"),
    &[Explains::Deleted(diagnose)],
);

/// The name of its role and of the binding.
const ROLE: &str = "system:controller:namespace-controller";
/// The controller's user if controllers have no accounts of their own.
const MANAGER: &str = "system:kube-controller-manager";

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let silent = target.object().condition("NamespaceDeletionContentFailure").is_none();
    if !silent || target.namespace_being_emptied().is_none() || !is_late(target.object(), facts, SETTLE * 3) {
        return Ok(());
    }
    let (roles, bindings) = roles_and_bindings(None, facts).all()?;
    let telling: BTreeSet<&str> = roles.iter().filter(|role| lets_delete(role)).map(Object::name).collect();
    let controller = controller();
    let lets = |binding: &&Object| binding.text("/roleRef/name").is_some_and(|role| telling.contains(role));
    let holds =
        bindings.iter().filter(lets).any(|binding| binding.array("/subjects").iter().any(|it| is(it, &controller)));
    if !holds {
        let missing = if roles.iter().any(|role| role.name() == ROLE) { "ClusterRoleBinding" } else { "ClusterRole" };
        found.add(draft(target, &controller, missing));
    }
    Ok(())
}

/// Whether a role lets its holders delete objects of every kind.
fn lets_delete(role: &Object) -> bool {
    role.array("/rules").iter().any(|rule| {
        let has = |field: &str, values: &[&str]| {
            let entries = rule.get(field).and_then(Value::as_array).into_iter().flatten();
            entries.filter_map(Value::as_str).any(|entry| values.contains(&entry))
        };
        has("apiGroups", &["*"]) && has("resources", &["*"]) && has("verbs", &["*", "delete", "deletecollection"])
    })
}

/// Whether a subject is the controller: its account, a group of accounts, or all of
/// kube-controller-manager.
fn is(subject: &Value, account: &Ref) -> bool {
    let text = |field: &str| subject.get(field).and_then(Value::as_str).unwrap_or_default();
    let place = account.namespace.as_deref().unwrap_or_default();
    match text("kind") {
        "ServiceAccount" => text("name") == account.name && text("namespace") == place,
        "User" => [MANAGER, &format!("system:serviceaccount:{place}:{}", account.name)].contains(&text("name")),
        "Group" => {
            let own = format!("system:serviceaccounts:{place}");
            ["system:serviceaccounts", "system:authenticated", own.as_str()].contains(&text("name"))
        }
        _ => false,
    }
}

fn draft(target: &Target<'_>, controller: &Ref, missing: &str) -> Draft {
    let kind = missing.to_lowercase();
    let absent = Ref::from(Named {
        api_version: "rbac.authorization.k8s.io/v1".into(),
        kind: missing.into(),
        resource: format!("{kind}s"),
        name: ROLE.into(),
        ..Named::default()
    });
    let summary = format!(
        "the namespace controller may not delete the content of namespace {}: no role lets {controller}",
        target.object().name()
    );
    Draft::new(Cause::Permissions, target.reference(), summary)
        .explains(Need::acting(controller))
        // Other authorizers may allow it, and if controllers share credentials, it is another user.
        .likely()
        .waits_for(absent.missing())
        .evidence("no conditions: its controller has written nothing", &target.reference(), "status.conditions")
        .remark("RBAC: no ClusterRoleBinding gives it a role with delete on every kind")
        // Its role covers everything: it is named here, and not granted by a command.
        .remedy(Remedy::manual(
            format!("restart one kube-apiserver: when it starts, it creates {ROLE} and its binding again"),
            format!(
                "ServiceAccount kube-system/{} may delete everything in every namespace again, as in any cluster; \
                waiting namespaces then continue",
                controller.name
            ),
        ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_right_to_delete_every_kind_is_enough() {
        let role = |rule: Value| -> Object {
            serde_json::from_value(json!({"metadata": {"name": "r"}, "rules": [rule]})).unwrap()
        };
        assert!(lets_delete(&role(json!({"apiGroups": ["*"], "resources": ["*"], "verbs": ["delete", "get"]}))));
        assert!(!lets_delete(&role(json!({"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list"]}))));
        assert!(!lets_delete(&role(json!({"apiGroups": [""], "resources": ["*"], "verbs": ["*"]}))));
    }

    #[test]
    fn the_controller_uses_its_own_account_or_the_managers() {
        let names = |subject: Value| is(&subject, &controller());
        assert!(names(json!({"kind": "ServiceAccount", "namespace": "kube-system", "name": "namespace-controller"})));
        assert!(names(json!({"kind": "User", "name": "system:kube-controller-manager"})));
        assert!(names(json!({"kind": "Group", "name": "system:serviceaccounts:kube-system"})));
        assert!(!names(json!({"kind": "ServiceAccount", "namespace": "kube-system", "name": "job-controller"})));
        assert!(!names(json!({"kind": "Group", "name": "system:masters"})));
    }
}
