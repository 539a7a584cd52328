//! The Helm chart in `deploy/chart`: its roles, alerts and pods are those of the manifests in `deploy`.
//!
//! `HELM=PROGRAM` names helm; otherwise it is looked for on `PATH`.

use crate::distributions::report;
use crate::scenario::Scenario;
use kubectl_unstick::export::prometheus;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Files of `deploy` that the chart has, too: Helm reads no file outside of it.
const COPIES: [&str; 4] = [
    "clusterrole.yaml",
    "clusterrole-configmaps.yaml",
    "prometheusrule.yaml",
    "prometheusrule-kube-state-metrics.yaml",
];

/// The oldest Kubernetes that is supported: a helm that was built by hand assumes an older one.
const OLDEST: &str = "1.28.0";

const IMAGE: &str = "image.repository=REGISTRY/kubectl-unstick,image.tag=0.1.0";

fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy")
}

fn read(name: &str) -> String {
    let path = deploy().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn digest() -> String {
    format!("sha256:{}", "0".repeat(64))
}

/// The documents of a file; comments alone are none.
fn documents(text: &str) -> Vec<Value> {
    let parts = text.split("\n---\n").map(|part| part.trim_start_matches("---\n"));
    let parsed = parts.map(|part| serde_saphyr::from_str(part).unwrap_or_else(|error| panic!("{error}: {part}")));
    parsed.filter(|document: &Value| !document.is_null()).collect()
}

/// A manifest of `deploy`, with the digest in place.
fn documents_of(name: &str) -> Vec<Value> {
    documents(&read(name).replace("DIGEST", &digest()))
}

fn of_kind<'a>(documents: &'a [Value], kind: &str) -> Vec<&'a Value> {
    documents.iter().filter(|document| document["kind"] == kind).collect()
}

fn pod(job: &Value) -> Value {
    job["spec"]["jobTemplate"]["spec"]["template"]["spec"].clone()
}

/// Runs helm on the chart; `None` if it is not installed.
fn helm(command: &str, arguments: &[&str]) -> Option<Output> {
    let program = std::env::var_os("HELM").unwrap_or_else(|| OsString::from("helm"));
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("helm");
    let mut helm = Command::new(&program);
    helm.arg(command).args(arguments).env_remove("KUBECONFIG");
    for variable in ["HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME"] {
        helm.env(variable, &home);
    }
    match helm.output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // Bypasses the harness, which suppresses the output of successful tests.
            writeln!(std::io::stderr(), "\nNOT RUN: helm {command}: it is not installed").ok();
            None
        }
        Err(error) => panic!("{}: {error}", program.display()),
    }
}

/// What helm says about the chart with these values.
fn rendered(values: &[&str]) -> Option<Output> {
    let chart = deploy().join("chart");
    let chart = chart.to_str().expect("a path of plain characters");
    let mut arguments = vec!["watch", chart, "--namespace", "ops", "--kube-version", OLDEST];
    for &value in values {
        arguments.extend(["--set", value]);
    }
    helm("template", &arguments)
}

/// The manifests with these values and an image; `None` if helm is not installed.
fn manifests(values: &[&str]) -> Option<Vec<Value>> {
    let digest = format!("image.digest={}", digest());
    let mut all = vec![IMAGE, digest.as_str()];
    all.extend(values);
    let output = rendered(&all)?;
    assert!(output.status.success(), "{values:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(documents(&String::from_utf8(output.stdout).expect("text")))
}

/// With `UNSTICK_RECORD=1`, the copies are rewritten.
#[test]
fn the_chart_has_the_roles_and_alerts_of_the_manifests() {
    for name in COPIES {
        let copy = deploy().join("chart/files").join(name);
        if std::env::var_os("UNSTICK_RECORD").is_some() {
            std::fs::copy(deploy().join(name), &copy).expect("a copy is written");
        }
        let copied = std::fs::read_to_string(&copy).unwrap_or_default();
        assert!(copied == read(name), "copy {name}: UNSTICK_RECORD=1 cargo test --test recorded chart");
    }
}

#[test]
fn the_chart_has_the_version_of_the_program() {
    let chart: Value = serde_saphyr::from_str(&read("chart/Chart.yaml")).expect("YAML");
    for field in ["version", "appVersion"] {
        assert_eq!(chart[field], env!("CARGO_PKG_VERSION"), "{field}");
    }
}

#[test]
fn the_schema_has_each_value_of_the_chart_and_no_other() {
    fn compare(values: &Value, schema: &Value, at: &str) {
        let Some(properties) = schema["properties"].as_object() else { return };
        let values = values.as_object().unwrap_or_else(|| panic!("{at} is no map"));
        assert_eq!(schema["additionalProperties"], false, "{at}: a mistyped value is refused");
        for name in values.keys() {
            assert!(properties.contains_key(name), "{at}.{name} is not in values.schema.json");
        }
        // `global` is Helm's own.
        for (name, inner) in properties.iter().filter(|(name, _)| *name != "global") {
            let value = values.get(name).unwrap_or_else(|| panic!("{at}.{name} is not in values.yaml"));
            compare(value, inner, &format!("{at}.{name}"));
        }
    }
    let values: Value = serde_saphyr::from_str(&read("chart/values.yaml")).expect("YAML");
    let schema: Value = serde_json::from_str(&read("chart/values.schema.json")).expect("JSON");
    compare(&values, &schema, "");
}

#[test]
fn the_dashboard_shows_metrics_that_are_printed() {
    let dashboard: Value = serde_json::from_str(&read("chart/files/dashboard.json")).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let printed = prometheus(&[report(Scenario::named("demo").survey())], false).to_string();
    for panel in panels {
        let query = panel["targets"][0]["expr"].as_str().expect("a query");
        let words = query.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let named: Vec<&str> = words.filter(|word| word.starts_with("unstick_")).collect();
        assert!(!named.is_empty(), "{query}");
        assert!(named.iter().all(|name| printed.contains(&format!("# TYPE {name} gauge\n"))), "{query}");
    }
    assert!(panels.len() >= 3);
}

#[test]
fn helm_lints_the_chart() {
    let chart = deploy().join("chart");
    let chart = chart.to_str().expect("a path of plain characters");
    let digest = format!("image.digest={}", digest());
    let Some(output) = helm("lint", &[chart, "--strict", "--kube-version", OLDEST, "--set", IMAGE, "--set", &digest])
    else {
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_chart_runs_the_pods_of_the_manifests() {
    for (mode, manifest) in [("pushgateway", "cronjob-pushgateway.yaml"), ("textfile", "cronjob-textfile.yaml")] {
        let Some(documents) = manifests(&[&format!("mode={mode}")]) else { return };
        let [job] = of_kind(&documents, "CronJob")[..] else { panic!("{documents:#?}") };
        let expected = documents_of(manifest).remove(0);
        let mut wanted = pod(&expected);
        wanted["serviceAccountName"] = "watch-kubectl-unstick".into();
        assert_eq!(pod(job), wanted, "{mode}");
        for field in ["schedule", "concurrencyPolicy", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"] {
            assert_eq!(job["spec"][field], expected["spec"][field], "{mode}: {field}");
        }
        for field in ["backoffLimit", "activeDeadlineSeconds"] {
            let of = |job: &Value| job["spec"]["jobTemplate"]["spec"][field].clone();
            assert_eq!(of(job), of(&expected), "{mode}: {field}");
        }
    }
}

/// The scan that only prints is as hardened as that of the Pushgateway, and its pod has no other container.
#[test]
fn the_scan_that_only_logs_is_hardened_in_the_same_way() {
    let Some(documents) = manifests(&["mode=logs"]) else { return };
    let (logs, pushes) = (pod(of_kind(&documents, "CronJob")[0]), pod(&documents_of("cronjob-pushgateway.yaml")[0]));
    for field in ["securityContext", "automountServiceAccountToken", "restartPolicy"] {
        assert_eq!(logs[field], pushes[field], "{field}");
    }
    assert!(logs["initContainers"].is_null() && logs["containers"].as_array().is_some_and(|all| all.len() == 1));
    let (scan, other) = (&logs["containers"][0], &pushes["initContainers"][0]);
    for field in ["image", "securityContext", "resources"] {
        assert_eq!(scan[field], other[field], "{field}");
    }
    assert_eq!(logs["volumes"].as_array().map(Vec::len), Some(1), "the token alone");
}

#[test]
fn the_account_of_the_chart_gets_the_roles_of_the_manifests() {
    let Some(documents) = manifests(&["rbac.configMaps=true"]) else { return };
    let named = |kind: &str, name: &str| {
        let name = format!("watch-kubectl-unstick-{name}");
        let found = of_kind(&documents, kind).into_iter().find(|document| document["metadata"]["name"] == name);
        found.unwrap_or_else(|| panic!("{kind} {name}: {documents:#?}"))
    };
    let collects = named("ClusterRole", "reader");
    let reads = named("ClusterRole", "reader-kubernetes");
    let configmaps = named("ClusterRole", "reader-configmaps");
    let of_files = documents_of("clusterrole.yaml");
    assert_eq!(collects["aggregationRule"], of_files[0]["aggregationRule"]);
    assert!(collects["rules"].is_null() && reads["aggregationRule"].is_null());
    assert_eq!(reads["rules"], of_files[1]["rules"]);
    let label = "unstick.dev/aggregate-to-reader";
    assert_eq!(reads["metadata"]["labels"][label], of_files[1]["metadata"]["labels"][label]);
    assert_eq!(configmaps["rules"], documents_of("clusterrole-configmaps.yaml")[0]["rules"]);
    assert!(configmaps["metadata"]["labels"][label].is_null(), "other readers would get it, too");

    let account = json!([{"kind": "ServiceAccount", "name": "watch-kubectl-unstick", "namespace": "ops"}]);
    for (name, role) in [("reader", collects), ("reader-configmaps", configmaps)] {
        let binding = named("ClusterRoleBinding", name);
        assert_eq!(binding["subjects"], account, "{name}");
        assert_eq!(binding["roleRef"]["name"], role["metadata"]["name"], "{name}");
    }
    assert_eq!(of_kind(&documents, "ClusterRoleBinding").len(), 2);
    assert_eq!(of_kind(&documents, "ServiceAccount")[0]["automountServiceAccountToken"], false);

    let without = manifests(&[]).expect("helm has just run");
    assert_eq!(of_kind(&without, "ClusterRole").len(), 2);
    let none = manifests(&["rbac.create=false"]).expect("helm has just run");
    assert!(none.iter().all(|document| document["kind"] == "CronJob" || document["kind"] == "ServiceAccount"));
}

#[test]
fn alerts_monitor_and_dashboard_are_there_if_they_are_wanted() {
    let Some(plain) = manifests(&[]) else { return };
    for kind in ["PrometheusRule", "ServiceMonitor", "ConfigMap"] {
        assert!(of_kind(&plain, kind).is_empty(), "{kind}");
    }
    let all = [
        "prometheusRule.enabled=true",
        "prometheusRule.kubeStateMetrics=true",
        "prometheusRule.labels.release=prometheus",
        "serviceMonitor.enabled=true",
        "dashboard.enabled=true",
    ];
    let documents = manifests(&all).expect("helm has just run");
    let rules = of_kind(&documents, "PrometheusRule");
    for (rule, file) in rules.iter().zip(&COPIES[2..]) {
        assert_eq!(rule["spec"], documents_of(file)[0]["spec"], "{file}");
        assert_eq!(rule["metadata"]["labels"]["release"], "prometheus");
    }
    assert_eq!(rules.len(), 2);
    let endpoint = &of_kind(&documents, "ServiceMonitor")[0]["spec"]["endpoints"][0];
    assert_eq!(endpoint["honorLabels"], true);
    let shown = &of_kind(&documents, "ConfigMap")[0]["data"]["kubectl-unstick.json"];
    let shown: Value = serde_json::from_str(shown.as_str().expect("a text")).expect("JSON");
    assert_eq!(shown, serde_json::from_str::<Value>(&read("chart/files/dashboard.json")).expect("JSON"));
}

#[test]
fn a_chart_without_a_digest_is_refused_and_so_are_unknown_values() {
    let digest = format!("image.digest={}", digest());
    let cases: [(&[&str], &str); 8] = [
        (&[], "image.repository is required"),
        (&["image.repository=registry.example/unstick", "image.tag=0.1.0"], "image.digest is required"),
        (&[IMAGE, "image.digest=latest"], "image.digest"),
        (&[IMAGE, &digest, "mode=email"], "mode"),
        (&[IMAGE, &digest, "prometheusrule.enabled=true"], "prometheusrule"),
        (&[IMAGE, &digest, "pushgateway.url=--config /etc/passwd"], "pushgateway.url"),
        (
            &[IMAGE, &digest, "mode=logs", "serviceMonitor.enabled=true"],
            "serviceMonitor.enabled needs mode pushgateway",
        ),
        (&[IMAGE, &digest, "serviceAccount.create=false"], "serviceAccount.name is required"),
    ];
    for (values, told) in cases {
        let Some(output) = rendered(values) else { return };
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && error.contains(told), "{values:?}: {error}");
    }
}
