//! A person has set the finalizer, and perhaps no controller removes it.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "set-by-hand", page: include_str!("set_by_hand.md"), stage: Stage::There };
