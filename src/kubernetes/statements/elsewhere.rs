//! What other objects say of one that is being deleted: those that own it, and those that an
//! installer tracks it by.

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::messages::mentions;
use crate::kubernetes::statements::statement::complaints;
use crate::report::Ref;
use crate::survey::{Form, Resource, Seen};

/// How many owners are asked.
const MAX_OWNERS: usize = 2;

/// Something that another object says of it.
#[derive(Debug)]
pub(crate) struct SaidElsewhere {
    pub(crate) by: Ref,
    pub(crate) message: String,
}

/// What the owners and trackers of `seen` say that mentions it.
///
/// # Errors
/// When one of them was not surveyed yet.
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

/// The kind, namespace and name of an object.
type Named<'s> = (&'s Resource, Option<&'s str>, &'s str);

fn owners<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Vec<Named<'s>> {
    let owners = seen.object.metadata.owner_references.iter().take(MAX_OWNERS);
    let named = owners.filter_map(|owner| {
        let kind =
            facts.discovery().by_kind(&owner.api_version, &owner.kind).filter(|kind| is_custom(&kind.id.group))?;
        let namespace = seen.object.metadata.namespace.as_deref().filter(|_| kind.namespaced);
        Some((kind, namespace, owner.name.as_str()))
    });
    named.collect()
}

/// The object that labels name as the one by which it was applied: `GROUP/name` and
/// `GROUP/namespace`, as Flux writes them
/// (<https://fluxcd.io/flux/components/kustomize/kustomizations/>), where the group has one kind.
fn tracker<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Option<Named<'s>> {
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
