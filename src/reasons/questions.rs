//! The questions that reasons ask, in their order.

use super::asked::Ask;
use super::silent::AskSilent;
use super::spoken::AskSpoken;
use super::unsaid::AskUnsaid;

/// All questions. Those of one row are asked at once, and the first reason that is found counts.
pub(super) struct Questions {
    /// About a controller that runs; they count before any message.
    pub(super) running: &'static [&'static [Ask]],
    /// About what was said.
    pub(super) words: &'static [&'static [AskSpoken]],
    /// About a controller that runs and says no reason.
    pub(super) unsaid: &'static [AskUnsaid],
    /// About the objects beside one whose controller gives no reason; each row looks at the reason that was found
    /// before.
    pub(super) silent: &'static [&'static [AskSilent]],
    /// The last ones, after the log of the controller: their answers cost more than a read.
    pub(super) last: &'static [AskSilent],
}
