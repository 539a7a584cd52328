//! The screens of the ten most common situations: `docs/screens.md`. `UNSTICK_RECORD=1` rewrites it.

use crate::scenario::Scenario;
use std::fmt::Write;
use std::path::Path;

/// The scenario, and the situation in which a user meets it.
const TEN: [(&str, &str); 10] = [
    ("scaled-to-zero--operator-at-zero", "Its operator is scaled to zero"),
    ("controller-gone--unknown-product-gone", "Its operator was uninstalled first"),
    ("apiservice-unavailable", "An aggregated API was left behind: no namespace can be deleted"),
    ("apiservice-unavailable--crash-looping", "The server of an aggregated API crashes"),
    ("deletion-refused", "A webhook does not answer"),
    ("pod-node-not-ready", "The pod's node is lost"),
    ("kubelet-does-not-confirm", "The kubelet does not confirm the end of the pod"),
    ("controller-gone--load-balancer", "A load balancer in the cloud"),
    ("claim-in-use", "A volume that is in use"),
    ("finished-pod-held", "A finished pod of a Job"),
];

#[test]
fn the_ten_most_common_screens_are_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::from(
        "# Ten screens\n\nWhat `kubectl unstick` shows, at 80 columns, in the ten situations that people meet most often. \
         Made from the recorded scenarios; `CONTRIBUTING.md` says how.\n",
    );
    for (scenario, when) in TEN {
        let snapshot = std::fs::read_to_string(Scenario::named(scenario).dir.join("screen-80.snap"));
        let snapshot = snapshot.unwrap_or_else(|error| panic!("{scenario}: {error}"));
        let screen = snapshot.splitn(3, "---\n").nth(2).expect("a screen below its header").trim_end();
        let is_command = |line: &str| line.trim_start().starts_with("$ ");
        let fits = |line: &str| is_command(line) || line.chars().count() <= 80;
        assert!(screen.lines().all(fits), "{scenario} is wider than 80 columns");
        let _ = write!(text, "\n## {when}\n\n```text\n{screen}\n```\n");
    }
    let path = root.join("docs/screens.md");
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        std::fs::write(&path, &text).expect("docs/screens.md is written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "docs/screens.md is out of date: UNSTICK_RECORD=1 cargo test --test recorded screens");
}
