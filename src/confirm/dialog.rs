//! Questions as dialogs: a choice, yes or no, and a name to type.

#![expect(clippy::disallowed_methods, reason = "this is where a person is asked")]

use crate::screen::clean;
use console::Term;
use dialoguer::theme::Theme;
use dialoguer::{Confirm, Input};
use std::fmt;
use std::io::{self, ErrorKind};

/// The smallest window in which a dialog is opened.
const MIN_ROWS: u16 = 8;
const MIN_COLUMNS: u16 = 20;
/// In a smaller window, dialoguer 0.12 panics at the next key (`src/paging.rs`,
/// `src/prompts/input.rs`: it computes with the size).
const MIN_SIZE: u16 = 4;
/// The error of a terminal that is gone (errno.h of Linux, macOS and the BSDs).
const EIO: i32 = 5;

/// The answer of a person to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Carry out this step.
    Yes,
    /// Leave the step.
    No,
    /// Show more and ask again.
    Details,
    /// Ask no more questions.
    Quit,
}

/// Whether the terminal can show a dialog. If not, the program reads a line instead.
#[must_use]
pub fn has_dialogs() -> bool {
    let term = Term::stderr();
    can_show(term.is_term(), is_dumb(), term.size())
}

fn can_show(is_term: bool, is_dumb: bool, window: (u16, u16)) -> bool {
    is_term && !is_dumb && is_enough(window, (MIN_ROWS, MIN_COLUMNS))
}

/// Whether a window has at least this many rows and columns.
fn is_enough(window: (u16, u16), least: (u16, u16)) -> bool {
    window.0 >= least.0 && window.1 >= least.1
}

/// Whether the terminal can do nothing but print lines.
#[must_use]
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Whether an open dialog still fits into the window.
#[must_use]
pub fn has_room() -> bool {
    is_enough(Term::stderr().size(), (MIN_SIZE, MIN_SIZE))
}

/// Asks for yes or no; there is no default. Blocks.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub fn yes_or_no() -> io::Result<Choice> {
    let confirm = Confirm::with_theme(&Plain).with_prompt("y, n or q, then Enter").wait_for_newline(true);
    choice(confirm.interact_opt())
}

/// Asks for the name that approves a harsh step, until it is correct or empty. An empty answer is
/// no. Blocks.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub fn name(name: &str) -> io::Result<Choice> {
    let typed = Input::with_theme(&Plain)
        .with_prompt(format!("type {} to confirm (empty: back)", clean(name)))
        .allow_empty(true)
        .validate_with(|typed: &String| check(typed, name).map(drop))
        .interact_text();
    choice(typed.map(|typed: String| Some(check(&typed, name) == Ok(true))))
}

/// The choice that an answer on one line stands for. Without an answer, the person quits.
fn choice(answer: dialoguer::Result<Option<bool>>) -> io::Result<Choice> {
    Ok(match or_end_of_line(answer.map_err(io::Error::from))?.flatten() {
        Some(true) => Choice::Yes,
        Some(false) => Choice::No,
        None => Choice::Quit,
    })
}

/// Whether the name was typed; an error if another one was.
fn check(typed: &str, name: &str) -> Result<bool, String> {
    match typed.trim() {
        typed if typed == name => Ok(true),
        "" => Ok(false),
        _ => Err(format!("that is not {}; nothing was done", clean(name))),
    }
}

/// The answer, or `None` at the end of input.
pub fn or_end<T>(answer: io::Result<T>) -> io::Result<Option<T>> {
    answer.map(Some).or_else(|error| if is_end(&error) { Ok(None) } else { Err(error) })
}

/// The same for a dialog of one line. At the end of input, the line that the cursor is still in is
/// ended.
fn or_end_of_line<T>(answer: io::Result<T>) -> io::Result<Option<T>> {
    let answer = or_end(answer);
    if matches!(answer, Ok(None)) {
        Term::stderr().write_line("").ok();
    }
    answer
}

/// Whether the terminal is gone, so that nothing can be read and its modes cannot be set.
fn is_end(error: &io::Error) -> bool {
    let gone = cfg!(unix) && error.raw_os_error() == Some(EIO);
    gone || error.kind() == ErrorKind::UnexpectedEof
}

/// A theme without colours.
struct Plain;

impl Theme for Plain {
    fn format_prompt(&self, to: &mut dyn fmt::Write, prompt: &str) -> fmt::Result {
        write!(to, "  {prompt}")
    }

    fn format_error(&self, to: &mut dyn fmt::Write, error: &str) -> fmt::Result {
        write!(to, "  {error}")
    }

    fn format_confirm_prompt(&self, to: &mut dyn fmt::Write, prompt: &str, _: Option<bool>) -> fmt::Result {
        write!(to, "  {prompt}: ")
    }

    fn format_confirm_prompt_selection(
        &self,
        to: &mut dyn fmt::Write,
        prompt: &str,
        answer: Option<bool>,
    ) -> fmt::Result {
        let answer = answer.map(|yes| if yes { "yes" } else { "no" }).unwrap_or_default();
        write!(to, "  {prompt}: {answer}")
    }

    fn format_input_prompt(&self, to: &mut dyn fmt::Write, prompt: &str, _: Option<&str>) -> fmt::Result {
        write!(to, "  {prompt}: ")
    }

    fn format_input_prompt_selection(&self, to: &mut dyn fmt::Write, prompt: &str, typed: &str) -> fmt::Result {
        write!(to, "  {prompt}: {typed}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialog_needs_a_minimum_window_size() {
        assert!(is_enough((8, 20), (8, 20)) && is_enough((24, 80), (8, 20)));
        assert!(!is_enough((7, 80), (8, 20)) && !is_enough((24, 19), (8, 20)));
    }

    #[test]
    fn a_typed_name_is_accepted_skipped_or_rejected() {
        assert_eq!(check(" shop ", "shop"), Ok(true));
        assert_eq!(check(" ", "shop"), Ok(false));
        assert_eq!(check("shopp", "shop"), Err("that is not shop; nothing was done".into()));
    }

    #[test]
    fn a_dialog_looks_like_the_rest_of_the_screen() {
        let written = |write: &dyn Fn(&mut String) -> fmt::Result| {
            let mut text = String::new();
            write(&mut text).unwrap();
            text
        };
        assert_eq!(written(&|to| Plain.format_prompt(to, "choose")), "  choose");
        assert_eq!(written(&|to| Plain.format_error(to, "no")), "  no");
        assert_eq!(written(&|to| Plain.format_confirm_prompt(to, "y or n", None)), "  y or n: ");
        assert_eq!(written(&|to| Plain.format_confirm_prompt_selection(to, "y or n", Some(true))), "  y or n: yes");
        assert_eq!(written(&|to| Plain.format_confirm_prompt_selection(to, "y or n", None)), "  y or n: ");
        assert_eq!(written(&|to| Plain.format_input_prompt(to, "name", None)), "  name: ");
        assert_eq!(written(&|to| Plain.format_input_prompt_selection(to, "name", "shop")), "  name: shop");
    }

    #[test]
    fn the_end_of_input_quits_and_an_interrupt_is_an_error() {
        let end = || io::Error::from(ErrorKind::UnexpectedEof);
        assert_eq!(or_end::<bool>(Err(end())).unwrap(), None);
        #[cfg(unix)]
        assert_eq!(or_end::<bool>(Err(io::Error::from_raw_os_error(EIO))).unwrap(), None);
        assert!(or_end::<bool>(Err(ErrorKind::Interrupted.into())).is_err());
    }

    #[test]
    fn a_line_is_passed_on_and_the_end_of_input_quits() {
        assert_eq!(or_end_of_line(Ok(true)).unwrap(), Some(true));
        assert_eq!(or_end_of_line::<bool>(Err(ErrorKind::UnexpectedEof.into())).unwrap(), None);
        assert!(or_end_of_line::<bool>(Err(ErrorKind::Interrupted.into())).is_err());
    }

    #[test]
    fn a_dialog_needs_a_large_terminal_with_cursor_movement() {
        assert!(can_show(true, false, (24, 80)));
        assert!(!can_show(false, false, (24, 80)) && !can_show(true, true, (24, 80)));
        assert!(!can_show(true, false, (MIN_ROWS - 1, 80)));
    }
}
