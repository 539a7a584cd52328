//! Objects of built-in kinds that belong to a held object: parts that are being deleted, for which
//! its controller waits, users, which name the held object in an annotation of its product, and parts that the
//! controller may create but not delete.

use crate::facts::{Facts, Known, Readable, flat_each, for_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::{belongs_to, domain, is_custom, is_kin};
use crate::kubernetes::mentions::edge::InTheWay;
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::ownership::permits::Permits;
use crate::report::{Ref, Sentence};
use crate::survey::{Form, Object, Resource, Seen, Texts};

/// The kinds of objects that controllers attach to an object of theirs.
const ATTACHED: [(&str, &str); 4] =
    [("", "persistentvolumeclaims"), ("", "pods"), ("", "services"), ("networking.k8s.io", "ingresses")];
/// The kinds for a cluster-scoped object, without pods, which may be very many.
const EVERYWHERE: [(&str, &str); 4] =
    [("", "namespaces"), ("", "persistentvolumeclaims"), ("", "services"), ("networking.k8s.io", "ingresses")];
/// How many objects are counted.
const MAX_COUNTED: usize = 50;

/// The objects that belong to held objects.
#[derive(Default)]
pub(crate) struct Attached<'s> {
    /// Parts of the held objects that are being deleted.
    pub(crate) going: Vec<InTheWay<'s>>,
    /// Objects that name a held one, and are not being deleted.
    pub(crate) asking: Vec<InTheWay<'s>>,
}

/// The objects that belong to the held ones.
pub(crate) fn attached<'s>(
    finalizer: &str,
    held: &HeldObjects<'s>,
    facts: &Facts<'s>,
    gaps: &Gaps,
) -> Known<Attached<'s>> {
    let first = held.first();
    let place = first.object.metadata.namespace.as_deref();
    let mut found = Attached::default();
    if !is_custom(&first.resource.id.group) {
        return Ok(found);
    }
    let kinds = if place.is_some() { ATTACHED } else { EVERYWHERE };
    let is_own = |key: &str| is_of_product(key, &[&first.resource.id.group, domain(finalizer)]);
    let kinds = kinds.into_iter().filter_map(|(group, plural)| facts.preferred(group, plural));
    for_each(kinds, |kind: &Resource| {
        let all = gaps.pass(facts.list(&kind.id, place, Form::Metadata))?.unwrap_or_default();
        for object in all {
            let blocker = Seen { resource: kind, object };
            let edge = |waiting: &Seen<'s>| InTheWay { waiting: *waiting, blocker, sure: false };
            let is_part =
                |seen: &&Seen<'s>| object.is_owned_by(seen.object) || names(&object.metadata.labels, **seen, is_own);
            let asks = |seen: &&Seen<'s>| {
                !object.is_owned_by(seen.object) && names(&object.metadata.annotations, **seen, is_own)
            };
            let (list, waiting) = if object.is_deleting() {
                (&mut found.going, held.objects.iter().find(is_part))
            } else {
                (&mut found.asking, held.objects.iter().find(asks))
            };
            list.extend(waiting.filter(|_| list.len() < MAX_COUNTED).map(edge));
        }
        Ok(())
    })?;
    Ok(found)
}

/// Whether a key of the product has the name of `held` as its value, with or without the namespace.
fn names(texts: &Texts, held: Seen<'_>, is_own: impl Fn(&str) -> bool) -> bool {
    let name = held.object.name();
    let full = held.object.metadata.namespace.as_deref().map(|namespace| format!("{namespace}/{name}"));
    texts.iter().any(|(key, value)| is_own(key) && (value == name || Some(value) == full.as_ref()))
}

/// Whether the domain of a key belongs to one of the product's `domains`.
fn is_of_product(key: &str, domains: &[&str]) -> bool {
    let Some((of, _)) = key.split_once('/') else { return false };
    domains.iter().any(|domain| is_kin(of, domain) || belongs_to(domain, of))
}

/// The built-in kinds of the parts that controllers create for their objects.
const PARTS: [(&str, &str); 9] = [
    ("", "configmaps"),
    ("", "persistentvolumeclaims"),
    ("", "secrets"),
    ("", "serviceaccounts"),
    ("", "services"),
    ("apps", "deployments"),
    ("apps", "statefulsets"),
    ("batch", "jobs"),
    ("networking.k8s.io", "ingresses"),
];

/// How many kinds are listed.
const MAX_KINDS: usize = 2;

/// The note about the first part of `seen` that `best` may create but not delete: it may be trying to delete the
/// part.
pub(crate) fn undeletable_part<'s>(
    best: &Candidate<'_>,
    seen: Seen<'s>,
    facts: &Facts<'s>,
    gaps: &Gaps,
) -> Known<Option<Sentence>> {
    let Some(place) = seen.object.metadata.namespace.as_deref() else { return Ok(None) };
    let Some(permits) = Permits::of(&best.account(), Some(place), facts).if_readable()? else { return Ok(None) };
    let lacks = |kind: &&Resource| {
        let may = |verb: &str| permits.allow(verb, &kind.id.group, &kind.id.plural);
        may("create") && !may("delete") && !may("deletecollection")
    };
    let kinds = PARTS.iter().filter_map(|(group, plural)| facts.preferred(group, plural)).filter(lacks);
    let parts = flat_each(kinds.take(MAX_KINDS), |kind| {
        let all = gaps.pass(facts.list(&kind.id, Some(place), Form::Metadata))?.unwrap_or_default();
        let is_part = |part: &&Object| !part.is_deleting() && part.is_owned_by(seen.object);
        Ok(all.iter().find(is_part).map(|part| Ref::of(kind, part)))
    })?;
    Ok(parts.first().map(|part| {
        let workload = best.reference();
        Sentence::from(&workload).then(" may create but not delete ").then(part).then(", which belongs to the object")
    }))
}
