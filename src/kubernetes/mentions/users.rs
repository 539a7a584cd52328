//! The users of a held object. A controller that guards an object for its users waits for them,
//! whether it says so or not: for objects of the same product that name it in a field or a label, and
//! for objects that were created to record a use.

use crate::facts::{All, Facts, Known, Readable, each, flat_each, for_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::{belongs_to, domain, is_custom, is_kin, is_reserved};
use crate::kubernetes::mentions::edge::InTheWay;
use crate::kubernetes::mentions::grammar::{ends_alike, is_named_after, key_of_kind};
use crate::kubernetes::mentions::metadata::{owner_edge, owner_edges};
use crate::kubernetes::messages::trouble::is_about_use;
use crate::survey::{Form, Object, Resource, ResourceId, Seen, counts_users};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// How many kinds are searched for users.
pub(super) const MAX_KINDS: usize = 8;
/// How many of the held objects are checked for users.
const MAX_USED: usize = 20;
/// How many of the held objects are looked up among the volumes.
const MAX_VOLUMES: usize = 3;
/// How many users are counted.
pub(super) const MAX_USERS: usize = 50;
/// The minimum length of a kind's name in a finalizer.
const MIN_KIND: usize = 5;
/// How deep an object is searched for a name.
const MAX_DEPTH: usize = 10;

/// The place that is searched for users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchedIn {
    /// The namespace of the held objects, and cluster-scoped objects.
    Own,
    /// All namespaces, since a message says that there are users.
    Anywhere,
}

/// The users of the held objects, which a controller known by `product` releases; those that are
/// being deleted come first.
pub(crate) fn users<'s>(
    held: &HeldObjects<'s>,
    finalizer: &str,
    product: &ResourceId,
    place: SearchedIn,
    facts: &Facts<'s>,
    gaps: &Gaps,
) -> Known<Vec<InTheWay<'s>>> {
    let (mut users, volumes) = (owners_that_go(held, facts, gaps), volumes(held, facts)).all()?;
    users.extend(volumes);
    let kinds = kinds(held.first().resource, product, facts);
    let guards_a_pair = is_guard_of_a_pair(finalizer);
    let counted = counted_kinds(held, &kinds);
    let are_at_zero = !counted.is_empty() && counts_none(held);
    let searched = if counted.is_empty() { kinds } else { counted };
    for_each(searched.into_iter().take(MAX_KINDS), |kind| {
        let own = held.first().object.metadata.namespace.as_deref();
        let place = own.filter(|_| kind.namespaced && place == SearchedIn::Own);
        let objects = gaps.pass(facts.list(&kind.id, place, Form::Whole))?.unwrap_or_default();
        for object in objects {
            let user = Seen { resource: kind, object };
            let guarded = held.objects.iter().take(MAX_USED).find(|guarded| uses(user, **guarded, guards_a_pair));
            if let Some(guarded) = guarded.filter(|_| users.len() < MAX_USERS) {
                users.push(InTheWay { waiting: *guarded, blocker: user, sure: false });
            }
        }
        Ok(())
    })?;
    // A status shows a use that exists, a spec only a use that is wanted.
    let in_status = |edge: &InTheWay<'_>| {
        let status = edge.blocker.object.at("/status");
        status.is_some_and(|status| names(status, "", edge.blocker, edge.waiting, 0))
    };
    // A count of 0 may be slightly outdated: a use in a status counts anyway.
    users.retain(|edge| !are_at_zero || in_status(edge));
    users.sort_by_key(|edge| (!edge.blocker.object.is_deleting(), !in_status(edge)));
    makers(users, facts, gaps)
}

/// The kinds by which the status of a held object counts its users: `admittedWorkloads` counts
/// Workloads. Other objects that name the held one are then no users.
fn counted_kinds<'s>(held: &HeldObjects<'_>, kinds: &[&'s Resource]) -> Vec<&'s Resource> {
    let keys: Vec<String> = held.read().take(1).flat_map(counts).map(|(key, _)| key.to_lowercase()).collect();
    let own = |kind: &&&Resource| kind.id.group == held.first().resource.id.group;
    let is_counted = |kind: &&&Resource| keys.iter().any(|key| key.ends_with(kind.id.plural.as_str()));
    kinds.iter().filter(own).filter(is_counted).copied().collect()
}

/// Replaces users that a controller created for another object, and would create again, by that object.
fn makers<'s>(users: Vec<InTheWay<'s>>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<InTheWay<'s>>> {
    let mut all = each(users, |edge| maker(edge, facts, gaps))?;
    let mut known = BTreeSet::new();
    all.retain(|edge| known.insert(edge.blocker.object.uid()));
    Ok(all)
}

/// Replaces a user that is not being deleted by the object that it was created for, if that is unrelated to the held
/// one.
fn maker<'s>(edge: InTheWay<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<InTheWay<'s>> {
    let user = edge.blocker.object;
    let owner = user.metadata.owner_references.iter().find(|owner| owner.controller == Some(true));
    let Some(owner) = owner.filter(|_| !user.is_deleting()) else { return Ok(edge) };
    let held = edge.waiting.object;
    let is_its = held.uid() == owner.uid || held.metadata.owner_references.iter().any(|own| own.uid == owner.uid);
    let owned_by = owner_edge(edge.blocker, owner, facts.discovery()).filter(|_| !is_its);
    let Some(owned_by) = owned_by else { return Ok(edge) };
    let read = gaps.pass(owned_by.read(Form::Metadata, facts))?.flatten();
    let found = read.filter(|maker| maker.object.uid() == owner.uid && !maker.object.is_deleting());
    Ok(found.map_or(edge, |blocker| InTheWay { blocker, ..edge }))
}

/// Whether the name of a finalizer says that it guards objects in use.
pub(crate) fn is_guard(finalizer: &str) -> bool {
    is_about_use(finalizer)
}

/// Whether the held objects certainly have no users: everything relevant was read, and shows none.
pub(crate) fn are_none(held: &HeldObjects<'_>, facts: &Facts<'_>) -> Known<bool> {
    let gaps = Gaps::default();
    let users = users(held, "", &held.first().resource.id, SearchedIn::Own, facts, &gaps)?;
    let all_were_looked_at = held.objects.len() <= held.whole.len().min(MAX_USED) && gaps.texts().is_empty();
    Ok(users.is_empty() && counted(held).is_none() && all_were_looked_at)
}

/// The owners of held objects of built-in kinds, if they are being deleted, too: a controller keeps a
/// Secret until its owner is cleaned up with it.
fn owners_that_go<'s>(held: &HeldObjects<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<InTheWay<'s>>> {
    let built_in = held.objects.iter().take(MAX_USED).filter(|seen| !is_custom(&seen.resource.id.group));
    let owners = built_in.flat_map(|guarded| owner_edges(*guarded, facts.discovery()));
    flat_each(owners.filter(|edge| is_custom(&edge.resource.id.group)), |edge| {
        let waiting = edge.from;
        let owner = gaps.pass(edge.read(Form::Metadata, facts))?.flatten();
        // With the same finalizer, one controller releases both, dependents first.
        let is_user = |owner: &Seen<'_>| {
            let own = &owner.object.metadata.finalizers;
            waiting.object.is_owned_by(owner.object)
                && owner.object.is_deleting()
                && !waiting.object.metadata.finalizers.iter().any(|key| own.contains(key))
        };
        Ok(owner.filter(is_user).map(|blocker| InTheWay { waiting, blocker, sure: false }))
    })
}

/// The volumes that held objects represent for their driver: they have the same name, and the driver
/// cleans up when the volume is deleted.
fn volumes<'s>(held: &HeldObjects<'s>, facts: &Facts<'s>) -> Known<Vec<InTheWay<'s>>> {
    let Some(resource) = facts.preferred("", "persistentvolumes") else { return Ok(Vec::new()) };
    let custom = held.objects.iter().filter(|seen| is_custom(&seen.resource.id.group) && seen.object.is_deleting());
    flat_each(custom.take(MAX_VOLUMES), |seen| {
        let volume = facts.metadata(&resource.id, None, seen.object.name()).if_readable()?.flatten();
        Ok(volume.map(|object| InTheWay { waiting: *seen, blocker: Seen { resource, object }, sure: false }))
    })
}

/// Whether the name of a finalizer says that it guards one of two objects that are bound to each other:
/// `…-bound-protection`.
fn is_guard_of_a_pair(finalizer: &str) -> bool {
    let mut words = finalizer.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| ["bound", "binding"].contains(&word))
}

/// Whether the status of a held object counts users, and there are none.
pub(crate) fn counts_none(held: &HeldObjects<'_>) -> bool {
    let mut counts = held.read().flat_map(counts).peekable();
    counts.peek().is_some() && counts.all(|(_, count)| count == 0)
}

/// The fields of an object's status that count users, with their values.
fn counts(seen: Seen<'_>) -> impl Iterator<Item = (&String, i64)> {
    let status = seen.object.at("/status").and_then(Value::as_object).into_iter().flatten();
    status.filter(|(key, _)| counts_users(key)).filter_map(|(key, value)| Some((key, value.as_i64()?)))
}

/// The number of users in the status of a held object, with its field.
pub(crate) fn counted(held: &HeldObjects<'_>) -> Option<(String, i64)> {
    let mut counts = held.read().flat_map(counts);
    counts.find(|(_, count)| *count > 0).map(|(key, count)| (format!("status.{key}"), count))
}

/// The kinds whose objects may use an object of kind `held`: those of its product, its own group
/// first, and those that record uses.
pub(super) fn kinds<'s>(held: &Resource, product: &ResourceId, facts: &Facts<'s>) -> Vec<&'s Resource> {
    let groups = [held.id.group.as_str(), product.group.as_str()];
    let own = |kind: &Resource| groups.contains(&kind.id.group.as_str());
    let is_related = |kind: &&Resource| {
        is_custom(&kind.id.group)
            && (own(kind) || groups.iter().any(|group| is_kin(&kind.id.group, group)) || kind.kind.ends_with("Usage"))
    };
    let mut kinds: Vec<&Resource> = facts.discovery().listable().filter(is_related).collect();
    kinds.sort_by_key(|kind| (!own(kind), !kind.kind.ends_with("Usage"), &kind.id));
    kinds
}

/// Whether `user` refers to `guarded` by its kind and name, outside of templates for other objects.
pub(crate) fn refers(user: Seen<'_>, guarded: Seen<'_>) -> bool {
    let place = user.object.metadata.namespace.as_deref();
    user.object.at("/spec").is_some_and(|spec| refers_to(spec, place, guarded, 0))
}

/// Whether the spec of `user` names `guarded`, by its kind or in a field named after the kind.
pub(crate) fn names_it(user: Seen<'_>, guarded: Seen<'_>) -> bool {
    user.object.at("/spec").is_some_and(|spec| names(spec, "", user, guarded, 0))
}

fn refers_to(value: &Value, place: Option<&str>, guarded: Seen<'_>, depth: usize) -> bool {
    match value {
        Value::Object(fields) if depth < MAX_DEPTH => {
            let by_kind = fields.contains_key("kind") && is_reference(fields, "", place, guarded);
            let mut others = fields.iter().filter(|(key, _)| *key != "template");
            by_kind || others.any(|(_, value)| refers_to(value, place, guarded, depth + 1))
        }
        Value::Array(items) if depth < MAX_DEPTH => items.iter().any(|item| refers_to(item, place, guarded, depth + 1)),
        _ => false,
    }
}

/// Whether `user` names `guarded` in its spec, its status or its labels. The guarded object's controller
/// created its dependents; the objects that its spec names may have been created for it, unless both are
/// bound to each other and only one of them is being deleted.
fn uses(user: Seen<'_>, guarded: Seen<'_>, are_a_pair: bool) -> bool {
    let same = user.object.uid() == guarded.object.uid();
    let owned = user.object.is_owned_by(guarded.object);
    // An owner waits until the held object is gone.
    let owns = guarded.object.is_owned_by(user.object);
    let is_pair = are_a_pair && !user.object.is_deleting();
    if same
        || owns
        || tells_of(guarded, user)
        || (!is_pair && is_made_for(guarded, user))
        || (owned && !user.object.is_deleting())
    {
        return false;
    }
    let is_named_by = |(key, value): (&String, &String)| {
        let (domain, key) = key.split_once('/').unwrap_or(("", key));
        let is_its =
            || is_made_up(value) && is_kin(domain, &guarded.resource.id.group) && ends_alike(key, guarded.resource);
        value == guarded.object.name()
            && (!is_reserved(domain) || domain == guarded.resource.id.group)
            && (is_named_after(key, guarded.resource) || is_its())
            && same_place(user.object.metadata.namespace.as_deref(), None, guarded)
    };
    let mut parts = ["/spec", "/status"].iter().filter_map(|part| user.object.at(part));
    owned || parts.any(|part| names(part, "", user, guarded, 0)) || user.object.metadata.labels.iter().any(is_named_by)
}

/// Whether `guarded` names `user` in a field of its status: then `user` was created for it, and does
/// not use it.
fn tells_of(guarded: Seen<'_>, user: Seen<'_>) -> bool {
    let mut told = guarded.object.at("/status").and_then(Value::as_object).into_iter().flatten();
    told.any(|(key, value)| value.is_string() && names(value, key, guarded, user, 0))
}

/// Whether `guarded` names `user` in a reference of its spec: then one of them was created for the
/// other, and there is no use.
fn is_made_for(guarded: Seen<'_>, user: Seen<'_>) -> bool {
    let spec = guarded.object.at("/spec").and_then(Value::as_object);
    let references = spec.into_iter().flatten().filter(|(key, value)| value.is_object() && key.ends_with("Ref"));
    let mut references = references.filter_map(|(key, value)| Some((key, value.as_object()?)));
    references.any(|(key, fields)| is_reference(fields, key, guarded.object.metadata.namespace.as_deref(), user))
}

/// Whether `value`, of the field `key`, names `guarded`.
fn names(value: &Value, key: &str, user: Seen<'_>, guarded: Seen<'_>, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let place = user.object.metadata.namespace.as_deref();
    match value {
        Value::Object(fields) => {
            is_reference(fields, key, place, guarded)
                || fields.iter().any(|(field, value)| names(value, key_of_kind(key, field), user, guarded, depth + 1))
        }
        Value::Array(items) => items.iter().any(|item| names(item, key, user, guarded, depth + 1)),
        Value::String(name) => {
            let is_it = is_named_after(key, guarded.resource) && name == guarded.object.name();
            (is_it || is_below(name, guarded.object.name())) && same_place(place, None, guarded)
        }
        _ => false,
    }
}

/// Whether a text names something of the object `name`, or that object by its parent: `pvc-7f21@snap-c0de`. Only a name
/// that was made up by a program is certainly meant.
fn is_below(text: &str, name: &str) -> bool {
    is_made_up(name) && text.contains('@') && text.split(['@', '/']).any(|part| part == name)
}

/// Whether a program has made up a name.
fn is_made_up(name: &str) -> bool {
    name.len() >= 8 && name.contains('-') && name.contains(|c: char| c.is_ascii_digit())
}

/// Whether `{kind, name, …}` names `guarded`, or `{name}` does so in a field named after the kind.
fn is_reference(fields: &Map<String, Value>, key: &str, place: Option<&str>, guarded: Seen<'_>) -> bool {
    let text = |field: &str| fields.get(field).and_then(Value::as_str);
    let name = text("name").or_else(|| fields.get("resourceRef")?.get("name")?.as_str());
    let group = text("apiVersion").map(|it| it.split_once('/').map_or("", |(group, _)| group)).or(text("group"));
    let of_kind = match text("kind") {
        Some(kind) => kind == guarded.resource.kind && group.is_none_or(|group| group == guarded.resource.id.group),
        None => is_named_after(key, guarded.resource),
    };
    of_kind && name == Some(guarded.object.name()) && same_place(place, text("namespace"), guarded)
}

/// Whether a name in an object in namespace `place`, perhaps with the namespace `said`, means an object
/// in the namespace of `guarded`.
fn same_place(place: Option<&str>, said: Option<&str>, guarded: Seen<'_>) -> bool {
    !guarded.resource.namespaced || said.or(place) == guarded.object.metadata.namespace.as_deref()
}

/// The kind that the finalizer of built-in objects names, if none of its objects mentions a held one: without such an
/// object the controller does not reconcile the held ones.
pub(crate) fn kind_without_users(
    finalizer: &str,
    held: &HeldObjects<'_>,
    facts: &Facts<'_>,
    gaps: &Gaps,
) -> Known<Option<String>> {
    let Some(kind) = kind_in_entry(finalizer, held.first(), facts) else { return Ok(None) };
    let Some(all) = gaps.pass(facts.list(&kind.id, None, Form::Whole))? else { return Ok(None) };
    let is_mentioned = all.iter().any(|user| held.objects.iter().any(|seen| may_mean(user, seen.object)));
    Ok((!is_mentioned).then(|| kind.kind.clone()))
}

/// Whether the spec or the status of `user` contains the name of `held`, and so may mean `held`.
fn may_mean(user: &Object, held: &Object) -> bool {
    let word = Value::from(held.name()).to_string();
    let says = |field: &str| user.at(field).is_some_and(|value| value.to_string().contains(&word));
    says("/spec") || says("/status")
}

/// The kind of the finalizer's own groups that its name contains: `acme.io/databaseSecret` on a Secret.
fn kind_in_entry<'s>(finalizer: &str, held: Seen<'_>, facts: &Facts<'s>) -> Option<&'s Resource> {
    let (_, name) = finalizer.rsplit_once('/').filter(|_| !is_custom(&held.resource.id.group))?;
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let own = facts.discovery().listable().filter(|kind| belongs_to(&kind.id.group, domain(finalizer)));
    let called = own.filter(|kind| kind.kind.len() >= MIN_KIND && plain.contains(&kind.kind.to_lowercase()));
    called.max_by_key(|kind| kind.kind.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kind(group: &str, plural: &str, kind: &str, namespaced: bool) -> Resource {
        Resource::tested(group, plural, kind, namespaced)
    }

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    fn is_used(resource: &Resource, guarded: Value, user: Value) -> bool {
        let (guarded, user) = (object(guarded), object(user));
        let job = kind("queues.example", "jobs", "Job", true);
        uses(Seen { resource: &job, object: &user }, Seen { resource, object: &guarded }, false)
    }

    #[test]
    fn users_are_found_by_fields_named_after_the_kind() {
        let flavor = kind("queues.example", "resourceflavors", "ResourceFlavor", false);
        let guarded = || json!({"metadata": {"name": "spot", "uid": "f"}});
        let user = |spec: Value| json!({"metadata": {"name": "j", "namespace": "a", "uid": "j"}, "spec": spec});
        assert!(is_used(&flavor, guarded(), user(json!({"groups": [{"flavors": [{"name": "spot"}]}]}))));
        assert!(is_used(&flavor, guarded(), user(json!({"resourceFlavor": "spot"}))));
        assert!(is_used(&flavor, guarded(), user(json!({"flavorRef": {"name": "spot"}}))));
        assert!(is_used(
            &flavor,
            guarded(),
            user(json!({"of": {"kind": "ResourceFlavor", "resourceRef": {"name": "spot"}}}))
        ));
        assert!(!is_used(&flavor, guarded(), user(json!({"of": {"kind": "Other", "resourceRef": {"name": "spot"}}}))));
        assert!(!is_used(&flavor, guarded(), user(json!({"mode": "spot"}))), "a word is no name");
        let pool = kind("queues.example", "acmediskpools", "AcmeDiskPool", false);
        assert!(is_used(&pool, guarded(), user(json!({"allowedDiskPools": [{"name": "spot"}]}))));
        assert!(!is_used(&pool, guarded(), user(json!({"allowedPools": [{"name": "spot"}]}))), "many kinds end so");
        assert!(!is_used(&flavor, guarded(), user(json!({"flavors": [{"name": "other"}]}))));
        let label = json!({"metadata": {"name": "j", "uid": "j", "labels": {"queues.example/flavor-name": "spot"}}});
        assert!(is_used(&flavor, guarded(), label));
    }

    #[test]
    fn a_name_that_was_made_up_is_known_as_a_part_of_another() {
        assert!(is_below("pvc-1d2e3f40@snap-7f21c0de", "snap-7f21c0de"));
        assert!(is_below("tank/pvc-1d2e3f40@snap-1", "pvc-1d2e3f40"));
        assert!(!is_below("main@replica", "main"), "a person may have meant something else");
        assert!(!is_below("snap-7f21c0de", "snap-7f21c0de"), "the field has to be named after the kind");
    }

    #[test]
    fn objects_bound_to_each_other_use_each_other() {
        let content = kind("shots.example", "contents", "ShotContent", false);
        let shot = kind("shots.example", "shots", "Shot", true);
        let guarded = object(
            json!({"metadata": {"name": "c", "uid": "c"}, "spec": {"shotRef": {"name": "s", "namespace": "a"}}}),
        );
        let user = object(
            json!({"metadata": {"name": "s", "namespace": "a", "uid": "s"}, "status": {"boundShotContentName": "c"}}),
        );
        let (user, guarded) = (Seen { resource: &shot, object: &user }, Seen { resource: &content, object: &guarded });
        assert!(is_guard_of_a_pair("shots.example/content-bound-protection"));
        assert!(uses(user, guarded, true));
        assert!(!uses(user, guarded, false), "it may have been made for it");
    }

    #[test]
    fn a_user_of_another_product_must_name_the_kind() {
        let class = kind("machines.example", "diskclasses", "DiskClass", false);
        let job = kind("queues.example", "jobs", "Job", true);
        let guarded = object(json!({"metadata": {"name": "spot", "uid": "f"}}));
        let refers = |spec: Value| {
            let user = object(json!({"metadata": {"name": "j", "namespace": "a", "uid": "j"}, "spec": spec}));
            refers(Seen { resource: &job, object: &user }, Seen { resource: &class, object: &guarded })
        };
        let reference = || json!({"group": "machines.example", "kind": "DiskClass", "name": "spot"});
        assert!(refers(json!({"classRef": reference()})));
        assert!(!refers(json!({"template": {"spec": {"classRef": reference()}}})), "it is what others are made of");
        assert!(!refers(json!({"diskClass": "spot"})), "it need not be that kind");
    }

    #[test]
    fn names_refer_to_their_own_namespace() {
        let queue = kind("queues.example", "localqueues", "LocalQueue", true);
        let guarded = || json!({"metadata": {"name": "q", "namespace": "a", "uid": "q"}});
        let user = |namespace: &str, spec: Value| json!({"metadata": {"name": "j", "namespace": namespace, "uid": "j"}, "spec": spec});
        assert!(is_used(&queue, guarded(), user("a", json!({"queueName": "q"}))));
        assert!(!is_used(&queue, guarded(), user("b", json!({"queueName": "q"}))));
        assert!(is_used(&queue, guarded(), user("b", json!({"queueRef": {"name": "q", "namespace": "a"}}))));
    }

    #[test]
    fn owned_objects_are_users_only_while_terminating() {
        let queue = kind("queues.example", "localqueues", "LocalQueue", true);
        let guarded = || json!({"metadata": {"name": "q", "namespace": "a", "uid": "q"}});
        let made = |deleted: bool| {
            let mut made = json!({"metadata": {"name": "j", "namespace": "a", "uid": "j", "ownerReferences": [
                {"apiVersion": "queues.example/v1", "kind": "LocalQueue", "name": "q", "uid": "q"}]},
                "spec": {"queueName": "q"}});
            if deleted {
                made["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
            }
            made
        };
        assert!(!is_used(&queue, guarded(), made(false)));
        assert!(is_used(&queue, guarded(), made(true)), "it waits until that is gone");
    }
}
