//! The controller runs, and something else must happen first.

use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};

pub(crate) const REASON: NamedReason = NamedReason::new("not-its-turn", include_str!("not_its_turn.md"), Stage::Work);

/// An event that must come before a controller releases its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BeforeRelease {
    /// Something is left on its node.
    Drain,
    /// Another program must remove a hook.
    Hook,
}

pub(super) fn found<'s>(first: BeforeRelease) -> FoundReason<'s> {
    REASON.found(move |case| answer(case, first))
}

fn answer<'s>(case: &Case<'_, 's>, first: BeforeRelease) -> WordedReason<'s> {
    let because = case.name().then(match first {
        BeforeRelease::Drain => " runs, and the node is not drained yet",
        BeforeRelease::Hook => " runs, and a hook has not been removed yet",
    });
    REASON.likely(case, because).now_only()
}
