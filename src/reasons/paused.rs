//! The object is paused, so its controller leaves the object alone.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason = Reason { name: "paused", page: include_str!("paused.md"), stage: Stage::Attention };
