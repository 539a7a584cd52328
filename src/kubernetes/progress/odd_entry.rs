//! A finalizer that no other object of its kind has, while the others share one: the controller that
//! releases those may never look at this one.

use crate::facts::Known;
use crate::kubernetes::finalizers::groups::{domain, is_custom};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::writes::is_tool;
use crate::report::{Ref, Sentence};
use crate::survey::{Form, Object, Seen, has};

/// How many other objects must share an entry: a single object does not show what is usual.
const MIN_OTHERS: usize = 2;

/// The entry that all others of a kind have.
pub(crate) struct NewerEntry {
    pub(crate) key: String,
    /// How many others have it.
    pub(crate) count: usize,
    /// One of them.
    pub(crate) sibling: Ref,
    /// The manager that set both entries.
    pub(crate) by: String,
}

/// The note that only the first held object has the finalizer, and that others share another one.
pub(crate) fn find(inquiry: Inquiry<'_, '_>) -> Known<Option<Sentence>> {
    Ok(shared_by_others(inquiry)?.map(|(count, key, _)| {
        let kind = &inquiry.held.first().resource.kind;
        format!("no other {kind} here has this finalizer, and {count} have {key}, which this one does not have").into()
    }))
}

/// The entry that all others share, if the manager that set the finalizer of the first held object has set that one,
/// too, and not before.
pub(crate) fn newer(inquiry: Inquiry<'_, '_>) -> Known<Option<NewerEntry>> {
    let Inquiry { finalizer, held, facts, gaps, .. } = inquiry;
    let Some((count, key, sibling)) = shared_by_others(inquiry)? else { return Ok(None) };
    let own = held.whole.first().and_then(|object| object.finalizer_set_by(finalizer));
    let Some(own) = own.filter(|own| !is_tool(&own.name)) else { return Ok(None) };
    let Seen { resource, .. } = held.first();
    let place = sibling.metadata.namespace.as_deref();
    let whole = gaps.pass(facts.get(&resource.id, place, sibling.name(), Form::Whole))?.flatten();
    let theirs = whole.and_then(|object| object.finalizer_set_by(key));
    let is_his = theirs.is_some_and(|theirs| theirs.name == own.name && theirs.time >= own.time);
    let sibling = Ref::of(resource, sibling);
    Ok(is_his.then(|| NewerEntry { key: key.to_owned(), count, sibling, by: own.name }))
}

/// How many others share an entry that the first held object does not have, the entry, and the last of them that was
/// created; `None` if another object has the finalizer.
fn shared_by_others<'s>(inquiry: Inquiry<'_, 's>) -> Known<Option<(usize, &'s str, &'s Object)>> {
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
    let last = |key: &str| others().filter(|it| has(it, key)).max_by_key(|it| it.metadata.creation_timestamp);
    Ok(most.and_then(|(count, key)| Some((count, key.as_str(), last(key)?))))
}
