//! A controller that runs, about which the reasons are asked.

use super::found_reason::FoundReason;
use crate::facts::Known;
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::survey::Object;

/// Asks whether something is the reason why a controller that runs does not release its objects.
pub(super) type Ask = for<'s> fn(&AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>>;

/// A controller that runs, and the objects that it should release.
pub(super) struct AskedController<'a, 's> {
    pub(super) best: &'a Candidate<'s>,
    /// The Ready pods of the controller.
    pub(super) pods: &'a [&'a Object],
    /// The names under which the controller may write.
    pub(super) names: &'a [String],
    /// Whether anything shows that the controller watches the objects.
    pub(super) watches: bool,
    pub(super) inquiry: Inquiry<'a, 's>,
}
