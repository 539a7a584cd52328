//! The controller may work on the kind only in another namespace.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "confined-to-namespace", page: include_str!("confined_to_namespace.md"), stage: Stage::Attention };
