//! Opens `-o html` in a real Chromium: it fits every screen, and its text has enough contrast, in
//! light and dark mode.
//!
//! `cargo test --test browser` runs it; a plain `cargo test` does not, since not every machine has
//! Chromium. `CHROMIUM` names the program; otherwise it is searched on `PATH`.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test runs a program and writes a file")]

#[path = "../support/compact.rs"]
mod compact;
#[path = "../support/diet.rs"]
#[expect(dead_code, reason = "the recorded tests use more of it")]
mod diet;
#[path = "../support/scenario.rs"]
#[expect(dead_code, reason = "the end-to-end tests use more of it")]
mod scenario;

use kubectl_unstick::diagnosis::diagnose_survey;
use kubectl_unstick::export::html;
use scenario::Scenario;
use std::path::Path;
use std::process::Command;

/// Puts the page into frames of several widths, and writes down what is wrong with it.
const LOOK: &str = include_str!("look.html");

/// Keeps Chromium off the network and away from anybody's profile.
const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=20000",
    "--dump-dom",
];

#[test]
fn the_page_can_be_read_on_any_screen() {
    for name in ["demo", "controller-down--products"] {
        let page = html(&diagnose_survey(&Scenario::named(name).survey()).report);
        for (colours, scheme) in [("light", 1), ("dark", 0)] {
            let said = looked_at(&page, &format!("{name}-{colours}"), scheme);
            assert!(said.contains(&format!("<pre>fine in {colours}</pre>")), "{name}, {colours}: {said}");
        }
    }
}

/// The size of the picture in the documentation.
const PICTURE: &str = "--window-size=1000,1180";

/// With `UNSTICK_RECORD=1` it is taken again.
#[test]
fn the_documentation_has_a_picture_of_the_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let picture = root.join("docs/html.png");
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        let page = html(&diagnose_survey(&Scenario::named("demo").survey()).report);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-picture-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("page.html");
        std::fs::write(&file, page.as_bytes()).expect("the file is written");
        let mut command = Command::new(chromium());
        command.args(FLAGS.iter().filter(|flag| **flag != "--dump-dom")).args([PICTURE, "--hide-scrollbars"]);
        command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
        command.arg(format!("--screenshot={}", picture.display()));
        let output = command.arg(format!("file://{}", file.display())).output().expect("Chromium runs");
        std::fs::remove_dir_all(&folder).ok();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let bytes = std::fs::read(&picture).unwrap_or_default();
    assert!(
        bytes.starts_with(b"\x89PNG") && bytes.len() < 300_000,
        "UNSTICK_RECORD=1 cargo test --test browser takes it"
    );
    let how_to = std::fs::read_to_string(root.join("docs/how-to/html.md")).expect("a page");
    assert!(how_to.contains("](../html.png)"), "docs/how-to/html.md does not show it");
}

/// Chromium's output about a page, with these preferred colours.
fn looked_at(page: &str, name: &str, scheme: u8) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = serde_json::to_string(page).expect("a string").replace('<', "\\u003c");
    let file = folder.join("look.html");
    std::fs::write(&file, LOOK.replace("\"PAGE\"", &text)).expect("the file is written");
    let mut command = Command::new(chromium());
    command.args(FLAGS).arg(format!("--user-data-dir={}", folder.join("profile").display()));
    command.arg(format!("--blink-settings=preferredColorScheme={scheme}"));
    let output = command.arg(format!("file://{}", file.display())).output().expect("Chromium runs");
    std::fs::remove_dir_all(&folder).ok();
    let said = String::from_utf8_lossy(&output.stdout);
    said.split("<script").next().unwrap_or_default().to_owned()
}

fn chromium() -> String {
    if let Ok(named) = std::env::var("CHROMIUM") {
        return named;
    }
    let runs = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(runs);
    found.expect("no Chromium is installed; CHROMIUM=PROGRAM names one").to_owned()
}
