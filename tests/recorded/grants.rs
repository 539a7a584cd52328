//! No format has a command that creates permissions for somebody. A lost rule is added to a role again only if what
//! takes permissions in the whole cluster names the account. An account that only a tenant's own objects name is called
//! one for which nobody vouches, before anything else is said.

use crate::diagnosed;
use crate::scenario::Scenario;
use kubectl_unstick::export::{html, json, junit, markdown};
use kubectl_unstick::report::Report;
use kubectl_unstick::screen::{Look, screen};

/// The kinds with which permissions are given.
const RBAC: [&str; 4] = ["role", "clusterrole", "rolebinding", "clusterrolebinding"];
/// The verbs of kubectl that give them.
const GIVES: [&str; 4] = ["create", "apply", "replace", "edit"];
/// All on one line, so that no command is broken.
const LOOK: Look = Look { width: 100_000, colour: false, all: true };

/// The report in five formats, each with its name.
fn formats(report: &Report) -> [(&'static str, String); 5] {
    [
        ("wide", screen(report, LOOK).to_string()),
        ("json", json(report).to_string()),
        ("html", html(report).to_string()),
        ("markdown", markdown(report).to_string()),
        ("junit", junit(report).to_string()),
    ]
}

/// The command in a text that gives permissions, if there is one.
fn grant(text: &str) -> Option<String> {
    text.match_indices("kubectl ").map(|(at, _)| &text[at..]).find_map(|command| {
        let words: Vec<&str> = command.split(|sign: char| sign.is_whitespace() || "<\"'`".contains(sign)).collect();
        let kind = words.get(2)?.split(['.', '/', ',', '\\', '&']).next()?;
        let kind = kind.strip_suffix('s').unwrap_or(kind);
        let gives = GIVES.contains(&words[1]) && RBAC.contains(&kind);
        let is_other = [["set", "subject"], ["auth", "reconcile"]].iter().any(|other| words[1..].starts_with(other));
        let is_grant = gives || is_other;
        is_grant.then(|| words[..words.len().min(6)].join(" "))
    })
}

#[test]
fn no_format_has_a_command_that_grants() {
    let mut found = Vec::new();
    let mut unvouched = 0;
    for scenario in Scenario::recorded() {
        let report = diagnosed(&scenario);
        for (format, text) in formats(&report) {
            found.extend(grant(&text).map(|command| format!("{} -o {format}: {command}", scenario.name)));
        }
        let titles: Vec<String> = report.remedies.iter().map(|remedy| remedy.title.to_string()).collect();
        let is_unvouched = titles.iter().any(|title| title.contains("nothing proves that "));
        if is_unvouched && titles.iter().any(|title| title.contains("/rules/-")) {
            found.push(format!("{}: a rule is added for an account that nobody vouches for", scenario.name));
        }
        for title in titles.iter().filter(|title| title.contains("apply the product's own RBAC again")) {
            let is_vouched = title.starts_with("apply");
            unvouched += usize::from(!is_vouched);
            if !is_vouched && !title.starts_with("nothing proves that ServiceAccount ") {
                found.push(format!("{}: {title}", scenario.name));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(unvouched >= 3, "{unvouched} accounts are named by a tenant alone");
}

#[test]
fn a_command_that_grants_is_found() {
    let all = [
        "first: kubectl create clusterrolebinding x --clusterrole=x",
        "<code>kubectl create rolebinding x -n shop</code>",
        "\"title\": \"add it: kubectl apply clusterroles.rbac.authorization.k8s.io x\"",
        "kubectl set subject rolebinding x --serviceaccount=a:b",
    ];
    for text in all {
        assert!(grant(text).is_some(), "{text}");
    }
    for text in ["kubectl get clusterrole x", "kubectl delete rolebindings x -n shop", "kubectl create namespace role"]
    {
        assert_eq!(grant(text), None, "{text}");
    }
}
