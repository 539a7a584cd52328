//! Logs that are read without being asked, with `--logs` and never, and logs that cannot be read.

use crate::scenario::Scenario;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{make, stderr, stdout, unstick};
use serde_json::Value;

/// The controller that a diagnosis of the namespace found.
#[track_caller]
fn controller(plane: &ControlPlane, flags: &[&str]) -> Value {
    let output = unstick(plane).args(["ns", "shop", "-o", "json"]).args(flags).output().expect("the program runs");
    let report: Value =
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    let controller = report["findings"][0]["controller"].clone();
    assert_eq!(controller["workload"]["name"], "acme-operator", "{report:#}");
    controller
}

/// The pieces of its evidence that mention logs.
fn of_logs(controller: &Value) -> Vec<&str> {
    let evidence = controller["evidence"].as_array().into_iter().flatten().filter_map(Value::as_str);
    evidence.filter(|text| text.contains("log")).collect()
}

fn requests_for_logs(plane: &ControlPlane) -> usize {
    plane.audit_requests().iter().filter(|event| event.uri.contains("/log?")).count()
}

/// The token of a user who may read everything but logs.
fn token_without_logs(plane: &ControlPlane) -> String {
    let served = plane.kubectl_ok(&["api-resources", "--verbs=list", "-o", "name"]);
    let resources: Vec<&str> = served.lines().map(|name| name.split('.').next().unwrap_or(name)).collect();
    plane.apply(&format!(
        "{{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {{name: no-logs}}, rules: \
         [{{apiGroups: ['*'], resources: [{}], verbs: [get, list]}}]}}",
        resources.join(", ")
    ));
    plane.kubectl_ok(&["create", "serviceaccount", "reader"]);
    plane.kubectl_ok(&[
        "create",
        "clusterrolebinding",
        "reader",
        "--clusterrole=no-logs",
        "--serviceaccount=default:reader",
    ]);
    plane.kubectl_ok(&["create", "token", "reader"]).trim().to_owned()
}

fn kubelet_mode(plane: &ControlPlane, mode: &str) {
    std::fs::write(plane.dir().join("kubelet-mode"), mode).expect("the mode is written");
}

#[test]
fn an_unreadable_log_changes_nothing_and_is_reported() {
    let plane = ControlPlane::start();
    let _background = make(&Scenario::named("controller-says--logs-say-why"), &plane);

    let without = controller(&plane, &[]);
    assert_eq!(without["state"], "Alive", "{without:#}");
    assert!(of_logs(&without).is_empty(), "{without:#}");
    assert_eq!(requests_for_logs(&plane), 0, "logs were read, and nobody had asked for them");

    let with = controller(&plane, &["--logs"]);
    assert_eq!(with["state"], "Failing", "{with:#}");
    assert!(of_logs(&with)[0].contains("AccessDenied"), "{with:#}");
    assert!(requests_for_logs(&plane) > 0);

    // The kubeconfig's client certificate would take precedence over a token.
    let reader = plane.dir().join("reader-kubeconfig");
    std::fs::copy(plane.kubeconfig(), &reader).expect("a copy");
    let reader = reader.to_string_lossy().into_owned();
    let token = token_without_logs(&plane);
    plane.kubectl_ok(&["config", "set-credentials", "reader", "--token", &token, "--kubeconfig", &reader]);
    let forbidden = controller(&plane, &["--logs", "--kubeconfig", &reader, "--user", "reader"]);
    assert_eq!(forbidden["state"], "Alive", "{forbidden:#}");
    assert_eq!(of_logs(&forbidden), ["logs: permission to get pods/log in namespace ops would help"], "{forbidden:#}");

    for (mode, why) in [("hang", "timed out"), ("error", "server error"), ("forbidden", "refused")] {
        kubelet_mode(&plane, mode);
        let unread = controller(&plane, &["--logs", "--request-timeout", "2s"]);
        assert_eq!(unread["state"], "Alive", "{mode}: {unread:#}");
        let texts = of_logs(&unread);
        assert!(texts.len() == 1 && texts[0].starts_with("could not read the log of container manager of pods/"));
        assert!(texts[0].contains(why), "{mode}: {texts:?}");
    }
}

#[test]
fn the_last_words_of_a_crashed_run_are_evidence() {
    let plane = ControlPlane::start();
    let _background = make(&Scenario::named("controller-down--log-of-the-crash"), &plane);
    let found = controller(&plane, &["--logs"]);
    assert_eq!(found["state"], "Down", "{found:#}");
    let texts = of_logs(&found);
    assert!(texts[0].starts_with("previous log of pod ops/acme-operator-"), "{found:#}");
    assert!(texts[0].ends_with("panic: runtime error: invalid memory address or nil pointer dereference"));
    assert!(texts[1].contains("shop/orders"), "{found:#}");

    // A kubelet that has no logs of it.
    let logs = plane.dir().join("pod-logs");
    std::fs::remove_dir_all(logs).expect("the logs go");
    let found = controller(&plane, &["--logs"]);
    assert_eq!(found["state"], "Down", "{found:#}");
    assert!(of_logs(&found).iter().all(|text| !text.starts_with("previous log")), "{found:#}");
}

#[test]
fn the_log_of_a_late_object_is_read_without_being_asked() {
    let plane = ControlPlane::start();
    let scenario = Scenario::named("controller-says--template-in-use-in-its-database");
    let _background = make(&scenario, &plane);
    let asked = |flags: &[&str], variable: &str| {
        let mut command = unstick(&plane);
        command.args(scenario.ask()).args(["-o", "json"]).args(flags).env("UNSTICK_LOGS", variable);
        command.output().expect("the program runs")
    };
    let summary = |flags: &[&str], variable: &str| -> String {
        let output = asked(flags, variable);
        let report: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
        report["findings"][0]["summary"].to_string()
    };
    let told = summary(&[], "");
    assert!(told.contains("its log says: unable to remove composable templates"), "{told}");
    let requests = requests_for_logs(&plane);
    // At both ends, and once more if these say nothing.
    assert!((2..=3).contains(&requests), "{requests} requests for logs");
    for (flags, variable) in [(&["--no-logs"][..], ""), (&[], "never")] {
        let told = summary(flags, variable);
        assert!(told.contains("root cause unknown"), "{told}");
    }
    assert_eq!(requests_for_logs(&plane), requests, "logs were read in spite of it");
    let refused = asked(&[], "sometimes");
    assert!(stderr(&refused).contains("UNSTICK_LOGS=sometimes has no meaning"), "{}", stderr(&refused));
}
