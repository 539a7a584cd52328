//! The clean-up needs an object of a kind that no definition serves.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "kind-not-served", page: include_str!("kind_not_served.md"), stage: Stage::Stated };
