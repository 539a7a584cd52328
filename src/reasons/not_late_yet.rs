//! The deletion takes no longer than usual so far.

use super::common::{NamedReason, Stage, WordedReason};
use super::usual::Usual;
use crate::report::{Cause, Ref, Sentence, Why};

pub(crate) const REASON: NamedReason = NamedReason::new("not-late-yet", include_str!("not_late_yet.md"), Stage::Work);

/// What `answer` becomes within the `usual` time: nothing is late, even if the controller is not seen to work.
pub(super) fn instead_of<'s>(answer: WordedReason<'s>, runs: Option<&Ref>, usual: Usual) -> WordedReason<'s> {
    let who = runs.map_or_else(|| "nothing is late yet".into(), |workload| Sentence::from(workload).then(" runs"));
    let because = who.then(format!("; this usually takes {}", usual.words()));
    WordedReason { reason: &REASON, cause: Cause::Progressing, why: Why::Likely, because, ..answer }
}
