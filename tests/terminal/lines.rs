//! Without dialogs: questions as lines, or none at all. And questions with yes or no.

use crate::shop::{IN_A_WINDOW, Shop, TARGET};
use crate::support::terminal::{exit_code, keys, press};
use std::path::PathBuf;

/// The end of a question that is answered by a line.
const LINE: &str = "type held to confirm  [n]o  [d]etails  [q]uit > ";

/// A terminal that cannot move its cursor gets questions line by line.
#[test]
fn a_dumb_terminal_is_asked_line_by_line() {
    let shop = Shop::held_twice();
    let mut session = shop.session_in("dumb", IN_A_WINDOW, &TARGET);
    session.exp_string("Step 1 of 2").expect("the first question");
    for no_answer in ["y", "", "hold"] {
        session.exp_string(LINE).expect("asks, and asks again");
        session.send_line(no_answer).expect("typed");
    }
    session.exp_string(LINE).expect("asks again");
    session.send_line("d").expect("typed");
    session.exp_string("kubectl patch configmaps held -n shop --type=json").expect("shows the command");
    session.exp_string(LINE).expect("asks again");
    assert_eq!(shop.writes(), 0, "nothing is written before the answer");
    session.send_line("held").expect("typed");
    session.exp_string("done").expect("is done");
    let second = session.exp_string(LINE).expect("the second question");
    assert!(!second.contains('\x1b') && second.is_ascii(), "{second:?}");
    session.send_control('d').expect("typed");
    assert_eq!(exit_code(&mut session), 1, "the end of input quits");
    assert_eq!(shop.finalizers(), ["acme.io/keep"]);
}

#[test]
fn a_window_that_is_too_small_for_a_dialog_is_asked_line_by_line() {
    let shop = Shop::held_twice();
    for size in ["rows 7 cols 80", "rows 24 cols 19"] {
        let script = format!("stty {size} && exec \"$0\" \"$@\"");
        let mut session = shop.session_in("xterm", &script, &TARGET);
        session.exp_string(LINE).expect("a line");
        session.send_line("q").expect("typed");
        assert_eq!(exit_code(&mut session), 1, "{size}");
    }
    assert_eq!(shop.writes(), 0);
}

#[test]
fn without_a_terminal_to_read_from_nothing_is_asked() {
    let shop = Shop::held_twice();
    let script = "stty rows 24 cols 80 && exec \"$0\" \"$@\" < /dev/null";
    let mut session = shop.session_in("xterm", script, &TARGET);
    let before = session.exp_string("nothing was changed; to repair").expect("says so");
    assert!(!before.contains("Step 1"), "{before}");
    assert_eq!(exit_code(&mut session), 1);
    assert_eq!(shop.writes(), 0);
}

/// An old run in the journal.
fn old_run(shop: &Shop) -> PathBuf {
    let run = r#"{"record":"run","version":"unstick.dev/journal/v1","at":"2025-01-01T00:00:00Z","who":"ann",
        "run":{"arguments":["x"],"context":null,"server":"https://s/","cluster":"u","targets":["ns/a"]}}"#;
    let end = r#"{"record":"end","at":"2025-01-01T00:00:00Z","outcome":"released"}"#;
    std::fs::create_dir_all(shop.journal()).expect("a folder");
    let path = shop.journal().join("20250101T000000Z-1.jsonl");
    std::fs::write(&path, format!("{}\n{end}\n", run.replace('\n', ""))).expect("a file");
    path
}

/// Neither Enter alone, nor another key, nor the end of input, nor an interrupt is a yes.
#[test]
fn a_yes_or_no_has_no_default() {
    let shop = Shop::held_twice();
    let old = old_run(&shop);
    let prune = ["journal", "prune", "--older-than", "90d"];
    for (term, typed, exit) in [
        ("xterm", "\rn\r", 0),
        ("xterm", "q\r", 0),
        ("xterm", "x\r\x04", 0),
        ("xterm", "\x03", 130),
        ("xterm", "yn\r", 0),
        ("dumb", "\nn\n", 0),
        ("dumb", "\x04", 0),
    ] {
        let mut session = shop.without_a_cluster(term, &prune);
        if term == "dumb" {
            session.exp_string("[y]es").expect("a line");
            keys(&mut session, typed);
        } else {
            session.exp_string("y, n or q").expect("a dialog");
            press(&mut session, typed);
        }
        assert_eq!(exit_code(&mut session), exit, "{term} {typed:?}");
        assert!(old.exists(), "{term} {typed:?} is no yes");
    }
    let mut session = shop.without_a_cluster("xterm", &prune);
    session.exp_string("Remove this run from the journal? Its changes").expect("one run is one");
    session.exp_string("y, n or q").expect("it is asked");
    press(&mut session, "y\r");
    session.exp_string("y, n or q, then Enter: yes").expect("what was answered stays");
    session.exp_string("1 of 1 removed").expect("it is done");
    assert_eq!(exit_code(&mut session), 0);
    assert!(!old.exists());
}
