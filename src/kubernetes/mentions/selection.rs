//! Objects of the whole cluster that work in the namespaces which they select: each namespace has an entry with the
//! name of such an object, or contains something that it owns.

use crate::facts::{Facts, Known, flat_each, is_namespace};
use crate::kubernetes::admission::selects;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::{belongs_to, domain, is_custom};
use crate::kubernetes::mentions::metadata::owner_edges;
use crate::survey::{Form, Object, Resource, Seen};
use serde_json::Value;

/// How many kinds are searched for the object that an entry names.
const MAX_KINDS: usize = 4;

/// An object that selects namespaces, and one that it does not select.
pub(crate) struct Unselected<'s> {
    pub(crate) by: Seen<'s>,
    pub(crate) namespace: Seen<'s>,
}

/// The object that owns the first held object, or that the finalizer of a namespace names, if its selectors no longer
/// match the namespace: its controller then looks for nothing there.
pub(crate) fn no_longer_selected<'s>(
    finalizer: &str,
    held: &HeldObjects<'s>,
    facts: &Facts<'s>,
    gaps: &Gaps,
) -> Known<Option<Unselected<'s>>> {
    let first = held.first();
    let itself = is_namespace(first.resource).then(|| first.object.name());
    let Some(resource) = facts.preferred("", "namespaces") else { return Ok(None) };
    let Some(name) = itself.or(first.object.metadata.namespace.as_deref()) else { return Ok(None) };
    let by = if itself.is_some() { ends_the_entry(finalizer, facts, gaps) } else { owners(first, facts, gaps) }?;
    let by = by.into_iter().filter(|by| !by.object.is_deleting());
    let unselected = flat_each(by, |by| {
        let namespace = gaps.pass(facts.metadata(&resource.id, None, name))?.flatten();
        let namespace = namespace.filter(|namespace| is_selected(by.object, namespace) == Some(false));
        Ok(namespace.map(|object| Unselected { by, namespace: Seen { resource, object } }))
    })?;
    Ok(unselected.into_iter().next())
}

/// The owners that are objects of the whole cluster.
fn owners<'s>(seen: Seen<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<Seen<'s>>> {
    let owners = owner_edges(seen, facts.discovery());
    let owners = owners.filter(|edge| !edge.resource.namespaced && is_custom(&edge.resource.id.group));
    flat_each(owners, |edge| {
        let owner = gaps.pass(edge.read(Form::Whole, facts))?.flatten();
        Ok(owner.filter(|owner| seen.object.is_owned_by(owner.object)))
    })
}

/// The objects of the finalizer's own groups with whose name it ends: `notes.acme.io/shared-menu` names `menu`.
fn ends_the_entry<'s>(finalizer: &str, facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<Seen<'s>>> {
    let Some((_, rest)) = finalizer.split_once('/') else { return Ok(Vec::new()) };
    let is_own = |kind: &&Resource| !kind.namespaced && belongs_to(&kind.id.group, domain(finalizer));
    let kinds = facts.discovery().listable().filter(is_own).take(MAX_KINDS);
    let mut named = flat_each(kinds, |resource| {
        let all = gaps.pass(facts.list(&resource.id, None, Form::Whole))?.unwrap_or_default().iter();
        let ends = |object: &&Object| {
            rest.strip_suffix(object.name())
                .is_some_and(|before| before.is_empty() || before.ends_with(['-', '_', '.']))
        };
        Ok(all.filter(ends).map(move |object| Seen { resource, object }).collect::<Vec<_>>())
    })?;
    // `shared-menu` may be the whole name, or end in that of another.
    named.sort_by_key(|seen| std::cmp::Reverse(seen.object.name().len()));
    named.truncate(1);
    Ok(named)
}

/// Whether an object selects a namespace, by labels or by name; `None` if it selects none at all.
fn is_selected(by: &Object, namespace: &Object) -> Option<bool> {
    let spec = by.at("/spec").and_then(Value::as_object)?;
    let mut all = spec.iter().filter_map(|(key, value)| match key.to_lowercase().as_str() {
        "namespaceselector" => Some(selects(Some(value), &namespace.metadata.labels)),
        "namespaceselectors" => {
            Some(value.as_array()?.iter().any(|one| selects(Some(one), &namespace.metadata.labels)))
        }
        "namespaces" => Some(value.as_array()?.iter().any(|one| one == namespace.name())),
        _ => None,
    });
    let first = all.next()?;
    Some(first || all.any(|selected| selected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_selects_namespaces_by_labels_or_by_name() {
        let namespace: Object =
            serde_json::from_value(json!({"metadata": {"name": "shop", "labels": {"menu": "yes"}}})).unwrap();
        let selected = |spec: Value| {
            let by: Object = serde_json::from_value(json!({"metadata": {"name": "b"}, "spec": spec})).unwrap();
            is_selected(&by, &namespace)
        };
        let labels = |value: &str| json!({"matchLabels": {"menu": value}});
        assert_eq!(selected(json!({"namespaceSelector": labels("yes")})), Some(true));
        assert_eq!(selected(json!({"namespaceSelectors": [labels("no"), labels("yes")]})), Some(true));
        assert_eq!(selected(json!({"namespaceSelectors": [labels("no")]})), Some(false));
        assert_eq!(selected(json!({"namespaceSelector": labels("no"), "namespaces": ["shop"]})), Some(true));
        assert_eq!(selected(json!({"selector": labels("no")})), None, "it may select pods");
    }
}
