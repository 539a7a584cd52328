//! The clean-up needs an object that does not exist.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "dependency-missing", page: include_str!("dependency_missing.md"), stage: Stage::Stated };
