//! Two products that use each other: the report on one alone, the common order for both, and a
//! deletion without a hang if the user is deleted first.

use crate::releases::{Installer, Release, State, script};
use crate::support::control_plane::ControlPlane;
use crate::support::program::{run_script, stderr, stdout, unstick};
use serde_json::Value;

const BOTH: [&str; 2] = ["helm/op1", "kapp/op2"];

/// The object of one names that of the other, whose kind its operator may use.
const USES: &str = r"
kubectl create clusterrole uses --verb=get,list,create,delete --resource=gears.kind2.example
kubectl create clusterrolebinding uses --clusterrole=uses --serviceaccount=ops1:op1
kubectl -n users1 patch gears.kind1.example one --type=merge \
  -p 'spec: {engineRef: {apiVersion: kind2.example/v1, kind: Gear, namespace: users2, name: one}}'
";

fn report(plane: &ControlPlane, words: &[&str]) -> Value {
    let output = unstick(plane).arg("preflight").args(words).args(["-o", "json"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// The place of the turn that deletes an object in this namespace.
fn place(report: &Value, namespace: &str) -> usize {
    let turns = report["order"].as_array().expect("an order");
    let named = format!("\"namespace\":\"{namespace}\"");
    turns.iter().position(|turn| turn["steps"].to_string().contains(&named)).unwrap_or_else(|| panic!("{report}"))
}

#[test]
fn a_product_that_uses_another_is_deleted_before_it() {
    let plane = ControlPlane::start();
    let all = [(1, Installer::Helm), (2, Installer::Kapp)];
    let all = all.map(|(number, installer)| Release { number, installer, state: State::Healthy });
    let path = plane.dir().join("two.sh");
    std::fs::write(&path, format!("{}{USES}", script(&all))).expect("the script is written");
    let _background = run_script(&path, &plane);

    let alone = report(&plane, &BOTH[1..]);
    let users = &alone["products"][0]["usedBy"];
    let says = |what: &str| users.as_array().expect("users").iter().any(|user| user.to_string().contains(what));
    assert!(says("it names Gear users2/one"), "{users}");
    assert!(says("ClusterRole uses lets it use gears.kind2.example, of helm/op1 -n ops1"), "{users}");

    let both = report(&plane, &BOTH);
    assert!(place(&both, "users1") < place(&both, "users2"), "{both}");
    let first = &both["order"][place(&both, "users1")]["why"];
    assert!(first.to_string().contains("before Gear users2/one, which it names"), "{first}");

    let back = r#"{"spec": {"carRef": {"apiVersion": "kind1.example/v1", "kind": "Gear", "namespace": "users1", "name": "one"}}}"#;
    plane.kubectl_ok(&["-n", "users2", "patch", "gears.kind2.example", "one", "--type=merge", "-p", back]);
    let ring = report(&plane, &BOTH);
    let whys: Vec<String> =
        ring["order"].as_array().expect("an order").iter().map(|turn| turn["why"].to_string()).collect();
    assert!(whys.iter().any(|why| why.contains("form a ring, which this order breaks")), "{whys:?}");

    let confirm = "op1,gears.kind1.example,op2,gears.kind2.example";
    let output = unstick(&plane)
        .args(BOTH)
        .args(["--delete", "--approve", "loses-data", "--confirm", confirm])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    for release in &all {
        for member in release.members() {
            let words: Vec<&str> =
                ["get", "--ignore-not-found", "-o", "name"].into_iter().chain(member.split(' ')).collect();
            assert!(plane.kubectl(&words).stdout.is_empty(), "{member} is gone");
        }
    }
    assert!(
        !plane.kubectl(&["get", "clusterrole", "uses", "-o", "name"]).stdout.is_empty(),
        "it is nobody's: it stays"
    );
}

/// Once its Deployment is gone, nothing shows that the product was installed there.
#[test]
fn a_products_content_is_fixed_when_its_deletion_begins() {
    const APP: &str = r"
        namespace apps
        namespace other
        kubectl -n apps create deployment web --image=web --replicas=0
        kubectl -n apps create configmap settings
        kubectl create clusterrolebinding app --clusterrole=view --serviceaccount=other:app
        kubectl label clusterrolebinding app kapp.k14s.io/app=app
        namespace foreign
        kubectl label namespace foreign kapp.k14s.io/app=app
        kubectl label namespace other kapp.k14s.io/app=app
        kubectl -n apps label deployment/web configmap/settings kapp.k14s.io/app=app
    ";
    let plane = ControlPlane::start();
    let script = plane.dir().join("app.sh");
    std::fs::write(&script, APP).expect("the script is written");
    let _background = run_script(&script, &plane);
    let words = ["kapp/app", "--delete", "--approve", "loses-data", "--confirm", "app"];
    let output = unstick(&plane).args(words).output().expect("it runs");
    let said = format!("{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{said}");
    let at = |what: &str| said.rfind(what).unwrap_or_else(|| panic!("{what}: {said}"));
    let (web, settings, other) =
        (at("done: Deployment apps/web"), at("done: ConfigMap apps/settings"), at("done: Namespace other"));
    assert!(web < settings && settings < other, "{said}");
    // Anyone who may create a namespace may label it.
    assert!(!plane.kubectl(&["get", "namespace", "foreign", "-o", "name"]).stdout.is_empty(), "{said}");
}
