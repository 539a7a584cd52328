//! States that no recorded scenario can show: a control plane without its
//! controllers, hostile text, and the program as kubectl's plugin.

use crate::live::{PROGRAM, stderr, stdout, unstick};
use crate::support::control_plane::{ControlPlane, wait_until};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

#[test]
fn without_a_controller_manager_nobody_is_called_late_but_the_controller() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    plane.kubectl_ok(&["create", "configmap", "a", "-n", "shop"]);
    plane.stop_controller_manager();
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    thread::sleep(Duration::from_secs(17));
    let output = unstick(&plane).args(["ns", "shop"]).output().expect("the program runs");
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the namespace controller has not begun with shop"), "{said}");
    assert!(said.contains("kube-controller-manager"), "{said}");
    assert!(!said.contains("finalize"), "nothing harsh is offered: {said}");
    // Nobody can approve what is not offered.
    let approved = unstick(&plane).args(["ns", "shop", "--approve", "loses-data"]).output().expect("the program runs");
    assert_eq!(approved.status.code(), Some(1), "{}", stderr(&approved));
    plane.start_controller_manager();
    wait_until("the namespace is gone", Duration::from_secs(60), || {
        plane.kubectl_ok(&["get", "namespace", "shop", "--ignore-not-found"]).is_empty()
    });
}

#[test]
fn a_clusters_text_cannot_drive_the_terminal() {
    let plane = ControlPlane::start();
    plane.apply(
        r#"
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: nasty}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [DELETE], resources: [configmaps]}]
  validations: [{expression: "false", messageExpression: "'kept \\u001b[2J\\u001b]0;owned\\u0007 \\u202e by policy'"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: nasty}
spec: {policyName: nasty, validationActions: [Deny]}
"#,
    );
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    plane.kubectl_ok(&["create", "configmap", "a", "-n", "shop"]);
    // The policy takes effect some moments after it was made.
    wait_until("the policy refuses", Duration::from_secs(30), || {
        !plane.kubectl(&["delete", "configmap", "a", "-n", "shop", "--dry-run=server"]).status.success()
    });
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    wait_until("its controller has met the policy", Duration::from_secs(60), || {
        plane.kubectl_ok(&["get", "namespace", "shop", "-o", "json"]).contains("owned")
    });
    thread::sleep(Duration::from_secs(6));
    for format in ["table", "json", "yaml"] {
        let output =
            unstick(&plane).args(["ns", "shop", "--color=never", "-o", format]).output().expect("the program runs");
        let said = stdout(&output);
        assert!(said.contains("owned"), "the text is not shown at all: {said}");
        let obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!said.contains(obeyed), "{format}: {said:?}");
    }
}

#[test]
fn kubectl_finds_it_as_its_plugin() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    let folder = Path::new(PROGRAM).parent().expect("a folder");
    let kubectl = plane.kubectl_bin_dir();
    let path = format!("{}:{}:/usr/bin:/bin", kubectl.display(), folder.display());
    let output = plane
        .command(kubectl.join("kubectl"))
        .env("PATH", path)
        .args(["unstick", "namespaces/shop"])
        .stdin(Stdio::null())
        .output()
        .expect("kubectl runs");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("Namespace shop   not being deleted"), "{}", stdout(&output));
}
