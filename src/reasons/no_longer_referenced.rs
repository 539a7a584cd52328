//! No object refers to this one any more, so nothing triggers its controller.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "no-longer-referenced", page: include_str!("no_longer_referenced.md"), stage: Stage::Use };
