//! The agent has no pod on the node or in the zone of the object.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason = Reason { name: "no-agent", page: include_str!("no_agent.md"), stage: Stage::Place };
