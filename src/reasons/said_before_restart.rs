//! The controller came back after its last message about the object.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "said-before-restart", page: include_str!("said_before_restart.md"), stage: Stage::Silence };
