//! The object has the class of another controller.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "of-another-class", page: include_str!("of_another_class.md"), stage: Stage::Attention };
