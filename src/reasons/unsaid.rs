//! A controller that runs and says no reason, and the reasons that are asked about it.

use super::asked::AskedController;
use super::found_reason::FoundReason;
use super::statement_times::StatementTimes;
use super::work::WorkShown;
use crate::facts::Known;
use crate::kubernetes::mentions::UnservedKind;
use crate::kubernetes::progress::missing::Absent;
use crate::kubernetes::workloads::health::Lease;

/// Asks whether something is the reason why a controller that says none does not release its objects.
pub(super) type AskUnsaid = for<'s> fn(&UnsaidReasons<'_, 's>) -> Known<Option<FoundReason<'s>>>;

/// What is known about a controller that says no reason.
pub(super) struct UnsaidReasons<'a, 's> {
    pub(super) asked: &'a AskedController<'a, 's>,
    pub(super) times: &'a StatementTimes<'s>,
    /// The reason in its statements from before it came back.
    pub(super) past: Option<FoundReason<'s>>,
    /// Its leader lease.
    pub(super) lease: Option<Lease>,
    /// The evidence that it works.
    pub(super) shown: Option<WorkShown>,
    /// A missing object that the clean-up needs.
    pub(super) lacking: Option<Absent>,
    /// A kind without a definition that the held objects name.
    pub(super) no_kind: Option<UnservedKind>,
}

impl UnsaidReasons<'_, '_> {
    /// Whether something that the clean-up needs is missing.
    pub(super) fn lacks_something(&self) -> bool {
        self.lacking.is_some() || self.no_kind.is_some()
    }
}
