//! Why a plan ends before its end.

use crate::commands::interrupt;
use crate::failure::Failure;

/// Why a plan ends early.
#[derive(Debug)]
pub enum Stop {
    /// The answer was quit.
    Quit,
    /// Ctrl-C.
    Interrupted,
    /// The cluster could not be surveyed again.
    Blind(Failure),
}

/// A survey that failed: on Ctrl-C for that reason.
pub fn blind(failure: Failure) -> Stop {
    if interrupt::is_pressed() { Stop::Interrupted } else { Stop::Blind(failure) }
}
