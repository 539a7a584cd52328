//! Completion as a person experiences it: through the real kubectl, and through the real bash, zsh
//! and fish.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{PROGRAM, stderr, stdout, unstick};
use crate::support::server::silent;
use rexpect::session::{PtySession, spawn_command};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// A folder for PATH with the plugin and with the program that kubectl asks for words, written by
/// the plugin itself.
pub fn plugin(plane: &ControlPlane) -> PathBuf {
    let bin = plane.dir().join("plugins");
    fs::create_dir_all(&bin).expect("a folder");
    symlink(PROGRAM, bin.join("kubectl-unstick")).expect("a link");
    let script = Command::new(PROGRAM).args(["completion", "kubectl"]).output().expect("the program runs");
    let path = bin.join("kubectl_complete-unstick");
    fs::write(&path, &script.stdout).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it may be run");
    bin
}

/// Puts a folder before PATH.
pub fn with_path(command: &mut Command, plane: &ControlPlane, bin: &Path) {
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let folders = [bin.to_owned(), plane.kubectl_bin_dir()].into_iter().chain(std::env::split_paths(&inherited));
    command.env("PATH", std::env::join_paths(folders).expect("a PATH"));
}

/// The words that kubectl would offer for the last word, and the directive.
fn offered(plane: &ControlPlane, bin: &Path, typed: &[&str]) -> (Vec<String>, String) {
    let mut kubectl = plane.command(plane.kubectl_bin_dir().join("kubectl"));
    with_path(&mut kubectl, plane, bin);
    let output = kubectl.args(["__complete", "unstick"]).args(typed).output().expect("kubectl runs");
    assert!(output.status.success(), "{}", stderr(&output));
    let said = stdout(&output);
    let mut words: Vec<String> = said.lines().map(str::to_owned).collect();
    let directive = words.pop().expect("a directive");
    (words, directive)
}

fn names(words: &[String]) -> Vec<&str> {
    words.iter().map(|word| word.split('\t').next().unwrap_or_default()).collect()
}

#[test]
fn kubectl_offers_types_names_namespaces_and_values() {
    let plane = ControlPlane::start();
    for namespace in ["a-live", "m-live", "z-going"] {
        plane.kubectl_ok(&["create", "namespace", namespace]);
    }
    plane.apply(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: b-held, namespace: z-going, finalizers: [acme.io/h]}}",
    );
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: a-fine, namespace: a-live}}");
    plane.apply(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: q-held, namespace: a-live, finalizers: [acme.io/h]}}",
    );
    plane.kubectl_ok(&["delete", "namespace", "z-going", "--wait=false"]);
    plane.kubectl_ok(&["delete", "configmap", "q-held", "-n", "a-live", "--wait=false"]);
    let bin = plugin(&plane);
    let of = |typed: &[&str]| offered(&plane, &bin, typed);

    let (first, directive) = of(&[""]);
    let first = names(&first);
    for word in ["preflight", "undo", "namespaces", "pods", "deployments.apps"] {
        assert!(first.contains(&word), "{word} is not in {first:?}");
    }
    assert!(!first.contains(&"bindings") && directive == ":4", "{first:?} {directive}");
    assert_eq!(names(&of(&["deploy"]).0), ["deploy", "deployments.apps"]);

    let (namespaces, directive) = of(&["ns", ""]);
    assert_eq!(names(&namespaces)[..2], ["z-going", "a-live"], "what is going comes first");
    assert!(namespaces[0].contains("\tterminating for "), "{namespaces:?}");
    assert_eq!(directive, ":36");
    assert_eq!(names(&of(&["ns", "z-going", "m"]).0), ["m-live"]);
    assert!(!names(&of(&["ns", "z-going", ""]).0).contains(&"z-going"), "it is named already");
    assert_eq!(names(&of(&["-n", "a-live", "cm", ""]).0), ["q-held", "a-fine", "kube-root-ca.crt"]);
    assert_eq!(names(&of(&["preflight", "-n", "a-live", "cm/a"]).0), ["cm/a-fine"]);
    assert_eq!(names(&of(&["pods", "-n", "z"]).0), ["z-going"]);
    assert_eq!(names(&of(&["ns", "x", "-o", "js"]).0), ["json"]);
    assert_eq!(names(&of(&["ns", "x", "--approve", "l"]).0), ["leaks", "loses-data"]);
    assert_eq!(of(&["-f", ""]), (Vec::new(), ":0".to_owned()));
    let context = plane.kubectl_ok(&["config", "current-context"]);
    assert_eq!(names(&of(&["--context", ""]).0), [context.trim()]);
    assert_eq!(names(&of(&["undo", ""]).0)[..1], ["last"]);

    bash_puts_the_word_in(&plane, &bin);
    nobody_waits_for_a_server_that_is_silent(&plane);
}

/// Runs the script for kubectl-unstick alone in bash.
fn bash_puts_the_word_in(plane: &ControlPlane, bin: &Path) {
    let complete = |line: &str| {
        let script = format!(
            "source <(kubectl-unstick completion bash)\n\
             COMP_WORDS=({line}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)) COMP_LINE='{line}' COMP_POINT=${{#COMP_LINE}}\n\
             compopt() {{ :; }}\n__kubectl_unstick\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
        );
        let mut bash = plane.command("bash");
        with_path(&mut bash, plane, bin);
        let output = bash.args(["--norc", "-c", &script]).output().expect("bash runs");
        stdout(&output).trim().to_owned()
    };
    assert_eq!(complete("kubectl-unstick ns z"), "z-going");
    assert_eq!(complete("kubectl-unstick ns ''").lines().next(), Some("z-going"));
    assert_eq!(complete("kubectl-unstick ns x --output=js"), "json");
}

/// A silent server does not delay completion, and causes no message.
fn nobody_waits_for_a_server_that_is_silent(plane: &ControlPlane) {
    let (_listener, address) = silent();
    let server = format!("http://{address}");
    let begun = Instant::now();
    let output = unstick(plane).args(["__complete", "--server", &server, "ns", ""]).output().expect("the program runs");
    assert_eq!((stdout(&output).as_str(), stderr(&output).as_str()), (":4\n", ""));
    assert!(output.status.success());
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
}

/// Names that a shell would act on, distinguished by their first letters. Only RBAC objects can
/// have such names.
const ACTED_ON: [&str; 6] = [
    "apwn$(touch${IFS}PWNED)", "bpwn`touch${IFS}PWNED`", "cpwn;touch${IFS}PWNED", "dpwn|touch${IFS}PWNED",
    "epwn&touch${IFS}PWNED", "fpwn(touch PWNED)",
];

#[test]
fn a_name_of_the_cluster_never_runs_in_the_shell_that_completes_it() {
    let plane = ControlPlane::start();
    for name in ACTED_ON.iter().chain(&["--pwn", "harmless"]) {
        let role = serde_json::json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
            "metadata": {"name": name}, "rules": []});
        plane.apply(&role.to_string());
    }
    let bin = plugin(&plane);
    let bash = [("bash", "--norc -i"), ("source", "<(kubectl-unstick completion bash)")];
    let zsh = [("zsh", "-f -i"), ("autoload", "-U compinit; compinit -u -D; source <(kubectl-unstick completion zsh)")];
    for [(shell, arguments), (first, rest)] in [bash, zsh] {
        if !is_installed(shell) {
            continue;
        }
        let folder = folder(&plane, shell);
        let mut session = interactive(&plane, &bin, &folder, shell, arguments);
        session.send_line(&format!("{first} {rest}; echo re''ady")).expect("typed");
        session.exp_string("ready").unwrap_or_else(|error| panic!("{shell}: {error}"));
        complete_and_enter(&mut session, "kubectl-unstick clusterrole harm");
        session.exp_string("not being deleted").unwrap_or_else(|error| panic!("{shell} completes: {error}"));
        for begun in ["apwn", "bpwn"] {
            complete_and_enter(&mut session, &format!("kubectl-unstick clusterrole {begun}"));
        }
        session.send_line("echo do''ne").expect("typed");
        session.exp_string("done").unwrap_or_else(|error| panic!("{shell}: {error}"));
        assert!(!folder.join("PWNED").exists(), "{shell} ran a name of the cluster");
    }
    if is_installed("fish") {
        let folder = folder(&plane, "fish");
        // fish quotes the words that it inserts into a line; here a candidate runs unquoted.
        let script = "kubectl-unstick completion fish | source
            for name in (complete -C 'kubectl-unstick clusterrole '); eval echo $name; end
            echo; complete -C 'kubectl-unstick clusterrole harm'";
        let mut fish = plane.command("fish");
        with_path(&mut fish, &plane, &bin);
        let output = fish.args(["--no-config", "-c", script]).current_dir(&folder).output().expect("fish runs");
        assert_eq!(stdout(&output).lines().last(), Some("harmless"), "{}", stderr(&output));
        assert!(!folder.join("PWNED").exists(), "fish ran a name of the cluster");
    }
    assert_eq!(offered(&plane, &bin, &["clusterrole", "apwn"]).0, [""; 0]);
    assert_eq!(offered(&plane, &bin, &["clusterrole/apwn"]).0, [""; 0]);
    assert_eq!(names(&offered(&plane, &bin, &["clusterrole", "harm"]).0), ["harmless"]);
    let (all, _) = offered(&plane, &bin, &["clusterrole", ""]);
    let (all, plain) = (names(&all), |c: char| c.is_ascii_alphanumeric() || ":._/-".contains(c));
    assert!(all.contains(&"harmless") && all.contains(&"system:node"), "{all:?}");
    assert!(all.iter().all(|name| name.chars().all(plain) && !name.starts_with('-')), "{all:?}");
}

/// Whether a shell is installed. If not, the test's output says so in a way that is never captured,
/// and `.ci/run` repeats it in its summary.
fn is_installed(shell: &str) -> bool {
    let is_there = Command::new(shell).args(["-c", "exit 0"]).status().is_ok();
    if !is_there {
        writeln!(std::io::stderr(), "\nNOT RUN: completion in {shell}: it is not installed").ok();
    }
    is_there
}

fn folder(plane: &ControlPlane, shell: &str) -> PathBuf {
    let folder = plane.dir().join(format!("completes-{shell}"));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn interactive(plane: &ControlPlane, bin: &Path, folder: &Path, shell: &str, arguments: &str) -> PtySession {
    let mut command = plane.command(shell);
    with_path(&mut command, plane, bin);
    command.args(arguments.split(' ')).current_dir(folder).env("TERM", "dumb");
    spawn_command(command, Some(20_000)).expect("a pseudo-terminal")
}

/// Types the words and a tab, then Enter once the shell has looked for candidates.
fn complete_and_enter(session: &mut PtySession, words: &str) {
    session.send(&format!("{words}\t")).and_then(|_| session.flush()).expect("typed");
    // Keys wait in the terminal until the candidates are there.
    session.send_line("").expect("typed");
}
