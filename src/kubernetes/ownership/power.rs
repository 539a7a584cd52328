//! The power of a role beyond the objects of one product: Secrets, RBAC, tokens, webhooks, nodes
//! (<https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks>).

use crate::kubernetes::admission::{selects, strings};
use crate::survey::{Object, ResourceId};
use indexmap::IndexSet;
use serde_json::{Value, json};

/// The data of Secrets.
pub(crate) const SECRETS: &str = "Secrets";

/// Resources on which any verb is power, by group; `*` is every resource of the group.
const SENSITIVE: [(&str, &str, &str); 11] = [
    ("", "secrets", SECRETS),
    ("", "serviceaccounts/token", "tokens"),
    ("", "nodes", "nodes"),
    ("", "nodes/proxy", "nodes"),
    ("authentication.k8s.io", "*", "tokens"),
    ("certificates.k8s.io", "*", "client certificates"),
    ("rbac.authorization.k8s.io", "*", "RBAC"),
    ("admissionregistration.k8s.io", "*", "webhooks and policies"),
    ("apiregistration.k8s.io", "*", "APIServices"),
    // A conversion webhook receives every object of its kind.
    ("apiextensions.k8s.io", "*", "webhooks of CustomResourceDefinitions"),
    ("node.k8s.io", "*", "nodes"),
];

/// Resources that let those who may write them run programs as any account of the namespace, and
/// with the Secrets of that namespace.
const PROGRAMS: [(&str, &str); 13] = [
    ("", "pods"),
    ("", "pods/exec"),
    ("", "pods/attach"),
    ("", "pods/ephemeralcontainers"),
    ("", "replicationcontrollers"),
    ("", "podtemplates"),
    ("apps", "deployments"),
    ("apps", "daemonsets"),
    ("apps", "statefulsets"),
    ("apps", "replicasets"),
    ("batch", "jobs"),
    ("batch", "cronjobs"),
    ("batch", "jobs/status"),
];

/// Verbs that are power, whatever their resource.
const VERBS: [(&str, &str); 4] =
    [("escalate", "RBAC"), ("bind", "RBAC"), ("impersonate", "impersonation"), ("approve", "client certificates")];

/// The kinds of power that `role` includes, each once. `all` are the roles that its aggregation rule
/// may select.
pub(crate) fn included(role: &Object, all: &[Object]) -> Vec<&'static str> {
    let mut found = IndexSet::new();
    let mut seen = vec![role];
    let mut next = 0;
    while let Some(role) = seen.get(next).copied() {
        next += 1;
        found.extend(role.array("/rules").iter().flat_map(of_rule));
        let selectors = role.array("/aggregationRule/clusterRoleSelectors");
        let gathered = |other: &&Object| selectors.iter().any(|it| selects(Some(it), &other.metadata.labels));
        let new: Vec<&Object> =
            all.iter().filter(gathered).filter(|other| seen.iter().all(|known| known.name() != other.name())).collect();
        seen.extend(new);
    }
    found.into_iter().collect()
}

/// The power that permission to read and write objects of `kind` includes; `None` if the permission
/// is power over these objects alone.
pub(crate) fn over(kind: &ResourceId) -> Option<&'static str> {
    let rule = json!({"apiGroups": [kind.group], "resources": [kind.plural], "verbs": ["get", "update"]});
    of_rule(&rule).first().copied()
}

/// The kinds of power that one rule includes.
fn of_rule(rule: &Value) -> Vec<&'static str> {
    let mut found = Vec::new();
    let values = |field: &'static str| strings(rule, field);
    let covers_group = |group: &str| values("apiGroups").any(|it| it == group || it == "*");
    let is_on = |resource: &str| values("resources").any(|it| covers(it, resource));
    if values("resources").next().is_none() {
        return found;
    }
    for (group, resource, what) in SENSITIVE {
        let on = if resource == "*" { values("resources").any(|it| is_of_group(it, group)) } else { is_on(resource) };
        if covers_group(group) && on {
            found.push(what);
        }
    }
    let writes = values("verbs").any(|verb| ["create", "update", "patch", "*"].contains(&verb));
    if writes && PROGRAMS.iter().any(|(group, resource)| covers_group(group) && is_on(resource)) {
        found.push("programs that run as any account of their namespace");
    }
    let has_verb = |verb: &str| values("verbs").any(|it| it == verb);
    found.extend(VERBS.iter().filter(|(verb, _)| has_verb(verb)).map(|(_, what)| *what));
    // Impersonation is a verb on users, groups and accounts.
    if has_verb("*") && covers_group("") && ["users", "groups", "serviceaccounts"].into_iter().any(is_on) {
        found.push("impersonation");
    }
    found
}

/// Whether a word of a rule matches `resource` (kubernetes/kubernetes:
/// `pkg/apis/rbac/v1/evaluation_helpers.go`).
pub(crate) fn covers(word: &str, resource: &str) -> bool {
    let subresource = resource.split_once('/').map(|(_, part)| part);
    word == "*" || word == resource || word.strip_prefix("*/").is_some_and(|part| Some(part) == subresource)
}

/// Whether a word of a rule matches any resource of a group whose resources all give power. If the
/// rule is for every group, the word shows which group is meant.
fn is_of_group(word: &str, group: &str) -> bool {
    let known: &[&str] = match group {
        "authentication.k8s.io" => &["tokenreviews", "tokenrequests", "userextras"],
        "certificates.k8s.io" => &["certificatesigningrequests", "signers", "clustertrustbundles"],
        "rbac.authorization.k8s.io" => &["roles", "rolebindings", "clusterroles", "clusterrolebindings"],
        "admissionregistration.k8s.io" => &[
            "validatingwebhookconfigurations",
            "mutatingwebhookconfigurations",
            "validatingadmissionpolicies",
            "validatingadmissionpolicybindings",
            "mutatingadmissionpolicies",
            "mutatingadmissionpolicybindings",
        ],
        "apiregistration.k8s.io" => &["apiservices"],
        "apiextensions.k8s.io" => &["customresourcedefinitions"],
        _ => &["runtimeclasses"],
    };
    let plural = word.split('/').next().unwrap_or(word);
    plural == "*" || known.contains(&plural)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(name: &str, rules: &Value) -> Object {
        serde_json::from_value(json!({"metadata": {"name": name, "labels": {"role": name}}, "rules": rules})).unwrap()
    }

    fn of(groups: &[&str], resources: &[&str], verbs: &[&str]) -> Vec<&'static str> {
        included(&role("r", &json!([{"apiGroups": groups, "resources": resources, "verbs": verbs}])), &[])
    }

    #[test]
    fn explicit_rights_are_recognized_as_power() {
        assert_eq!(of(&[""], &["secrets"], &["get"]), ["Secrets"]);
        assert_eq!(of(&[""], &["serviceaccounts/token"], &["create"]), ["tokens"]);
        assert_eq!(of(&[""], &["nodes"], &["patch"]), ["nodes"]);
        assert_eq!(of(&["authentication.k8s.io"], &["tokenreviews"], &["create"]), ["tokens"]);
        for kind in ["roles", "rolebindings", "clusterroles", "clusterrolebindings"] {
            assert_eq!(of(&["rbac.authorization.k8s.io"], &[kind], &["create"]), ["RBAC"], "{kind}");
        }
        for kind in ["validatingwebhookconfigurations", "mutatingwebhookconfigurations", "validatingadmissionpolicies"]
        {
            assert_eq!(
                of(&["admissionregistration.k8s.io"], &[kind], &["update"]),
                ["webhooks and policies"],
                "{kind}"
            );
        }
        assert_eq!(of(&["apiextensions.k8s.io"], &["customresourcedefinitions"], &["patch"]).len(), 1);
        assert_eq!(of(&[""], &["users"], &["impersonate"]), ["impersonation"]);
        assert_eq!(of(&["rbac.authorization.k8s.io"], &["clusterroles"], &["bind"]), ["RBAC"]);
        assert_eq!(of(&["apps"], &["deployments"], &["create"]).len(), 1);
        assert_eq!(of(&[""], &["pods/exec"], &["create"]).len(), 1);
    }

    #[test]
    fn wildcards_are_recognized_as_power() {
        assert!(of(&["*"], &["*"], &["*"]).contains(&"Secrets"));
        assert!(of(&["*"], &["*"], &["get"]).contains(&"Secrets"));
        assert!(of(&[""], &["*"], &["get"]).contains(&"Secrets"));
        assert_eq!(of(&["*"], &["secrets"], &["get"]), ["Secrets"]);
        assert_eq!(of(&["*"], &["clusterroles"], &["update"]), ["RBAC"]);
        assert_eq!(of(&[""], &["*/token"], &["create"]), ["tokens"]);
        assert_eq!(of(&["rbac.authorization.k8s.io"], &["*"], &["get"]), ["RBAC"]);
        assert_eq!(of(&[""], &["serviceaccounts"], &["*"]), ["impersonation"]);
    }

    #[test]
    fn aggregated_roles_are_recognized_as_power() {
        let gathers = |label: &str| -> Object {
            serde_json::from_value(json!({"metadata": {"name": "gathers"}, "rules": [],
                "aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"role": label}}]}}))
            .unwrap()
        };
        let secrets = role("secrets", &json!([{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}]));
        let mut between = gathers("secrets");
        between.metadata.name = "between".into();
        between.metadata.labels.insert("role".into(), "between".into());
        let all = [secrets, between, gathers("between")];
        assert_eq!(included(&gathers("secrets"), &all), ["Secrets"]);
        assert_eq!(included(&gathers("between"), &all), ["Secrets"], "by a role that gathers it, too");
        assert!(included(&gathers("other"), &all).is_empty());
        // A role that selects itself causes no endless loop.
        assert!(included(&gathers("gathers"), &[gathers("gathers")]).is_empty());
    }

    #[test]
    fn rights_on_a_products_own_kinds_are_no_power() {
        assert!(of(&["acme.io"], &["*"], &["*"]).is_empty());
        assert!(of(&["*"], &["databases"], &["*"]).is_empty());
        assert!(of(&[""], &["configmaps", "events"], &["create", "patch"]).is_empty());
        assert!(of(&[""], &["pods"], &["get", "list"]).is_empty());
        let kind = |group: &str, plural: &str| over(&ResourceId::new(group, "v1", plural));
        assert_eq!(kind("acme.io", "databases"), None);
        assert_eq!(kind("acme.io", "secrets"), None);
        assert_eq!(kind("", "secrets"), Some("Secrets"));
        assert_eq!(kind("", "nodes"), Some("nodes"));
        assert_eq!(kind("rbac.authorization.k8s.io", "roles"), Some("RBAC"));
        assert!(kind("", "pods").is_some());
    }
}
