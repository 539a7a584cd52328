//! The controller is configured to watch other objects.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "out-of-scope", page: include_str!("out_of_scope.md"), stage: Stage::Attention };
