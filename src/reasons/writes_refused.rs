//! Admission refuses what the controller writes, and lets others pass.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "writes-refused", page: include_str!("writes_refused.md"), stage: Stage::Gates };
