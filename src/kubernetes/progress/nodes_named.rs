//! The node that an object is for: by its spec or status, an owner, a label, the affinity of its
//! volume, or the allocation of its devices.

use crate::facts::{All, Facts, Known};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::ownership::zones;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::report::Ref;
use crate::survey::{Form, Object, Resource, Seen, is_name, last_word};
use serde_json::Value;
use std::collections::BTreeSet;

/// A name that is, or may be, a node's.
#[derive(Debug, PartialEq)]
pub(crate) struct NodeName {
    pub(crate) name: String,
    /// The object that names it.
    pub(crate) of: Ref,
    pub(crate) field: String,
    /// The field can only contain a node; otherwise the name counts if such a node exists.
    pub(crate) explicit: bool,
}

/// How many names are looked for.
const MAX_NAMES: usize = 3;

/// Fields that name a node.
const FIELDS: [&str; 6] =
    ["/spec/nodeName", "/spec/node", "/spec/nodeRef/name", "/status/nodeRef/name", "/status/nodeName", "/status/node"];

/// Suffixes of labels that name a node.
const LABELS: [&str; 5] = ["host", "hostname", "node", "node-name", "nodename"];

/// The fields in which objects name their volume.
const VOLUMES: [&str; 2] = ["/spec/volumeName", "/spec/source/persistentVolumeName"];

/// The node at the end of a finalizer, if agents of several nodes have an entry each:
/// `cleanup.node.acme.io/worker-2`.
/// It is certainly meant if the rest contains the word node, or another entry on the kind ends in a node.
pub(crate) fn in_entry(of: Seen<'_>, nodes: &Resource, inquiry: Inquiry<'_, '_>) -> Known<Option<NodeName>> {
    let Inquiry { finalizer, facts, gaps, .. } = inquiry;
    // Most nodes have a number in their names; other words are not looked up.
    let may_be = |name: &str| is_name(name) && name.contains(|c: char| c.is_ascii_digit());
    let Some((domain, name)) = finalizer.rsplit_once('/').filter(|(_, name)| may_be(name)) else { return Ok(None) };
    let speaks = domain.split(['.', '-', '/']).any(|word| word == "node" || word == "nodes");
    let explicit = speaks || {
        let nodes = facts.list(&nodes.id, None, Form::Metadata);
        let kin = facts.list(&of.resource.id, None, Form::Metadata);
        let (nodes, kin) = (gaps.pass(nodes), gaps.pass(kin)).all()?;
        let is_node = |name: &str| nodes.unwrap_or_default().iter().any(|node| node.name() == name);
        let entries = kin.unwrap_or_default().iter().flat_map(|object| object.metadata.finalizers.iter());
        entries.filter_map(|entry| entry.rsplit_once('/')).any(|(of, name)| of == domain && is_node(name))
    };
    Ok(Some(NodeName { name: name.into(), of: of.into(), field: "its finalizer".into(), explicit }))
}

/// The nodes that an object names; those that are certainly meant come first.
pub(crate) fn nodes_named(seen: Seen<'_>, facts: &Facts<'_>, gaps: &Gaps) -> Known<Vec<NodeName>> {
    let object = seen.object;
    let of = Ref::from(seen);
    let volume = volume(seen, facts, gaps)?;
    let named =
        |name: &str, field: String, explicit: bool| NodeName { name: name.into(), of: of.clone(), field, explicit };
    let fields = FIELDS.iter().filter_map(|pointer| {
        let field = pointer.trim_start_matches('/').replace('/', ".");
        Some(named(object.text(pointer)?, field, true))
    });
    let owners = object.metadata.owner_references.iter();
    let owners = owners.filter(|owner| owner.kind == "Node" && owner.api_version == "v1");
    let owners = owners.map(|owner| named(&owner.name, "metadata.ownerReferences".into(), true));
    let labels = &object.metadata.labels;
    let labels = labels.iter().filter(|(key, _)| LABELS.contains(&last_word(key)));
    // A label of nodes also names a node when it is on other objects.
    let labels = labels.map(|(key, name)| {
        named(name, format!("metadata.labels[{key}]"), key.contains("node") || key.ends_with("/hostname"))
    });
    let values = values(object, facts).into_iter().map(|(name, field)| named(name, field, false));
    let affinity = affinity_of(object).map(|(name, key)| named(&name, format!("its node affinity ({key})"), true));
    let mut all: Vec<NodeName> =
        fields.chain(owners).chain(labels).chain(affinity).chain(volume).chain(values).collect();
    all.retain(|named| is_name(&named.name));
    all.sort_by_key(|named| !named.explicit);
    let mut known = BTreeSet::new();
    all.retain(|named| known.insert(named.name.clone()));
    all.truncate(MAX_NAMES);
    Ok(all)
}

/// The node of the volume of an object.
fn volume(seen: Seen<'_>, facts: &Facts<'_>, gaps: &Gaps) -> Known<Option<NodeName>> {
    let name = VOLUMES.iter().find_map(|pointer| seen.object.text(pointer)).filter(|name| is_name(name));
    let (Some(name), Some(kind)) = (name, facts.preferred("", "persistentvolumes")) else { return Ok(None) };
    let Some(volume) = gaps.pass(facts.get(&kind.id, None, name, Form::Whole))?.flatten() else { return Ok(None) };
    let of = Ref::of(kind, volume);
    let named = |(name, key)| NodeName { name, of, field: format!("its node affinity ({key})"), explicit: true };
    Ok(affinity_of(volume).map(named))
}

/// The only node that the affinity of a volume, or the allocation of a device claim, allows, and the
/// key that identifies the node.
fn affinity_of(object: &Object) -> Option<(String, String)> {
    zones::kept_to(object, |key| LABELS.contains(&last_word(key)) || key == "metadata.name")
}

/// The nodes whose names are values of labels or fields of an object, if nodes have been listed.
fn values<'s>(object: &Object, facts: &Facts<'s>) -> Vec<(&'s str, String)> {
    let kind = facts.preferred("", "nodes");
    let listed = kind.and_then(|kind| {
        facts.known_list(&kind.id, Form::Metadata).or_else(|| facts.known_list(&kind.id, Form::Whole))
    });
    let labels = object.metadata.labels.iter();
    let labels = labels.map(|(key, value)| (value.as_str(), format!("metadata.labels[{key}]")));
    let fields = ["spec", "status"].into_iter().flat_map(|part| {
        let fields = object.body.get(part).and_then(Value::as_object).into_iter().flatten();
        fields.filter_map(move |(key, value)| Some((value.as_str()?, format!("{part}.{key}"))))
    });
    let all: Vec<(&str, String)> = labels.chain(fields).collect();
    let names = listed.into_iter().flatten().filter_map(|node| {
        let (_, field) = all.iter().find(|(value, _)| *value == node.name())?;
        Some((node.name(), field.clone()))
    });
    names.take(MAX_NAMES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::progress::fixtures::discovery;
    use crate::survey::{Discovery, Survey};
    use jiff::Timestamp;
    use serde_json::json;

    fn named(object: Value) -> Vec<(String, String, bool)> {
        let discovery = discovery();
        let survey = Survey::new(Timestamp::UNIX_EPOCH, Discovery::default());
        let object: Object = serde_json::from_value(object).unwrap();
        let seen = Seen { resource: &discovery.resources[1], object: &object };
        let all = nodes_named(seen, &Facts::new(&survey), &Gaps::default()).expect("nothing is to be read");
        all.into_iter().map(|it| (it.name, it.field, it.explicit)).collect()
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
