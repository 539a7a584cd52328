//! `apis` with healthy, dead, failing and hanging aggregated APIs. A hanging API costs its own
//! time-out and nothing else.

use crate::support::control_plane::ControlPlane;
use crate::support::go::control_plane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// An aggregated API `v1.things.acme.io` that answers according to `mode`, until it is dropped.
struct Backend(Child);

impl Drop for Backend {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

fn set_mode(plane: &ControlPlane, mode: &str) {
    std::fs::write(plane.dir().join("backend-mode"), mode).expect("the mode is written");
}

fn backend(plane: &ControlPlane) -> Backend {
    set_mode(plane, "ok");
    let mut child = plane
        .command(control_plane())
        .args(["backend", "--mode-file"])
        .arg(plane.dir().join("backend-mode"))
        .arg("--cert-dir")
        .arg(plane.dir().join("certs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the backend starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("its address");
    let port = line.trim().rsplit(':').next().expect("a port").to_owned();
    plane.apply(&format!(
        "
{{apiVersion: v1, kind: Service, metadata: {{name: things, namespace: default}}, spec: {{type: ExternalName, externalName: 127.0.0.1, ports: [{{port: {port}}}]}}}}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {{name: v1.things.acme.io}}
spec: {{group: things.acme.io, version: v1, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: {{namespace: default, name: things, port: {port}}}}}
"
    ));
    wait_until("discovery knows the API", Duration::from_mins(1), || {
        plane.kubectl_ok(&["api-resources", "--api-group=things.acme.io", "-o", "name"]).contains("things")
    });
    Backend(child)
}

#[track_caller]
fn says(plane: &ControlPlane, arguments: &[&str], code: i32, words: &[&str]) -> String {
    let output = unstick(plane).args(arguments).output().expect("the program runs");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(code), "{text}{}", stderr(&output));
    for word in words {
        assert!(text.contains(word), "{word:?} is not in: {text}");
    }
    text
}

#[test]
fn failing_apis_are_listed_whether_or_not_a_namespace_waits() {
    let plane = ControlPlane::start();
    says(&plane, &["apis"], 0, &["there is no aggregated API"]);
    let _backend = backend(&plane);
    says(&plane, &["apis"], 0, &["the only aggregated API answers"]);
    says(&plane, &["apis", "--as", "nobody"], 2, &["not everything could be read"]);
    plane.apply(
        "
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec: {group: metrics.k8s.io, version: v1beta1, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: {namespace: kube-system, name: metrics-server}}
",
    );
    wait_until("it is found to be unavailable", Duration::from_secs(30), || {
        plane
            .kubectl_ok(&[
                "get",
                "apiservice",
                "v1beta1.metrics.k8s.io",
                "-o",
                "jsonpath={.status.conditions[0].status}",
            ])
            .contains("False")
    });
    let dead = "APIService v1beta1.metrics.k8s.io is unavailable: Service kube-system/metrics-server does not exist";
    let text = says(&plane, &["apis"], 1, &["no namespace is waiting for them now"]);
    assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains("metrics-server does not exist"), "{text}");
    assert!(!text.contains("things"), "a healthy API is named: {text}");
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    std::thread::sleep(Duration::from_secs(12));
    let report: Value = serde_json::from_str(&says(&plane, &["apis", "-o", "json"], 1, &[])).expect("JSON");
    assert_eq!(report["findings"][0]["summary"], dead);
    assert_eq!(report["findings"][0]["blocks"][0]["name"], "shop");
    assert_eq!(report["targets"][0]["state"], "Stuck");

    let survey = says(&plane, &["survey", "apis"], 0, &["apis: true"]);
    let file = plane.dir().join("survey.yaml");
    std::fs::write(&file, survey).expect("written");
    let file = file.to_string_lossy();
    says(&plane, &["apis", "--from", &file], 1, &["metrics-server"]);
    says(&plane, &["--from", &file], 1, &["metrics-server"]);

    says(&plane, &["apis", "--yes"], 0, &[]);
    assert!(!plane.kubectl_ok(&["get", "apiservices", "-o", "name"]).contains("metrics.k8s.io"));
    says(&plane, &["apis"], 0, &["the only aggregated API answers"]);
}

#[test]
fn a_hanging_api_costs_only_its_own_time_out() {
    let plane = ControlPlane::start();
    let _backend = backend(&plane);
    set_mode(&plane, "hang");
    let begun = Instant::now();
    says(&plane, &["apis"], 1, &["things.acme.io", "no answer within 5 s"]);
    assert!(begun.elapsed() < Duration::from_secs(9), "it took {:?}", begun.elapsed());
    plane.apply("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
    plane.apply(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: held, namespace: shop, finalizers: [acme.io/hold]}}",
    );
    // The controller may reach the hanging API before this one.
    plane.kubectl_ok(&["delete", "configmap", "held", "-n", "shop", "--wait=false"]);
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    std::thread::sleep(Duration::from_secs(16));
    let begun = Instant::now();
    let arguments = ["ns", "shop", "-o", "json", "--request-timeout", "1s"];
    let report: Value = serde_json::from_str(&says(&plane, &arguments, 1, &[])).expect("JSON");
    assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());
    let rules: Vec<&str> = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter_map(|finding| finding["rule"].as_str())
        .collect();
    assert!(rules.contains(&"aggregated-api-fails") && rules.contains(&"held-by-finalizer"), "{rules:?}");
    assert_eq!(report["unread"].as_array().map(Vec::len), Some(1), "{:#}", report["unread"]);
}
