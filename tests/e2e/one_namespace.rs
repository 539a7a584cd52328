//! Rights in a single namespace.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use std::time::Duration;

/// A user who may do everything in one namespace, and nothing outside of it.
#[test]
fn rights_in_one_namespace_suffice_for_an_answer_there() {
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
    // Everything that she may not read is reported as unread, not as absent.
    assert!(told.1.contains("ann may not list"), "{}", told.1);
    let (code, said) = run(&["configmap", "held", "-n", "other"]);
    assert!(code == Some(2) && said.contains("which ann may not read"), "{code:?} {said}");
    let (code, said) = run(&["configmap", "held", "-n", "shop", "--approve", "leaks", "--timeout", "20s"]);
    assert_eq!(code, Some(0), "{said}");
    let left = plane.kubectl_ok(&["get", "configmap", "held", "-n", "shop", "--ignore-not-found"]);
    assert_eq!(left, "", "it is released: {said}");
}
