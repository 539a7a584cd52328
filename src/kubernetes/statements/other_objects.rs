//! Statements of other objects about one that is being deleted: its owners, and the object by which an
//! installer tracks it.

use crate::facts::{Facts, Known, Readable, flat_each, since};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::messages::mentions;
use crate::kubernetes::messages::trouble::is_negative;
use crate::kubernetes::statements::events;
use crate::kubernetes::statements::statement::{brief, complaints};
use crate::report::Ref;
use crate::survey::{Form, Object, Resource, Seen};
use jiff::SignedDuration;

/// How many owners are read.
const MAX_OWNERS: usize = 2;

/// How many events of an object are read.
const MAX_EVENTS: usize = 3;

/// The age from which a warning may be over.
const LATELY: SignedDuration = SignedDuration::from_hours(1);

/// A statement of another object.
#[derive(Debug)]
pub(crate) struct SaidElsewhere {
    pub(crate) by: Ref,
    pub(crate) message: String,
}

/// The complaints of the owners and the tracker of `seen` that mention it.
pub(crate) fn about<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<SaidElsewhere>> {
    let others = owners(seen, facts).into_iter().chain(tracker(seen, facts));
    flat_each(others, |(resource, namespace, name)| {
        let other = facts.get(&resource.id, namespace, name, Form::Whole).if_readable()?.flatten();
        let said = other.into_iter().flat_map(move |object| {
            let by = Ref::of(resource, object);
            complaints(object).into_iter().map(move |message| SaidElsewhere { by: by.clone(), message })
        });
        Ok(said.filter(|said| mentions(&said.message, seen.object.name())).collect::<Vec<_>>())
    })
}

/// The trouble that `seen` itself reports: in its status or, if that contains no failure, in a warning of
/// the last hour.
pub(crate) fn trouble_of(seen: Seen<'_>, facts: &Facts<'_>) -> Known<Option<String>> {
    let whole = facts.whole(seen).if_readable()?.flatten();
    let mut complaints = whole.map(complaints).unwrap_or_default();
    if let Some(place) = complaints.iter().position(|words| is_negative(words)) {
        return Ok(Some(complaints.swap_remove(place)));
    }
    let warned = events::about(seen, MAX_EVENTS, facts).if_readable()?.unwrap_or_default();
    let warned = warned.into_iter().find_map(|event| warning(event, facts));
    Ok(warned.or_else(|| complaints.into_iter().next()))
}

/// The kind, namespace and name of an object.
type NamedObject<'s> = (&'s Resource, Option<&'s str>, &'s str);

fn owners<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Vec<NamedObject<'s>> {
    let owners = seen.object.metadata.owner_references.iter().take(MAX_OWNERS);
    let named = owners.filter_map(|owner| {
        let kind =
            facts.discovery().by_kind(&owner.api_version, &owner.kind).filter(|kind| is_custom(&kind.id.group))?;
        let namespace = seen.object.metadata.namespace.as_deref().filter(|_| kind.namespaced);
        Some((kind, namespace, owner.name.as_str()))
    });
    named.collect()
}

/// The object by which `seen` was applied, according to its labels: `GROUP/name` and `GROUP/namespace`, as
/// Flux writes them (<https://fluxcd.io/flux/components/kustomize/kustomizations/>), if the group has one
/// kind.
fn tracker<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Option<NamedObject<'s>> {
    let labels = &seen.object.metadata.labels;
    labels.keys().find_map(|key| {
        let group = key.strip_suffix("/name").filter(|group| is_custom(group))?;
        let namespace = labels.get(&format!("{group}/namespace"))?;
        let mut kinds = facts.discovery().resources.iter().filter(|kind| kind.id.group == group && kind.namespaced);
        let kind = kinds.next()?;
        let kind = facts.preferred(group, &kind.id.plural).filter(|_| kinds.all(|other| other.kind == kind.kind))?;
        Some((kind, Some(namespace.as_str()), labels.get(key)?.as_str()))
    })
}

/// The reason and message of a recent event that is a warning.
pub(crate) fn warning(event: &Object, facts: &Facts<'_>) -> Option<String> {
    let text = |pointer: &str| event.text(pointer).unwrap_or_default();
    let recent = events::last_seen(event).is_some_and(|last| since(last, facts.now()) <= LATELY);
    let words = || brief(&format!("{}: {}", text("/reason"), text("/message")));
    (recent && text("/type") == "Warning").then(words)
}
