//! The screens of the ten most common situations: `docs/screens.md`. `UNSTICK_RECORD=1` rewrites it. And the
//! screens in the pages about what people search for.

use crate::diagnosed;
use crate::scenario::Scenario;
use kubectl_unstick::screen::{Look, screen};
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
/// The page about a phrase that people search for, and the scenario whose screen it shows.
const SEARCHED: [(&str, &str); 4] = [
    ("namespace-stuck-terminating.md", "scaled-to-zero--operator-at-zero"),
    ("pod-stuck-terminating.md", "pod-node-not-ready"),
    ("pvc-stuck-terminating.md", "claim-in-use--finished-pod"),
    ("crd-finalizer-stuck.md", "crd-waits-for-instances"),
];
/// The columns of a screen: the first of these at which no sentence is cut.
const COLUMNS: [usize; 4] = [80, 100, 110, 130];

#[test]
fn the_ten_most_common_screens_are_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::from(
        "# Ten screens\n\nWhat `kubectl unstick` shows in the ten situations that people meet most often: at 80 \
         columns, or at more where 80 would cut a sentence. Made from the recorded scenarios; `CONTRIBUTING.md` says how.\n",
    );
    for (scenario, when) in TEN {
        let screen = whole(&Scenario::named(scenario));
        let _ = write!(text, "\n## {when}\n\n```text\n{}\n```\n", screen.trim_end());
    }
    let path = root.join("docs/screens.md");
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        std::fs::write(&path, &text).expect("docs/screens.md is written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "docs/screens.md is out of date: UNSTICK_RECORD=1 cargo test --test recorded screens");
}

#[test]
fn the_pages_that_people_search_for_show_a_screen() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for (page, scenario) in SEARCHED {
        let mut text = std::fs::read_to_string(docs.join(page)).expect(page);
        let screen = whole(&Scenario::named(scenario));
        if std::env::var_os("UNSTICK_RECORD").is_some() {
            let (above, rest) = text.split_once("```text\n").expect(page);
            let (_, below) = rest.split_once("\n```\n").expect(page);
            text = format!("{above}```text\n{}\n```\n{below}", screen.trim_end());
            std::fs::write(docs.join(page), &text).expect(page);
        }
        assert!(
            text.contains(&format!("```text\n{}\n```\n", screen.trim_end())),
            "docs/{page} shows another:\n{screen}"
        );
    }
}

/// The screen of a scenario at the fewest columns that show every sentence to its end.
fn whole(scenario: &Scenario) -> String {
    let report = diagnosed(scenario);
    for width in COLUMNS {
        let shown = screen(&report, Look { width, colour: false, all: false }).to_string();
        let is_command = |line: &str| line.trim_start().starts_with("$ ");
        let fits = |line: &str| is_command(line) || line.chars().count() <= width;
        assert!(shown.lines().all(fits), "{} is wider than {width} columns", scenario.name);
        if !shown.lines().any(|line| line.ends_with('…')) {
            return shown;
        }
    }
    panic!("{}: a sentence is cut at {COLUMNS:?} columns", scenario.name);
}
