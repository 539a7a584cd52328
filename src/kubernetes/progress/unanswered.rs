//! The kinds and APIs that a controller reports as unreadable.

use crate::facts::{Facts, Known};
use crate::kubernetes::aggregation;
use crate::kubernetes::definitions::versions;
use crate::report::Need;

/// The kinds that cannot be converted and the APIs that do not answer, according to a message. Other
/// rules find the reason.
pub(crate) fn unanswered(message: &str, facts: &Facts<'_>) -> Known<Vec<Need>> {
    let kinds = versions::named_in(message, facts).into_iter().map(|kind| Need::Readable(kind.id.clone()));
    let apis = aggregation::named_in(message, facts)?.into_iter().filter_map(|api| Need::of_part(&api.into()));
    Ok(kinds.chain(apis).collect())
}
