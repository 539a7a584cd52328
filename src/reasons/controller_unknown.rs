//! It is not known who should release the object.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "controller-unknown", page: include_str!("controller_unknown.md"), stage: Stage::Silence };
