//! Bad input: each case leads to a clear sentence with subject, place and advice, to the documented
//! exit code, and to no panic and no change.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{PROGRAM, stderr, stdout, unstick};
use crate::support::server::{Request, listen, silent};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the program without any cluster, and without the developer's settings.
pub fn alone(home: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.env_clear().env("HOME", home).args(arguments).stdin(Stdio::null());
    command.output().expect("the program runs")
}

pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bad-input-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A file in a folder of its own.
pub fn file(name: &str, text: &str) -> PathBuf {
    let path = folder(name).join("file.yaml");
    std::fs::write(&path, text).expect("a file");
    path
}

#[track_caller]
pub fn refused(output: &Output, code: i32, words: &[&str]) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{said}{}", stdout(output));
    for word in words {
        assert!(said.contains(word), "{word:?} is not in: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

fn kubeconfig(server: &str, user: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
         clusters: [{{name: k, cluster: {{server: \"{server}\", insecure-skip-tls-verify: true}}}}]\n\
         contexts: [{{name: c, context: {{cluster: k, user: u}}}}]\n\
         users: [{{name: u, user: {user}}}]\n"
    )
}

#[test]
fn invalid_usage() {
    let home = folder("usage");
    refused(&alone(&home, &["owners", "ns"]), 2, &["needs a NAME"]);
    refused(&alone(&home, &["ns", "a", "-o", "xml"]), 2, &["xml", "table, wide, tree", "mermaid, dot, html"]);
    refused(&alone(&home, &["ns", "a", "--approve", "everything"]), 2, &["everything", "loses-data"]);
    refused(&alone(&home, &["ns", "a", "--timeout", "soon"]), 2, &["soon"]);
    refused(&alone(&home, &["ns", "a", "--one-by-one", "--dry-run=server"]), 2, &["--dry-run", "ask no questions"]);
    refused(&alone(&home, &["explain", "pod-first"]), 2, &["pods-first"]);
    refused(&alone(&home, &["owners", "ns/a", "-o", "html"]), 2, &["html", "table, tree"]);
    refused(&alone(&home, &["ns", "a", "-w", "-o", "junit"]), 2, &["junit", "table, wide"]);
    refused(&alone(&home, &["owners", "ns/a", "--yes"]), 2, &["owners changes nothing"]);
    refused(&alone(&home, &["--nonsense"]), 2, &["--nonsense", "kubectl unstick"]);
}

#[test]
fn a_kubeconfig_that_is_missing_empty_or_malformed() {
    let home = folder("kubeconfig");
    refused(&alone(&home, &["ns", "a"]), 2, &["kubeconfig", "--kubeconfig"]);
    refused(&alone(&home, &["ns", "a", "--kubeconfig", "/nowhere/config"]), 2, &["/nowhere/config", "No such file"]);
    let empty = file("empty", "");
    refused(
        &alone(&home, &["ns", "a", "--kubeconfig", &empty.to_string_lossy()]),
        2,
        &["file.yaml", "no current context"],
    );
    let malformed = file("malformed", "clusters: [}\n");
    refused(&alone(&home, &["ns", "a", "--kubeconfig", &malformed.to_string_lossy()]), 2, &["file.yaml", "hint:"]);
    let good = file("good", &kubeconfig("https://127.0.0.1:1", "{}"));
    let good = good.to_string_lossy();
    refused(
        &alone(&home, &["ns", "a", "--kubeconfig", &good, "--context", "d"]),
        2,
        &["context \"d\"", "it contains: c"],
    );
    refused(
        &alone(&home, &["ns", "a", "--kubeconfig", &good, "--as-user-extra", "x"]),
        2,
        &["--as-user-extra", "KEY=VALUE"],
    );
}

#[test]
fn a_server_that_is_not_there_or_no_api_server() {
    let home = folder("server");
    let closed = file("closed", &kubeconfig("https://127.0.0.1:1", "{}"));
    refused(
        &alone(&home, &["ns", "a", "--kubeconfig", &closed.to_string_lossy()]),
        2,
        &["https://127.0.0.1:1", "cannot be reached", "refused"],
    );
    let web = web_server("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 9\r\n\r\n<html>hi\n");
    let other = file("other", &kubeconfig(&web, "{}"));
    refused(
        &alone(&home, &["ns", "a", "--kubeconfig", &other.to_string_lossy()]),
        2,
        &["does not answer as a Kubernetes API server"],
    );
    let (_listener, address) = silent();
    let hanging = file("hanging", &kubeconfig(&format!("http://{address}"), "{}"));
    refused(
        &alone(&home, &["ns", "a", "--kubeconfig", &hanging.to_string_lossy(), "--request-timeout", "1s"]),
        2,
        &["cannot be reached"],
    );
}

/// Answers every request with the same bytes, on loopback, until the test ends.
fn web_server(answer: &'static str) -> String {
    let address = listen(
        move |mut client| {
            while Request::read(&mut client).is_some() && client.write_all(answer.as_bytes()).is_ok() {}
        },
    );
    format!("http://{address}")
}

#[test]
fn credentials_that_are_not_accepted() {
    let home = folder("credentials");
    let status = "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: 75\r\n\r\n\
        {\"kind\":\"Status\",\"apiVersion\":\"v1\",\"message\":\"Unauthorized\",\"code\":401     }";
    let expired = file("expired", &kubeconfig(&web_server(status), "{token: old}"));
    refused(
        &alone(&home, &["ns", "a", "--kubeconfig", &expired.to_string_lossy()]),
        2,
        &["does not accept the credentials", "expired"],
    );
    let exec = "{exec: {apiVersion: client.authentication.k8s.io/v1, command: /nowhere/login, interactiveMode: Never}}";
    let failing = file("exec", &kubeconfig("https://127.0.0.1:1", exec));
    refused(
        &alone(&home, &["ns", "a", "--kubeconfig", &failing.to_string_lossy()]),
        2,
        &["credentials", "auth exec", "hint:"],
    );
}

#[test]
fn an_invalid_survey_file() {
    let home = folder("survey");
    let read = |path: &Path| alone(&home, &["--from", &path.to_string_lossy()]);
    refused(&read(Path::new("/nowhere/survey.yaml")), 2, &["/nowhere/survey.yaml"]);
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios/controller-gone/survey.yaml");
    let whole = std::fs::read_to_string(demo).expect("a survey");
    refused(&read(&file("cut", &whole[..whole.len() / 2])), 2, &["file.yaml", "damaged or incomplete"]);
    refused(
        &read(&file("later", &whole.replacen("v1alpha1", "v7", 1))),
        2,
        &["unstick.dev/v7", "reads unstick.dev/v1alpha1"],
    );
    refused(&read(&file("pod", "apiVersion: v1\nkind: Pod\n")), 2, &["\"Pod\""]);
    let yes = alone(&home, &["--from", &file("whole", &whole).to_string_lossy(), "--yes"]);
    refused(&yes, 2, &["--from, which reads a file"]);
}

#[test]
fn a_survey_with_an_invalid_base() {
    let home = folder("base");
    let top = "apiVersion: unstick.dev/v1alpha1\nkind: Survey\ntakenAt: 2026-01-01T00:00:00Z\n";
    let survey = |base: &str| {
        format!(
            "{top}base: {base}\ndiscovery: {{base: true}}\nfacts: [{{resource: v1/pods, base: true}}]\ncomplete: true\n"
        )
    };
    let read = |name: &str, base: &str| {
        let path = file(name, &survey(base));
        let output = alone(&home, &["--from", &path.to_string_lossy(), "pod", "a"]);
        (path, output)
    };
    refused(
        &read("nowhere", "none.yaml").1,
        2,
        &["file.yaml: its base", "none.yaml", "cannot be read", "correct base:"],
    );
    refused(&read("itself", "file.yaml").1, 2, &["its base", "names itself"]);
    let (nested, _) = read("nested", "/nowhere.yaml");
    refused(&read("names-nested", &nested.to_string_lossy()).1, 2, &["names a base itself", "only a complete survey"]);
    let pod = file("pod-as-base", "apiVersion: v1\nkind: Pod\n");
    refused(&read("names-pod", &pod.to_string_lossy()).1, 2, &["its base", "pod-as-base", "\"Pod\""]);
    let whole = file("empty-base", &format!("{top}discovery: {{resources: []}}\nfacts: []\ncomplete: true\n"));
    refused(&read("not-held", &whole.to_string_lossy()).1, 2, &["entry for pods", "the base has no such entry"]);
    let stdin = |base: &str| {
        let mut command = Command::new(PROGRAM);
        command.env_clear().env("HOME", &home).args(["--from", "-", "pod", "a"]);
        command.stdin(std::fs::File::open(file("stdin", &survey(base))).expect("a file"));
        command.output().expect("the program runs")
    };
    refused(&stdin("base.yaml"), 2, &["survey -", "base.yaml", "stdin has no directory", "--from FILE"]);
    refused(&stdin(&whole.to_string_lossy()), 2, &["the base has no such entry"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios/controller-gone/survey.yaml");
    let mut child = Command::new(PROGRAM)
        .arg("--from")
        .arg(demo)
        .args(["-o", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
}

#[test]
fn an_unwritable_stdout_is_an_error() {
    let survey = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios/controller-gone/survey.yaml");
    let survey = survey.to_string_lossy();
    for arguments in [&["--help"][..], &["explain"], &["demo"], &["--from", &survey, "-o", "json"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let output = Command::new(PROGRAM).args(arguments).stdout(full).output().expect("the program runs");
        refused(&output, 2, &["error: stdout cannot be written", "No space left"]);
    }
}

#[test]
fn without_a_home() {
    let nowhere = |arguments: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.env_clear().args(arguments).stdin(Stdio::null()).output().expect("the program runs")
    };
    refused(&nowhere(&["ns", "a"]), 2, &["kubeconfig", "--kubeconfig"]);
    refused(&nowhere(&["journal"]), 0, &["no runs are recorded", "set XDG_STATE_HOME or HOME"]);
    refused(&nowhere(&["undo"]), 0, &["nothing to undo"]);
    assert_eq!(nowhere(&["demo"]).status.code(), Some(1));
}

#[test]
fn impossible_names() {
    let home = folder("long");
    let long = "a".repeat(100_000);
    let config = file("long-config", &kubeconfig("https://127.0.0.1:1", "{}"));
    let config = config.to_string_lossy();
    let manifest = format!("{{apiVersion: v1, kind: Pod, metadata: {{name: {long}}}}}");
    let manifest = file("long-manifest", &manifest);
    for arguments in [
        &["ns", &long][..],
        &["ns/a", &format!("pod/{long}")],
        &[&long],
        &["explain", &long],
        &["undo", &long],
        &["preflight", "ns", &long],
        &["pods", "-n", &long],
        &["-f", &manifest.to_string_lossy()],
    ] {
        let mut all = vec!["--kubeconfig", &config];
        all.extend(arguments);
        let output = alone(&home, &all);
        refused(&output, 2, &["bytes long, which is too long for a name"]);
        assert!(stderr(&output).len() < 1_000, "it is not repeated");
    }
}

#[test]
fn enormous_timeouts() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "configmap", "a"]);
    let forever = u64::MAX.to_string();
    let output = unstick(&plane)
        .args(["cm", "a", "--delete", "--approve", "loses-data", "--confirm", "a"])
        .args(["--timeout", &forever, "--request-timeout", &forever])
        .output()
        .expect("the program runs");
    refused(&output, 0, &["verified gone"]);
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: b, finalizers: [acme.io/hold]}}");
    plane.kubectl_ok(&["delete", "configmap", "b", "--wait=false"]);
    // Before that, the deletion may be within its usual time.
    std::thread::sleep(std::time::Duration::from_secs(14));
    let output = unstick(&plane)
        .args(["cm", "b", "--approve", "leaks", "--timeout", &forever])
        .output()
        .expect("the program runs");
    refused(&output, 0, &["done"]);
    refused(&alone(&folder("time"), &["ns", "a", "--timeout", "99999999999999999999h"]), 2, &["is too long"]);
}

#[test]
fn missing_and_hidden_objects() {
    let plane = ControlPlane::start();
    let run = |arguments: &[&str]| unstick(&plane).args(arguments).output().expect("the program runs");
    refused(&run(&["podz", "x"]), 2, &["the server doesn't have a resource type \"podz\"", "pods"]);
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    refused(
        &run(&["ns", "shpo"]),
        2,
        &["namespaces \"shpo\" not found", "did you mean shop?", "is it already deleted?"],
    );
    assert_eq!(run(&["ns", "shpo", "--ignore-not-found"]).status.code(), Some(0));
    refused(&run(&["cm", "a", "-n", "shop"]), 2, &["configmaps \"a\" not found in namespace shop"]);

    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop, finalizers: [acme.io/hold]}}");
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    std::thread::sleep(std::time::Duration::from_secs(14));
    // This user may see the namespace and nothing in it.
    plane.kubectl_ok(&["create", "clusterrole", "sees-namespaces", "--verb=get,list", "--resource=namespaces"]);
    plane.kubectl_ok(&["create", "clusterrolebinding", "sees", "--clusterrole=sees-namespaces", "--user=guest"]);
    let blind = run(&["ns", "shop", "--as", "guest"]);
    assert_eq!(blind.status.code(), Some(2), "{}{}", stdout(&blind), stderr(&blind));
    let said = stdout(&blind);
    assert!(said.contains("kinds that guest may not list ("), "{said}");
    assert!(!said.contains("nothing is left"), "{said}");
    // A screen reports in one line what the user may not read.
    assert_eq!(said.matches("not read: ").count(), 1, "{said}");
    // Whether it exists is unknown to a user who may not even read it.
    let nobody = stdout(&run(&["ns", "shop", "--as", "nobody"]));
    assert!(nobody.starts_with("Namespace shop   undecided: it could not be read "), "{nobody}");
    assert!(nobody.contains("which nobody may not read"), "{nobody}");
    // This user may see everything and change nothing, which the dry run shows.
    plane.kubectl_ok(&["create", "clusterrole", "sees-all", "--verb=get,list", "--resource=*.*"]);
    plane.kubectl_ok(&["create", "clusterrolebinding", "sees-all", "--clusterrole=sees-all", "--user=reader"]);
    let reader = run(&["ns", "shop", "--as", "reader", "--approve", "leaks", "--timeout", "5s"]);
    refused(&reader, 3, &["not done", "cannot patch resource"]);
    let held = plane.kubectl_ok(&["get", "cm", "a", "-n", "shop", "-o", "jsonpath={.metadata.finalizers}"]);
    assert_eq!(held, "[\"acme.io/hold\"]");
    assert!(!plane.dir().join("state").exists(), "nothing was written, so there is no journal");
    // Without a place for the journal, nothing is written.
    let nowhere = unstick(&plane)
        .args(["ns", "shop", "--approve", "leaks", "--timeout", "5s"])
        .env("XDG_STATE_HOME", "/proc/nowhere")
        .output()
        .expect("the program runs");
    refused(&nowhere, 3, &["the journal cannot be written"]);
    let dry = run(&["ns", "shop", "--dry-run=server"]);
    assert!(stderr(&dry).contains("the server would accept it"), "{}", stderr(&dry));
    assert_eq!(dry.status.code(), Some(1));
    let held = plane.kubectl_ok(&["get", "cm", "a", "-n", "shop", "-o", "jsonpath={.metadata.finalizers}"]);
    assert_eq!(held, "[\"acme.io/hold\"]");
}
