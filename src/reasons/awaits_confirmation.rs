//! The controller waits until somebody confirms the deletion.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "awaits-confirmation", page: include_str!("awaits_confirmation.md"), stage: Stage::Attention };
