//! Objects that a held object, its owners or its controller name and that do not exist.

use crate::facts::{All, Known, flat_each};
use crate::kubernetes::finalizers::groups::{belongs_to, is_custom, is_kin};
use crate::kubernetes::mentions::followers::is_bound;
use crate::kubernetes::mentions::grammar::{ends_with_words, is_made_later, only};
use crate::kubernetes::mentions::hosts::{host_edges, variable_edges};
use crate::kubernetes::mentions::inventory::has_inventory;
use crate::kubernetes::mentions::message::missing_in;
use crate::kubernetes::mentions::metadata::{label_edges, owner_edges};
use crate::kubernetes::mentions::named_by_entry::named_by_entry;
use crate::kubernetes::mentions::nodes::node_edges;
use crate::kubernetes::mentions::spec::spec_edges;
use crate::kubernetes::mentions::{Clarity, Edge, End, How, MAX_EDGES, resolve};
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::messages::conversion::is_about_a_conversion;
use crate::kubernetes::messages::mentions;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::storage::is_claim;
use crate::report::Ref;
use crate::survey::{Form, Resource, Seen, is_name, stem_in_lower_case};
use serde_json::Value;
use std::collections::BTreeSet;

/// How many owners are followed.
const MAX_OWNERS: usize = 2;

/// An object that a held object refers to and that does not exist.
#[derive(Debug, Clone)]
pub(crate) struct Absent {
    pub(crate) what: Ref,
    /// The field that names it.
    pub(crate) field: String,
    /// The uids of the objects that name it.
    pub(crate) of: Vec<String>,
    /// Whether the controller's message names it, too.
    pub(crate) named: bool,
    /// The role that it has for the held object.
    pub(crate) part: ReferenceRole,
    /// Whether its name begins with the held object's name. Such an object was made for the held
    /// one, and is deleted first.
    pub(crate) is_childs: bool,
}

impl Absent {
    /// A source of the held object at the beginning of an edge, which no message names.
    fn source(what: Ref, edge: &Edge<'_>) -> Self {
        let (field, of) = (edge.field.clone(), vec![edge.from.object.uid().to_owned()]);
        Self { what, field, of, named: false, part: ReferenceRole::Source, is_childs: false }
    }
}

/// The role of an object for another that refers to it; those that a clean-up needs most come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ReferenceRole {
    /// The object was made from it; its controller did not make it.
    Source,
    /// A Secret or a `ConfigMap`.
    Data,
    /// An object of the same product.
    Kin,
    /// An object of a related group to which the held one delegates a part of its work.
    Delegate,
    /// Anything else.
    Other,
}

/// The object at the other end of `edge`, if it is known not to exist.
pub(crate) fn if_absent(edge: &Edge<'_>, inquiry: Inquiry<'_, '_>) -> Known<Option<Ref>> {
    let end = resolve(edge, Form::Metadata, inquiry.facts);
    Ok(inquiry.gaps.pass(end)?.and_then(End::absent))
}

/// The objects that the specs of the held objects refer to and that do not exist.
pub(crate) fn absent(inquiry: Inquiry<'_, '_>) -> Known<Vec<Absent>> {
    let Inquiry { held, said, facts, .. } = inquiry;
    // The message of a webhook or policy names what that webhook or policy asks for, not what the
    // controller lacks.
    let own_words = said.iter().map(|said| said.message.as_str()).filter(|words| !is_about_admission(words));
    let words = own_words.collect::<Vec<_>>().join("\n");
    let all = held.read().flat_map(|seen| spec_edges(seen, facts.discovery())).filter(|edge| {
        let kind = edge.from.resource;
        let own = if is_claim(kind) { "spec.dataSource" } else { "spec.ingressClassName" };
        (is_custom(&kind.id.group) || edge.field.starts_with(own)) && !is_optional(edge)
    });
    let in_specs = flat_each(all, |edge| {
        let what = if_absent(&edge, inquiry)?;
        // A message about an object names it: what has the same name need not be meant.
        let named = mentions(&words, &edge.name) && edge.name != edge.from.object.name();
        let what = what.filter(|_| named || edge.clarity < Clarity::Bare && !is_claimed(&edge));
        Ok(what.map(|what| {
            let is_childs = edge.name.starts_with(edge.from.object.name());
            let part = part(&edge).max(if is_childs { ReferenceRole::Kin } else { ReferenceRole::Source });
            Absent { named, part, is_childs, ..Absent::source(what, &edge) }
        }))
    });
    let (in_specs, in_words) = (in_specs, said_to_be_absent(inquiry)).all()?;
    let mut absent: Vec<Absent> = Vec::new();
    for one in in_specs.into_iter().chain(in_words) {
        match absent.iter_mut().find(|known| known.what == one.what) {
            Some(known) => known.of.extend(one.of),
            None => absent.push(one),
        }
    }
    absent.sort_by_key(|absent| !absent.named);
    Ok(absent)
}

/// The missing object in `absent` that the clean-up needs, or that the owners of the objects refer to.
/// After the deletion, other references of a spec may be to objects that the controller has cleaned up.
pub(crate) fn lacked(absent: impl Iterator<Item = Absent>, inquiry: Inquiry<'_, '_>) -> Known<Option<Absent>> {
    let Inquiry { held, facts, .. } = inquiry;
    let foreseen = held.objects.iter().all(|seen| !seen.object.is_deleting());
    // A class is read when an object is created, and a bound object has been created.
    let is_made = held.read().any(|seen| is_bound(seen, facts.discovery()));
    // If the status lists the objects to clean up, the controller does not read their source again.
    let lists_it = held.read().all(|seen| has_inventory(seen.object));
    let is_needed = |absent: &Absent| match absent.part {
        ReferenceRole::Source => !(is_made && absent.what.kind.ends_with("Class")),
        ReferenceRole::Kin if lists_it => false,
        // An object whose name contains its owner's was made for it.
        ReferenceRole::Kin => foreseen || !absent.is_childs,
        ReferenceRole::Data => foreseen,
        // A controller that deletes what it delegates to need not find it.
        ReferenceRole::Delegate | ReferenceRole::Other => false,
    };
    match absent.filter(is_needed).min_by_key(|absent| absent.part) {
        Some(own) => Ok(Some(own)),
        None => Ok(lacked_by_owners(inquiry)?.into_iter().next()),
    }
}

/// The missing objects to which owners of held objects refer, if these are being deleted, too: Secrets
/// and `ConfigMaps`, and an owner's sources. Controllers read them by way of the owner.
fn lacked_by_owners(inquiry: Inquiry<'_, '_>) -> Known<Vec<Absent>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let first = held.read().take(1).filter(|seen| is_custom(&seen.resource.id.group));
    let owners = first.flat_map(|seen| owner_edges(seen, facts.discovery()).take(MAX_OWNERS));
    let read = flat_each(owners.filter(|edge| is_custom(&edge.resource.id.group)), |edge| {
        let owner = gaps.pass(edge.read(Form::Whole, facts))?.flatten();
        Ok(owner.filter(|owner| edge.from.object.is_owned_by(owner.object) && owner.object.is_deleting()))
    })?;
    let all = read.into_iter().flat_map(|owner| spec_edges(owner, facts.discovery()));
    let is_needed = |edge: &Edge<'_>| matches!(part(edge), ReferenceRole::Source | ReferenceRole::Data);
    let mut named: Vec<Edge<'_>> = all.filter(is_needed).collect();
    // Missing data is better evidence than a missing source.
    named.sort_by_key(|edge| !edge.resource.id.group.is_empty());
    flat_each(named, |edge| {
        let what = if_absent(&edge, inquiry)?;
        let by = Ref::from(edge.from);
        // An object that its owner lacks is missing for every object that the owner owns.
        Ok(what.map(|what| Absent {
            field: format!("{} of {by}", edge.field),
            of: Vec::new(),
            ..Absent::source(what, &edge)
        }))
    })
}

/// The first missing object that is named in another way than by a reference, with the place of its name. The
/// controller may need it. In this order: a node, the object that the finalizer names, an object of the same group that a
/// field of the spec names by its kind alone, such as `volume: data-1`, one that a label names, the destination, and a
/// Service that a variable of `workload` names, which runs the controller.
pub(crate) fn named_otherwise(workload: Option<Seen<'_>>, inquiry: Inquiry<'_, '_>) -> Known<Option<(Ref, String)>> {
    let (held, discovery) = (inquiry.held, inquiry.facts.discovery());
    let is_explicit = |edge: &Edge<'_>| edge.clarity == Clarity::Explicit;
    let is_child = |edge: &Edge<'_>| is_made_later(&edge.field) || edge.name.starts_with(edge.from.object.name());
    let entry = named_by_entry(inquiry.finalizer, held.first(), discovery).filter(is_explicit);
    let in_spec = held.first_custom().into_iter().flat_map(|seen| spec_edges(seen, discovery));
    let by_kind = in_spec.filter(|edge| edge.clarity == Clarity::Called && !is_child(edge));
    let labels = held.first_custom().into_iter().flat_map(|seen| label_edges(seen, discovery)).filter(is_explicit);
    let variables = workload.into_iter().flat_map(|workload| variable_edges(workload, discovery));
    let variables = variables.map(|edge| Edge { field: format!("its variable {}", edge.field), ..edge });
    let node = node(inquiry).and_then(|edge| first_absent(edge, inquiry));
    let others = first_absent(entry.into_iter().chain(by_kind).chain(labels), inquiry);
    let (node, others, destination, called) =
        (node, others, destination(inquiry), first_absent(variables, inquiry)).all()?;
    Ok(node.or(others).or(destination).or(called))
}

/// The place to which the first held object was brought, if no object of that kind has its name in any namespace: the
/// controller knows no such place. With the field.
fn destination(inquiry: Inquiry<'_, '_>) -> Known<Option<(Ref, String)>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let Some(seen) = held.first_custom() else { return Ok(None) };
    let kin = |kind: &&Resource| {
        let group = &kind.id.group;
        kind.id != seen.resource.id && is_custom(group) && is_kin(group, &seen.resource.id.group)
    };
    let named = seen.object.at("/spec/destination").and_then(Value::as_object).into_iter().flatten();
    let named = named.filter_map(|(key, name)| {
        let word = if key == "name" { "cluster" } else { key };
        let kinds = facts.discovery().listable().filter(kin).filter(|kind| ends_with_words(&kind.kind, word));
        Some((only(kinds, |kind| &kind.kind)?, name.as_str().filter(|name| is_name(name))?, key))
    });
    let unknown = flat_each(named, |(kind, name, key)| {
        let all = gaps.pass(facts.list(&kind.id, None, Form::Metadata))?;
        let is_unknown = all.is_some_and(|all| !all.is_empty() && all.iter().all(|object| object.name() != name));
        Ok(is_unknown.then(|| (Ref::absent(kind, None, name), format!("spec.destination.{key}"))))
    })?;
    Ok(unknown.into_iter().next())
}

/// The first missing object at the end of an edge, with the field.
fn first_absent<'s>(
    edges: impl IntoIterator<Item = Edge<'s>>,
    inquiry: Inquiry<'_, '_>,
) -> Known<Option<(Ref, String)>> {
    let absent = flat_each(edges, |edge| Ok(if_absent(&edge, inquiry)?.map(|what| (what, edge.field))))?;
    Ok(absent.into_iter().next())
}

/// The Services that held objects name by DNS, and that do not exist.
pub(crate) fn by_host(inquiry: Inquiry<'_, '_>) -> Known<Vec<Absent>> {
    let mut known = BTreeSet::new();
    let named = inquiry.held.read().flat_map(|seen| host_edges(seen, inquiry.facts.discovery()));
    let named = named.filter(|edge| known.insert((edge.namespace.clone(), edge.name.clone()))).take(MAX_EDGES);
    flat_each(named, |edge| Ok(if_absent(&edge, inquiry)?.map(|what| Absent::source(what, &edge))))
}

/// Suffixes of the names of kinds whose objects people create before others that refer to them.
const MADE_BEFORE: [&str; 9] =
    ["class", "provider", "providerconfig", "parent", "issuer", "store", "account", "project", "cluster"];
/// Words in fields that refer to such objects.
const FIELDS: [&str; 9] =
    ["credential", "auth", "datasource", "kubeconfig", "parent", "class", "sshkey", "token", "password"];
/// Whether a reference names an object from which the held one was made, such as its credentials, its
/// class or its parent.
fn is_upward(edge: &Edge<'_>) -> bool {
    let (kind, field) = (edge.resource.kind.to_lowercase(), edge.field.to_lowercase());
    let is_made_before = !is_delegate(edge) && MADE_BEFORE.iter().any(|end| kind.ends_with(end));
    let from = is_made_before || FIELDS.iter().any(|word| field.contains(word));
    edge.clarity < Clarity::Bare && from && !is_made_later(&edge.field)
}

/// Whether a claim names the object that is made for it: `spec.bucketName` of a `BucketClaim`.
fn is_claimed(edge: &Edge<'_>) -> bool {
    let (claim, made) = (edge.from.resource, edge.resource);
    let rest = claim.kind.strip_prefix(made.kind.as_str());
    claim.id.group == made.id.group && rest.is_some_and(|rest| ["Claim", "Request"].contains(&rest))
}

/// The role of the object that a spec refers to.
pub(crate) fn part(edge: &Edge<'_>) -> ReferenceRole {
    let Resource { id, .. } = edge.resource;
    if is_upward(edge) {
        return ReferenceRole::Source;
    }
    let is_data = id.group.is_empty() && ["secrets", "configmaps"].contains(&id.plural.as_str());
    let is_explicit = edge.clarity == Clarity::Explicit;
    let is_source = is_explicit && !is_made_later(&edge.field);
    let is_meant = is_source || is_explicit && is_called_after_its_kind(edge);
    match is_meant && is_kin(&id.group, &edge.from.resource.id.group) && is_custom(&id.group) {
        _ if is_data && is_source => ReferenceRole::Data,
        true if is_delegate(edge) => ReferenceRole::Delegate,
        true => ReferenceRole::Kin,
        false => ReferenceRole::Other,
    }
}

/// Whether a field leaves the kind open, for one of several kinds of a related group: `infrastructureRef` for an
/// `AcmeMachine` of `infrastructure.acme.io`.
fn is_delegate(edge: &Edge<'_>) -> bool {
    let (group, own) = (&edge.resource.id.group, &edge.from.resource.id.group);
    let parent = edge.field.rsplit('.').find(|part| *part != "name").map(stem_in_lower_case).unwrap_or_default();
    let is_open = !parent.is_empty() && !edge.resource.kind.to_lowercase().ends_with(&parent);
    let names_its_group = edge.field.to_lowercase().split(['.', '[']).any(|part| {
        let part = stem_in_lower_case(part);
        part.len() > 4 && group.split('.').next().is_some_and(|first| first == part)
    });
    edge.clarity == Clarity::Explicit && group != own && is_kin(group, own) && (is_open || names_its_group)
}

/// Whether a reference says itself that it is optional.
fn is_optional(edge: &Edge<'_>) -> bool {
    let pointer = format!("/{}", edge.field.replace('[', "/").replace(']', "").replace('.', "/"));
    let own = edge.from.object.at(&format!("{pointer}/optional"));
    let beside = pointer.rsplit_once('/').and_then(|(parent, _)| edge.from.object.at(&format!("{parent}/optional")));
    own.or(beside).and_then(Value::as_bool) == Some(true)
}

/// Whether a field's name contains the kind: `targetDestinationName` for a Destination.
fn is_called_after_its_kind(edge: &Edge<'_>) -> bool {
    let key = edge.field.split('.').rfind(|part| *part != "name").unwrap_or_default();
    stem_in_lower_case(key).ends_with(&edge.resource.kind.to_lowercase())
}

/// The objects that statements about the held objects call missing, and that do not exist: `Secret
/// "aws" not found`, `databases.acme.io "x" not found`, `Project p does not exist`.
fn said_to_be_absent(inquiry: Inquiry<'_, '_>) -> Known<Vec<Absent>> {
    // The backend of a webhook is in a namespace of its own.
    let behind = |message: &str| is_about_admission(message) || is_about_a_conversion(message);
    let told = inquiry.said.iter().filter(|said| (said.trouble || said.before) && !behind(&said.message));
    let named = told.flat_map(|said| missing_in(&said.message, said.of, inquiry.facts.discovery()));
    flat_each(named, |edge| {
        let what = if_absent(&edge, inquiry)?;
        Ok(what.map(|what| Absent { named: true, part: ReferenceRole::Other, ..Absent::source(what, &edge) }))
    })
}

/// Whether `seen` itself certainly means a node.
pub(crate) fn is_own(edge: &Edge<'_>, seen: Seen<'_>) -> bool {
    edge.clarity == Clarity::Explicit && edge.from.object.uid() == seen.object.uid()
}

/// The node that the spec, a label or an owner of the first held object names.
/// A node in the status does not count: the clean-up may have deleted it. A label of another product does not count
/// either: `kwok.x-k8s.io/node` is `fake`, and a host may have another name than its node.
fn node<'s>(inquiry: Inquiry<'_, 's>) -> Known<Option<Edge<'s>>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let Some(seen) = held.read().next() else { return Ok(None) };
    let named = node_edges(seen, facts, gaps)?;
    let group = &seen.resource.id.group;
    let is_foreign = |field: &str| {
        let domain =
            field.strip_prefix("metadata.labels[").and_then(|key| key.split_once('/')).map(|(domain, _)| domain);
        domain.is_some_and(|domain| domain != group && !belongs_to(group, domain))
    };
    let counts = |edge: &Edge<'_>| is_own(edge, seen) && edge.how != How::Status && !is_foreign(&edge.field);
    Ok(named.into_iter().find(counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::mentions::discovery;
    use crate::survey::{Object, Seen};
    use serde_json::{Value, json};

    #[test]
    fn the_role_of_a_reference_follows_from_its_field() {
        let discovery = discovery();
        let part = |spec: Value| -> ReferenceRole {
            let object: Object =
                serde_json::from_value(json!({"metadata": {"name": "b", "namespace": "shop"}, "spec": spec})).unwrap();
            let edges = spec_edges(Seen { resource: &discovery.resources[1], object: &object }, &discovery);
            part(edges.first().expect("it refers to something"))
        };
        assert_eq!(part(json!({"credentialsSecretRef": {"name": "aws"}})), ReferenceRole::Source);
        assert_eq!(part(json!({"boot": {"dataSecretName": "boot"}})), ReferenceRole::Data);
        assert_eq!(part(json!({"bucketRef": {"name": "x"}})), ReferenceRole::Kin);
        assert_eq!(
            part(json!({"targetAppProjectName": "x"})),
            ReferenceRole::Kin,
            "its field says which kind it means"
        );
        assert_eq!(part(json!({"outputSecretRef": {"name": "out"}})), ReferenceRole::Other);
    }

    #[test]
    fn sources_are_distinguished_from_outputs() {
        let discovery = discovery();
        let upward = |spec: Value| -> bool {
            let object: Object =
                serde_json::from_value(json!({"metadata": {"name": "b", "namespace": "shop"}, "spec": spec})).unwrap();
            let edges = spec_edges(Seen { resource: &discovery.resources[1], object: &object }, &discovery);
            is_upward(edges.first().expect("it refers to something"))
        };
        assert!(upward(json!({"credentialsSecretRef": {"name": "aws"}})));
        assert!(upward(json!({"parentRef": {"kind": "Bucket", "name": "x"}})));
        assert!(!upward(json!({"writeConnectionSecretToRef": {"name": "out"}, "secretName": "tls"})));
        assert!(!upward(json!({"secretName": "tls"})));
    }
}
