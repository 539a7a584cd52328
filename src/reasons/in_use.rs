//! Other objects still use the object.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason = Reason { name: "in-use", page: include_str!("in_use.md"), stage: Stage::Use };
