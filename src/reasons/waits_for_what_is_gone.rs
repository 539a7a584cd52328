//! The controller waits for an object that does not exist any more.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "waits-for-what-is-gone", page: include_str!("waits_for_what_is_gone.md"), stage: Stage::Stated };
