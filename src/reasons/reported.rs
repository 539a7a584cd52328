//! A message about the object gives the reason; who wrote it is not certain.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason = Reason { name: "reported", page: include_str!("reported.md"), stage: Stage::Stated };
