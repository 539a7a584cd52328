//! Many namespaces and many objects: the number of requests, the memory, and the answer for a
//! caller with few rights.

use crate::support::control_plane::ControlPlane;
use crate::support::go::tell;
use crate::support::program::{stderr, unstick};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

/// An aggregated API without a server.
const DEAD: &str = "apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.dead.acme.io}
spec: {group: dead.acme.io, version: v1, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: {namespace: default, name: nobody}}
";

/// Terminating namespaces `shop-0` …, each with one object that is held.
pub fn hang(plane: &ControlPlane, count: usize) {
    let mut yaml = String::new();
    for number in 0..count {
        write!(
            yaml,
            "---\n{{apiVersion: v1, kind: Namespace, metadata: {{name: shop-{number}}}}}\n---\n\
             {{apiVersion: v1, kind: ConfigMap, metadata: {{name: held-{number}, namespace: shop-{number}, \
             finalizers: [acme.io/hold]}}}}\n"
        )
        .expect("a string takes everything");
    }
    plane.apply(&yaml);
    let names: Vec<String> = (0..count).map(|number| format!("shop-{number}")).collect();
    let names = names.iter().map(String::as_str);
    plane.kubectl_ok(&["delete", "namespace", "--wait=false"].into_iter().chain(names).collect::<Vec<_>>());
    wait_until("only what is held is left", Duration::from_mins(3), || {
        let keys = plane.etcd_keys("/registry/");
        keys.iter().filter(|key| key.contains("/shop-") && !key.contains("/namespaces/")).count() == count
    });
    std::thread::sleep(Duration::from_secs(6));
}

fn report(plane: &ControlPlane, arguments: &[&str]) -> Value {
    let output = unstick(plane).args(arguments).args(["-o", "json"]).output().expect("the program runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
}

/// How often this program has requested each path, since `before` requests.
fn asked(plane: &ControlPlane, before: usize) -> BTreeMap<String, usize> {
    std::thread::sleep(Duration::from_secs(1));
    let mut asked = BTreeMap::new();
    let ours = |agent: &str| agent.starts_with("kubectl-unstick/");
    for event in plane.audit_requests().into_iter().skip(before).filter(|event| ours(&event.user_agent)) {
        *asked.entry(event.uri).or_default() += 1;
    }
    asked
}

fn listable(plane: &ControlPlane) -> usize {
    plane.kubectl_ok(&["api-resources", "--verbs=list", "-o", "name"]).lines().count()
}

#[test]
fn many_namespaces_are_swept_in_one_pass() {
    const COUNT: usize = 30;
    let plane = ControlPlane::start();
    plane.apply(DEAD);
    hang(&plane, COUNT);
    let before = plane.audit_requests().len();
    let report = report(&plane, &[]);
    let asked = asked(&plane, before);
    let requests: usize = asked.values().sum();
    let bound = listable(&plane) + 60;
    assert!(requests > 0 && requests <= bound, "{requests} requests, and not {bound}: {asked:#?}");

    let targets = report["targets"].as_array().expect("targets");
    assert_eq!(targets.len(), COUNT, "{report:#}");
    let text = report.to_string();
    for number in 0..COUNT {
        assert!(text.contains(&format!("\"held-{number}\"")), "held-{number} is not told of: {report:#}");
    }
}

/// An operator that may write a kind, but does not run.
const OPERATOR: &str = "---
{apiVersion: v1, kind: Namespace, metadata: {name: acme-operator}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: acme-operator, namespace: acme-operator}, spec: {replicas: 0, selector: {matchLabels: {app: o}}, template: {metadata: {labels: {app: o}}, spec: {serviceAccountName: operator, containers: [{name: c, image: example.invalid/none}]}}}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: acme-operator}, rules: [{apiGroups: ['', apps], resources: [configmaps, limitranges, replicasets], verbs: [update]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: acme-operator}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: acme-operator}, subjects: [{kind: ServiceAccount, name: operator, namespace: acme-operator}]}
";

#[test]
fn waiting_objects_are_found_in_the_same_pass() {
    let plane = ControlPlane::start();
    plane.apply(OPERATOR);
    let names = ["shop-0", "shop-1", "shop-2", "shop-3", "shop-4"];
    for name in names {
        plane.kubectl_ok(&["create", "namespace", name]);
    }
    let held = |name: &str| {
        format!(
            "---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: held-in-{name}, namespace: {name}, \
             finalizers: [acme.io/hold]}}}}\n"
        )
    };
    let file = plane.dir().join("held.yaml");
    std::fs::write(&file, names.into_iter().chain(["default"]).map(held).collect::<String>()).expect("a file");
    let apply = ["apply", "--server-side", "--field-manager=acme-operator", "-f", file.to_str().expect("text")];
    plane.kubectl_ok(&apply);
    plane.kubectl_ok(&["delete", "configmap", "held-in-default", "--wait=false"]);
    plane.kubectl_ok(&[&["delete", "namespace", "--wait=false"], &names[..]].concat());
    // On a busy machine the namespace controller may be slow to request this.
    wait_until("all of them are being deleted", Duration::from_mins(3), || {
        let going = "jsonpath={.items[?(@.metadata.deletionTimestamp)].metadata.name}";
        let going = plane.kubectl_ok(&["get", "configmaps", "--all-namespaces", "-o", going]);
        names.iter().all(|name| going.contains(&format!("held-in-{name}")))
    });
    std::thread::sleep(Duration::from_secs(12));
    let before = plane.audit_requests().len();
    let text = report(&plane, &[]).to_string();
    assert!(text.contains("it starts again and") && text.contains("held-in-default"), "{text}");
    let asked = asked(&plane, before);
    for list in ["/api/v1/configmaps", "/api/v1/limitranges"] {
        assert_eq!(asked.get(&format!("{list}?resourceVersion=0")), Some(&1), "{asked:#?}");
    }
}

#[test]
fn readable_namespaces_are_reported_to_limited_users() {
    let plane = ControlPlane::start();
    let mut yaml = String::new();
    for name in ["shop-1", "shop-3"] {
        write!(
            yaml,
            "---\n{{apiVersion: v1, kind: Namespace, metadata: {{name: {name}}}}}\n---\n\
             {{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {{name: bob, namespace: {name}, \
             finalizers: [acme.io/stays]}}, roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, \
             name: cluster-admin}}, subjects: [{{kind: User, name: bob, apiGroup: rbac.authorization.k8s.io}}]}}\n"
        )
        .expect("a string takes everything");
    }
    plane.apply(&yaml);
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: other, namespace: shop-1}}");
    let names: Vec<String> = (0..6).map(|number| format!("shop-{number}")).collect();
    for number in [0, 2, 4, 5] {
        plane.kubectl_ok(&["create", "namespace", &format!("shop-{number}")]);
    }
    for name in &names {
        plane.apply(&format!(
            "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: held-in-{name}, namespace: {name}, finalizers: [acme.io/hold]}}}}"
        ));
        plane.kubectl_ok(&["delete", "namespace", name, "--wait=false"]);
    }
    std::thread::sleep(Duration::from_secs(16));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let arguments = [&["namespaces"], &names[..], &["--as", "bob"]].concat();
    let text = report(&plane, &arguments).to_string();
    for name in ["shop-1", "shop-3"] {
        assert!(text.contains(&format!("held-in-{name}")), "{name}: {text}");
        assert!(!text.contains(&format!("in the namespace \\\"{name}\\\"")), "{name} could be read: {text}");
    }
    for name in ["shop-0", "shop-2", "shop-4", "shop-5"] {
        assert!(!text.contains(&format!("held-in-{name}")), "{name}: {text}");
        assert!(text.contains(&format!("in the namespace \\\"{name}\\\"")), "why {name} is unread is said: {text}");
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number = three.iter().fold(0, |number, byte| (number << 8) | usize::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let digit = char::from(DIGITS[(number >> (18 - 6 * place)) & 63]);
            text.push(if place > three.len() { '=' } else { digit });
        }
    }
    text
}

/// Writes `ConfigMap`s straight into the store: through the API server they would take minutes.
pub fn fill(plane: &ControlPlane, namespace: &str, count: usize) {
    let address = plane.etcd_endpoint().trim_start_matches("http://").to_owned();
    let numbers: Vec<usize> = (0..count).collect();
    for some in numbers.chunks(100) {
        let puts: Vec<String> = some
            .iter()
            .map(|number| {
                let key = format!("/registry/configmaps/{namespace}/many-{number}");
                let object = format!(
                    "{{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{{\"name\":\"many-{number}\",\
                     \"namespace\":\"{namespace}\",\"uid\":\"{number:08x}-1111-4111-8111-111111111111\",\
                     \"creationTimestamp\":\"2036-01-01T00:00:00Z\",\"labels\":{{\"app\":\"many\",\
                     \"app.kubernetes.io/part-of\":\"many\"}},\"managedFields\":[{{\"manager\":\"kubectl-create\",\
                     \"operation\":\"Update\",\"apiVersion\":\"v1\",\"time\":\"2026-01-01T00:00:00Z\",\
                     \"fieldsType\":\"FieldsV1\",\"fieldsV1\":{{\"f:data\":{{\".\":{{}},\"f:k\":{{}}}}}}}}]}},\
                     \"data\":{{\"k\":\"v\"}}}}"
                );
                format!(
                    "{{\"requestPut\":{{\"key\":\"{}\",\"value\":\"{}\"}}}}",
                    base64(key.as_bytes()),
                    base64(object.as_bytes())
                )
            })
            .collect();
        let body = format!("{{\"success\":[{}]}}", puts.join(","));
        let mut etcd = TcpStream::connect(&address).expect("etcd");
        let head = format!(
            "POST /v3/kv/txn HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            body.len()
        );
        etcd.write_all(head.as_bytes()).and_then(|()| etcd.write_all(body.as_bytes())).expect("sent");
        let mut answer = String::new();
        etcd.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

/// The maximum memory of a run in MiB, and its output.
fn memory(plane: &ControlPlane, arguments: &[&str]) -> (f64, String) {
    let output = plane.dir().join("said");
    let file = std::fs::File::create(&output).expect("a file");
    let mut child =
        unstick(plane).args(arguments).stdout(file).stderr(Stdio::inherit()).spawn().expect("the program runs");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0.0;
    while child.try_wait().expect("a child").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        let now: f64 = line.trim().trim_end_matches(" kB").parse().unwrap_or(0.0);
        most = f64::max(most, now / 1024.0);
        std::thread::sleep(Duration::from_millis(2));
    }
    (most, std::fs::read_to_string(output).expect("what it said"))
}

/// The number of objects; larger for measurements by hand.
fn many() -> usize {
    std::env::var("UNSTICK_MANY").ok().and_then(|many| many.parse().ok()).unwrap_or(20_000)
}

#[test]
fn many_objects_elsewhere_take_no_memory() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "crowd"]);
    plane.kubectl_ok(&["create", "namespace", "small"]);
    fill(&plane, "crowd", many());
    hang(&plane, 20);
    let mut report = String::new();
    for (arguments, bound) in [(&["ns"][..], 64.0), (&["orphans"], 64.0), (&["preflight", "ns", "crowd"], 64.0)] {
        let arguments = if arguments == ["ns"] { &[][..] } else { arguments };
        let before = plane.audit_requests().len();
        let start = std::time::Instant::now();
        let (most, said) = memory(&plane, arguments);
        let took = start.elapsed();
        let requests: usize = asked(&plane, before).values().sum();
        writeln!(report, "{arguments:?}: {most:.1} MiB, {took:.1?}, {requests} requests").expect("a string");
        assert!(most > 0.0 && !said.is_empty());
        if std::env::var("UNSTICK_MANY").is_err() {
            assert!(most <= bound, "{report}");
        }
    }
    tell(&report);
}
