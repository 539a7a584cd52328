//! Workloads by a word in their names.

use crate::facts::{Facts, Known, Readable, each};
use crate::kubernetes::ownership::candidates::kinds;
use crate::survey::{Form, Seen};

/// The workloads that have `word` as a word of their name: `capi-k3s-control-plane` is called after `k3s`.
/// What could not be read is left out.
pub(crate) fn called_after<'s>(word: &str, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let lists = each(kinds(facts), |kind| {
        let listed = facts.list(&kind.id, None, Form::Metadata).if_readable()?.unwrap_or_default();
        Ok((kind, listed))
    })?;
    let (own, within) = (format!("-{}-", word.to_lowercase()), |name: &str| format!("-{name}-"));
    let all = lists.into_iter().flat_map(|(resource, list)| list.iter().map(move |object| Seen { resource, object }));
    Ok(all.filter(|seen| !word.is_empty() && within(seen.object.name()).contains(&own)).collect())
}
