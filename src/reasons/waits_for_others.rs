//! The controller waits until other objects are deleted.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "waits-for-others", page: include_str!("waits_for_others.md"), stage: Stage::Stated };
