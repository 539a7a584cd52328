//! The driver of the object is not registered on its node.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "driver-not-registered", page: include_str!("driver_not_registered.md"), stage: Stage::Place };
