//! Objects that a controller's message means without a name: "host is still provisioning" is about the
//! host that an annotation or the spec of the object names.

use crate::facts::{Known, flat_each};
use crate::kubernetes::finalizers::groups::{belongs_to, is_custom, same_domain};
use crate::kubernetes::messages::bare_words;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::judgement::InTheWay;
use crate::kubernetes::progress::references::references;
use crate::kubernetes::statements::other_objects::trouble_of;
use crate::kubernetes::statements::statement::Statement;
use crate::survey::{Discovery, Form, Resource, Seen};
use serde_json::Value;

/// How many objects are read for one statement.
const MAX_PARTNERS: usize = 3;

/// The minimum length of a word that is the end of a kind's name.
const MIN_WORD: usize = 4;

/// The objects to which the object of `said` is bound, whose kind the message names in part, and that
/// are being deleted or report trouble themselves.
pub(super) fn in_trouble<'s>(said: &Statement<'s>, inquiry: Inquiry<'_, 's>) -> Known<Vec<InTheWay<'s>>> {
    flat_each(meant(said, inquiry)?, |edge| {
        let counts = edge.blocker.object.is_deleting() || trouble_of(edge.blocker, inquiry.facts)?.is_some();
        Ok(counts.then_some(edge))
    })
}

/// The same objects, if they are being deleted.
pub(super) fn that_go<'s>(said: &Statement<'s>, inquiry: Inquiry<'_, 's>) -> Known<Vec<InTheWay<'s>>> {
    Ok(meant(said, inquiry)?.into_iter().filter(|edge| edge.blocker.object.is_deleting()).collect())
}

/// The objects to which the object of `said` is bound, and whose kind the message names in part.
fn meant<'s>(said: &Statement<'s>, inquiry: Inquiry<'_, 's>) -> Known<Vec<InTheWay<'s>>> {
    let Inquiry { facts, gaps, .. } = inquiry;
    let waiting = said.of;
    let words: Vec<String> = bare_words(&said.message).map(str::to_lowercase).collect();
    let is_meant = |kind: &Resource| {
        let name = kind.kind.to_lowercase();
        words.iter().any(|word| word.len() >= MIN_WORD && name.ends_with(word.as_str()))
    };
    let bound = bound_to(waiting, facts.discovery()).into_iter().filter(|(kind, ..)| is_meant(kind));
    flat_each(bound.take(MAX_PARTNERS), |(resource, namespace, name)| {
        let found = gaps.pass(facts.get(&resource.id, namespace.as_deref(), &name, Form::Whole))?.flatten();
        let other = found.filter(|object| object.uid() != waiting.object.uid());
        Ok(other.map(|object| InTheWay { waiting, blocker: Seen { resource, object }, sure: false }))
    })
}

/// The objects of the same product that annotations, the spec and the status of `seen` name: an annotation
/// named after a kind contains `name` or `namespace/name`, and `boundBucketName` names a Bucket.
fn bound_to<'s>(seen: Seen<'_>, discovery: &'s Discovery) -> Vec<(&'s Resource, Option<String>, String)> {
    let own = &seen.resource.id.group;
    let is_kin = |group: &str| is_custom(group) && (group == own || belongs_to(group, own) || same_domain(group, own));
    let kin = || discovery.resources.iter().filter(|kind| is_kin(&kind.id.group));
    let by_annotation = seen.object.metadata.annotations.iter().filter_map(|(key, value)| {
        let called = key.rsplit('/').next()?;
        let kind = kin().find(|kind| kind.kind.eq_ignore_ascii_case(called))?;
        let (place, name) = value.split_once('/').map_or((None, value.as_str()), |(place, name)| (Some(place), name));
        let place = place.or(seen.object.metadata.namespace.as_deref()).filter(|_| kind.namespaced);
        Some((kind, place.map(ToOwned::to_owned), name.to_owned()))
    });
    let by_spec = references(seen, discovery).into_iter().filter(|it| is_kin(&it.resource.id.group));
    let status = seen.object.at("/status").and_then(Value::as_object).into_iter().flatten();
    let by_status = status.filter_map(|(key, value)| {
        let stem = key.strip_suffix("Name")?.to_lowercase();
        let kind = kin().find(|kind| stem.ends_with(&kind.kind.to_lowercase()))?;
        let place = seen.object.metadata.namespace.as_deref().filter(|_| kind.namespaced);
        Some((kind, place.map(ToOwned::to_owned), value.as_str()?.to_owned()))
    });
    by_annotation.chain(by_spec.map(|it| (it.resource, it.namespace, it.name))).chain(by_status).collect()
}
