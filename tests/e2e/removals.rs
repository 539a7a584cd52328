//! Removals of products: the report names everything that is lost, each loss is confirmed by name,
//! and a run that was killed is continued by the next one.

use crate::prompts::session;
use crate::releases::{Installer, Release, State, script};
use crate::support::control_plane::ControlPlane;
use crate::support::program::{run_script, stderr, stdout, unstick};
use crate::support::terminal::{choose, exit_code, says};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::io::Write;
use std::process::{Output, Stdio};
use std::time::Duration;

/// An object that nothing holds, and what the held object owns: a claim and a load balancer.
const MORE: &str = r"
object users1 Gear.v1.kind1.example free
owner=$(owner gears.kind1.example one users1)
kubectl -n users1 apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, ownerReferences: [$owner]}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Service
metadata:
  name: front
  finalizers: [service.kubernetes.io/load-balancer-cleanup]
  ownerReferences: [$owner]
spec: {type: LoadBalancer, ports: [{port: 80}]}
YAML
namespace other
";

fn release(number: usize, installer: Installer) -> Release {
    Release { number, installer, state: State::Healthy }
}

fn run(plane: &ControlPlane, line: &str) -> Output {
    unstick(plane).args(line.split(' ')).output().expect("it runs")
}

fn report(plane: &ControlPlane, line: &str) -> Value {
    let output = run(plane, &format!("{line} -o json"));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{line}: {}", stderr(&output)))
}

fn is_there(plane: &ControlPlane, words: &str) -> bool {
    let words: Vec<&str> = ["get", "--ignore-not-found", "-o", "name"].into_iter().chain(words.split(' ')).collect();
    !plane.kubectl(&words).stdout.is_empty()
}

#[test]
fn a_removal_names_and_confirms_everything_that_is_lost() {
    let plane = ControlPlane::start();
    let all = [release(1, Installer::Flux), release(2, Installer::Helm)];
    let path = plane.dir().join("removals.sh");
    std::fs::write(&path, format!("{}{MORE}", script(&all))).expect("the script is written");
    let _background = run_script(&path, &plane);

    products_are_listed(&plane);
    the_order_names_what_is_lost(&plane);
    each_loss_is_confirmed(&plane);
    manifests_may_name_more_than_exists(&plane, &all[1]);
    a_cut_run_goes_on(&plane, &all[1]);
}

fn products_are_listed(plane: &ControlPlane) {
    let listed = report(plane, "products");
    let products = listed["products"].as_array().expect("products");
    let of = |installer: &str, name: &str| {
        let is_it = |product: &&Value| product["installer"] == installer && product["name"] == name;
        products.iter().find(is_it).unwrap_or_else(|| panic!("{installer}/{name}: {listed}"))
    };
    for (installer, name, kind, objects) in
        [("flux", "op1", "gears.kind1.example", 2), ("helm", "op2", "gears.kind2.example", 1)]
    {
        let product = of(installer, name);
        let kinds = product["kinds"].as_array().expect("kinds");
        let kind = kinds.iter().find(|it| it["resource"] == kind).unwrap_or_else(|| panic!("{product}"));
        assert_eq!((&kind["objects"], &kind["held"]), (&objects.into(), &1.into()), "{product}");
        assert_eq!(product["removable"], "InOrder", "{product}");
    }
    let here = report(plane, "products -n ops2");
    let words = |list: &Value| list["products"].to_string();
    assert!(words(&here).contains("\"op2\"") && !words(&here).contains("flux-system"), "{here}");
    let table = stdout(&run(plane, "products"));
    assert!(table.contains("helm/op2") && table.contains("objects first"), "{table}");
}

fn the_order_names_what_is_lost(plane: &ControlPlane) {
    let foreseen = report(plane, "preflight flux/op1 -n flux-system");
    let turns: Vec<&Value> = foreseen["order"].as_array().expect("an order").iter().collect();
    let at = |what: &str| {
        let deletes = |turn: &&Value| turn["steps"].to_string().contains(what);
        turns.iter().position(deletes).unwrap_or_else(|| panic!("{what}: {foreseen}"))
    };
    let last = turns[at("\"Kustomization\"")];
    assert!(at("\"one\"") < at("\"Kustomization\"") && last["risk"] == "LosesData", "{foreseen}");
    assert!(last["consequence"].to_string().contains("deletes gears.kind1.example"), "{last}");
    let held = turns[at("\"one\"")];
    assert_eq!(held["risk"], "LosesData", "its claim is deleted after it: {held}");
    let consequence = held["consequence"].to_string();
    assert!(consequence.contains("PersistentVolumeClaim users1/data"), "{held}");
    assert!(consequence.contains("Service users1/front") && consequence.contains("load balancer"), "{held}");
}

fn each_loss_is_confirmed(plane: &ControlPlane) {
    let mild = run(plane, "flux/op1 -n flux-system --delete --approve disruptive");
    assert_eq!(mild.status.code(), Some(1), "{}", stderr(&mild));
    assert!(stderr(&mild).contains("nothing was deleted: the approval does not cover"), "{}", stderr(&mild));
    for (words, confirm, missing) in [
        ("flux/op1 -n flux-system", "op1", "gears.kind1.example"),
        ("helm/op2 ns/other", "op2,gears.kind2.example", "other"),
        ("helm/op2 ns/other", "other,gears.kind2.example", "op2"),
    ] {
        let output = run(plane, &format!("{words} --delete --approve loses-data --confirm {confirm}"));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(&format!("--confirm does not name \"{missing}\": nothing was done")), "{said}");
    }
    assert!(is_there(plane, "namespace other") && is_there(plane, "gears.kind1.example free -n users1"));
}

/// The manifests of a release, and an object that does not exist.
fn manifests_may_name_more_than_exists(plane: &ControlPlane, release: &Release) {
    let mut text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: never, namespace: ops2}\n".to_owned();
    for member in release.members() {
        let words: Vec<&str> = ["get", "-o", "yaml"].into_iter().chain(member.split(' ')).collect();
        text = format!("{text}---\n{}", plane.kubectl_ok(&words));
    }
    let mut child = unstick(plane)
        .args(["preflight", "-f", "-", "-o", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("never"), "{}", stderr(&output));
    let foreseen: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let first = foreseen["order"][0]["steps"].to_string();
    assert!(first.contains("\"Gear\""), "the objects are deleted before their operator: {foreseen}");
    let follows = foreseen["consequences"].to_string();
    assert!(follows.contains("kubectl delete follows the given order"), "{foreseen}");
}

/// Another run reads what is left from the cluster.
fn a_cut_run_goes_on(plane: &ControlPlane, release: &Release) {
    let line = "helm/op2 --delete --approve loses-data --confirm op2,gears.kind2.example";
    let mut cut =
        unstick(plane).args(line.split(' ')).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    let gear = "gears.kind2.example one -n users2";
    wait_until("the first turn is over", Duration::from_mins(1), || !is_there(plane, gear));
    cut.kill().expect("it is killed");
    cut.wait().expect("it ends");
    let output = run(plane, line);
    let is_gone = stderr(&output).contains("not found: no object's labels");
    assert!(output.status.code() == Some(0) || is_gone, "{}{}", stdout(&output), stderr(&output));
    for member in release.members() {
        wait_until(&member, Duration::from_secs(30), || !is_there(plane, &member));
    }
    assert!(is_there(plane, "namespace other") && is_there(plane, "configmap neighbour -n ops2"));
}

/// A person confirms turn by turn, and types the name of an object that may take data with it.
#[test]
fn a_removal_is_asked_about_turn_by_turn() {
    let plane = ControlPlane::start();
    let release = release(3, Installer::Kapp);
    let path = plane.dir().join("asked.sh");
    std::fs::write(&path, script(std::slice::from_ref(&release))).expect("the script is written");
    let _background = run_script(&path, &plane);

    let mut asked = session(&plane, &["kapp/op3", "--delete"]);
    says(&mut asked, "Turn 1 of 6");
    choose(&mut asked, "do it");
    asked.exp_string("type one to confirm").expect("asks for the name");
    asked.send_line("two").expect("typed");
    says(&mut asked, "that is not one; nothing was done");
    assert!(is_there(&plane, "gears.kind3.example one -n users3"));
    asked.send_line("one").expect("typed");
    // No object of the definition's kind is left in its turn.
    for turn in 2..=6 {
        says(&mut asked, &format!("Turn {turn} of 6"));
        choose(&mut asked, "do it");
    }
    says(&mut asked, "verified gone");
    assert_eq!(exit_code(&mut asked), 0);
    for member in release.members() {
        assert!(!is_there(&plane, &member), "{member}");
    }
}

/// The marks of a product disappear while its first turn waits.
#[test]
fn a_product_that_no_longer_names_its_rest_is_left_alone() {
    let plane = ControlPlane::start();
    let release = release(4, Installer::Helm);
    let path = plane.dir().join("forgotten.sh");
    std::fs::write(&path, script(std::slice::from_ref(&release))).expect("the script is written");
    // From now on its operator does nothing.
    drop(run_script(&path, &plane));

    let line = "helm/op4 --delete --approve loses-data --confirm op4,gears.kind4.example";
    let running =
        unstick(&plane).args(line.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let gear = ["-n", "users4", "get", "gears.kind4.example", "one", "-o", "jsonpath={.metadata.deletionTimestamp}"];
    wait_until("the first turn has begun", Duration::from_mins(1), || !plane.kubectl_ok(&gear).is_empty());
    for member in release.members().iter().filter(|member| !member.starts_with("gears")) {
        let words = member.split(' ').chain(["meta.helm.sh/release-name-", "meta.helm.sh/release-namespace-"]);
        plane.kubectl_ok(&["annotate"].into_iter().chain(words).collect::<Vec<_>>());
        let words = member.split(' ').chain(["app.kubernetes.io/managed-by-", "app.kubernetes.io/instance-"]);
        plane.kubectl_ok(&["label"].into_iter().chain(words).collect::<Vec<_>>());
    }
    plane.kubectl_ok(&["-n", "users4", "patch", "gears.kind4.example", "one", "--type=merge", "-p", NONE]);
    let output = running.wait_with_output().expect("it ends");
    let said = format!("{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("nothing more was deleted"), "{said}");
    assert!(said.contains("helm/op4: what is left of the product does not name it any more"), "{said}");
    for member in release.members().iter().filter(|member| !member.starts_with("gears")) {
        assert!(is_there(&plane, member), "{member}: {said}");
    }
}

const NONE: &str = r#"{"metadata": {"finalizers": null}}"#;
