//! The node that an object is for: by its spec or status, an owner, a label, the affinity of its
//! volume, or the allocation of its devices.

use crate::facts::{All, Facts, Known};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::mentions::edge::{Clarity, Edge, How};
use crate::kubernetes::ownership::zones;
use crate::survey::{Form, Object, Resource, Seen, is_name, last_word};
use serde_json::Value;
use std::collections::BTreeSet;

/// How many names are looked for.
const MAX_NAMES: usize = 3;

/// Fields that name a node.
const FIELDS: [&str; 6] =
    ["/spec/nodeName", "/spec/node", "/spec/nodeRef/name", "/status/nodeRef/name", "/status/nodeName", "/status/node"];

/// Suffixes of labels that name a node.
const LABELS: [&str; 5] = ["host", "hostname", "node", "node-name", "nodename"];

/// The fields in which objects name their volume.
const VOLUMES: [&str; 2] = ["/spec/volumeName", "/spec/source/persistentVolumeName"];

/// An edge to a node. Only an explicit one certainly means a node; else the name counts if such a node exists.
fn node_edge<'s>(from: Seen<'s>, nodes: &'s Resource, name: &str, how: How, field: String) -> Edge<'s> {
    let (name, clarity) = (name.to_owned(), Clarity::Explicit);
    Edge { from, resource: nodes, namespace: None, name, how, clarity, field }
}

/// The node at the end of a finalizer of `of`, if agents of several nodes have an entry each:
/// `cleanup.node.acme.io/worker-2`.
/// A node is certainly meant if the rest contains the word node, or another entry on the kind ends in a node.
pub(crate) fn node_in_entry<'s>(
    finalizer: &str,
    of: Seen<'s>,
    nodes: &'s Resource,
    facts: &Facts<'s>,
    gaps: &Gaps,
) -> Known<Option<Edge<'s>>> {
    // Most nodes have a number in their names; other words are not looked up.
    let may_be = |name: &str| is_name(name) && name.contains(|c: char| c.is_ascii_digit());
    let Some((domain, name)) = finalizer.rsplit_once('/').filter(|(_, name)| may_be(name)) else { return Ok(None) };
    let speaks = domain.split(['.', '-', '/']).any(|word| word == "node" || word == "nodes");
    let is_explicit = speaks || {
        let nodes = facts.list(&nodes.id, None, Form::Metadata);
        let kin = facts.list(&of.resource.id, None, Form::Metadata);
        let (nodes, kin) = (gaps.pass(nodes), gaps.pass(kin)).all()?;
        let is_node = |name: &str| nodes.unwrap_or_default().iter().any(|node| node.name() == name);
        let entries = kin.unwrap_or_default().iter().flat_map(|object| object.metadata.finalizers.iter());
        entries.filter_map(|entry| entry.rsplit_once('/')).any(|(of, name)| of == domain && is_node(name))
    };
    let clarity = if is_explicit { Clarity::Explicit } else { Clarity::Bare };
    Ok(Some(Edge { clarity, ..node_edge(of, nodes, name, How::Entry, "its finalizer".into()) }))
}

/// The nodes that an object names; those that are certainly meant come first.
pub(crate) fn node_edges<'s>(seen: Seen<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<Edge<'s>>> {
    let object = seen.object;
    let volume = volume(seen, facts, gaps)?;
    let Some(nodes) = facts.preferred("", "nodes") else { return Ok(Vec::new()) };
    let named = |name: &str, how, field: String| node_edge(seen, nodes, name, how, field);
    let mut all: Vec<Edge<'s>> = FIELDS
        .iter()
        .filter_map(|pointer| {
            let how = if pointer.starts_with("/spec") { How::Spec } else { How::Status };
            Some(named(object.text(pointer)?, how, pointer.trim_start_matches('/').replace('/', ".")))
        })
        .collect();
    let owners = object.metadata.owner_references.iter();
    let owners = owners.filter(|owner| owner.kind == "Node" && owner.api_version == "v1");
    all.extend(owners.map(|owner| named(&owner.name, How::Owner, "metadata.ownerReferences".into())));
    let labels = object.metadata.labels.iter().filter(|(key, _)| LABELS.contains(&last_word(key)));
    all.extend(labels.map(|(key, name)| {
        // A label of nodes also names a node when it is on other objects.
        let is_explicit = key.contains("node") || key.ends_with("/hostname");
        let clarity = if is_explicit { Clarity::Explicit } else { Clarity::Bare };
        Edge { clarity, ..named(name, How::Label, format!("metadata.labels[{key}]")) }
    }));
    all.extend(affinity_edge(seen, nodes));
    all.extend(volume.and_then(|volume| affinity_edge(volume, nodes)));
    let values = values(object, facts).into_iter();
    all.extend(values.map(|(name, how, field)| Edge { clarity: Clarity::Bare, ..named(name, how, field) }));
    all.retain(|edge| is_name(&edge.name));
    all.sort_by_key(|edge| edge.clarity);
    let mut known = BTreeSet::new();
    all.retain(|edge| known.insert(edge.name.clone()));
    all.truncate(MAX_NAMES);
    Ok(all)
}

/// The volume of an object.
fn volume<'s>(seen: Seen<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Option<Seen<'s>>> {
    let name = VOLUMES.iter().find_map(|pointer| seen.object.text(pointer)).filter(|name| is_name(name));
    let (Some(name), Some(resource)) = (name, facts.preferred("", "persistentvolumes")) else { return Ok(None) };
    let volume = gaps.pass(facts.get(&resource.id, None, name, Form::Whole))?.flatten();
    Ok(volume.map(|object| Seen { resource, object }))
}

/// The only node that the affinity of a volume, or the allocation of a device claim, allows.
fn affinity_edge<'s>(seen: Seen<'s>, nodes: &'s Resource) -> Option<Edge<'s>> {
    let is_nodes = |key: &str| LABELS.contains(&last_word(key)) || key == "metadata.name";
    let (name, key) = zones::kept_to(seen.object, is_nodes)?;
    Some(node_edge(seen, nodes, &name, How::Spec, format!("its node affinity ({key})")))
}

/// The nodes whose names are values of labels or fields of an object, if nodes have been listed.
fn values<'s>(object: &Object, facts: &Facts<'s>) -> Vec<(&'s str, How, String)> {
    let kind = facts.preferred("", "nodes");
    let listed = kind.and_then(|kind| {
        facts.known_list(&kind.id, Form::Metadata).or_else(|| facts.known_list(&kind.id, Form::Whole))
    });
    let labels = object.metadata.labels.iter();
    let labels = labels.map(|(key, value)| (value.as_str(), How::Label, format!("metadata.labels[{key}]")));
    let fields = [("spec", How::Spec), ("status", How::Status)].into_iter().flat_map(|(part, how)| {
        let fields = object.body.get(part).and_then(Value::as_object).into_iter().flatten();
        fields.filter_map(move |(key, value)| Some((value.as_str()?, how, format!("{part}.{key}"))))
    });
    let all: Vec<(&str, How, String)> = labels.chain(fields).collect();
    let names = listed.into_iter().flatten().filter_map(|node| {
        let (_, how, field) = all.iter().find(|(value, ..)| *value == node.name())?;
        Some((node.name(), *how, field.clone()))
    });
    names.take(MAX_NAMES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::mentions::fixtures::discovery;
    use crate::survey::{Discovery, Survey};
    use jiff::Timestamp;
    use serde_json::json;

    fn named(object: Value) -> Vec<(String, String, bool)> {
        let discovery = discovery();
        let nodes = Discovery { resources: vec![Resource::tested("", "nodes", "Node", false)], stale: vec![] };
        let survey = Survey::new(Timestamp::UNIX_EPOCH, nodes);
        let object: Object = serde_json::from_value(object).unwrap();
        let seen = Seen { resource: &discovery.resources[1], object: &object };
        let all = node_edges(seen, &Facts::new(&survey), &Gaps::default()).expect("nothing is to be read");
        all.into_iter().map(|it| (it.name, it.field, it.clarity == Clarity::Explicit)).collect()
    }

    #[test]
    fn a_node_is_named_by_a_field_an_owner_or_a_label() {
        let one = |object: Value| named(object).into_iter().next().map(|(name, field, _)| format!("{name} {field}"));
        let metadata = json!({"name": "v"});
        assert_eq!(one(json!({"metadata": metadata, "spec": {"nodeName": "n1"}})).as_deref(), Some("n1 spec.nodeName"));
        let owner = json!([{"apiVersion": "v1", "kind": "Node", "name": "n2", "uid": "u"}]);
        let by_owner = one(json!({"metadata": {"name": "v", "ownerReferences": owner}}));
        assert_eq!(by_owner.as_deref(), Some("n2 metadata.ownerReferences"));
        let labels = json!({"kubernetes.io/hostname": "n3", "app": "web"});
        let labelled = named(json!({"metadata": {"name": "v", "labels": labels}}));
        assert_eq!(labelled, [("n3".into(), "metadata.labels[kubernetes.io/hostname]".into(), true)]);
        let requirement = json!({"key": "topology.acme.io/node", "operator": "In", "values": ["n4"]});
        let affinity = json!({"required": {"nodeSelectorTerms": [{"matchExpressions": [requirement]}]}});
        let volume = one(json!({"metadata": metadata, "spec": {"nodeAffinity": affinity}}));
        assert_eq!(volume.as_deref(), Some("n4 its node affinity (topology.acme.io/node)"));
    }
}
