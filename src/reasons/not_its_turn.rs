//! The controller runs, and something else must happen first.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "not-its-turn", page: include_str!("not_its_turn.md"), stage: Stage::Work };
