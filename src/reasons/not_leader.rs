//! Another program holds the lease, so the controller is not the leader.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "not-leader", page: include_str!("not_leader.md"), stage: Stage::Place };
