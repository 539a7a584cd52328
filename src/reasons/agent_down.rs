//! The pod that does the work for this object is down.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "agent-down", page: include_str!("agent_down.md"), stage: Stage::Place };
