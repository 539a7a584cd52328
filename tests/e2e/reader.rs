//! A scenario, diagnosed once more with the rights of `deploy/clusterrole.yaml`: the causes are
//! the same, and no Secret is read. A plain run does so with the first scenario of each rule,
//! `UNSTICK_RIGHTS=all` with every one.

use crate::live::{stderr, stdout, unstick};
use crate::scenario::{NEED_MORE_RIGHTS, Scenario};
use crate::support::control_plane::{ControlPlane, wait_until};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

const READER: &str = "reader-of-deploy";

fn is_asked(name: &str) -> bool {
    let is_all = std::env::var("UNSTICK_RIGHTS").is_ok_and(|which| which == "all");
    (is_all || !name.contains("--")) && !NEED_MORE_RIGHTS.contains(&name)
}

/// What an administrator has found, who has given this `report`.
pub fn finds_the_same(scenario: &Scenario, plane: &ControlPlane, report: &Value) {
    if !is_asked(&scenario.name) {
        return;
    }
    let before = plane.audit_requests().len();
    give_rights(plane);
    let mut own = Value::Null;
    let (full, name) = (roots(report), &scenario.name);
    let is_same = || {
        let mut command = unstick(plane);
        let output = command.args(scenario.ask()).args(["-o", "json", "--as", READER]).output();
        let output = output.expect("the program runs");
        own = serde_json::from_str(&stdout(&output))
            .unwrap_or_else(|error| panic!("{name}: {error}: {}", stderr(&output)));
        // The server heeds new rights some moments later.
        roots(&own) == full
    };
    let same = wait_for(is_same);
    assert!(same, "{name}: with the rights of the role\n{own:#}\nand without\n{full:#?}");
    for event in plane.audit_requests().into_iter().skip(before) {
        let is_own = event.user_agent.starts_with("kubectl-unstick/") && event.uri.contains("/secrets");
        assert!(!is_own || event.code == 403, "{name}: {event:?}");
    }
}

fn wait_for(mut condition: impl FnMut() -> bool) -> bool {
    (0..40).any(|_| {
        let holds = condition();
        if !holds {
            std::thread::sleep(Duration::from_millis(500));
        }
        holds
    })
}

/// Rule and subject: how old the evidence is differs from run to run.
fn roots(report: &Value) -> BTreeSet<String> {
    let findings = report["findings"].as_array().into_iter().flatten();
    let roots = findings.filter(|finding| finding["root"] == true);
    roots.map(|finding| format!("{} {}", finding["rule"], finding["subject"])).collect()
}

/// Kubernetes' own kinds by the role itself; custom resources as a role that is added to it.
fn give_rights(plane: &ControlPlane) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/clusterrole.yaml");
    let text = std::fs::read_to_string(path).expect("the role");
    let (_, own) = text.split_once("\n---\n").expect("two roles");
    let own: Value = serde_saphyr::from_str(own).expect("YAML");
    let groups = plane.kubectl_ok(&["get", "apiservices", "-o", "jsonpath={.items[*].spec.group}"]);
    let is_custom = |group: &&str| group.contains('.') && (!group.ends_with(".k8s.io") || group.ends_with(".x-k8s.io"));
    let custom: BTreeSet<&str> = groups.split(' ').filter(is_custom).collect();
    let mut rules = own["rules"].as_array().expect("rules").clone();
    rules.push(json!({"apiGroups": custom, "resources": ["*"], "verbs": ["get", "list"]}));
    let metadata = json!({"name": READER});
    let api = "rbac.authorization.k8s.io";
    let role = json!({"apiVersion": format!("{api}/v1"), "kind": "ClusterRole", "metadata": metadata, "rules": rules});
    let binding = json!({
        "apiVersion": format!("{api}/v1"), "kind": "ClusterRoleBinding", "metadata": metadata,
        "roleRef": {"apiGroup": api, "kind": "ClusterRole", "name": READER},
        "subjects": [{"apiGroup": api, "kind": "User", "name": READER}],
    });
    plane.apply(&json!({"apiVersion": "v1", "kind": "List", "items": [role, binding]}).to_string());
}

/// Somebody who may do everything in one namespace, and nothing outside of it.
#[test]
fn rights_in_one_namespace_are_enough_for_a_true_and_useful_answer_there() {
    let plane = ControlPlane::start();
    for name in ["shop", "other"] {
        plane.kubectl_ok(&["create", "namespace", name]);
        plane.apply(&format!(
            "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: held, namespace: {name}, finalizers: [acme.io/hold]}}}}"
        ));
        plane.kubectl_ok(&["delete", "configmap", "held", "-n", name, "--wait=false"]);
    }
    plane.kubectl_ok(&["create", "rolebinding", "ann", "-n", "shop", "--clusterrole=admin", "--user=ann"]);
    let run = |arguments: &[&str]| {
        let output = unstick(&plane).args(arguments).args(["--as", "ann"]).output().expect("the program runs");
        let said = format!("{}{}", stdout(&output), stderr(&output)).split_whitespace().collect::<Vec<_>>().join(" ");
        (output.status.code(), said)
    };
    let mut told = (None, String::new());
    wait_until("it is no longer on its way, and the rights are there", Duration::from_mins(1), || {
        told = run(&["configmap", "held", "-n", "shop"]);
        told.0 == Some(1)
    });
    assert!(told.1.contains("waits for finalizer acme.io/hold"), "{}", told.1);
    // What she may not read is told, and is not called absent.
    assert!(told.1.contains("cannot read") || told.1.contains("could not be read"), "{}", told.1);
    let (code, said) = run(&["configmap", "held", "-n", "other"]);
    assert!(code == Some(2) && said.contains("forbidden"), "{code:?} {said}");
    let (code, said) = run(&["configmap", "held", "-n", "shop", "--approve", "leaks", "--timeout", "20s"]);
    assert_eq!(code, Some(0), "{said}");
    let left = plane.kubectl_ok(&["get", "configmap", "held", "-n", "shop", "--ignore-not-found"]);
    assert_eq!(left, "", "it is released: {said}");
}
