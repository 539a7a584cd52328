//! The node on which the clean-up must happen does not exist.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason = Reason { name: "node-gone", page: include_str!("node_gone.md"), stage: Stage::Place };
