//! The deletion takes no longer than usual so far.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "not-late-yet", page: include_str!("not_late_yet.md"), stage: Stage::Work };
