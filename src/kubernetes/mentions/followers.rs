//! The objects that a controller deletes along with another, and the users for which it guards one.

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::edge::{Edge, InTheWay};
use crate::kubernetes::mentions::inventory::listed_objects;
use crate::kubernetes::mentions::status::status_edges;
use crate::kubernetes::mentions::users::refers;
use crate::kubernetes::ownership::named_workloads::has_value;
use crate::kubernetes::ownership::reach::Reach;
use crate::report::Ref;
use crate::survey::{Discovery, Form, Object, Resource, Seen};
use serde_json::Value;

/// How many kinds that a controller works on are searched for users, besides those of its product.
const MAX_KINDS: usize = 4;

/// Values of a deletion policy by which the listed objects outlive the object that lists them.
const STAYS: [&str; 3] = ["orphan", "retain", "abandon"];

/// The objects that the controller of `seen` deletes with it: those in its inventory, unless its
/// policy keeps them. Objects that cannot be read are left out.
pub(crate) fn followers<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    // Without a finalizer, no controller acts before the object is gone.
    if !is_custom(&seen.resource.id.group) || seen.object.metadata.finalizers.is_empty() || stays(seen.object) {
        return Ok(Vec::new());
    }
    listed_objects(seen, facts)
}

/// The object that a field in the status of `seen` binds it to, and that refers back by uid: a
/// content of a snapshot, a bucket of a claim. It is deleted with `seen`, unless its policy keeps it.
pub(crate) fn bound_object<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
    if !is_custom(&seen.resource.id.group) || seen.object.metadata.finalizers.is_empty() {
        return Ok(None);
    }
    let Some(edge) = binding(seen, facts.discovery()) else { return Ok(None) };
    let bound = edge.read(Form::Whole, facts).or_note(facts)?.flatten();
    let names_back =
        |bound: &Seen<'_>| bound.object.at("/spec").is_some_and(|spec| has_value(spec, seen.object.uid(), MAX_DEPTH));
    Ok(bound.filter(names_back).filter(|bound| !stays(bound.object)))
}

/// The object in a status field whose name is that of another kind of the same group: `bucketName`, or
/// `boundVolumeSnapshotContentName`.
fn binding<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> Option<Edge<'s>> {
    status_edges(seen, discovery).find(|edge| {
        let (key, kind) = (edge.field.to_lowercase(), edge.resource.kind.to_lowercase());
        let is_own = edge.resource.id.group == seen.resource.id.group && edge.resource.id != seen.resource.id;
        is_own && [format!("status.{kind}name"), format!("status.bound{kind}name")].contains(&key)
    })
}

/// Whether the status says that an object is bound: its sources have been read by then.
pub(crate) fn is_bound(seen: Seen<'_>, discovery: &Discovery) -> bool {
    binding(seen, discovery).is_some()
}

/// The objects that the controller of `seen` deletes with it without waiting for them. A controller that keeps
/// only an inventory of names deletes each of them, and waits for none unless the object's policy says so
/// (<https://fluxcd.io/flux/components/kustomize/kustomizations/#deletion-policy>).
pub(crate) fn unawaited<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let waits = seen.object.text("/spec/deletionPolicy").is_some_and(|policy| policy.to_lowercase().contains("wait"));
    if waits || seen.object.array("/status/inventory/entries").is_empty() {
        Ok(Vec::new())
    } else {
        followers(seen, facts)
    }
}

/// Whether the policy of an object keeps the objects in its inventory.
fn stays(object: &Object) -> bool {
    let policy = object.text("/spec/deletionPolicy").unwrap_or_default().to_lowercase();
    STAYS.contains(&policy.as_str()) || object.at("/spec/prune") == Some(&Value::Bool(false))
}

/// Objects that name a held object by its kind, or that have a label of its product and whose
/// deletion was requested no earlier. Their kinds are of another API group, and `workload`, the
/// controller of the held objects, works on them.
pub(crate) fn foreign_users<'s>(
    held: &HeldObjects<'s>,
    workload: Option<&Ref>,
    facts: &Facts<'s>,
) -> Known<Vec<InTheWay<'s>>> {
    let guarded = held.first();
    let Some(workload) = workload.filter(|_| is_custom(&guarded.resource.id.group)) else { return Ok(Vec::new()) };
    let kind = facts.discovery().by_kind(&workload.api_version, &workload.kind);
    let Some(resource) = kind else { return Ok(Vec::new()) };
    let all = facts.list(&resource.id, workload.namespace.as_deref(), Form::Whole).if_readable()?.unwrap_or_default();
    let Some(object) = all.iter().find(|object| object.name() == workload.name) else { return Ok(Vec::new()) };
    let home = guarded.object.metadata.namespace.as_deref();
    let reach = Reach::of(Seen { resource, object }, home, facts)?;
    for gap in &reach.unread {
        facts.note_unknown(format!("what uses {}", Ref::from(guarded)), gap.clone());
    }
    let is_other =
        |kind: &&Resource| is_custom(&kind.id.group) && kind.id.group != guarded.resource.id.group && reach.names(kind);
    let kinds: Vec<&Resource> = facts.discovery().listable().filter(is_other).take(MAX_KINDS).collect();
    flat_each(kinds, |resource| {
        let place = home.filter(|_| resource.namespaced);
        let objects = facts.list(&resource.id, place, Form::Whole).or_note(facts)?.unwrap_or_default();
        let named = |object: &'s Object| {
            let user = Seen { resource, object };
            let is_it = |guarded: &&Seen<'s>| refers(user, **guarded) || goes_along(object, **guarded);
            let waiting = held.objects.iter().find(is_it)?;
            Some(InTheWay { waiting: *waiting, blocker: user, sure: false })
        };
        Ok(objects.iter().filter_map(named).collect::<Vec<_>>())
    })
}

/// Whether `object` has a label of the product of `seen`, and its deletion was requested no earlier
/// than that of `seen`.
fn goes_along(object: &Object, seen: Seen<'_>) -> bool {
    let group = seen.resource.id.group.as_str();
    let is_mark = |key: &String| key.split_once('/').is_some_and(|(domain, _)| domain == group);
    object.is_deleting()
        && object.deletion_asked() >= seen.object.deletion_asked()
        && object.metadata.labels.keys().any(is_mark)
}

/// Whether the user of a held object was made for it: the held object refers back.
pub(crate) fn is_counterpart(edge: InTheWay<'_>, held: &HeldObjects<'_>) -> bool {
    let whole = held.whole.iter().find(|whole| whole.uid() == edge.waiting.object.uid());
    let name = edge.blocker.object.name();
    let says =
        |field: &str| whole.and_then(|whole| whole.at(field)).is_some_and(|value| has_value(value, name, MAX_DEPTH));
    says("/status") || says("/spec")
}

/// How deep an object is searched for a name.
const MAX_DEPTH: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::mentions::fixtures::discovery;
    use serde_json::json;

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn policies_that_keep_dependents_are_recognized() {
        let stays = |spec: Value| stays(&object(json!({"metadata": {"name": "a"}, "spec": spec})));
        assert!(stays(json!({"deletionPolicy": "Orphan"})) && stays(json!({"prune": false})));
        assert!(!stays(json!({"deletionPolicy": "Delete", "prune": true})) && !stays(json!({})));
    }

    #[test]
    fn a_counterpart_names_the_object_in_return() {
        let discovery = discovery();
        let resource = &discovery.resources[1];
        let one = object(json!({"metadata": {"name": "a", "uid": "a"}, "status": {"bound": {"name": "b"}}}));
        let other = |name: &str| object(json!({"metadata": {"name": name, "uid": name}, "spec": {"bucket": "a"}}));
        let (own, user) = (other("b"), other("c"));
        let seen = |object| Seen { resource, object };
        let held = HeldObjects { objects: vec![seen(&one)], whole: vec![&one] };
        let edge = |blocker| InTheWay { waiting: seen(&one), blocker: seen(blocker), sure: false };
        assert!(is_counterpart(edge(&own), &held) && !is_counterpart(edge(&user), &held));
    }
}
