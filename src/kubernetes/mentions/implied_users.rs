//! Users of a held object that no field of theirs names: those that mean the object called `default`, those that a message
//! counts, and the one that the record of a use names.

use crate::facts::{Facts, Known, flat_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::mentions::edge::{Edge, InTheWay};
use crate::kubernetes::mentions::grammar::is_named_after;
use crate::kubernetes::mentions::users::{MAX_KINDS, MAX_USERS, kinds};
use crate::kubernetes::messages::bare_words;
use crate::survey::{Discovery, Form, Object, Resource, ResourceId, Seen, stem_of_name, stem_of_reference};
use serde_json::Value;

/// The objects that mean the first held one by naming none, if that is called `default`: others of their kind name
/// another in a field of their specs.
pub(crate) fn meaning_default<'s>(
    held: &HeldObjects<'s>,
    product: &ResourceId,
    facts: &Facts<'s>,
    gaps: &Gaps,
) -> Known<Vec<InTheWay<'s>>> {
    let waiting = held.first();
    if waiting.object.name() != "default" {
        return Ok(Vec::new());
    }
    let kinds = kinds(waiting.resource, product, facts).into_iter().filter(|kind| kind.id != waiting.resource.id);
    flat_each(kinds.take(MAX_KINDS), |resource| {
        let place = waiting.object.metadata.namespace.as_deref().filter(|_| resource.namespaced);
        let objects = gaps.pass(facts.list(&resource.id, place, Form::Whole))?.unwrap_or_default();
        let field = objects.iter().find_map(|object| chooses(object, waiting));
        let names_none = |object: &&Object| {
            field.is_some_and(|field| object.at("/spec").is_none_or(|spec| spec.get(field).is_none()))
                && !object.is_deleting()
                && !object.is_owned_by(waiting.object)
        };
        let users = objects.iter().filter(names_none).take(MAX_USERS);
        Ok(users
            .map(|object| InTheWay { waiting, blocker: Seen { resource, object }, sure: false })
            .collect::<Vec<_>>())
    })
}

/// The field of a spec that refers to another object of the kind of `seen`.
fn chooses<'o>(object: &'o Object, seen: Seen<'_>) -> Option<&'o str> {
    let fields = object.at("/spec").and_then(Value::as_object).into_iter().flatten();
    let mut named = fields.filter(|(key, _)| stem_of_reference(key).is_some() || stem_of_name(key).is_some());
    named.find(|(key, _)| is_named_after(key, seen.resource)).map(|(key, _)| key.as_str())
}

/// How many objects of the kind of `users` a message counts: `5 sources connected`.
pub(crate) fn counted_in(message: &str, user: &Resource) -> Option<usize> {
    let words: Vec<&str> = bare_words(message).collect();
    words.windows(2).find_map(|pair| {
        let count = pair[0].parse().ok().filter(|count| *count > 0)?;
        is_named_after(&pair[1].to_lowercase(), user).then_some(count)
    })
}

/// Whether a message counts objects of a kind of the product, other than that of the held objects.
pub(crate) fn counts_others(message: &str, held: &HeldObjects<'_>, product: &ResourceId, facts: &Facts<'_>) -> bool {
    let own = held.first().resource;
    let kinds = kinds(own, product, facts).into_iter();
    message.contains(|c: char| c.is_ascii_digit())
        && kinds.filter(|kind| kind.id != own.id).any(|kind| counted_in(message, kind).is_some())
}

/// The user that the record of a use names in `spec.by`: the record stays until that user is gone.
pub(crate) fn recorded_user<'s>(record: Seen<'s>, discovery: &'s Discovery) -> Option<Edge<'s>> {
    let by = record.object.at("/spec/by").filter(|_| record.resource.kind.ends_with("Usage"))?;
    let text = |pointer: &str| by.pointer(pointer).and_then(Value::as_str);
    let kind = discovery.by_kind(text("/apiVersion")?, text("/kind")?)?;
    let to = Edge::to(record, kind, text("/namespace"), text("/resourceRef/name").or_else(|| text("/name"))?)?;
    Some(Edge { field: "spec.by".into(), ..to })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_counts_users() {
        let source = Resource::tested("queues.example", "eventsources", "EventSource", true);
        assert_eq!(counted_in("cannot delete: 5 sources connected", &source), Some(5));
        assert_eq!(counted_in("0 sources connected", &source), None);
        assert_eq!(counted_in("retried 5 times", &source), None);
    }

    #[test]
    fn a_record_of_a_use_names_its_user() {
        let usage = Resource::tested("queues.example", "usages", "Usage", false);
        let discovery = Discovery { resources: vec![usage.clone()], stale: vec![] };
        let by = json!({"apiVersion": "queues.example/v1", "kind": "Usage", "resourceRef": {"name": "x"}});
        let record: Object = serde_json::from_value(json!({"metadata": {"name": "u"}, "spec": {"by": by}})).unwrap();
        let named = |resource| recorded_user(Seen { resource, object: &record }, &discovery).map(|edge| edge.name);
        assert_eq!(named(&usage).as_deref(), Some("x"));
        assert_eq!(named(&Resource::tested("queues.example", "jobs", "Job", false)), None, "no record");
    }
}
