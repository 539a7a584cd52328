//! The object with whose name a finalizer ends: a controller that does its work for several objects has an entry for
//! each.

use crate::kubernetes::finalizers::groups::{domain, is_custom, is_kin};
use crate::kubernetes::mentions::edge::{Clarity, Edge, How};
use crate::survey::{Discovery, Resource, Seen, is_name};

/// The object that a finalizer of `of` names: `acme.io/ship-sync_h-k-7x2v`, where an underscore, which no name contains,
/// separates the name from the words before it, or `acme.io/ship-h-k-7x2v`. One of the words is the kind.
pub(crate) fn named_by_entry<'s>(finalizer: &str, of: Seen<'s>, discovery: &'s Discovery) -> Option<Edge<'s>> {
    let (_, rest) = finalizer.rsplit_once('/')?;
    let groups = [domain(finalizer), of.resource.id.group.as_str()];
    let is_own = |kind: &&Resource| {
        let group = &kind.id.group;
        is_custom(group) && kind.id != of.resource.id && groups.iter().any(|own| is_kin(group, own))
    };
    let called =
        |word: &str| discovery.resources.iter().filter(is_own).find(|kind| kind.kind.eq_ignore_ascii_case(word));
    let (kind, name, clarity) = if let Some((before, name)) = rest.rsplit_once('_') {
        (before.split(['-', '_', '.']).find_map(called)?, name, Clarity::Explicit)
    } else {
        let (word, name) = rest.split_once(['-', '.'])?;
        // Without a digit it may be another word: `ship-cleanup`.
        (called(word).filter(|_| name.contains(|c: char| c.is_ascii_digit()))?, name, Clarity::Bare)
    };
    let to = Edge::to(of, kind, None, name).filter(|_| is_name(name))?;
    Some(Edge { how: How::Entry, clarity, field: "its finalizer".into(), ..to })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::Object;
    use serde_json::json;

    #[test]
    fn an_entry_ends_in_the_name_of_an_object_whose_kind_it_names() {
        let grant = Resource::tested("fleet.example", "grants", "Grant", false);
        let resources = vec![grant.clone(), Resource::tested("core.fleet.example", "ships", "Ship", false)];
        let discovery = Discovery { resources, stale: vec![] };
        let object: Object = serde_json::from_value(json!({"metadata": {"name": "crew"}})).unwrap();
        let named = |finalizer: &str| {
            let edge = named_by_entry(finalizer, Seen { resource: &grant, object: &object }, &discovery)?;
            Some((edge.name, edge.clarity == Clarity::Explicit))
        };
        assert_eq!(named("x.fleet.example/ship-grant-sync_h-7x2"), Some(("h-7x2".into(), true)));
        assert_eq!(named("x.fleet.example/ship-h-7x2"), Some(("h-7x2".into(), false)));
        assert_eq!(named("x.fleet.example/ship-cleanup"), None, "no name of a ship");
        assert_eq!(named("x.fleet.example/grant-sync_h-7x2"), None, "its own kind");
        assert_eq!(named("x.fleet.example/dock-sync_h-7x2"), None, "no kind");
    }
}
