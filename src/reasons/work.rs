//! The evidence that a controller works.

use jiff::Timestamp;

/// The evidence that a controller works, or will work.
#[derive(Debug, Clone, Copy)]
pub(super) struct WorkShown {
    pub(super) work: Work,
    /// Whether the only evidence is that it leads, and the deletion is recent.
    pub(super) by_lease_alone: bool,
}

/// The evidence that a controller works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// It has written to a held object, or released some of them.
    Seen,
    /// It runs and leads, and the deletion is recent.
    Expected,
    /// Its pod was created a moment ago, and is not Ready yet.
    Starting,
    /// It came back at this time, after the deletion was requested.
    Back(Timestamp),
    /// The obstacle in its message ended at this time.
    Freed(Timestamp),
}
