//! The controller runs and works on the object.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason = Reason { name: "at-work", page: include_str!("at_work.md"), stage: Stage::Work };
