//! The log of the controller: read after everything that the API says.

use super::silence::is_silent;
use crate::facts::{Known, each, is_late};
use crate::kubernetes::ownership::candidates::{Candidate, Ranking};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::logs::{self, LogEvidence};
use crate::kubernetes::progress::usual::takes;
use crate::reasons::found_reason::FoundReason;
use crate::reasons::reason::Stage;
use crate::reasons::{at_work, controller_unknown};
use crate::survey::{LogReading, Seen};

/// How many equally likely controllers have their logs read with `--logs`.
const MAX_TIED: usize = 4;

/// How many equally likely controllers have their logs read without being asked.
const MAX_LOGS: usize = 3;

/// Reads the log of `best`, or of those that are as likely, if `why` does not tell enough; and returns the workload whose
/// log names the objects, or else `best`.
pub(super) fn look<'r, 's>(
    why: &FoundReason<'s>,
    best: Option<&'r Candidate<'s>>,
    ranking: &'r Ranking<'s>,
    inquiry: Inquiry<'_, 's>,
) -> Known<Option<(&'r Candidate<'s>, LogEvidence<'s>)>> {
    let Some(best) = best.filter(|_| is_wanted(why, inquiry)) else { return Ok(None) };
    let equals = if ranking.tied <= MAX_LOGS { ranking.equals(MAX_LOGS) } else { &[] };
    let others = equals.iter().filter(|it| it.reference() != best.reference());
    let read = each(std::iter::once(best).chain(others), |of| Ok((of, logs::read(of.seen, inquiry)?)))?;
    let place = read.iter().position(|(_, log)| log.named.is_some()).unwrap_or_default();
    Ok(read.into_iter().nth(place))
}

/// Whether logs are to be read. Unasked, only for objects that are late, and if nothing that was read says why.
fn is_wanted(why: &FoundReason<'_>, inquiry: Inquiry<'_, '_>) -> bool {
    let Inquiry { finalizer, held, facts, .. } = inquiry;
    match facts.log_reading() {
        LogReading::Never => false,
        LogReading::Always => true,
        LogReading::IfNeeded => {
            let late = held.objects.iter().any(|seen| is_late(seen.object, facts, takes(finalizer)));
            // The last words of a run that crashed are evidence.
            let is_crashing = why.down.is_some();
            let is_untold = why.is_expected || why.reason.stage != Stage::Attention && may_outweigh(why);
            late && why.parked.is_none() && (is_crashing || is_untold)
        }
    }
}

/// Whether a log may say more than `why`, which is unknown, or which nobody has said.
pub(super) fn may_outweigh(why: &FoundReason<'_>) -> bool {
    let is_unsaid = matches!(why.reason.stage, Stage::Attention | Stage::Dependency | Stage::Use);
    is_unsaid || is_silent(why) || why.is_one_of(&[&at_work::REASON, &controller_unknown::REASON])
}

/// Chooses, if logs are read in every case, one of several candidates: the one whose log names the held objects.
pub(super) fn among_the_tied<'s>(ranking: &Ranking<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<Candidate<'s>>> {
    let tied = ranking.equals(MAX_TIED);
    if tied.len() == 1 || inquiry.facts.log_reading() != LogReading::Always {
        return Ok(None);
    }
    let suspects = ranking.suspects.iter().filter(|_| tied.is_empty()).take(MAX_TIED);
    let workloads = tied.iter().map(|candidate| candidate.seen).chain(suspects.map(|(seen, _)| *seen));
    let found = logs::find(workloads, inquiry)?;
    let known = |seen: Seen<'_>| tied.iter().find(|candidate| candidate.seen.object.uid() == seen.object.uid());
    Ok(found.map(|(seen, line)| match known(seen) {
        Some(candidate) => candidate.clone(),
        None => Candidate::by_log(seen, line),
    }))
}
