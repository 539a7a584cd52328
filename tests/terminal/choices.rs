//! A choice by arrow keys, and the name that confirms something harsh.

use crate::shop::{Shop, TARGET};
use crate::support::terminal::{agree, choose, exit_code, keys, press, reads_lines, says};

const BOTH: [&str; 2] = ["acme.io/hold", "acme.io/keep"];

#[test]
fn after_the_details_the_same_question_is_asked_again() {
    let shop = Shop::held_twice();
    let mut session = shop.session();
    session.exp_string("Step 1 of 2").expect("the first question");
    says(&mut session, "remove finalizer acme.io/hold from configmaps/held -n shop?");
    choose(&mut session, "details");
    session.exp_string("kubectl patch configmaps held -n shop --type=json").expect("shows the command");
    choose(&mut session, "quit");
    assert_eq!(exit_code(&mut session), 1);
    assert!(reads_lines(&session), "the terminal is as it was");
    assert_eq!(shop.writes(), 0);
}

#[test]
fn skipped_steps_are_left_and_the_next_is_asked_about() {
    let shop = Shop::held_twice();
    let mut session = shop.session();
    session.exp_string("Step 1 of 2").expect("the first question");
    choose(&mut session, "skip");
    says(&mut session, "remove finalizer acme.io/keep from configmaps/held -n shop?");
    choose(&mut session, "skip");
    assert_eq!(exit_code(&mut session), 1);
    assert_eq!(shop.writes(), 0);
}

/// The second dialog takes keys one by one as the first did, and needs no Enter.
#[test]
fn q_and_esc_quit_any_choice() {
    let shop = Shop::held_twice();
    for key in ["q", "\x1b"] {
        let mut session = shop.session();
        choose(&mut session, "details");
        session.exp_string("kubectl patch").expect("shows the command");
        session.exp_string("   quit").expect("the same choice again");
        press(&mut session, key);
        session.exp_string("\x1b[?25h").expect("the cursor is back");
        session.exp_string("nothing was changed").expect("says so");
        assert_eq!(exit_code(&mut session), 1, "{key:?}");
        assert!(reads_lines(&session), "the terminal is as it was");
    }
    assert_eq!(shop.finalizers(), BOTH);
}

/// The list continues at its other end, and no remedy is next to that.
#[test]
fn up_and_enter_quit_without_a_change() {
    let shop = Shop::held_twice();
    let mut session = shop.session();
    session.exp_string("   quit").expect("a choice");
    press(&mut session, "\x1b[A\r");
    session.exp_string("nothing was changed").expect("it is the quit");
    assert_eq!(exit_code(&mut session), 1);
    assert_eq!(shop.finalizers(), BOTH);
}

#[test]
fn wrong_and_empty_names_confirm_nothing() {
    let shop = Shop::held_twice();
    let mut session = shop.session();
    choose(&mut session, "do it");
    for wrong in ["y", "hold"] {
        session.exp_string("type held to confirm (empty: back)").expect("asks for the name");
        session.send_line(wrong).expect("typed");
        session.exp_string("that is not held; nothing was done").expect("a wrong name is no answer");
    }
    session.exp_string("type held to confirm").expect("asks again");
    session.send_line("").expect("typed");
    choose(&mut session, "skip");
    session.exp_string("Step 2 of 2").expect("the second question");
    assert_eq!(shop.writes(), 0, "nothing is written before the answer");
    agree(&mut session, "held");
    session.exp_string("done").expect("is done");
    assert_eq!(exit_code(&mut session), 1, "one finalizer is left");
    assert_eq!(shop.finalizers(), ["acme.io/hold"], "only the confirmed one goes");
}

#[test]
fn removing_the_last_finalizer_completes_the_deletion() {
    let shop = Shop::held_by(&["acme.io/hold"]);
    let mut session = shop.session_of(&["ns", "shop"]);
    says(&mut session, "remove finalizer acme.io/hold from configmaps/held -n shop?");
    agree(&mut session, "held");
    session.exp_string("verified: Namespace shop is gone").expect("all of it");
    assert_eq!(exit_code(&mut session), 0);
    assert_eq!(shop.writes(), 1);
}

#[test]
fn input_typed_before_a_question_is_no_answer() {
    let shop = Shop::held_twice();
    let mut session = shop.session_in("xterm", "stty rows 24 cols 80 echo && exec \"$0\" \"$@\"", &TARGET);
    let write = shop.hold_back();
    agree(&mut session, "held");
    shop.until_a_write_comes();
    keys(&mut session, "\x1b[A\rheld\r");
    session.exp_string("^[[A\r\nheld\r\n").expect("the terminal has it before the question is shown");
    drop(write);
    session.exp_string("Step 2 of 2").expect("the second question");
    choose(&mut session, "skip");
    session.exp_string("what remains").expect("says what remains");
    assert_eq!(exit_code(&mut session), 1);
    assert_eq!(shop.finalizers(), ["acme.io/keep"]);
}
