//! The questions as a terminal shows them. tmux is the terminal, in the sizes that people have.

use crate::server::silent;
use crate::shop::{Shop, TARGET};
use crate::support::wait::wait_until;
use std::io::Write;
use std::process::{Command, Output};
use std::time::Duration;

/// Rows and columns.
const SIZES: [(u16, u16); 3] = [(24, 80), (40, 120), (50, 200)];
/// How long a text may take to appear on a machine with other work.
const PATIENCE: Duration = Duration::from_mins(1);

/// A window of a tmux server of its own, which ends with it.
struct Window {
    socket: String,
}

impl Window {
    /// The program in a window; `None` without tmux.
    fn open(shop: &Shop, (rows, columns): (u16, u16), words: &[String]) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            writeln!(std::io::stderr(), "\nNOT RUN: the questions in windows: tmux is not installed").ok();
            return None;
        }
        // The server of another size may be about to end: a new one needs a socket of its own.
        let window = Self { socket: format!("{}-{rows}x{columns}", shop.name()) };
        let (rows, columns) = (rows.to_string(), columns.to_string());
        let options = shop.home().join("tmux.conf");
        std::fs::write(&options, "set -g remain-on-exit on\nset -s escape-time 0\n").expect("a file");
        let mut command = window.tmux();
        command.arg("-f").arg(options).args(["new-session", "-d", "-x", &columns, "-y", &rows]).args(words);
        let started = command.output().expect("tmux runs");
        assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
        Some(window)
    }

    fn tmux(&self) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket]);
        command
    }

    fn ask(&self, words: &[&str]) -> Output {
        self.tmux().args(words).output().expect("tmux runs")
    }

    /// The lines that are seen now.
    fn lines(&self) -> Vec<String> {
        let shown = self.ask(&["capture-pane", "-p"]).stdout;
        String::from_utf8_lossy(&shown).lines().map(|line| line.trim_end().to_owned()).collect()
    }

    /// Waits until a line contains this.
    fn shows(&self, text: &str) -> Vec<String> {
        wait_until(text, PATIENCE, || self.lines().iter().any(|line| line.contains(text)));
        self.lines()
    }

    fn press(&self, keys: &[&str]) {
        self.ask(&[&["send-keys"], keys].concat());
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.ask(&["kill-server"]);
    }
}

/// The line that is marked.
fn marked(lines: &[String]) -> Option<&str> {
    lines.iter().find_map(|line| line.strip_prefix("  > "))
}

#[test]
fn a_question_and_its_cause_are_seen_at_once_in_each_window() {
    let shop = Shop::held_twice();
    for size in SIZES {
        let Some(window) = Window::open(&shop, size, &shop.words(&TARGET)) else { return };
        let lines = window.shows("    quit");
        // Two causes with their ways out are longer than the smallest window.
        let is_there = lines[0].starts_with("ConfigMap shop/held") || size.0 < 40;
        assert!(is_there, "nothing has left the window: {size:?} {lines:#?}");
        assert!(lines.iter().any(|line| line == " WHAT TO DO" || line.contains("WHAT TO DO  ")), "{size:?} {lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("Step 1 of 2")), "{size:?} {lines:#?}");
        assert_eq!(marked(&lines), Some("details"), "{size:?} {lines:#?}");
        for below in ["do it", "skip", "quit", "details"] {
            window.press(&["Down"]);
            wait_until(below, PATIENCE, || marked(&window.lines()) == Some(below));
        }
        window.press(&["Escape"]);
        let lines = window.shows("nothing was changed");
        assert_eq!(marked(&lines), None, "the choice is taken off the screen: {lines:#?}");
    }
    assert_eq!(shop.writes(), 0);
}

#[test]
fn details_that_are_longer_than_the_window_come_in_pages() {
    let shop = Shop::held_twice();
    let Some(window) = Window::open(&shop, (10, 80), &shop.words(&TARGET)) else { return };
    window.shows("    quit");
    window.press(&["Enter"]);
    let lines = window.shows(" lines: Enter: next page, q: back --");
    assert_eq!(marked(&lines), None, "nothing is asked yet: {lines:#?}");
    window.press(&["q"]);
    // The question is asked again below the details.
    let lines = window.shows("    quit");
    assert_eq!(marked(&lines), Some("details"), "{lines:#?}");
    window.press(&["q"]);
    window.shows("nothing was changed");
    assert_eq!(shop.writes(), 0);
}

#[test]
fn a_server_that_does_not_answer_is_named_while_it_is_waited_for() {
    let shop = Shop::held_twice();
    let (_listener, address) = silent();
    let server = format!("http://{address}");
    let words = shop.words_without_a_cluster(&["ns", "shop", "--server", &server]);
    let Some(window) = Window::open(&shop, (24, 80), &words) else { return };
    window.shows(&format!("waiting for an answer of {server}"));
    window.press(&["C-c"]);
    window.shows("interrupted");
}
