//! The recipes of `docs/jq.md`, run by the real jq on the report of the demo.

use crate::diagnosed;
use crate::scenario::Scenario;
use kubectl_unstick::export::json;
use std::io::Write;
use std::process::{Command, Stdio};

/// Words of each recipe's output for the demo, in their order; unread facts are omitted.
const PRINTS: [&str; 8] = [
    "deletion-refused\tProven\t3 objects cannot be deleted",
    "Namespace\t-\tlegacy",
    "acme.io/backup\tDatabase\tshop\torders",
    "\"deletion-refused\": 3",
    "kubectl scale deployments.apps/acme-operator -n ops --replicas=1",
    "",
    "false",
    "sha256:",
];

#[test]
fn each_recipe_for_jq_prints_what_it_says() {
    if Command::new("jq").arg("--version").output().is_err() {
        writeln!(std::io::stderr(), "\nNOT RUN: the recipes of docs/jq.md: jq is not installed").ok();
        return;
    }
    let report = json(&diagnosed(&Scenario::named("demo"))).to_string();
    let page = include_str!("../../docs/jq.md");
    let recipes: Vec<&str> = page.split("```sh\n").skip(1).filter_map(|part| part.split("```").next()).collect();
    assert_eq!(recipes.len(), PRINTS.len());
    for (recipe, words) in recipes.iter().zip(PRINTS) {
        let (_, filter) = recipe.split_once("-o json | ").expect("a report goes in");
        let mut shell =
            Command::new("sh").args(["-c", filter]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("sh");
        shell.stdin.take().expect("a pipe").write_all(report.as_bytes()).expect("jq reads");
        let output = shell.wait_with_output().expect("jq ends");
        let printed = String::from_utf8_lossy(&output.stdout);
        // With `-e`, "false" becomes an exit code.
        let code = i32::from(words == "false");
        assert!(
            output.status.code() == Some(code) && printed.contains(words),
            "{recipe}{:?}\n{printed}",
            output.status
        );
    }
}
