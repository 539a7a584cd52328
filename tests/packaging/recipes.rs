//! The program inside other tools: the action for GitHub in `docs/how-to/ci.md`, and the plugin of k9s
//! in `deploy/k9s`. Stand-ins record their calls.

use crate::sandbox::{Sandbox, contains, read, repository, script, stderr, succeeded};
use serde_json::Value;
use std::fs;
use std::process::Output;

const ACTION: &str = "action/action.yaml";

/// Puts a stand-in on the PATH that records its arguments, one call per line, and then runs `then`.
fn stand_in(sandbox: &Sandbox, name: &str, then: &str) {
    let asked = sandbox.0.join("asked");
    script(&sandbox.0.join("bin").join(name), &format!("echo {name} \"$@\" >>'{}'\n{then}", asked.display()));
}

/// The calls of the stand-ins.
fn asked(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.0.join("asked")).unwrap_or_default()
}

/// Tears down a namespace with a stand-in for kubectl: `delete` and `unstick` exit with these
/// codes, and `get` finds the namespace or not.
fn teardown(sandbox: &Sandbox, delete: u8, unstick: u8, is_left: bool, approve: &str) -> Output {
    let get = if is_left { "echo namespace/e2e" } else { "exit 0" };
    let kubectl = format!(
        "case \"$*\" in\ndelete*) exit {delete} ;;\nget*) {get} ;;\n\
         *markdown) printf '# why\\nstuck=false\\n'; exit {unstick} ;;\nunstick*) exit {unstick} ;;\n*) exit 64 ;;\nesac"
    );
    stand_in(sandbox, "kubectl", &kubectl);
    let mut command = sandbox.command(repository().join("action/teardown.sh"));
    command.env("NAMESPACE", "e2e").env("TIMEOUT", "9m").env("APPROVE", approve);
    command.env("GITHUB_STEP_SUMMARY", sandbox.0.join("summary")).env("GITHUB_OUTPUT", sandbox.0.join("outputs"));
    command.env("RUNNER_TEMP", sandbox.0.join("tmp"));
    command.output().expect("the script runs")
}

/// The outputs of the action.
fn outputs(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.0.join("outputs")).unwrap_or_default()
}

#[test]
fn the_action_only_deletes_a_namespace_that_does_not_hang() {
    let sandbox = Sandbox::new("teardown-gone");
    succeeded(&teardown(&sandbox, 0, 64, false, "harmless"));
    assert_eq!(asked(&sandbox), "kubectl delete namespace e2e --ignore-not-found --timeout 60s\n");
    assert_eq!(outputs(&sandbox), "stuck=false\n");
}

#[test]
fn the_action_watches_a_namespace_that_hangs_until_it_is_gone() {
    let sandbox = Sandbox::new("teardown-helped");
    succeeded(&teardown(&sandbox, 1, 0, false, "harmless"));
    contains(&asked(&sandbox), &["kubectl unstick ns e2e --watch --timeout 9m --approve harmless\n"]);
    assert!(!asked(&sandbox).contains("kubectl get"), "{}", asked(&sandbox));
    assert_eq!(outputs(&sandbox), "stuck=false\n");
    let only_look = Sandbox::new("teardown-looked");
    succeeded(&teardown(&only_look, 1, 0, false, ""));
    contains(&asked(&only_look), &["kubectl unstick ns e2e --watch --timeout 9m\n"]);
}

#[test]
fn the_action_treats_the_value_nothing_as_no_approval() {
    let sandbox = Sandbox::new("teardown-nothing");
    succeeded(&teardown(&sandbox, 1, 0, false, "nothing"));
    contains(&asked(&sandbox), &["kubectl unstick ns e2e --watch --timeout 9m\n"]);
    let described = read(&repository().join(ACTION))["inputs"]["approve"]["description"].clone();
    let described = described.as_str().expect("a description");
    contains(described, &["harmless, disruptive or leaks", "With the value nothing, no step is carried out"]);
}

/// A regression test: `--all` deleted every namespace.
#[test]
fn the_action_refuses_invalid_values_before_it_deletes_anything() {
    let long = "a".repeat(64);
    let names = ["--all", "-A", "", "a b", "a,b", "e2e --all", "a/b", "A", "a\nb", "-a", "a-", "a$(id)", long.as_str()];
    let namespaces = names.map(|name| ("NAMESPACE", name));
    let times =
        ["--all", "5", "5m --all", "soon", "-5m"].into_iter().flat_map(|time| [("PATIENCE", time), ("TIMEOUT", time)]);
    let approvals = ["everything", "loses-data", "--yes", "harmless --confirm x"].map(|risk| ("APPROVE", risk));
    let sandbox = Sandbox::new("teardown-refused");
    for (variable, value) in namespaces.into_iter().chain(times).chain(approvals) {
        stand_in(&sandbox, "kubectl", "exit 0");
        let mut command = sandbox.command(repository().join("action/teardown.sh"));
        command.env("NAMESPACE", "e2e").env("APPROVE", "harmless").env(variable, value);
        command.env("GITHUB_OUTPUT", sandbox.0.join("outputs"));
        let output = command.output().expect("the script runs");
        assert_eq!(output.status.code(), Some(2), "{variable}={value:?}: {}", stderr(&output));
        contains(&stderr(&output), &[&format!("error: {variable} is no")]);
        assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
        assert_eq!(asked(&sandbox), "", "{variable}={value:?}");
        assert_eq!(outputs(&sandbox), "", "{variable}={value:?}");
    }
}

#[test]
fn the_action_fails_with_the_reason_when_the_namespace_stays() {
    let sandbox = Sandbox::new("teardown-stuck");
    assert_eq!(teardown(&sandbox, 1, 1, true, "harmless").status.code(), Some(1));
    let why = "# why\nstuck=false\n";
    assert_eq!(fs::read_to_string(sandbox.0.join("summary")).expect("a summary"), why);
    // Nothing that the report says is an output.
    let outputs = outputs(&sandbox);
    let report = outputs.strip_prefix("stuck=true\nreport=").and_then(|rest| rest.strip_suffix('\n'));
    let report = report.filter(|path| !path.contains('\n')).unwrap_or_else(|| panic!("{outputs}"));
    assert!(std::path::Path::new(report).starts_with(sandbox.0.join("tmp")), "{report}");
    assert_eq!(fs::read_to_string(report).expect("a report"), why);
    // Not found because it disappeared in between, which was the aim.
    let late = Sandbox::new("teardown-late");
    succeeded(&teardown(&late, 1, 2, false, "harmless"));
    assert_eq!(self::outputs(&late), "stuck=false\n");
}

#[test]
fn the_action_says_nothing_of_a_namespace_that_cannot_be_read() {
    let sandbox = Sandbox::new("teardown-unread");
    stand_in(&sandbox, "kubectl", "case \"$*\" in\nunstick*) exit 2 ;;\n*) exit 1 ;;\nesac");
    let mut command = sandbox.command(repository().join("action/teardown.sh"));
    command.env("NAMESPACE", "e2e").env("GITHUB_OUTPUT", sandbox.0.join("outputs"));
    assert_eq!(command.output().expect("the script runs").status.code(), Some(2));
    assert_eq!(outputs(&sandbox), "");
}

/// The context comes from the workflow, which may take it from elsewhere.
#[test]
fn the_action_asks_the_cluster_of_the_context_and_takes_it_for_no_flag() {
    for context in ["kind-e2e", "--all", "a b --all", "arn:aws:eks:x:1:cluster/y"] {
        let sandbox = Sandbox::new("teardown-context");
        let words = format!("printf '<%s>' \"$@\" >>'{}'\n", sandbox.0.join("words").display());
        let answers = "case \"$*\" in\nget*) echo namespace/e2e ;;\n*) exit 1 ;;\nesac";
        stand_in(&sandbox, "kubectl", &(words + answers));
        let mut command = sandbox.command(repository().join("action/teardown.sh"));
        command.env("NAMESPACE", "e2e").env("APPROVE", "harmless").env("CONTEXT", context);
        assert_eq!(command.output().expect("the script runs").status.code(), Some(1), "{context}");
        let words = fs::read_to_string(sandbox.0.join("words")).expect("words");
        let calls = asked(&sandbox).lines().count();
        assert_eq!((calls, words.matches(&format!("<--context={context}>")).count()), (4, 4), "{words}");
    }
}

#[test]
fn the_action_passes_its_inputs_to_existing_scripts() {
    let action = read(&repository().join(ACTION));
    assert_eq!(action["runs"]["using"], "composite");
    let inputs: Vec<&String> = action["inputs"].as_object().expect("inputs").keys().collect();
    let steps = action["runs"]["steps"].as_array().expect("steps");
    for input in &inputs {
        let used = format!("${{{{ inputs.{input} }}}}");
        let of_env = |step: &Value| step["env"].as_object().is_some_and(|env| env.values().any(|value| *value == used));
        assert!(steps.iter().any(of_env), "{input} is not used");
    }
    for step in steps {
        let run = step["run"].as_str().expect("a script");
        let name = run.trim_matches('"').strip_prefix("$GITHUB_ACTION_PATH/").expect("a script of the action");
        assert!(repository().join("action").join(name).is_file() && !run.contains("${{"), "{run}");
    }
    let with_outputs: Vec<&Value> = steps.iter().filter(|step| step["id"] == "teardown").collect();
    let [step] = with_outputs[..] else { panic!("{with_outputs:#?}") };
    contains(step["run"].as_str().expect("a script"), &["teardown.sh"]);
    let outputs = action["outputs"].as_object().expect("outputs");
    assert_eq!(outputs.keys().collect::<Vec<_>>(), ["report", "stuck"]);
    for (name, output) in outputs {
        assert_eq!(output["value"], format!("${{{{ steps.teardown.outputs.{name} }}}}"));
    }
    let documented = fs::read_to_string(repository().join("docs/how-to/ci.md")).expect("a page");
    contains(&documented, &[&format!("/action@v{}\n", env!("CARGO_PKG_VERSION"))]);
}

#[test]
fn the_action_installs_the_release_of_its_own_version_and_checks_it() {
    let sandbox = Sandbox::new("install-action");
    sandbox.build_for_all();
    let archive = sandbox.archive("linux-arm64");
    let name = archive.file_name().and_then(|name| name.to_str()).expect("a name");
    let release = sandbox.release();
    let sum = format!("(cd '{}' && sha256sum *.tar.gz)", release.display());
    stand_in(&sandbox, "gh", &format!("cp '{}' .\n{sum} >SHA256SUMS", archive.display()));
    let install = |path: &str| {
        let mut command = sandbox.command(repository().join("action/install.sh"));
        command.env("RUNNER_OS", "Linux").env("RUNNER_ARCH", "ARM64").env("RUNNER_TEMP", sandbox.0.join("tmp"));
        command.env("GITHUB_PATH", sandbox.0.join(path)).output().expect("the script runs")
    };
    succeeded(&install("path"));
    contains(
        &asked(&sandbox),
        &[
            concat!("gh release download v", env!("CARGO_PKG_VERSION"), " --repo kubectl-unstick/kubectl-unstick "),
            &format!("--pattern {name} "),
        ],
    );
    let folder = fs::read_to_string(sandbox.0.join("path")).expect("a folder for the PATH");
    assert!(std::path::Path::new(folder.trim()).join("kubectl-unstick").is_file(), "{folder}");
    // A file that was modified on the way is not unpacked.
    stand_in(&sandbox, "gh", &format!("echo other >{name}\n{sum} >SHA256SUMS"));
    let changed = install("other");
    assert!(!changed.status.success() && !sandbox.0.join("other").exists(), "{}", stderr(&changed));
}

#[test]
fn the_action_installs_the_release_that_is_asked_for() {
    let sandbox = Sandbox::new("install-version");
    stand_in(&sandbox, "gh", "exit 1");
    let install = |version: &str| {
        let mut command = sandbox.command(repository().join("action/install.sh"));
        command.env("RUNNER_OS", "Linux").env("RUNNER_ARCH", "X64").env("RUNNER_TEMP", sandbox.0.join("tmp"));
        command.env("GITHUB_PATH", sandbox.0.join("path")).env("VERSION", version).output().expect("the script runs")
    };
    for invalid in
        ["latest", "v1", "1.2", "--help", "v1.2.3; id", "v1.2.3\nv1.2.3", "v1.2.3-a/../b", "vv1.2.3", "1.2.3 "]
    {
        let output = install(invalid);
        assert_eq!(output.status.code(), Some(2), "{invalid:?}: {}", stderr(&output));
        contains(&stderr(&output), &["error: VERSION is no release such as v0.1.0"]);
        assert_eq!(asked(&sandbox), "", "{invalid:?}");
    }
    let wanted = "gh release download v9.8.7-rc.1 --repo kubectl-unstick/kubectl-unstick --pattern kubectl-unstick-v9.8.7-rc.1-linux-amd64.tar.gz ";
    assert!(!install("v9.8.7-rc.1").status.success());
    contains(&asked(&sandbox), &[wanted]);
    // A program that is there serves if it has this version, or if none is asked for.
    script(&sandbox.0.join("bin/kubectl-unstick"), "echo kubectl-unstick 1.0.0");
    let before = asked(&sandbox);
    for served in ["", "1.0.0", "v1.0.0"] {
        succeeded(&install(served));
        assert_eq!(asked(&sandbox), before, "{served}");
    }
    assert!(!install("1.0.1").status.success());
    contains(&asked(&sandbox), &["gh release download v1.0.1 "]);
}

/// Replaces each `$NAME` in a text by its value, as k9s does; an unknown name is an error
/// (derailed/k9s, `internal/view/env.go`).
fn filled(text: &str, values: &[(&str, &str)]) -> String {
    let mut parts = text.split('$');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|letter: char| !letter.is_ascii_alphanumeric() && !"_-|!".contains(letter));
        let (name, rest) = part.split_at(end.unwrap_or(part.len()));
        if name.is_empty() {
            out.push('$');
        } else {
            let value = values.iter().find(|(known, _)| *known == name);
            out += value.unwrap_or_else(|| panic!("k9s knows no ${name}")).1;
        }
        out += rest;
    }
    out
}

#[test]
fn the_plugin_for_k9s_asks_for_any_resource() {
    let page = fs::read_to_string(repository().join("docs/k9s.md")).expect("a page");
    contains(&page, &["](../deploy/k9s/plugin.yaml)"]);
    let config = read(&repository().join("deploy/k9s/plugin.yaml"));
    let plugin = &config["plugins"]["unstick"];
    assert_eq!((&plugin["shortCut"], &plugin["scopes"]), (&"Shift-U".into(), &serde_json::json!(["all"])));
    let arguments: Vec<&str> = plugin["args"].as_array().expect("args").iter().filter_map(Value::as_str).collect();
    for (kind, group, namespace, name, wanted) in [
        ("namespaces", "", "-", "shop", "unstick namespaces/shop --context c --color always"),
        ("pods", "", "a", "shop", "unstick pods/shop --context c --namespace a --color always"),
        ("widgets", "acme.io", "a", "shop", "unstick widgets.acme.io/shop --context c --namespace a --color always"),
        ("nodes", "", "", "shop", "unstick nodes/shop --context c --color always"),
        // Names of Roles are hardly restricted.
        ("roles", "", "a", "--approve=leaks", "unstick roles/--approve=leaks --context c --namespace a --color always"),
        ("roles", "", "a", "'$(id)\";id", "unstick roles/'$(id)\";id --context c --namespace a --color always"),
    ] {
        let sandbox = Sandbox::new("k9s");
        // Type and name are one word.
        stand_in(&sandbox, "kubectl", "case \"$2\" in */*) exit 0 ;; esac\nexit 1");
        stand_in(&sandbox, "less", "cat");
        let values = [
            ("RESOURCE_NAME", kind),
            ("RESOURCE_GROUP", group),
            ("NAMESPACE", namespace),
            ("NAME", name),
            ("CONTEXT", "c"),
        ];
        let mut command = sandbox.command(plugin["command"].as_str().expect("a command"));
        command.args(arguments.iter().map(|argument| filled(argument, &values)));
        succeeded(&command.output().expect("a shell runs"));
        contains(&asked(&sandbox), &[&format!("kubectl {wanted}\n")]);
    }
}
