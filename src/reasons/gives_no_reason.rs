//! The controller runs, and nothing that could be read says why.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "gives-no-reason", page: include_str!("gives_no_reason.md"), stage: Stage::Silence };
