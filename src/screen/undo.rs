//! The plan of `undo`: what it would restore, what not, and why.

use crate::journal::RecordedRun;
use crate::screen::age::age;
use crate::screen::layout::command_line;
use crate::screen::{Look, Shown, clean, palette, wrap};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

/// A longer command is shown only by `d` and `-o json`.
const LONGEST_COMMAND: usize = 400;

/// The state of one step with respect to `undo`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum UndoState {
    /// It can be undone.
    Open,
    /// It was undone.
    Done,
    /// There is nothing to undo.
    Nothing,
    /// It cannot be undone.
    Cannot,
    /// Somebody has changed the object since.
    Changed,
    /// The object cannot be read, so the state is unknown.
    Unread,
    /// The step was refused, or did not visibly take effect.
    Refused,
}

/// One step of the run.
#[derive(Debug, Clone, Serialize)]
pub struct UndoLine {
    /// Its number in the run.
    pub step: u64,
    /// The write that the step made.
    pub done: String,
    /// The write that undoes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The state of the step.
    pub state: UndoState,
    /// The consequence of undoing it, or the reason why it is not undone.
    pub text: String,
    /// The kubectl command that undoes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// The plan for a person.
pub fn undo_screen(run: &RecordedRun, lines: &[&UndoLine], now: Timestamp, look: Look) -> Shown {
    let mut text = head(run, now);
    if lines.is_empty() {
        text.push_str("\n\n it has changed nothing\n");
    }
    for (heading, states) in [
        ("TO UNDO (the last step first)", &[UndoState::Open][..]),
        ("NOT TOUCHED", &[UndoState::Changed, UndoState::Unread]),
        ("FOR GOOD", &[UndoState::Cannot]),
        ("NOTHING TO DO", &[UndoState::Nothing]),
    ] {
        let of_these: Vec<&&UndoLine> = lines.iter().filter(|line| states.contains(&line.state)).collect();
        if !of_these.is_empty() {
            text.extend(["\n\n", &palette::heading(heading), "\n", &table(&of_these, look)]);
        }
    }
    Shown::screen(text.trim_end(), look)
}

/// `Undo of run … (5m ago, by ann, context prod): ns/shop`
fn head(run: &RecordedRun, now: Timestamp) -> String {
    let mut about: Vec<String> = Vec::new();
    about.extend(run.begun.map(|begun| format!("{} ago", age(now.duration_since(begun)))));
    about.extend(run.who.as_ref().map(|who| format!("by {}", clean(who))));
    about.extend(run.header.context.as_ref().map(|context| format!("context {}", clean(context))));
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
    palette::heading(&format!("Undo of run {}{about}: {}", clean(&run.id), clean(&run.header.targets.join(", "))))
}

/// The table of steps. Commands stay in one piece, so that they can be copied.
fn table(lines: &[&&UndoLine], look: Look) -> String {
    let mut shown = Vec::new();
    for line in lines {
        let title = line.title.as_deref().unwrap_or(&line.done);
        shown.push(wrap(&format!("{:>2}  {}", line.step, clean(title)), look.width));
        shown.push(wrap(&format!("    {}", clean(&line.text)), look.width));
        shown.extend(line.command.as_deref().map(command));
    }
    shown.join("\n")
}

/// The command, unless it is too long: a command that creates an object again contains all of it.
fn command(command: &str) -> String {
    if command.starts_with("printf ") && command.chars().count() > LONGEST_COMMAND {
        "    by hand: kubectl create, with the object as it was (-o json shows the command)".into()
    } else {
        command_line("    ", command).trim_end().to_owned()
    }
}

/// The plan, or its outcome, as JSON.
#[must_use]
pub fn undo_value(run: &RecordedRun, lines: &[&UndoLine]) -> Value {
    json!({"apiVersion": "unstick.dev/v1alpha1", "kind": "Undo", "run": run.id, "steps": lines})
}
