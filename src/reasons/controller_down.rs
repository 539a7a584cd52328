//! The controller has no Ready pod.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "controller-down", page: include_str!("controller_down.md"), stage: Stage::There };
