//! Copied commands do what was meant: a real shell splits them, and no name in them is a flag.
//! `tests/e2e/flags.rs` has the real kubectl carry out such commands.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a real shell splits the commands")]

use super::lives::named;
use super::*;
use crate::report::{Risk, Step, Turn};
use crate::survey::{Cascade, Object, Resource, Seen};
use serde_json::json;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Names that a shell or kubectl would act on.
const NAMES: [&str; 9] =
    ["--all", "-A", "--raw=/", "-", "a b", "a$(touch${IFS}PWNED)", "it's", "a\n\u{1b}[2J\u{202e}✓ done", "plain"];

/// The words of every kubectl that the command runs. Those in a pipe run at the same time, so each has a
/// file of its own.
fn split(command: &str) -> Vec<Vec<String>> {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let place = format!("unstick-operands-{}-{}", std::process::id(), CALLS.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(place);
    std::fs::create_dir_all(&folder).expect("a folder");
    let script =
        format!("kubectl() {{ printf '%s\\0' \"$@\" >\"$(mktemp \"$CALLS/XXXXXX\")\"; }}\njq() {{ :; }}\n{command}");
    let output = Command::new("bash").args(["--norc", "-c", &script]).env("CALLS", &folder).output();
    let output = output.expect("bash runs");
    assert!(output.stderr.is_empty(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    let files: Vec<_> =
        std::fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    let calls = files.iter().map(|file| std::fs::read_to_string(file).expect("text"));
    let calls = calls.map(|call| call.split_terminator('\0').map(str::to_owned).collect()).collect();
    std::fs::remove_dir_all(folder).expect("the folder is removed");
    calls
}

/// The words that are no flags and no values of flags, as pflag reads them.
fn operands(words: &[String]) -> Vec<&str> {
    let (mut found, mut words) = (Vec::new(), words.iter().map(String::as_str));
    while let Some(word) = words.next() {
        match word {
            "--" => return found.into_iter().chain(words).collect(),
            "-n" | "-p" | "-o" | "-f" => drop(words.next()),
            "-" => found.push(word),
            flag if flag.starts_with('-') => {
                let known =
                    ["--type=json", "--overwrite", "--wait=false", "--force", "--grace-period=0", "--replicas=1"];
                let known = known.contains(&flag) || flag.starts_with("--cascade=") || flag == "--timeout=5m";
                assert!(known || flag == "--raw", "{flag} is no flag of ours");
                if flag == "--raw" {
                    words.next();
                }
            }
            word => found.push(word),
        }
    }
    found
}

/// Whether a call is about this object only, or about several of one kind.
fn is_about(call: &[String], kind: &str, names: &[&str]) -> bool {
    let operands = operands(call);
    let together: Vec<String> = names.iter().map(|name| format!("{kind}/{name}")).collect();
    let apart: Vec<&str> = std::iter::once(kind).chain(names.iter().copied()).collect();
    // The part of the command that sets a taint or an annotation.
    let is_set = |word: &str| word.starts_with("unstick.dev/") || word.starts_with("node.kubernetes.io/");
    let rest: Vec<&str> = operands[1..].iter().copied().filter(|word| !is_set(word)).collect();
    rest == together || rest == apart || (operands[..2] == ["create", kind] && operands[2..] == *names)
}

fn steps_of(name: &str) -> Vec<(Step, &'static str)> {
    let role = named("rbac.authorization.k8s.io/v1", "Role", "roles", Some("shop"), name);
    let of = |kind: &str, resource: &str| named("v1", kind, resource, None, name);
    let hook = named(
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        None,
        name,
    );
    let owner = json!({"apiVersion": "v1", "kind": "Pod", "name": name, "uid": "u2"});
    let owner = serde_json::from_value(owner).expect("an owner");
    let (roles, hooks) =
        ("roles.rbac.authorization.k8s.io", "validatingwebhookconfigurations.admissionregistration.k8s.io");
    vec![
        (remove_finalizer::step(&role, &["acme.io/a".to_owned()], "acme.io/a"), roles),
        (delete_object::step(&role), roles),
        (delete_on_request::step(&role, Cascade::Background), roles),
        (delete_on_request::step(&role, Cascade::Foreground), roles),
        (drop_garbage_collector_finalizer::step(&role, "orphan"), roles),
        (drop_owner_reference::step(&role, &owner, 0), roles),
        (scale_workload::step(&role), roles),
        (ignore_webhook::step(&hook, 0, "a.acme.io"), hooks),
        (delete_webhook_configuration::step(&hook, &Object::default()), hooks),
        (force_delete_pod::step(&named("v1", "Pod", "pods", Some("shop"), name)), "pod"),
        (taint_out_of_service::step(&of("Node", "nodes")), "node"),
        (nudge_namespace::step(&of("Namespace", "namespaces")), "namespace"),
        (recreate_namespace::step(name), "namespace"),
        (finalize_namespace::step(&of("Namespace", "namespaces"), "kubernetes"), "namespace"),
        (delete_api_service::step(&of("APIService", "apiservices"), &of("Service", "services")), "apiservice"),
        (conversion_none::step(&of("CustomResourceDefinition", "customresourcedefinitions"), &json!({})), "crd"),
    ]
}

#[test]
fn each_command_has_the_operands_that_were_meant() {
    for name in NAMES {
        for (step, kind) in steps_of(name) {
            let calls = split(&step.command);
            assert!(!calls.is_empty(), "{}", step.command);
            for call in calls.iter().filter(|call| call[0] != "replace") {
                assert!(is_about(call, kind, &[name]), "{:?}: {}: {call:?}", step.kind(), step.command);
            }
        }
    }
}

#[test]
fn a_turn_deletes_exactly_what_it_names() {
    let resource = Resource::tested("rbac.authorization.k8s.io", "roles", "Role", true);
    let named = |name: &str| Object::single(json!({"metadata": {"name": name, "namespace": "shop"}})).unwrap();
    let objects: Vec<Object> = NAMES.iter().map(|name| named(name)).collect();
    let seen: Vec<Seen<'_>> = objects.iter().map(|object| Seen { resource: &resource, object }).collect();
    for some in seen.windows(1).chain(seen.windows(3)).chain([&seen[..]]) {
        let turn = Turn::objects(some, false, String::new(), |_| (Risk::Disruptive, String::new()));
        let all: Vec<&str> = some.iter().map(|seen| seen.object.name()).collect();
        let calls: Vec<Vec<String>> = turn.commands.iter().flat_map(|command| split(command)).collect();
        assert_eq!(calls.len(), 1);
        assert!(is_about(&calls[0], "roles.rbac.authorization.k8s.io", &all), "{all:?}: {calls:?}");
    }
}
