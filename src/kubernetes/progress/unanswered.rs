//! The kinds and APIs that a controller reports as unreadable.

use crate::facts::{Facts, Known};
use crate::kubernetes::aggregation;
use crate::kubernetes::definitions::versions;
use crate::kubernetes::progress::judgement::Explanation;
use crate::report::Need;

/// The kinds that cannot be converted and the APIs that do not answer, according to the message. Other
/// rules find the reason.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn unanswered(why: &Explanation<'_>, facts: &Facts<'_>) -> Known<Vec<Need>> {
    let (Explanation::Says(message) | Explanation::Hearsay(message)) = why else { return Ok(Vec::new()) };
    let kinds = versions::named_in(message, facts).into_iter().map(|kind| Need::Readable(kind.id.clone()));
    let apis = aggregation::named_in(message, facts)?.into_iter().filter_map(|api| Need::of_part(&api.into()));
    Ok(kinds.chain(apis).collect())
}
