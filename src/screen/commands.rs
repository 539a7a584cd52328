//! The steps of a report as the equivalent commands, for a person who does them by hand.

use crate::report::{Remedy, Report};
use crate::screen::layout::written;
use crate::screen::marks::cost;
use crate::screen::offers::{Offer, with_commands};
use crate::screen::{Shown, clean};
use std::borrow::Cow;

/// How many steps of one remedy are shown.
const MAX_WRITTEN: usize = 20;

/// Each remedy with its commands, in the order in which to run them.
pub fn commands(report: &Report) -> Shown {
    let mut text = String::from("\nTHE SAME BY HAND\n");
    let mut cause = None;
    for (Offer { number, remedy }, commands) in with_commands(report) {
        cause = number.or(cause);
        if !commands.is_empty() {
            text.push_str(&one(cause.take(), remedy, &commands));
        }
    }
    Shown::finished(text)
}

/// A remedy with its commands. `number` is that of the cause, if this is its first remedy with commands.
fn one(number: Option<usize>, remedy: &Remedy, commands: &[Cow<'_, str>]) -> String {
    let label = number.map_or_else(|| "or".into(), |number| format!("{number:>2}"));
    let commands = written(commands, MAX_WRITTEN, "    ");
    let (title, digest) = (clean(&remedy.title), &remedy.digest);
    format!("{label}  # {title} ({})\n    # this alone: --approve-plan {digest}\n{commands}", cost(remedy))
}
