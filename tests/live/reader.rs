//! With the rights of the roles in `deploy`, the program finds the same as an administrator in
//! each scenario, reads no Secrets and writes nothing.

use crate::scenario::{Scenario, is_kubernetes_own};
use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

const API: &str = "rbac.authorization.k8s.io";

const NAME: &str = "unstick-reader";

/// An additional path in the second role, to see when the role has taken effect.
const MARK: &str = "/unstick-reader";

/// Grants the rights to read everything that rules ask for, and the custom kinds of a scenario.
/// This comes before the scenario's state, which may refuse new roles.
pub fn install(scenario: &Scenario, plane: &ControlPlane) {
    for role in ["clusterrole", "clusterrole-configmaps"] {
        plane.kubectl_ok(&["apply", "-f", &format!("{}/deploy/{role}.yaml", env!("CARGO_MANIFEST_DIR"))]);
    }
    let served = scenario.survey().discovery.resources;
    let groups: BTreeSet<String> = served
        .into_iter()
        .map(|resource| resource.id.group.clone())
        .filter(|group| !is_kubernetes_own(group))
        .collect();
    let mut rules = vec![json!({"nonResourceURLs": [MARK], "verbs": ["get"]})];
    if !groups.is_empty() {
        rules.push(json!({"apiGroups": groups, "resources": ["*"], "verbs": ["get", "list"]}));
    }
    let items = [
        made("ClusterRole", NAME, json!({"rules": rules})),
        made("ClusterRoleBinding", NAME, bound("kubectl-unstick-reader-kubernetes")),
        made("ClusterRoleBinding", "unstick-reader-configmaps", bound("kubectl-unstick-reader-configmaps")),
        made("ClusterRoleBinding", "unstick-reader-others", bound(NAME)),
    ];
    plane.apply(&json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string());
    wait_until("the reader may read", Duration::from_mins(1), || {
        let may = |verb, what| plane.kubectl(&["auth", "can-i", verb, what, "-A", "--as", NAME]).status.success();
        may("list", "pods") && may("get", MARK)
    });
}

fn made(kind: &str, name: &str, mut what: Value) -> Value {
    what["apiVersion"] = json!(format!("{API}/v1"));
    what["kind"] = json!(kind);
    what["metadata"] = json!({"name": name});
    what
}

fn bound(role: &str) -> Value {
    let role = json!({"apiGroup": API, "kind": "ClusterRole", "name": role});
    json!({"roleRef": role, "subjects": [{"apiGroup": API, "kind": "User", "name": NAME}]})
}

/// Diagnoses a scenario's state with only these rights.
pub fn look(scenario: &Scenario, plane: &ControlPlane) {
    let before = plane.audit_requests().len();
    let ask = scenario.ask();
    let output = unstick(plane).args(ask).args(["-o", "json", "--as", NAME]).output().expect("the program runs");
    let said = format!("{}: {}", scenario.name, stderr(&output));
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {said}"));
    if scenario.needs_more_rights() {
        assert_eq!(scenario.wrong_claims(&report), [""; 0], "{said}");
    } else {
        scenario.check_roots(&report);
    }
    let requests = plane.audit_requests().into_iter().skip(before);
    for event in requests.filter(|event| event.user_agent.starts_with("kubectl-unstick/")) {
        let reads = ["get", "list"].contains(&event.verb.as_str()) && !is_of_secrets(&event.uri);
        assert!(reads || event.code == 403, "{said}: {event:?}");
    }
}

fn is_of_secrets(uri: &str) -> bool {
    let path = uri.split('?').next().unwrap_or_default();
    path.starts_with("/api/v1/") && path.split('/').any(|part| part == "secrets")
}
