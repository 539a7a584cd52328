//! No controller for the finalizer was found in this cluster.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "controller-gone", page: include_str!("controller_gone.md"), stage: Stage::There };
