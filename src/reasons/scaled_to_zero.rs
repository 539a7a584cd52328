//! The controller is scaled to 0 replicas.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "scaled-to-zero", page: include_str!("scaled_to_zero.md"), stage: Stage::There };
