//! What every reason is made of.

pub(super) use super::answer::WordedReason;
pub(super) use super::asked::AskedController;
pub(super) use super::case::Case;
pub(super) use super::found_reason::FoundReason;
pub(super) use super::reason::{NamedReason, Stage};
pub(super) use super::spoken::Spoken;
pub(super) use super::unsaid::UnsaidReasons;
