//! `scan`: everything that is stuck in one or several clusters, in one pass.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Output;
use std::time::Duration;

/// Two objects that wait for one finalizer, one of them in a namespace that is being deleted; one
/// that waits for another finalizer; and one that is not being deleted.
const STATE: &str = "
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Namespace
metadata: {name: other}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: orders, namespace: shop, finalizers: [acme.io/hold]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cart, namespace: other, labels: {app: web}, finalizers: [acme.io/hold]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader-of-nothing, labels: {app: db}, finalizers: [example.com/audit]}
rules: []
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kept, namespace: other, finalizers: [acme.io/hold]}
";

fn scan(plane: &ControlPlane, arguments: &[&str]) -> Output {
    unstick(plane).arg("scan").args(arguments).output().expect("the program runs")
}

fn report(plane: &ControlPlane, arguments: &[&str]) -> Value {
    let output = scan(plane, &[arguments, &["-o", "json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
}

fn targets(report: &Value) -> Vec<String> {
    let targets = report["targets"].as_array().expect("targets").iter();
    targets.map(|target| format!("{} {}", target["object"]["name"], target["state"]).replace('"', "")).collect()
}

fn stuck() -> ControlPlane {
    let plane = ControlPlane::start();
    let nothing = scan(&plane, &[]);
    assert_eq!(nothing.status.code(), Some(0), "{}{}", stdout(&nothing), stderr(&nothing));
    assert!(stdout(&nothing).contains("nothing is stuck"), "{}", stdout(&nothing));
    plane.apply(STATE);
    plane.kubectl_ok(&["delete", "configmap", "cart", "-n", "other", "--wait=false"]);
    plane.kubectl_ok(&["delete", "clusterrole", "reader-of-nothing", "--wait=false"]);
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    wait_until("everything is stuck", Duration::from_mins(1), || {
        let targets = targets(&report(&plane, &[]));
        targets.len() == 3 && targets.iter().all(|target| target.ends_with(" Stuck"))
    });
    plane
}

#[test]
fn everything_that_is_stuck_is_listed_by_root_cause() {
    let plane = stuck();
    let all = scan(&plane, &[]);
    let text = stdout(&all);
    assert_eq!(all.status.code(), Some(1), "{text}{}", stderr(&all));
    assert!(text.contains("3 objects are stuck, 2 causes"), "{text}");
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    assert!(at("acme.io/hold") < at("example.com/audit"), "what most wait for is first: {text}");
    assert!(text.contains("kubectl unstick ns shop"), "{text}");

    assert_eq!(targets(&report(&plane, &[])), ["shop Stuck", "cart Stuck", "reader-of-nothing Stuck"]);
    assert_eq!(targets(&report(&plane, &["-n", "other"])), ["cart Stuck"]);
    assert_eq!(targets(&report(&plane, &["-n", "shop"])), ["shop Stuck"]);
    assert_eq!(targets(&report(&plane, &["-l", "app in (db)"])), ["reader-of-nothing Stuck"]);
    assert_eq!(targets(&report(&plane, &["-A", "-n", "other", "-l", "app!=db,app"])), ["cart Stuck"]);
    assert_eq!(targets(&report(&plane, &["-n", "default"])), Vec::<String>::new());
    let quiet = scan(&plane, &["-n", "default"]);
    assert_eq!(quiet.status.code(), Some(0), "{}", stdout(&quiet));
    a_scan_is_watched_until_the_time_is_up(&plane);
    is_one_pass(&plane);
    a_survey_answers_as_the_cluster_does(&plane);
    several_clusters_stand_side_by_side(&plane);
    forbidden_lists_are_not_called_empty(&plane);
}

fn a_scan_is_watched_until_the_time_is_up(plane: &ControlPlane) {
    let watched = scan(plane, &["-w", "--timeout", "1s"]);
    assert_eq!(watched.status.code(), Some(1), "{}{}", stdout(&watched), stderr(&watched));
    assert_eq!(stdout(&watched).matches("3 objects are stuck, 2 causes").count(), 1, "nothing has changed");
    assert!(stderr(&watched).contains("the time is up"), "{}", stderr(&watched));
    let nothing = unstick(plane).args(["-n", "default", "-w"]).output().expect("the program runs");
    assert_eq!(nothing.status.code(), Some(0), "{}", stderr(&nothing));
    let all = unstick(plane).arg("-A").output().expect("the program runs");
    assert!(stdout(&all).contains("3 objects are stuck, 2 causes"), "{}", stdout(&all));
}

/// Checks that each kind is listed once, however many rules want it.
fn is_one_pass(plane: &ControlPlane) {
    let before = plane.audit_requests().len();
    scan(plane, &[]);
    std::thread::sleep(Duration::from_secs(1));
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    for event in plane.audit_requests().into_iter().skip(before) {
        if event.user_agent.starts_with("kubectl-unstick/") {
            *asked.entry(event.uri).or_default() += 1;
        }
    }
    let kinds = plane.kubectl_ok(&["api-resources", "--verbs=list", "-o", "name"]).lines().count();
    let requests: usize = asked.values().sum();
    assert!(requests > kinds / 2 && requests <= kinds + 60, "{requests} requests for {kinds} kinds: {asked:#?}");
    let lists: Vec<usize> =
        asked.iter().filter(|(uri, _)| uri.starts_with("/api/v1/limitranges?")).map(|(_, times)| *times).collect();
    assert_eq!(lists, [1], "{asked:#?}");
}

fn a_survey_answers_as_the_cluster_does(plane: &ControlPlane) {
    let survey = unstick(plane).args(["survey", "scan"]).output().expect("the program runs");
    let file = plane.dir().join("scan.yaml");
    std::fs::write(&file, &survey.stdout).expect("written");
    let recorded = scan(plane, &["--from", file.to_str().expect("a path")]);
    assert_eq!(recorded.status.code(), Some(1), "{}", stderr(&recorded));
    assert!(stdout(&recorded).contains("3 objects are stuck, 2 causes"), "{}", stdout(&recorded));
}

fn several_clusters_stand_side_by_side(plane: &ControlPlane) {
    let nobody = "http://127.0.0.1:9";
    let config = plane.kubectl_ok(&["config", "view", "--raw", "--flatten", "-o", "json"]);
    let mut config: Value = serde_json::from_str(&config).expect("JSON");
    let (user, cluster) = (config["users"][0]["name"].clone(), config["clusters"][0]["name"].clone());
    let clusters = config["clusters"].as_array_mut().expect("clusters");
    clusters.push(serde_json::json!({"name": "dead", "cluster": {"server": nobody}}));
    let context =
        |name: &str, cluster: &Value| serde_json::json!({"name": name, "context": {"cluster": cluster, "user": user}});
    config["contexts"] = serde_json::json!([context("east", &cluster), context("west", &"dead".into())]);
    let file = plane.dir().join("two.json");
    std::fs::write(&file, config.to_string()).expect("written");
    let file = file.to_str().expect("a path");

    let both = scan(plane, &["--contexts", "west,east", "--kubeconfig", file]);
    assert_eq!(both.status.code(), Some(2), "{}{}", stdout(&both), stderr(&both));
    assert!(stdout(&both).contains("Context east: 3 objects are stuck, 2 causes"), "{}", stdout(&both));
    assert!(
        stderr(&both).contains("context west: ")
            && stderr(&both).contains("cannot be reached")
            && stderr(&both).contains("\nhint: "),
        "{}",
        stderr(&both)
    );
    let list = report(plane, &["--contexts", "west,east,north", "--kubeconfig", file]);
    assert_eq!((list["kind"].as_str(), list["items"].as_array().map(Vec::len)), (Some("ReportList"), Some(1)));
    let unreachable: Vec<_> = list["unreachable"].as_array().expect("a list").iter().map(|it| &it["context"]).collect();
    assert_eq!(unreachable, ["west", "north"]);
    let metrics = stdout(&scan(plane, &["--contexts", "east", "-o", "prometheus", "--kubeconfig", file]));
    assert!(metrics.contains("unstick_objects{context=\"east\",state=\"stuck\"} 3\n"), "{metrics}");
    let one = scan(plane, &["--contexts", "east", "--kubeconfig", file]);
    assert_eq!(one.status.code(), Some(1), "{}", stderr(&one));
    assert!([&both, &one].iter().all(|scan| stdout(scan).contains(" --context east\n")), "{}", stdout(&one));
}

fn forbidden_lists_are_not_called_empty(plane: &ControlPlane) {
    let nobody = scan(plane, &["--as", "nobody"]);
    let text = format!("{}{}", stdout(&nobody), stderr(&nobody));
    assert_eq!(nobody.status.code(), Some(2), "{text}");
    assert!(!text.contains("nothing is stuck") && text.contains("namespaces"), "{text}");
}

#[test]
fn flags_that_do_not_go_together_are_refused() {
    for (arguments, why) in [
        (&["--yes"][..], "nothing to approve"),
        (&["--contexts", "a,", "--context", "b"], "--context and --contexts cannot be used together"),
        (&["--contexts", "a,"], "is empty"),
        (&["--contexts", "a", "--from", "x"], "--from, which reads a file"),
        (&["-l", "app of (a)"], "label selector"),
        (&["--contexts", "a,b", "-o", "html"], "show one cluster"),
        (&["-w", "-o", "html"], "--watch prints only"),
        (&["-w", "--contexts", "a,b"], "--watch cannot be used with --contexts"),
    ] {
        let output =
            std::process::Command::new(env!("CARGO_BIN_EXE_kubectl-unstick")).arg("scan").args(arguments).output();
        let output = output.expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(why), "{arguments:?}: {}", stderr(&output));
    }
}
