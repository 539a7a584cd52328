//! The object refers to an object that does not exist.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "dangling-reference", page: include_str!("dangling_reference.md"), stage: Stage::Dependency };
