//! Objects that a held object refers to and that do not exist.

use crate::facts::{All, Known, flat_each};
use crate::kubernetes::finalizers::groups::{belongs_to, is_custom, same_domain};
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::messages::conversion::is_about_a_conversion;
use crate::kubernetes::messages::mentions;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::references::{MAX_REFERENCES, SpecReference, meant, references, without_suffix};
use crate::kubernetes::storage::is_claim;
use crate::report::Ref;
use crate::survey::{Discovery, Resource};
use std::collections::BTreeSet;

/// An object that a held object refers to and that does not exist.
#[derive(Debug)]
pub(crate) struct Absent {
    pub(crate) what: Ref,
    /// The field that names it.
    pub(crate) field: String,
    /// Whether the controller's message names it, too.
    pub(crate) named: bool,
    /// The role that it has for the held object.
    pub(crate) part: ReferenceRole,
    /// Whether its name begins with the held object's name. Such an object was made for the held
    /// one, and is deleted first.
    pub(crate) is_childs: bool,
}

impl Absent {
    /// A source of a held object that no message names.
    pub(super) fn source(what: Ref, field: String) -> Self {
        Self { what, field, named: false, part: ReferenceRole::Source, is_childs: false }
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
    /// Anything else.
    Other,
}

/// A reference to a named object, if the object is known not to exist.
///
/// # Errors
/// When it was not surveyed yet.
pub(super) fn if_absent(
    resource: &Resource,
    namespace: Option<&str>,
    name: &str,
    inquiry: Inquiry<'_, '_>,
) -> Known<Option<Ref>> {
    let read = inquiry.gaps.pass(inquiry.facts.metadata(&resource.id, namespace, name))?;
    Ok((read == Some(None)).then(|| Ref::absent(resource, namespace.map(ToOwned::to_owned), name)))
}

/// The objects that the specs of the held objects refer to and that do not exist.
pub(crate) fn absent(inquiry: Inquiry<'_, '_>) -> Known<Vec<Absent>> {
    let Inquiry { held, said, facts, .. } = inquiry;
    // The message of a webhook or policy names what that webhook or policy asks for, not what the
    // controller lacks.
    let own_words = said.iter().map(|said| said.message.as_str()).filter(|words| !is_about_admission(words));
    let words = own_words.collect::<Vec<_>>().join("\n");
    let all = held.read().flat_map(|seen| {
        let (name, group) = (seen.object.name(), seen.resource.id.group.as_str());
        let counts = move |it: &SpecReference<'_>| {
            let own = if is_claim(seen.resource) { "spec.dataSource" } else { "spec.ingressClassName" };
            is_custom(group) || it.field.starts_with(own)
        };
        let all = references(seen, facts.discovery()).into_iter().filter(counts);
        all.map(move |reference| (group, reference.name.starts_with(name), reference))
    });
    let in_specs = flat_each(all, |(own, is_childs, reference)| {
        let what = if_absent(reference.resource, reference.namespace.as_deref(), &reference.name, inquiry)?;
        let named = mentions(&words, &reference.name);
        let what = what.filter(|_| reference.plain || reference.called || named);
        Ok(what.map(|what| {
            let part = part(&reference, own).max(if is_childs { ReferenceRole::Kin } else { ReferenceRole::Source });
            Absent { what, field: reference.field, named, part, is_childs }
        }))
    });
    let (mut absent, in_words) = (in_specs, said_to_be_absent(inquiry)).all()?;
    absent.extend(in_words);
    let mut known = BTreeSet::new();
    absent.retain(|absent| known.insert(absent.what.clone()));
    absent.sort_by_key(|absent| !absent.named);
    Ok(absent)
}

/// Suffixes of the names of kinds whose objects people create before others that refer to them.
const MADE_BEFORE: [&str; 9] =
    ["class", "provider", "providerconfig", "parent", "issuer", "store", "account", "project", "cluster"];
/// Words in fields that refer to such objects.
const FIELDS: [&str; 9] =
    ["credential", "auth", "datasource", "kubeconfig", "parent", "class", "sshkey", "token", "password"];
/// Words in fields that name an object which a controller creates.
const MADE_AFTER: [&str; 6] = ["write", "output", "target", "destination", "template", "result"];

/// Whether a reference names an object from which the held one was made, such as its credentials, its
/// class or its parent.
fn is_upward(reference: &SpecReference<'_>) -> bool {
    let (kind, field) = (reference.resource.kind.to_lowercase(), reference.field.to_lowercase());
    let from = MADE_BEFORE.iter().any(|end| kind.ends_with(end)) || FIELDS.iter().any(|word| field.contains(word));
    (reference.plain || reference.called) && from && !is_made_later(&reference.field)
}

/// The role of a referenced object for an object of group `own`.
pub(crate) fn part(reference: &SpecReference<'_>, own: &str) -> ReferenceRole {
    let Resource { id, .. } = reference.resource;
    if is_upward(reference) {
        return ReferenceRole::Source;
    }
    let is_data = id.group.is_empty() && ["secrets", "configmaps"].contains(&id.plural.as_str());
    let is_kin = id.group == *own || belongs_to(&id.group, own) || same_domain(&id.group, own);
    let is_source = reference.plain && !is_made_later(&reference.field);
    let is_meant = is_source || reference.plain && is_called_after_its_kind(reference);
    match is_meant && is_kin && is_custom(&id.group) {
        _ if is_data && is_source => ReferenceRole::Data,
        true => ReferenceRole::Kin,
        false => ReferenceRole::Other,
    }
}

/// Whether a field's name contains the kind: `targetDestinationName` for a Destination.
fn is_called_after_its_kind(reference: &SpecReference<'_>) -> bool {
    let key = reference.field.split('.').rfind(|part| *part != "name").unwrap_or_default().to_lowercase();
    let stem = without_suffix(&key, &["name", "ref", "reference"]).unwrap_or(&key);
    stem.ends_with(&reference.resource.kind.to_lowercase())
}

/// Whether a field names an object that a controller creates.
pub(crate) fn is_made_later(field: &str) -> bool {
    let field = field.to_lowercase();
    MADE_AFTER.iter().any(|word| field.contains(word))
}

/// The objects that statements about the held objects call missing, and that do not exist: `Secret
/// "aws" not found`, `databases.acme.io "x" not found`, `Project p does not exist`.
fn said_to_be_absent(inquiry: Inquiry<'_, '_>) -> Known<Vec<Absent>> {
    // The backend of a webhook is in a namespace of its own.
    let behind = |message: &str| is_about_admission(message) || is_about_a_conversion(message);
    let told = inquiry.said.iter().filter(|said| (said.trouble || said.before) && !behind(&said.message));
    let named = told.flat_map(|said| {
        let own = said.of.object.metadata.namespace.as_deref();
        let missing = missing_in(&said.message, said.of.resource, inquiry.facts.discovery()).into_iter();
        missing.map(move |(kind, namespace, name)| (kind, namespace.or(own).filter(|_| kind.namespaced), name))
    });
    flat_each(named.filter(|(kind, namespace, _)| kind.namespaced == namespace.is_some()), |(kind, namespace, name)| {
        let what = if_absent(kind, namespace, name, inquiry)?;
        let (field, part) = ("its status".to_owned(), ReferenceRole::Other);
        Ok(what.map(|what| Absent { what, field, named: true, part, is_childs: false }))
    })
}

/// Words that may follow a kind but are not names.
pub(crate) const VERBS: [&str; 8] = ["was", "is", "not", "were", "does", "has", "could", "cannot"];

/// The objects that a message calls missing. If several kinds have one name, the kind in the object's
/// own group is meant, or the core's; otherwise it is unknown.
pub(crate) fn missing_in<'m, 's>(
    message: &'m str,
    own: &Resource,
    discovery: &'s Discovery,
) -> Vec<(&'s Resource, Option<&'m str>, &'m str)> {
    let words: Vec<&str> = message.split_whitespace().collect();
    let bare = |word: &'m str| word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let absence = |from: usize| {
        let next: Vec<String> = words.iter().skip(from).take(3).map(|word| bare(word).to_lowercase()).collect();
        let next = next.join(" ");
        ["not found", "does not exist", "is missing", "was not found", "not exist", "doesn't exist"]
            .iter()
            .any(|end| next.starts_with(end))
    };
    let mut found = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        let (kind, name) = (bare(pair[0]), bare(pair[1]));
        let called = |resource: &&Resource| {
            resource.kind.eq_ignore_ascii_case(kind) || resource.id.plural == kind || resource.id.short() == kind
        };
        if name.is_empty() || VERBS.contains(&name) || found.len() >= MAX_REFERENCES || !absence(at + 2) {
            continue;
        }
        if let Some(resource) = meant(&discovery.resources.iter().filter(called), &own.id.group) {
            let (namespace, name) =
                name.split_once('/').map_or((None, name), |(namespace, name)| (Some(namespace), name));
            found.push((resource, namespace, name));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::progress::fixtures::discovery;
    use crate::survey::{Object, Seen};
    use serde_json::{Value, json};

    #[test]
    fn the_role_of_a_reference_follows_from_its_field() {
        let discovery = discovery();
        let part = |spec: Value| -> ReferenceRole {
            let object: Object =
                serde_json::from_value(json!({"metadata": {"name": "b", "namespace": "shop"}, "spec": spec})).unwrap();
            let references = references(Seen { resource: &discovery.resources[1], object: &object }, &discovery);
            part(references.first().expect("it refers to something"), "acme.io")
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
            let references = references(Seen { resource: &discovery.resources[1], object: &object }, &discovery);
            is_upward(references.first().expect("it refers to something"))
        };
        assert!(upward(json!({"credentialsSecretRef": {"name": "aws"}})));
        assert!(upward(json!({"parentRef": {"kind": "Bucket", "name": "x"}})));
        assert!(!upward(json!({"writeConnectionSecretToRef": {"name": "out"}, "secretName": "tls"})));
        assert!(!upward(json!({"secretName": "tls"})));
    }

    #[test]
    fn names_match_only_as_whole_words() {
        assert!(mentions("Secret \"aws-creds\" not found", "aws-creds"));
        assert!(mentions("cannot read aws-creds.", "aws-creds"));
        assert!(!mentions("Secret aws-creds-2 not found", "aws-creds"));
        assert!(!mentions("anything", ""));
    }

    #[test]
    fn missing_objects_are_found_in_controllers_messages() {
        let discovery = discovery();
        let missing = |message: &str| -> Vec<String> {
            let found = missing_in(message, &discovery.resources[1], &discovery);
            found.iter().map(|(kind, ns, name)| format!("{} {}/{name}", kind.kind, ns.unwrap_or("-"))).collect()
        };
        assert_eq!(missing("could not be loaded: Secret \"aws-credentials\" not found"), ["Secret -/aws-credentials"]);
        assert_eq!(missing("secrets \"a\" not found"), ["Secret -/a"]);
        assert_eq!(missing("buckets.acme.io \"shop/b\" not found"), ["Bucket shop/b"]);
        assert_eq!(missing("ProviderConfig default does not exist"), ["ProviderConfig -/default"]);
        assert!(missing("Secret was not found").is_empty());
        assert!(missing("the Bucket is not ready").is_empty());
        // Two kinds with that name, neither in the object's group.
        assert!(missing("Cluster prod not found").is_empty());
        let theirs = missing_in("Cluster prod not found", &discovery.resources[5], &discovery);
        assert_eq!(theirs.iter().map(|(kind, ..)| kind.id.group.as_str()).collect::<Vec<_>>(), ["b.other.io"]);
        assert_eq!(missing("clusters.b.other.io \"prod\" not found"), ["Cluster -/prod"]);
    }
}
