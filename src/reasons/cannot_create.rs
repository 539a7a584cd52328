//! The clean-up has to create something in a namespace that is being deleted.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "cannot-create", page: include_str!("cannot_create.md"), stage: Stage::Stated };
