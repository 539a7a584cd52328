//! The health scripts for Argo CD: a `ConfigMap` that an API server takes, of scripts that Lua runs.

use kubectl_unstick::export::argocd;
use kubectl_unstick::knowledge::catalogue::{Matching, entries};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// The largest size of the data of a `ConfigMap` (kubernetes/kubernetes: `pkg/apis/core/types.go`, `MaxSecretSize`).
const MAX_DATA: usize = 1 << 20;

/// The scripts by kind.
fn scripts() -> Vec<(String, String)> {
    let written: Value = serde_saphyr::from_str(&argocd()).expect("YAML");
    assert_eq!(written["kind"], "ConfigMap");
    let data = written["data"].as_object().expect("data").iter();
    let scripts: Vec<(String, String)> = data
        .map(|(key, script)| {
            let kind = key.strip_prefix("resource.customizations.health.").expect(key);
            (kind.to_owned(), script.as_str().expect("a script").to_owned())
        })
        .collect();
    let size: usize = scripts.iter().map(|(kind, script)| kind.len() + script.len()).sum();
    assert!(scripts.len() > 300 && size < MAX_DATA, "{} scripts, {size} bytes", scripts.len());
    scripts
}

/// Lua, if it is installed under one of its names.
fn lua() -> Option<&'static str> {
    let names = ["lua5.1", "luajit", "lua", "lua5.4", "lua5.3"];
    let found = names.into_iter().find(|name| Command::new(name).arg("-v").output().is_ok());
    if found.is_none() {
        writeln!(std::io::stderr(), "\nNOT RUN: lua runs the scripts for Argo CD: it is not installed").ok();
    }
    found
}

/// What each script answers, without a library, about an object that is being deleted with these finalizers, and about
/// a living one.
#[test]
fn lua_runs_each_script_and_says_who_releases_what() {
    let (scripts, Some(lua)) = (scripts(), lua()) else { return };
    let mut program = String::from("local ipairs_, type_, print_ = ipairs, type, print\n");
    // Of several groups that serve a kind of this name, an entry is about one.
    let is_alone = |kind: &str| scripts.iter().filter(|(key, _)| key.rsplit('_').next() == Some(kind)).count() == 1;
    let exact = |kind: &str| {
        let kind = kind.rsplit('_').next().unwrap_or(kind).to_owned();
        entries()
            .iter()
            .find(|entry| entry.matching == Matching::Exact && entry.kinds.contains(&&*kind) && is_alone(&kind))
    };
    for (kind, script) in &scripts {
        let known = exact(kind).map_or("example.com/unknown", |entry| entry.key);
        let _ = write!(
            program,
            "do\n  local ipairs, string, table, os, io = ipairs_, nil, nil, nil, nil\n  \
             local function health(obj)\n{script}\n  end\n  \
             local going = health({{metadata = {{deletionTimestamp = \"now\", finalizers = {{\"{known}\"}}}}}})\n  \
             print_(\"{kind}|\" .. going.status .. \"|\" .. going.message)\n  \
             if type_(health({{metadata = {{}}}})) ~= \"nil\" then print_(\"{kind}|alive\") end\nend\n"
        );
    }
    let mut child = Command::new(lua).arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("lua");
    child.stdin.take().expect("stdin").write_all(program.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.lines().count(), scripts.len(), "one line for each: {said}");
    for line in said.lines() {
        let parts: Vec<&str> = line.splitn(3, '|').collect();
        let [kind, "Progressing", message] = parts[..] else { panic!("{line}") };
        assert!(message.starts_with("Pending deletion; waits for finalizer "), "{line}");
        if let Some(entry) = exact(kind) {
            assert!(message.contains(entry.controller) && message.contains(entry.guards), "{line}");
        }
    }
}
