//! The remedies of a report as commands, for a person who does everything by hand.

use crate::report::{Below, Remedy, Report};
use crate::screen::by_hand::ByHand;
use crate::screen::layout::{command_line, command_lines};
use crate::screen::marks::cost;
use crate::screen::offers::{Offer, with_commands};
use crate::screen::{Shown, clean};
use std::borrow::Cow;
use std::fmt::Write as _;

/// How many steps of one remedy are shown.
const MAX_WRITTEN: usize = 20;

/// The indent of the lines below a remedy.
const INDENT: &str = "    ";

/// Each remedy with its commands, in the order in which to run them.
pub fn commands(report: &Report) -> Shown {
    let mut text = String::from("\nTHE SAME BY HAND\n");
    let mut cause = None;
    for (Offer { number, remedy }, commands) in with_commands(report) {
        cause = number.or(cause);
        let by_hand = ByHand::new(&remedy.title);
        if !commands.is_empty() || by_hand.has_command() {
            text.push_str(&one(cause.take(), remedy, &by_hand, &commands));
        }
    }
    Shown::finished(text)
}

/// A remedy with its commands. `number` is that of the cause, if this is its first remedy with commands.
fn one(number: Option<usize>, remedy: &Remedy, by_hand: &ByHand, commands: &[Cow<'_, str>]) -> String {
    let label = number.map_or_else(|| "or".into(), |number| format!("{number:>2}"));
    let mut text = format!("{label}  # {} ({})\n", by_hand.what, cost(remedy));
    if !remedy.digest.is_empty() {
        let _ = writeln!(text, "{INDENT}# this alone: --approve-plan {}", clean(&remedy.digest));
    }
    let line = |piece: &Below| match piece {
        Below::Command(command) => command_line(INDENT, command),
        Below::Words(words) => format!("{INDENT}# {}\n", clean(&words.to_string())),
    };
    text + &by_hand.pieces.iter().map(line).collect::<String>() + &command_lines(commands, MAX_WRITTEN, INDENT)
}
