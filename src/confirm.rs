//! The questions that are asked before anything is written. Never a default of
//! yes: an empty answer is no answer.

use crate::plan::{Remedy, Step};
use crate::render::clean;
use dialoguer::Input;
use dialoguer::theme::SimpleTheme;

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

/// Asks for one step; harsh ones by the name of their object. Blocks.
///
/// # Errors
/// When the terminal is gone or Ctrl-C was pressed.
pub fn ask(number: usize, of: usize, remedy: &Remedy, step: &Step) -> dialoguer::Result<Choice> {
    let title = clean(&step.title());
    let harsh = remedy.risk.is_harsh();
    let keys = if harsh {
        format!(
            "this {}: type the name {} to do it, or [n]o  [d]etails  [q]uit",
            consequence(remedy),
            clean(&step.object.name)
        )
    } else {
        "[y]es  [n]o  [d]etails  [q]uit".to_owned()
    };
    let prompt = format!("Step {number} of {of}  {title}?\n  {keys} ›");
    loop {
        let answer: String = Input::with_theme(&SimpleTheme).with_prompt(&prompt).allow_empty(true).interact_text()?;
        if let Some(choice) = understand(answer.trim(), harsh, &step.object.name) {
            return Ok(choice);
        }
    }
}

fn consequence(remedy: &Remedy) -> &'static str {
    if remedy.risk == crate::plan::Risk::LosesData { "may lose data" } else { "leaves things behind" }
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
