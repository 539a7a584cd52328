//! `CustomResourceDefinition`s: the versions of a kind that are served and stored, and the objects
//! of the kind.

pub(crate) mod foreseen;
pub mod versions;

use crate::facts::{Facts, Gap, Known, Readable, flat_each, is_late};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::services::ServiceName;
use crate::report::{NoteSubject, Ref};
use crate::survey::{Discovery, Form, Object, Resource, ResourceId, Seen, Unread};
use jiff::SignedDuration;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The finalizer by which the API server keeps a definition until its objects are gone
/// (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiextensions-apiserver/pkg/controller/finalizer/crd_finalizer.go`).
pub const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// A definition, whole.
#[derive(Debug, Clone, Copy)]
pub struct Definition<'s> {
    /// The object.
    pub seen: Seen<'s>,
}

/// The objects of a definition's kind, in all namespaces.
#[derive(Debug)]
pub enum Instances<'s> {
    /// All of them.
    Listed(Vec<Seen<'s>>),
    /// They could not be read.
    Unread {
        /// The list that was requested.
        what: NoteSubject,
        /// Why it could not be read.
        why: Unread,
    },
    /// The kind is not served, so that it cannot be listed.
    Unserved,
}

/// A kind, and the result of listing it.
pub type ListOf<'s> = (&'s Resource, Result<&'s [Object], Gap>);

/// Whether a resource is `customresourcedefinitions`.
pub(crate) fn is_definition(resource: &Resource) -> bool {
    resource.id.is("apiextensions.k8s.io", "customresourcedefinitions")
}

fn definition_of<'s>(kind: &Resource, form: Form, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
    let definitions = facts.preferred("apiextensions.k8s.io", "customresourcedefinitions");
    // The group of a definition has a dot (kubernetes/kubernetes:
    // `staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go`).
    let Some(resource) = definitions.filter(|_| kind.id.group.contains('.')) else { return Ok(None) };
    let object = facts.get(&resource.id, None, &kind.id.short(), form)?;
    Ok(object.map(|object| Seen { resource, object }))
}

impl<'s> Definition<'s> {
    /// The definition of a kind; `None` if the kind is built in or aggregated.
    pub(crate) fn of(kind: &Resource, facts: &Facts<'s>) -> Known<Option<Self>> {
        Ok(definition_of(kind, Form::Whole, facts)?.map(|seen| Self { seen }))
    }

    /// The metadata of a kind's definition; `None` as in [`Self::of`].
    pub(crate) fn metadata_of(kind: &Resource, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
        definition_of(kind, Form::Metadata, facts)
    }

    /// The object as a definition, if it is one.
    pub(crate) fn is(seen: Seen<'s>) -> Option<Self> {
        is_definition(seen.resource).then_some(Self { seen })
    }

    /// A reference to it.
    pub(crate) fn reference(&self) -> Ref {
        self.seen.into()
    }

    /// The object.
    pub(crate) fn object(&self) -> &'s Object {
        self.seen.object
    }

    /// A string of its spec; `pointer` is relative to the spec.
    pub(crate) fn says(&self, pointer: &str) -> &'s str {
        self.object().text(&format!("/spec{pointer}")).unwrap_or_default()
    }

    /// The names of its versions whose `field` (`served` or `storage`) is true.
    fn versions_that_are(&self, field: &str) -> impl Iterator<Item = &'s str> {
        let is = move |version: &&Value| version.get(field).and_then(Value::as_bool) == Some(true);
        self.object().array("/spec/versions").iter().filter(is).filter_map(|version| version.get("name")?.as_str())
    }

    /// All its versions.
    pub(crate) fn versions(&self) -> impl Iterator<Item = &'s str> {
        self.object().array("/spec/versions").iter().filter_map(|version| version.get("name")?.as_str())
    }

    /// The versions that are served, the storage version first.
    pub(crate) fn served(&self) -> Vec<&'s str> {
        let mut served: Vec<&str> = self.versions_that_are("served").collect();
        let storage = self.storage();
        served.sort_by_key(|version| Some(*version) != storage);
        served
    }

    /// The version in which objects are stored.
    pub(crate) fn storage(&self) -> Option<&'s str> {
        self.versions_that_are("storage").next()
    }

    /// The versions in which stored objects may exist.
    pub(crate) fn stored(&self) -> Vec<&'s str> {
        self.object().array("/status/storedVersions").iter().filter_map(Value::as_str).collect()
    }

    /// Whether a webhook must convert stored objects for requests of `version`.
    pub(crate) fn converts_for(&self, version: &str) -> bool {
        self.webhook().is_some() && self.stored().iter().any(|stored| *stored != version)
    }

    /// The client configuration of its conversion webhook, if it has one.
    pub(crate) fn webhook(&self) -> Option<&'s Value> {
        let webhook = self.object().at("/spec/conversion/webhook/clientConfig")?;
        (self.says("/conversion/strategy") == "Webhook").then_some(webhook)
    }

    /// The Service of its conversion webhook; `None` if that is called by URL.
    pub(crate) fn conversion_service(&self) -> Option<ServiceName<'s>> {
        let service = self.webhook()?.get("service").filter(|service| !service.is_null())?;
        Some(ServiceName::read(service, &self.object().metadata))
    }

    /// Its kind in one version.
    pub(crate) fn in_version(&self, version: &str) -> ResourceId {
        ResourceId::new(self.says("/group"), version, self.says("/names/plural"))
    }

    /// Its kind in each version that is served, the storage version first.
    fn kinds(&self, facts: &Facts<'s>) -> impl Iterator<Item = &'s Resource> {
        let known = |id: &ResourceId| facts.discovery().resources.iter().find(|resource| resource.id == *id);
        self.served().into_iter().filter_map(move |version| known(&self.in_version(version)))
    }

    /// The list of its objects in all namespaces in the storage version, in which most need no
    /// conversion; `None` if no version is served.
    pub(crate) fn listed_as_stored(&self, facts: &Facts<'s>) -> Known<Option<ListOf<'s>>> {
        let Some(resource) = self.kinds(facts).next() else { return Ok(None) };
        Ok(Some((resource, facts.list(&resource.id, None, Form::Metadata).surveyed()?)))
    }

    /// Its objects in all namespaces, in the first version that can be listed.
    pub(crate) fn instances(&self, facts: &Facts<'s>) -> Known<Instances<'s>> {
        let mut first = None;
        for resource in self.kinds(facts) {
            match facts.list(&resource.id, None, Form::Metadata).surveyed()? {
                Ok(objects) => {
                    return Ok(Instances::Listed(objects.iter().map(|object| Seen { resource, object }).collect()));
                }
                Err(Gap { what, why }) => {
                    first.get_or_insert(Instances::Unread { what, why });
                }
            }
        }
        Ok(first.unwrap_or(Instances::Unserved))
    }

    /// Its objects that are being deleted, without those in namespaces that do not exist, which cannot
    /// be released there.
    pub(crate) fn going(&self, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
        let Instances::Listed(all) = self.instances(facts)? else { return Ok(Vec::new()) };
        let mut going: Vec<Seen<'s>> = all.into_iter().filter(|seen| seen.object.is_deleting()).collect();
        if going.iter().any(|seen| seen.object.metadata.namespace.is_some()) {
            let stranded = stranded(&going, facts)?;
            going.retain(|seen| !stranded.contains(seen.object.uid()));
        }
        Ok(going)
    }
}

/// The uids of the objects whose namespace does not exist; none if namespaces cannot be listed.
pub(crate) fn stranded<'s>(objects: &[Seen<'s>], facts: &Facts<'s>) -> Known<BTreeSet<&'s str>> {
    let Some(namespaces) = facts.list(&ResourceId::new("", "v1", "namespaces"), None, Form::Metadata).if_readable()?
    else {
        return Ok(BTreeSet::new());
    };
    let names: BTreeSet<&str> = namespaces.iter().map(Object::name).collect();
    let missing = |seen: &&Seen<'s>| seen.object.metadata.namespace.as_deref().is_some_and(|it| !names.contains(it));
    Ok(objects.iter().filter(missing).map(|seen| seen.object.uid()).collect())
}

/// Whether the deletion of a definition was requested so long ago that its objects should be
/// deleted by now, too.
pub(crate) fn has_begun(definition: &Object, facts: &Facts<'_>) -> bool {
    is_late(definition, facts, SignedDuration::from_secs(10))
}

/// How many definitions are read, since they are large.
const MAX_DEFINITIONS: usize = 60;

/// The definitions of kinds in several versions, which may need conversion: those that `first`
/// selects come first. A definition that cannot be read is noted and left out.
pub(crate) fn of_several_versions<'s>(
    facts: &Facts<'s>,
    first: impl Fn(&Resource) -> bool,
) -> Known<Vec<Definition<'s>>> {
    let mut kinds = kinds_of_several_versions(facts.discovery());
    kinds.sort_by_key(|kind| !first(kind));
    flat_each(kinds.into_iter().take(MAX_DEFINITIONS), |kind| Ok(Definition::of(kind, facts).or_note(facts)?.flatten()))
}

/// The kinds with definitions that are served in more than one version.
fn kinds_of_several_versions(discovery: &Discovery) -> Vec<&Resource> {
    let mut versions: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for resource in &discovery.resources {
        *versions.entry((&resource.id.group, &resource.id.plural)).or_default() += 1;
    }
    let several = |resource: &&Resource| versions[&(resource.id.group.as_str(), resource.id.plural.as_str())] > 1;
    let custom = |resource: &&Resource| is_custom(&resource.id.group);
    discovery.listable().filter(several).filter(custom).collect()
}
