//! Names of other objects in owner references, labels and annotations.

use crate::kubernetes::finalizers::groups::{is_custom, is_kin};
use crate::kubernetes::mentions::edge::{Clarity, Edge, How};
use crate::kubernetes::mentions::grammar::only;
use crate::survey::{Discovery, Resource, Seen, is_name};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

/// How many labels are followed.
const MAX_LABELS: usize = 3;

/// The minimum length of a word in a label that is the end of a kind's name.
const MIN_END: usize = 5;

/// The owners of an object.
pub(crate) fn owner_edges<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> impl Iterator<Item = Edge<'s>> {
    seen.object.metadata.owner_references.iter().filter_map(move |owner| owner_edge(seen, owner, discovery))
}

/// One owner of an object.
pub(crate) fn owner_edge<'s>(from: Seen<'s>, owner: &OwnerReference, discovery: &'s Discovery) -> Option<Edge<'s>> {
    let kind = discovery.by_kind(&owner.api_version, &owner.kind)?;
    Some(Edge { how: How::Owner, field: "metadata.ownerReferences".into(), ..Edge::to(from, kind, None, &owner.name)? })
}

/// The objects of its own product that an object's labels name: `acme.io/remote-cluster-id` names a
/// `ForeignCluster`. A word of the key is the end of one kind's name, or the whole name of a kind in the group that
/// the key begins with.
pub(crate) fn label_edges<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> Vec<Edge<'s>> {
    let own = seen.resource.id.group.as_str();
    let named = seen.object.metadata.labels.iter().filter_map(|(key, name)| {
        let (domain, word) = key.split_once('/').filter(|(domain, _)| is_name(name) && is_kin(domain, own))?;
        let words: Vec<String> = word.split('-').map(str::to_lowercase).collect();
        let others = || discovery.resources.iter().filter(|kind| kind.id != seen.resource.id);
        let is_exact = |kind: &&Resource| kind.id.group == domain && words.contains(&kind.kind.to_lowercase());
        let is_called = |kind: &&Resource| {
            let lower = kind.kind.to_lowercase();
            is_custom(&kind.id.group)
                && is_kin(&kind.id.group, own)
                && words.iter().any(|word| word.len() >= MIN_END && lower.ends_with(word))
        };
        let (kind, clarity) = match others().find(is_exact) {
            Some(kind) => (kind, Clarity::Explicit),
            // If several kinds end in the word, it is unknown which is meant.
            None => (only(others().filter(is_called), |kind| &kind.kind)?, Clarity::Called),
        };
        let to = Edge::to(seen, kind, None, name)?;
        Some(Edge { how: How::Label, clarity, field: format!("metadata.labels[{key}]"), ..to })
    });
    let mut named: Vec<Edge<'_>> = named.collect();
    named.dedup_by_key(|edge| (edge.resource.id.clone(), edge.name.clone()));
    named.truncate(MAX_LABELS);
    named
}

/// The objects of its own product that an object's annotations name, by `name` or `namespace/name` under a key that
/// ends in the name of a kind.
pub(crate) fn annotation_edges<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> impl Iterator<Item = Edge<'s>> {
    let own = seen.resource.id.group.as_str();
    seen.object.metadata.annotations.iter().filter_map(move |(key, value)| {
        let called = key.rsplit('/').next()?;
        let is_called = |kind: &&Resource| {
            kind.kind.eq_ignore_ascii_case(called) && is_custom(&kind.id.group) && is_kin(&kind.id.group, own)
        };
        let kind = discovery.resources.iter().find(is_called)?;
        let (place, name) = value.split_once('/').map_or((None, value.as_str()), |(place, name)| (Some(place), name));
        let to = Edge::to(seen, kind, place, name)?;
        Some(Edge { how: How::Annotation, field: format!("metadata.annotations[{key}]"), ..to })
    })
}
