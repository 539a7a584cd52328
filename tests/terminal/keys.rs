//! The keys that end or stop a program, and the signals that do, in a dialog.

use crate::shop::{Shop, TARGET};
use crate::support::terminal::{agree, choose, exit_code, keys, press, reads_lines, set_size, until_it_reads_keys};
use rexpect::process::Signal;
use rexpect::session::PtySession;

/// A choice that takes keys.
fn choice(shop: &Shop) -> PtySession {
    let mut session = shop.session();
    session.exp_string("\x1b[?25l").expect("a choice hides the cursor");
    session.exp_string("   quit").expect("a choice");
    until_it_reads_keys(&session);
    session
}

/// A prompt for a name, which takes keys.
fn name(shop: &Shop) -> PtySession {
    let mut session = shop.session();
    choose(&mut session, "do it");
    session.exp_string("type held to confirm").expect("asks for the name");
    until_it_reads_keys(&session);
    session
}

#[test]
fn ctrl_c_interrupts_each_dialog() {
    let shop = Shop::held_twice();
    for dialog in [choice, name] {
        let mut session = dialog(&shop);
        keys(&mut session, "\x03");
        session.exp_string("interrupted: nothing was changed").expect("says so");
        assert_eq!(exit_code(&mut session), 130);
        assert!(reads_lines(&session), "the terminal is as it was");
    }
    assert_eq!(shop.writes(), 0);
}

#[test]
fn ctrl_c_after_a_write_leaves_the_rest_alone() {
    let shop = Shop::held_twice();
    let mut session = shop.session();
    agree(&mut session, "held");
    session.exp_string("Step 2 of 2").expect("the second question");
    session.exp_string("   quit").expect("a choice");
    press(&mut session, "\x03");
    session.exp_string("\x1b[?25h").expect("the cursor is back");
    assert_eq!(exit_code(&mut session), 130);
    assert_eq!(shop.finalizers(), ["acme.io/keep"]);
}

/// A dialog reads key by key, so that this is a key to it.
#[test]
fn the_end_of_input_quits_each_dialog() {
    let shop = Shop::held_twice();
    for (dialog, typed) in [(choice as fn(&Shop) -> PtySession, "\x04"), (name, "held\x04\r")] {
        let mut session = dialog(&shop);
        keys(&mut session, typed);
        assert_eq!(exit_code(&mut session), 1, "it is a quit");
        assert!(reads_lines(&session), "the terminal is as it was");
    }
    assert_eq!(shop.writes(), 0);
}

/// A shell takes over, and gives the terminal back; then the choice is drawn again and works.
#[test]
fn a_dialog_can_be_stopped_and_continued() {
    let shop = Shop::held_twice();
    let script = "stty rows 24 cols 80; set -m; \"$0\" \"$@\"; stty -a | grep -o ' icanon'; fg";
    let mut session = shop.session_in("xterm", script, &TARGET);
    session.exp_string("   quit").expect("a choice");
    press(&mut session, "\x1a");
    session.exp_string("\x1b[?25h").expect("the cursor is back");
    session.exp_string(" icanon").expect("the shell has the terminal as it was");
    session.exp_string("\x1b[?25l").expect("the choice hides the cursor again");
    choose(&mut session, "quit");
    assert_eq!(exit_code(&mut session), 1, "it continues");
    assert_eq!(shop.writes(), 0);
}

#[test]
fn the_terminal_is_restored_however_a_dialog_ends() {
    let shop = Shop::held_twice();
    for signal in [Signal::SIGTERM, Signal::SIGHUP] {
        let mut session = choice(&shop);
        session.process_mut().signal(signal).expect("it runs");
        session.exp_string("\x1b[?25h").expect("the cursor is back");
        assert_eq!(exit_code(&mut session), 130, "{signal}");
        assert!(reads_lines(&session), "the terminal is as it was: {signal}");
    }
    assert_eq!(shop.writes(), 0);
}

#[test]
fn a_window_without_room_for_a_dialog_ends_it() {
    let shop = Shop::held_twice();
    let mut session = choice(&shop);
    set_size(&session, 2, 80);
    session.exp_string("too small for a question").expect("says why");
    assert_eq!(exit_code(&mut session), 130);
    assert!(reads_lines(&session), "the terminal is as it was");
    assert_eq!(shop.writes(), 0);
}
