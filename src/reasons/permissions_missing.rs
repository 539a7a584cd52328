//! The controller lacks a permission that the clean-up needs.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "permissions-missing", page: include_str!("permissions_missing.md"), stage: Stage::Rights };
