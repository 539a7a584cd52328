//! The questions that are asked before anything is written. Never a default of
//! yes: an empty answer is no answer.

use crate::plan::{Remedy, Step};
use crate::render::clean;
use dialoguer::Input;
use dialoguer::theme::Theme;
use std::fmt;

/// What a person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Do this step.
    Yes,
    /// Leave it.
    No,
    /// Show more and ask again.
    Details,
    /// Stop asking.
    Quit,
}

/// The question of one step.
#[must_use]
pub fn question(number: usize, of: usize, remedy: &Remedy, step: &Step) -> String {
    let risk = if remedy.undo { format!("{}, can be undone", remedy.risk) } else { remedy.risk.to_string() };
    format!("\nStep {number} of {of}  {}?\n  {risk}: {}", clean(&step.title()), clean(&remedy.consequence))
}

/// Takes an answer; harsh steps are agreed to by the name of their object. Blocks.
///
/// # Errors
/// When the terminal is gone or Ctrl-C was pressed.
pub fn ask(remedy: &Remedy, step: &Step) -> dialoguer::Result<Choice> {
    let harsh = remedy.risk.is_harsh();
    let yes = if harsh { format!("type {} to do it", clean(&step.object.name)) } else { "[y]es".to_owned() };
    let prompt = format!("  {yes}  [n]o  [d]etails  [q]uit ›");
    loop {
        let answer: String = Input::with_theme(&AsWritten).with_prompt(&prompt).allow_empty(true).interact_text()?;
        if let Some(choice) = understand(answer.trim(), harsh, &step.object.name) {
            return Ok(choice);
        }
    }
}

/// Prompts as they are written, without a colon after them.
struct AsWritten;

impl Theme for AsWritten {
    fn format_input_prompt(&self, f: &mut dyn fmt::Write, prompt: &str, _: Option<&str>) -> fmt::Result {
        write!(f, "{prompt} ")
    }

    fn format_input_prompt_selection(&self, f: &mut dyn fmt::Write, prompt: &str, answer: &str) -> fmt::Result {
        write!(f, "{prompt} {answer}")
    }
}

fn understand(answer: &str, harsh: bool, name: &str) -> Option<Choice> {
    // The name goes first: an object may be called "n".
    if harsh && answer == name {
        return Some(Choice::Yes);
    }
    match answer.to_lowercase().as_str() {
        "y" | "yes" if !harsh => Some(Choice::Yes),
        "n" | "no" => Some(Choice::No),
        "d" | "details" => Some(Choice::Details),
        "q" | "quit" => Some(Choice::Quit),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_harsh_step_takes_the_name_and_never_a_yes() {
        assert_eq!(understand("orders", true, "orders"), Some(Choice::Yes));
        for answer in ["y", "yes", "Orders", "order", ""] {
            assert_eq!(understand(answer, true, "orders"), None, "{answer}");
        }
    }

    #[test]
    fn an_empty_answer_is_no_answer() {
        assert_eq!(understand("", false, "x"), None);
        assert_eq!(understand("Y", false, "x"), Some(Choice::Yes));
        assert_eq!(understand("q", true, "x"), Some(Choice::Quit));
    }
}
