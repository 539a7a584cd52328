//! The steps of a report as the commands that they equal, for whoever does them
//! by hand.

use super::layout::more;
use super::offers::{Offer, offers};
use super::{clean, clean_command};
use crate::report::{Remedy, Report};
use std::fmt::Write;

/// So many steps of one remedy are written out.
const WRITTEN: usize = 20;

/// Each remedy with its commands, in the order in which to do them.
#[must_use]
pub fn commands(report: &Report) -> String {
    let mut text = String::from("\nTHE SAME BY HAND\n");
    for Offer { number, remedy } in offers(report) {
        let label = number.map_or_else(|| "or".into(), |number| format!("{number:>2}"));
        text.push_str(&one(&label, remedy));
    }
    text
}

fn one(label: &str, remedy: &Remedy) -> String {
    let mut text = String::new();
    if remedy.steps.is_empty() {
        return text;
    }
    let _ = writeln!(text, "{label}  # {} ({})", clean(&remedy.title), remedy.risk);
    for step in remedy.steps.iter().take(WRITTEN) {
        let _ = writeln!(text, "    {}", clean_command(&step.command));
    }
    if remedy.steps.len() > WRITTEN {
        let rest = more(remedy.steps.len() - WRITTEN, "commands");
        let _ = writeln!(text, "    # … and {rest}: -o json holds every one");
    }
    text
}
