//! The reasons to end a plan early.

use crate::commands::interrupt;
use crate::failure::Failure;

/// The reason to end a plan early.
#[derive(Debug)]
pub enum Stop {
    /// The answer was to quit.
    Quit,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// The cluster could not be surveyed again.
    Blind(Failure),
}

/// The reason to stop after a failed survey, which may be Ctrl-C.
pub fn blind(failure: Failure) -> Stop {
    if interrupt::is_pressed() { Stop::Interrupted } else { Stop::Blind(failure) }
}
