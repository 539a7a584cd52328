//! The removal of a finalizer by hand, and the look at a log before it.

use crate::knowledge::catalogue;
use crate::plan::{full_name, steps};
use crate::report::{Ref, Remedy, Risk};
use crate::survey::Seen;
use jiff::SignedDuration;

/// The cost of removing a finalizer about which nothing is known.
const UNKNOWN: &str = "whatever its controller would have cleaned up stays behind";

/// The removal of the finalizer by hand, which cannot be undone.
pub(crate) fn removal(finalizer: &str, objects: &[Seen<'_>], refs: &[Ref]) -> Option<Remedy> {
    let (risk, consequence) = cost_of_removal(finalizer);
    let of_kind = objects.first().and_then(|seen| catalogue::clauses_about(consequence, &seen.resource.kind));
    removal_at((risk, of_kind.as_deref().unwrap_or(UNKNOWN)), finalizer, objects, refs)
}

/// The cost of removing a finalizer by hand, which the catalogue gives for the finalizer on any kind.
pub(crate) fn cost_of_removal(finalizer: &str) -> (Risk, &'static str) {
    catalogue::lookup(finalizer).map_or((Risk::Leaks, UNKNOWN), |entry| (entry.risk, entry.if_removed))
}

/// The removal of the finalizer by hand, if its cost is known from elsewhere.
pub(crate) fn removal_at(
    (risk, consequence): (Risk, &str),
    finalizer: &str,
    objects: &[Seen<'_>],
    refs: &[Ref],
) -> Option<Remedy> {
    let steps = objects
        .iter()
        .zip(refs)
        .map(|(seen, object)| steps::remove_finalizer::step(object, &seen.object.metadata.finalizers, finalizer));
    let several = format!("remove finalizer {finalizer} from {} objects", refs.len());
    Remedy::of_all(steps, several, risk, consequence)
}

/// The remedy to look for the reason in the log of `workload`, which has been wanted for `since`.
pub(crate) fn read_log(workload: &Ref, object: &Ref, since: Option<SignedDuration>) -> Remedy {
    // From the deletion on, and no less than ten minutes.
    let minutes = since.map_or(10, |since| (since.as_mins() + 1).max(10));

    Remedy::command(
        format!("check what {workload} logs about {object}"),
        format_args!("kubectl logs {} --all-containers --since={minutes}m", full_name(workload)),
        "nothing is changed",
    )
}
