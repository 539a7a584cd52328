//! `-o html` in a real Chromium: it fits every screen, and its text stands out from its
//! ground, by day and by night.
//!
//! `cargo test --test browser` runs it: a plain `cargo test` runs what needs Rust alone.
//! `CHROMIUM` names the browser, else it is looked for on `PATH`.

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
use kubectl_unstick::render::html;
use scenario::Scenario;
use std::path::Path;
use std::process::Command;

/// Puts the page into frames of several widths, and writes down what is wrong with it.
const LOOK: &str = include_str!("look.html");

/// What keeps Chromium from the network and from anybody's profile.
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
    for name in ["demo", "held-by-finalizer--products"] {
        let page = html(&diagnose_survey(&Scenario::named(name).survey()).report);
        for (colours, scheme) in [("light", 1), ("dark", 0)] {
            let said = looked_at(&page, &format!("{name}-{colours}"), scheme);
            assert!(said.contains(&format!("<pre>fine in {colours}</pre>")), "{name}, {colours}: {said}");
        }
    }
}

/// What Chromium says of a page, with these preferred colours.
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
