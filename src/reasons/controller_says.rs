//! The controller's own message gives the reason.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "controller-says", page: include_str!("controller_says.md"), stage: Stage::Stated };
