//! `deploy`: the server accepts its manifests, and their account finds the same as an
//! administrator, reads no Secrets and writes nothing.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{PROGRAM, run_script, stderr, stdout, unstick};
use crate::support::wait::wait_until;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Output};
use std::time::Duration;

const ACCOUNT: &str = "system:serviceaccount:kubectl-unstick:kubectl-unstick";

/// An operator at zero replicas, a dead aggregated API, and a `ConfigMap` that nobody releases.
const STATE: &str = "
crd databases acme.io Database
operator ops acme-operator 0 databases.acme.io
kubectl create namespace shop
kubectl create namespace keep
kubectl -n keep create secret generic password --from-literal=password=planted
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
kubectl -n keep apply --field-manager=acme-exporter -f - <<'YAML'
{apiVersion: v1, kind: ConfigMap, metadata: {name: state, finalizers: [example.com/state]}}
YAML
kubectl -n keep delete configmap state --wait=false
operator kube-system metrics-server 0
service kube-system metrics-server 443 4443
api_service v1beta1 metrics.k8s.io kube-system metrics-server
available False v1beta1.metrics.k8s.io
delete_namespace shop
";

/// The rules that an operator's chart adds to the role for viewers.
const VIEW: &str = "
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: acme-view, labels: {rbac.authorization.k8s.io/aggregate-to-view: 'true'}}
rules: [{apiGroups: [acme.io], resources: [databases], verbs: [get, list, watch]}]
";

fn file(name: &str) -> String {
    format!("{}/deploy/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn install(plane: &ControlPlane) {
    for name in ["clusterrole.yaml", "account.yaml"] {
        plane.kubectl_ok(&["apply", "-f", &file(name)]);
    }
    wait_until("the role is put together", Duration::from_mins(1), || may(plane, "list", "pods"));
}

fn may(plane: &ControlPlane, verb: &str, kind: &str) -> bool {
    stdout(&plane.kubectl(&["auth", "can-i", verb, kind, "-A", "--as", ACCOUNT])).trim() == "yes"
}

fn made(plane: &ControlPlane) -> ChildStdin {
    let script = plane.dir().join("state.sh");
    std::fs::write(&script, STATE).expect("written");
    let background = run_script(&script, plane);
    wait_until("everything is stuck", Duration::from_mins(1), || {
        let report = report(&unstick(plane).args(["scan", "-o", "json"]).output().expect("the program runs"));
        let targets = report["targets"].as_array().expect("targets");
        targets.len() >= 2 && targets.iter().all(|target| target["state"] == "Stuck") && roots(&report).len() == 3
    });
    background
}

/// A kubeconfig with the account's token, without the administrator's credentials.
fn credentials(plane: &ControlPlane) -> PathBuf {
    let token = plane.kubectl_ok(&["create", "token", "kubectl-unstick", "-n", "kubectl-unstick"]);
    let config = plane.kubectl_ok(&["config", "view", "--raw", "--flatten", "-o", "json"]);
    let mut config: Value = serde_json::from_str(&config).expect("JSON");
    config["users"][0]["user"] = json!({"token": token.trim()});
    let path = plane.dir().join("account.json");
    std::fs::write(&path, config.to_string()).expect("written");
    path
}

/// A scan as in the `CronJob`: with the account's token, and without a writable folder.
fn scan(plane: &ControlPlane, credentials: &Path, format: &str) -> Output {
    let mut command = plane.command(PROGRAM);
    command.env("KUBECONFIG", credentials).env("HOME", "/nonexistent");
    command.args(["scan", "-o", format]).output().expect("the program runs")
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)))
}

/// The causes, without the age of the evidence.
fn roots(report: &Value) -> Vec<Value> {
    let roots = report["findings"].as_array().into_iter().flatten().filter(|finding| finding["root"] == true);
    let of = |finding: &Value| {
        json!([
            finding["rule"],
            finding["subject"],
            finding["finalizer"],
            finding["why"],
            finding["waitsFor"],
            finding["controller"]["state"],
            finding["controller"]["workload"],
            finding["blocks"],
        ])
    };
    roots.map(of).collect()
}

fn unread(report: &Value) -> Vec<&str> {
    let notes = report["unread"].as_array().into_iter().flatten();
    notes.filter_map(|note| note["what"].as_str()).collect()
}

#[test]
fn the_account_finds_what_an_administrator_finds_and_writes_nothing() {
    let plane = ControlPlane::start();
    install(&plane);
    let _background = made(&plane);
    let credentials = credentials(&plane);
    let before = report(&scan(&plane, &credentials, "json"));
    let left_out = unread(&before);
    assert!(left_out.iter().any(|what| what.contains("databases.acme.io")), "not added to view: {left_out:?}");
    assert!(left_out.contains(&"configmaps"), "only with a role of their own: {left_out:?}");
    its_namespace_is_stuck_all_the_same(&plane, &credentials);
    plane.apply(VIEW);
    plane.kubectl_ok(&["apply", "-f", &file("clusterrole-configmaps.yaml")]);
    for kind in ["databases.acme.io", "configmaps"] {
        wait_until("the role has it", Duration::from_mins(1), || may(&plane, "list", kind));
    }

    let own = report(&scan(&plane, &credentials, "json"));
    let full = report(&unstick(&plane).args(["scan", "-o", "json"]).output().expect("the program runs"));
    assert_eq!(roots(&own), roots(&full), "{own:#}");
    assert_eq!(roots(&own).len(), 3, "{own:#}");
    let mut more = unread(&own).into_iter().filter(|what| !unread(&full).contains(what));
    assert!(more.all(|what| what.starts_with("secrets")) && unread(&own).contains(&"secrets"), "{own:#}");
    let metrics = scan(&plane, &credentials, "prometheus");
    let text = stdout(&metrics);
    assert!(text.contains("unstick_stuck_info{kind=\"configmap\",namespace=\"keep\",name=\"state\","), "{text}");
    assert!(text.contains("unstick_waiting_objects{rule=\"held-by-finalizer\""), "{text}{}", stderr(&metrics));
    the_job_replaces_whole_metrics_by_whole_metrics(&plane, &credentials);
    only_reads(&plane);
}

/// The condition of the namespace names the finalizer and counts the objects.
fn its_namespace_is_stuck_all_the_same(plane: &ControlPlane, credentials: &Path) {
    let mut text = String::new();
    wait_until("its condition has said so for a minute", Duration::from_mins(2), || {
        text = stdout(&scan(plane, credentials, "prometheus"));
        text.contains("unstick_waiting_objects{rule=\"content-hidden\",cause=\"finalizer\"} 1\n")
    });
    let named = "unstick_stuck_info{kind=\"namespace\",namespace=\"shop\",name=\"shop\",";
    assert!(text.contains(named) && text.contains("unstick_objects{state=\"unknown\"} 0\n"), "{text}");
}

/// Runs the script of the textfile's `CronJob`, with a folder and a program of this machine.
fn the_job_replaces_whole_metrics_by_whole_metrics(plane: &ControlPlane, credentials: &Path) {
    let folder = plane.dir().join("textfile");
    std::fs::create_dir(&folder).expect("made");
    let manifest = std::fs::read_to_string(file("cronjob-textfile.yaml")).expect("read");
    let manifest: Value = serde_saphyr::from_str(&manifest).expect("YAML");
    let container = &manifest["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0];
    let script = container["command"][2].as_str().expect("a script");
    let script = script.replace("/textfile/", &format!("{}/", folder.display()));
    let path = format!("{}:/usr/bin:/bin", Path::new(PROGRAM).parent().expect("a folder").display());
    let run = |config: &Path| {
        let mut command = plane.command("sh");
        let output = command.args(["-c", &script]).env("PATH", &path).env("KUBECONFIG", config).output();
        output.expect("sh runs").status.success()
    };
    assert!(run(credentials), "something is stuck and something unread: that is no failure of the job");
    let metrics = || std::fs::read_to_string(folder.join("unstick.prom")).expect("metrics");
    let before = metrics();
    assert!(before.contains("unstick_scan_timestamp_seconds "), "{before}");
    assert!(!run(&folder.join("none")), "nothing could be read");
    assert_eq!(metrics(), before, "the last metrics stay");
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1, "nothing is left over");
}

fn only_reads(plane: &ControlPlane) {
    let requests = plane.audit_requests().into_iter().filter(|event| event.user == ACCOUNT);
    let requests: Vec<_> = requests.collect();
    assert!(requests.len() > 100, "{requests:#?}");
    for event in requests {
        assert!(["get", "list"].contains(&event.verb.as_str()), "{event:?}");
        assert!(!event.uri.contains("/secrets") || event.code == 403, "{event:?}");
    }
    for (verb, kind) in [("list", "secrets"), ("get", "secrets"), ("patch", "pods"), ("delete", "namespaces")] {
        assert!(!may(plane, verb, kind), "{verb} {kind}");
    }
}

#[test]
fn the_server_takes_every_manifest() {
    let plane = ControlPlane::start();
    install(&plane);
    let restricted = "pod-security.kubernetes.io/warn=restricted";
    plane.kubectl_ok(&["label", "namespace", "kubectl-unstick", restricted]);
    for name in [
        "clusterrole.yaml", "clusterrole-configmaps.yaml", "account.yaml", "cronjob-textfile.yaml",
        "cronjob-pushgateway.yaml",
    ] {
        let output = plane.kubectl(&["apply", "--dry-run=server", "-f", &file(name)]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        // Only the host folder violates the strictest standard.
        let warned = stderr(&output).contains("would violate");
        assert_eq!(warned, name == "cronjob-textfile.yaml", "{name}: {}", stderr(&output));
    }
}
