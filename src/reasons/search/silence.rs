//! Whether a controller says nothing.

use crate::reasons::found_reason::FoundReason;
use crate::reasons::{gives_no_reason, said_before_restart, says_only_that_it_fails};

/// Whether the controller runs and gives no reason.
pub(super) fn is_silent(why: &FoundReason<'_>) -> bool {
    why.is_one_of(&[&gives_no_reason::REASON, &said_before_restart::REASON, &says_only_that_it_fails::REASON])
}
