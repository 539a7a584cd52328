//! A finalizer that no other object of its kind has, while the others share one: the controller that
//! releases those may never look at this one.

use crate::facts::Known;
use crate::kubernetes::finalizers::groups::{domain, is_custom};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::report::Sentence;
use crate::survey::{Form, has};

/// How many other objects must share an entry: a single object does not show what is usual.
const MIN_OTHERS: usize = 2;

/// The note that only the first held object has the finalizer, and that others share another one.
///
/// # Errors
/// When the other objects of the kind were not surveyed yet.
pub(crate) fn find(inquiry: Inquiry<'_, '_>) -> Known<Option<Sentence>> {
    let Inquiry { finalizer, held, facts, gaps, .. } = inquiry;
    let seen = held.first();
    if !is_custom(&seen.resource.id.group) {
        return Ok(None);
    }
    let place = seen.object.metadata.namespace.as_deref();
    let all = gaps.pass(facts.list(&seen.resource.id, place, Form::Metadata))?.unwrap_or_default();
    let others = || all.iter().filter(|other| other.uid() != seen.object.uid());
    if others().any(|other| has(other, finalizer)) {
        return Ok(None);
    }
    let is_related = |key: &&String| *key != finalizer && is_custom(domain(key)) && !has(seen.object, key);
    let usual = others().flat_map(|other| other.metadata.finalizers.iter().filter(is_related));
    let count = |key: &str| others().filter(|other| has(other, key)).count();
    let most = usual.map(|key| (count(key), key)).max().filter(|(count, _)| *count >= MIN_OTHERS);
    Ok(most.map(|(count, key)| {
        let kind = &seen.resource.kind;
        format!("no other {kind} here has this finalizer, and {count} have {key}, which this one does not have").into()
    }))
}
