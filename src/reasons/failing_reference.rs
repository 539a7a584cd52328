//! An object that this one refers to reports a failure.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "failing-reference", page: include_str!("failing_reference.md"), stage: Stage::Dependency };
