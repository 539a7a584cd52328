//! A chart is checked without a cluster: the objects that its removal would strand.

use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn chart() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/chart")
}

/// Runs the program without a cluster, with a `helm` that prints its arguments and the rendered chart.
fn preflight(words: &[&str]) -> Output {
    let rendered = chart().join("rendered.yaml");
    preflight_with(&format!("#!/bin/sh\necho \"# $*\"\ncat '{}'\n", rendered.display()), words)
}

/// Runs the program with this script as `helm`.
fn preflight_with(script: &str, words: &[&str]) -> Output {
    let bin =
        std::env::temp_dir().join(format!("unstick-helm-{}-{:?}", std::process::id(), std::thread::current().id()));
    std::fs::create_dir_all(&bin).expect("a folder");
    let helm = bin.join("helm");
    std::fs::write(&helm, script).expect("written");
    std::fs::set_permissions(&helm, std::fs::Permissions::from_mode(0o755)).expect("made executable");
    let path = std::env::join_paths([&bin, Path::new("/usr/bin"), Path::new("/bin")]).expect("a PATH");
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-unstick"));
    command.env("PATH", path).env("KUBECONFIG", "/dev/null").env_remove("KUBERNETES_SERVICE_HOST");
    let output = command.arg("preflight").args(words).output().expect("it runs");
    std::fs::remove_dir_all(bin).expect("removed");
    output
}

fn report(words: &[&str]) -> (Option<i32>, Value) {
    let output = preflight(&[words, &["-o", "json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}")))
}

fn rules(report: &Value) -> Vec<&str> {
    report["findings"].as_array().expect("findings").iter().filter_map(|finding| finding["rule"].as_str()).collect()
}

#[test]
fn the_removal_of_a_chart_strands_the_objects_of_its_kinds() {
    let folder = chart();
    let (code, report) = report(&["-f", folder.to_str().expect("a path")]);
    assert_eq!(code, Some(1), "{report}");
    assert_eq!(rules(&report), ["deletion-refused", "held-by-finalizer"], "{report}");
    assert!(report["findings"].as_array().expect("findings").iter().all(|finding| finding["avoidable"] == true));
    let order = report["order"].to_string();
    assert!(!order.contains("CustomResourceDefinition"), "helm leaves what is in the crds directory: {order}");
    assert_eq!(report["unread"], serde_json::json!([]), "{report}");
}

/// The author of a chart chooses the name of its directory.
#[test]
fn the_name_of_a_chart_is_no_flag() {
    let folder = std::env::temp_dir().join(format!("unstick-chart-{}/--post-renderer=evil.sh", std::process::id()));
    std::fs::create_dir_all(folder.join("crds")).expect("a folder");
    std::fs::write(folder.join("Chart.yaml"), "name: x").expect("written");
    let (code, report) = report(&["-f", folder.to_str().expect("a path")]);
    assert_eq!(code, Some(0), "{report}");
    let output = preflight_with("#!/bin/sh\necho \"got: $*\" >&2\nexit 1\n", &["-f", folder.to_str().expect("a path")]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let full = folder.canonicalize().expect("it exists");
    assert!(said.contains(&format!("got: template -- chart {}", full.display())), "{said}");
    std::fs::remove_dir_all(folder.parent().expect("a folder")).expect("removed");
}

#[test]
fn a_link_out_of_a_chart_is_not_read() {
    let folder = std::env::temp_dir().join(format!("unstick-link-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("crds")).expect("a folder");
    std::fs::write(folder.join("Chart.yaml"), "name: x").expect("written");
    std::os::unix::fs::symlink("/proc/self/environ", folder.join("crds/x.yaml")).expect("a link");
    let output = preflight(&["-f", folder.to_str().expect("a path")]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("leads out of its directory") && !said.contains("PATH="), "{said}");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_chart_without_kinds_of_its_own_strands_nothing() {
    let text = std::fs::read_to_string(chart().join("rendered.yaml")).expect("the chart");
    let plain: Vec<&str> = text.split("---\n").filter(|part| part.contains("kind: Deployment")).collect();
    let file = std::env::temp_dir().join(format!("unstick-plain-{}.yaml", std::process::id()));
    std::fs::write(&file, plain.concat()).expect("written");
    let (code, report) = report(&["-f", file.to_str().expect("a path"), "--as-installed"]);
    std::fs::remove_file(file).expect("removed");
    assert_eq!((code, rules(&report)), (Some(0), Vec::new()), "{report}");
}

#[test]
fn imagined_and_skipped_objects_are_named() {
    let folder = chart();
    let output = preflight(&["-f", folder.to_str().expect("a path"), "-o", "junit"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for line in [
        "Job cleanup is a hook (pre-delete): it is not known what it does",
        "ServiceMonitor (monitoring.coreos.com/v1): 1 object is skipped: the manifests do not define its kind",
        "Widget imagined/any is an example for each Widget that exists then; no cluster was read",
    ] {
        assert!(said.contains(line), "{said}");
    }
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("<failure type=\"stuck\""), "{printed}");
    let wrong = preflight(&["ns", "shop", "--as-installed"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("--as-installed takes manifests, and nothing else"));
}
