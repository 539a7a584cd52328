//! The last resort for a namespace: refused with the list of objects that would be stranded, done
//! once its name was typed, and repaired afterwards.

use crate::prompts::session;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::terminal::{choose, exit_code};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::time::Duration;

/// A namespace that is being deleted, with two held objects.
fn held_namespace(plane: &ControlPlane, namespace: &str) {
    plane.kubectl_ok(&["create", "namespace", namespace]);
    for name in ["orders", "prices"] {
        plane.apply(&format!(
            "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, namespace: {namespace}, finalizers: [acme.io/hold]}}}}"
        ));
    }
    plane.kubectl_ok(&["delete", "namespace", namespace, "--wait=false"]);
    wait_until("only what is held is left", Duration::from_mins(1), || left_in_the_store(plane, namespace).len() == 2);
    std::thread::sleep(Duration::from_secs(6));
}

fn left_in_the_store(plane: &ControlPlane, namespace: &str) -> Vec<String> {
    let here = format!("/{namespace}/");
    plane.etcd_keys("/registry/").into_iter().filter(|key| key.contains(&here)).collect()
}

fn notes(plane: &ControlPlane) -> Vec<Value> {
    let folder = plane.dir().join("state/kubectl-unstick");
    let texts = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|entry| std::fs::read_to_string(entry.expect("an entry").path()).expect("a journal"));
    let records = texts.flat_map(|text| {
        text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect::<Vec<Value>>()
    });
    records.filter(|record| record["record"] == "note").collect()
}

#[test]
fn forced_finalization_needs_the_name_and_is_repaired_afterwards() {
    let plane = ControlPlane::start();
    let run = |arguments: &[&str]| unstick(&plane).args(arguments).output().expect("the program runs");

    let alive = run(&["ns", "default", "--finalize", "--approve", "loses-data", "--confirm", "default"]);
    assert_eq!(alive.status.code(), Some(3), "{}", stderr(&alive));
    assert!(stderr(&alive).contains("not being deleted"), "{}", stderr(&alive));

    held_namespace(&plane, "shop");
    let ordinary = run(&["ns", "shop", "-o", "json"]);
    assert!(!stdout(&ordinary).contains("FinalizeNamespace"), "never offered while something is left");

    let unasked = run(&["ns", "shop", "--finalize"]);
    assert_eq!(unasked.status.code(), Some(1), "{}", stderr(&unasked));
    for text in ["it would strand 2 configmaps", "ConfigMap shop/orders", "nothing was written", "--confirm shop"] {
        assert!(stderr(&unasked).contains(text), "{text}: {}", stderr(&unasked));
    }
    let wrong = run(&["ns", "shop", "--finalize", "--approve", "loses-data", "--confirm", "shopp"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
    let mild = run(&["ns", "shop", "--finalize", "--approve", "leaks"]);
    assert_eq!(mild.status.code(), Some(1), "{}", stderr(&mild));
    assert!(plane.kubectl(&["get", "namespace", "shop"]).status.success(), "still there");
    assert!(notes(&plane).is_empty(), "nothing was written");

    let mut session = session(&plane, &["ns", "shop", "--finalize"]);
    choose(&mut session, "details");
    session.exp_string("ConfigMap shop/prices").expect("the list");
    choose(&mut session, "do it");
    session.exp_string("type shop to confirm").expect("asks for the name");
    session.send_line("y").expect("typed");
    session.exp_string("type shop to confirm").expect("asks again");
    session.send_line("shop").expect("typed");
    session.exp_string("is gone").expect("done");
    session.exp_string("kubectl unstick orphans -n shop").expect("the way out");
    assert_eq!(exit_code(&mut session), 1);
    assert_eq!(left_in_the_store(&plane, "shop").len(), 2);
    let notes = notes(&plane);
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0]["objects"][0]["name"], "orders", "{}", notes[0]);

    let repaired = run(&["orphans", "-n", "shop", "--approve", "leaks"]);
    assert_eq!(repaired.status.code(), Some(0), "{}{}", stdout(&repaired), stderr(&repaired));
    assert_eq!(left_in_the_store(&plane, "shop"), Vec::<String>::new());
    assert!(!plane.kubectl(&["get", "namespace", "shop"]).status.success(), "the namespace is gone for good");
}
