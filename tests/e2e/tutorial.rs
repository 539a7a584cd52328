//! `docs/tutorial.md`, command by command: everything that it promises happens.

use crate::completion::{plugin, with_path};
use crate::support::control_plane::ControlPlane;
use std::time::Duration;

/// A fenced part of the page: its language and its text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split("```").skip(1).step_by(2);
    parts.map(|part| part.split_once('\n').expect("a fence has a line of its own")).collect()
}

/// The words alone, and `TIME` for each number of seconds: how long something took must not matter.
fn words(text: &str) -> String {
    let is_time = |word: &str| word.strip_suffix('s').is_some_and(|number| number.parse::<u32>().is_ok());
    let words = text.split_whitespace().map(|word| if is_time(word) { "TIME" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_command_of_the_tutorial_does_what_the_tutorial_shows() {
    let page = include_str!("../../docs/tutorial.md");
    let plane = ControlPlane::start();
    let bin = plugin(&plane);
    let (mut said, mut shown) = (String::new(), 0);
    for (language, text) in blocks(page) {
        if language == "text" {
            for line in text.lines() {
                // A digest is another one in each cluster.
                let told = words(line.trim_end_matches('…'));
                assert!(words(&said).contains(&told), "{line:?} is not shown:\n{said}");
                shown += 1;
            }
            continue;
        }
        assert_eq!(language, "sh", "{text}");
        let mut shell = plane.command("sh");
        with_path(&mut shell, &plane, &bin);
        // The page shows screens of this width.
        shell.env("COLUMNS", "80");
        let output = shell.args(["-c", &format!("{{ {text} }} 2>&1")]).output().expect("a shell");
        said = String::from_utf8(output.stdout).expect("a text");
        let stuck = matches!(output.status.code(), Some(0 | 1));
        assert!(stuck && !said.contains("error"), "{text}\n{:?}\n{said}", output.status);
        if text.contains("delete namespace") {
            // "Wait a quarter of a minute".
            std::thread::sleep(Duration::from_secs(15));
        }
    }
    assert!(shown > 15, "only {shown} lines are shown");
    assert!(plane.kubectl(&["get", "namespace", "tutorial"]).status.code() == Some(1), "the namespace is there");
}
