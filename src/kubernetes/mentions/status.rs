//! Names of other objects in a status.

use crate::kubernetes::finalizers::groups::{is_custom, is_kin};
use crate::kubernetes::mentions::edge::{Edge, How};
use crate::survey::{Discovery, Seen, is_name, stem_of_name};
use serde_json::Value;

/// The objects of the same product that fields of the status name: `boundBucketName` names a Bucket.
pub(crate) fn status_edges<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> impl Iterator<Item = Edge<'s>> {
    let own = seen.resource.id.group.as_str();
    let status = seen.object.at("/status").and_then(Value::as_object).into_iter().flatten();
    status.filter_map(move |(key, value)| {
        let name = value.as_str().filter(|name| is_name(name))?;
        let stem = stem_of_name(key)?.to_lowercase();
        let kin = discovery.resources.iter().filter(|kind| is_custom(&kind.id.group) && is_kin(&kind.id.group, own));
        let called = kin.filter(|kind| stem.ends_with(&kind.kind.to_lowercase()));
        let kind = called.max_by_key(|kind| kind.kind.len())?;
        let to = Edge::to(seen, kind, None, name)?;
        Some(Edge { how: How::Status, field: format!("status.{key}"), ..to })
    })
}
