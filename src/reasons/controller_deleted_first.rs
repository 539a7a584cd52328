//! The controller would be deleted before the object that it should release.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "controller-deleted-first", page: include_str!("controller_deleted_first.md"), stage: Stage::There };
