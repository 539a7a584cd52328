//! A finalizer that no other object of its kind has, while the others share one: the controller that
//! releases those may never look at this one.

use crate::facts::{Facts, Known};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::{domain, is_custom};
use crate::report::Sentence;
use crate::survey::{Form, Object, Seen};

/// How many other objects must agree: a single one shows no custom.
const MIN_OTHERS: usize = 2;

/// The note that `finalizer` of `seen` is such an entry.
///
/// # Errors
/// When the other objects of the kind were not surveyed yet.
pub(crate) fn find(seen: Seen<'_>, finalizer: &str, facts: &Facts<'_>, gaps: &mut Gaps) -> Known<Option<Sentence>> {
    let own = &seen.object.metadata;
    if !is_custom(&seen.resource.id.group) {
        return Ok(None);
    }
    let place = own.namespace.as_deref();
    let all = gaps.pass(facts.list(&seen.resource.id, place, Form::Metadata))?.unwrap_or_default();
    let others = || all.iter().filter(|other| other.uid() != seen.object.uid());
    let has = |object: &Object, key: &str| object.metadata.finalizers.iter().any(|it| it == key);
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
