//! Why a plan ends early.

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

/// The reason for a failed survey, which may be Ctrl-C.
pub fn blind(failure: Failure) -> Stop {
    if interrupt::is_pressed() { Stop::Interrupted } else { Stop::Blind(failure) }
}
