//! Objects that a forced finalize has stranded: questions by class, and changes between the question and
//! the answer.

use crate::prompts::session;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::terminal::{agree, choose, exit_code, says};
use serde_json::Value;

/// The recipe found everywhere: the namespace vanishes, its content stays.
pub fn force_finalize(plane: &ControlPlane, namespace: &str) {
    let mut object: Value =
        serde_json::from_str(&plane.kubectl_ok(&["get", "namespace", namespace, "-o", "json"])).expect("JSON");
    object["spec"]["finalizers"] = Value::Array(Vec::new());
    // A write by the controller meanwhile is no conflict.
    object["metadata"]["resourceVersion"].take();
    let file = plane.dir().join("finalize.json");
    std::fs::write(&file, object.to_string()).expect("written");
    let path = format!("/api/v1/namespaces/{namespace}/finalize");
    // Its controller begins to empty the namespace after five seconds.
    plane.kubectl_ok(&["delete", "namespace", namespace, "--wait=false"]);
    plane.kubectl_ok(&["replace", "--raw", &path, "-f", file.to_str().expect("a path")]);
}

/// A namespace `gone` with held `ConfigMap`s and free ones.
fn stranded(held: &[&str], free: &[&str]) -> ControlPlane {
    let plane = ControlPlane::alone();
    plane.kubectl_ok(&["create", "namespace", "gone"]);
    for (names, finalizers) in [(held, "acme.io/hold"), (free, "")] {
        for name in names {
            plane.apply(&format!(
                "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, namespace: gone, finalizers: [{finalizers}]}}}}"
            ));
        }
    }
    for name in held {
        plane.kubectl_ok(&["delete", "configmap", name, "-n", "gone", "--wait=false"]);
    }
    force_finalize(&plane, "gone");
    std::thread::sleep(std::time::Duration::from_secs(6));
    plane
}

fn names(plane: &ControlPlane) -> String {
    plane.kubectl_ok(&["get", "configmaps", "-n", "gone", "-o", "jsonpath={.items[*].metadata.name}"])
}

#[test]
fn objects_of_one_class_are_agreed_to_together() {
    let plane = stranded(&["held-1", "held-2"], &["free-1", "free-2", "free-3"]);
    let mut session = session(&plane, &["orphans"]);
    let default_content = session
        .exp_regex(r"Step 1 of [0-9]+\s+delete\s+(configmaps/kube-root-ca.crt|serviceaccounts/default)\s+-n\s+gone\?");
    default_content.expect("what every namespace holds");
    choose(&mut session, "do it");
    let (_, question) = session.exp_regex(r"delete\s+[a-z]+/[a-z0-9.-]+\s+-n\s+gone[^?]*\?").expect("the next class");
    if question.contains("default") {
        choose(&mut session, "do it");
        // Their content is not recorded anywhere.
        says(&mut session, "delete configmaps/free-1 -n gone and 2 more of its kind: free-2, free-3?");
    } else {
        let question = question.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(question.contains("free-1 -n gone and 2 more of its kind: free-2, free-3?"), "{question}");
    }
    assert!(names(&plane).contains("free-1"), "nothing is written before the answer");
    agree(&mut session, "3");
    says(&mut session, "create namespace gone again?");
    assert_eq!(names(&plane), "held-1 held-2");
    agree(&mut session, "gone");
    session.exp_string("Namespace gone exists again").expect("made");
    says(&mut session, "remove finalizer acme.io/hold from configmaps/held-1 -n gone and 1 more of its kind: held-2?");
    agree(&mut session, "2");
    says(&mut session, "delete namespaces/gone?");
    choose(&mut session, "do it");
    session.exp_string("nothing is stranded").expect("looked again");
    assert_eq!(exit_code(&mut session), 0);
    let left: Vec<String> = plane.etcd_keys("/registry/").into_iter().filter(|key| key.contains("/gone")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_namespace_that_is_in_use_by_now_is_not_deleted() {
    let plane = stranded(&["held"], &[]);
    let output = unstick(&plane).args(["orphans", "--yes"]).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    let mut session = session(&plane, &["orphans"]);
    says(&mut session, "create namespace gone again?");
    agree(&mut session, "gone");
    says(&mut session, "remove finalizer acme.io/hold from configmaps/held -n gone?");
    agree(&mut session, "held");
    says(&mut session, "delete namespaces/gone?");
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: precious, namespace: gone}}");
    choose(&mut session, "do it");
    session.exp_string("not done").expect("says that it was refused");
    session.exp_string("what remains").expect("looks again");
    assert_eq!(exit_code(&mut session), 3);
    assert!(names(&plane).contains("precious"));
    let report = unstick(&plane).args(["orphans", "-o", "json"]).output().expect("the program runs");
    let report: Value = serde_json::from_str(&stdout(&report)).expect("a report");
    let steps: Vec<&Value> = report["remedies"]
        .as_array()
        .expect("remedies")
        .iter()
        .flat_map(|remedy| remedy["steps"].as_array().expect("steps"))
        .collect();
    assert!(steps.is_empty(), "offered: {steps:?}");
}

#[test]
fn objects_that_are_no_longer_stranded_are_not_deleted() {
    let plane = stranded(&[], &["free"]);
    let mut session = session(&plane, &["configmap", "free", "-n", "gone"]);
    says(&mut session, "delete configmaps/free -n gone?");
    plane.kubectl_ok(&["create", "namespace", "gone"]);
    agree(&mut session, "free");
    session.exp_string("exists again").expect("says why");
    assert_eq!(exit_code(&mut session), 3);
    assert!(names(&plane).contains("free"));
}

#[test]
fn nothing_stranded_differs_from_not_everything_read() {
    // Controllers may still write into a namespace of another test.
    let plane = ControlPlane::alone();
    let nothing = unstick(&plane).arg("orphans").output().expect("the program runs");
    assert_eq!(nothing.status.code(), Some(0), "{}{}", stdout(&nothing), stderr(&nothing));
    assert!(stdout(&nothing).contains("nothing is stranded and no owner is missing"), "{}", stdout(&nothing));
    let unknown = unstick(&plane).args(["orphans", "--as", "nobody"]).output().expect("the program runs");
    assert_eq!(unknown.status.code(), Some(2), "{}{}", stdout(&unknown), stderr(&unknown));
    assert!(stdout(&unknown).contains("not everything could be read"), "{}", stdout(&unknown));
}
