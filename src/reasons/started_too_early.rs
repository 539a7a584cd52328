//! The controller was started too early and perhaps does not watch the kind.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "started-too-early", page: include_str!("started_too_early.md"), stage: Stage::Attention };
