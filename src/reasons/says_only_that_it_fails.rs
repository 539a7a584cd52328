//! The controller says that it fails, and not why.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "says-only-that-it-fails", page: include_str!("says_only_that_it_fails.md"), stage: Stage::Stated };
