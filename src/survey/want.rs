//! Reads that a survey needs: a list, an object, a log, or the server's answer to a dry run.

use super::log::LogOf;
use super::object::Seen;
use super::probe::{Probe, ProbeOf};
use super::resource::ResourceId;
use indexmap::Equivalent;
use std::fmt;
use std::hash::{Hash, Hasher};

/// How much of an object is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// `PartialObjectMetadata`; in lists without managedFields.
    Metadata,
    /// The whole object.
    Whole,
    /// Metadata, in a list only of objects with owners: for the search for dependents in all
    /// namespaces.
    Owned,
    /// Metadata, in a list only of objects that are being deleted: for a scan of the whole cluster.
    Deleting,
    /// Metadata from the store, even if a cache shows something else.
    Stored,
    /// Metadata from the server's cache only: what a controller gets.
    Cached,
}

/// A read that a rule asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Want {
    /// The resource to read.
    pub resource: ResourceId,
    /// The namespace; `None` for cluster-scoped resources and lists in all namespaces.
    pub namespace: Option<String>,
    /// One object, or `None` for the list.
    pub name: Option<String>,
    /// The node whose pods are read; `None` for any.
    pub node: Option<String>,
    /// How much of the object to read.
    pub form: Form,
    /// The log of one of the pod's containers instead of the pod.
    pub log: Option<Box<LogOf>>,
    /// The server's answer to a dry run instead of the object.
    pub probe: Option<Box<ProbeOf>>,
}

/// A borrowed want, to look up facts without copying names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sought<'a> {
    name: Option<&'a str>,
    namespace: Option<&'a str>,
    node: Option<&'a str>,
    pub(super) form: Form,
    resource: &'a ResourceId,
    log: Option<&'a LogOf>,
    probe: Option<&'a ProbeOf>,
}

impl<'a> Sought<'a> {
    /// The counterpart of [`Want::list`].
    pub(crate) fn list(resource: &'a ResourceId, namespace: Option<&'a str>, form: Form) -> Self {
        Self { name: None, namespace, node: None, form, resource, log: None, probe: None }
    }

    /// The pods of a node, whole, in all namespaces.
    pub(crate) fn pods_on(pods: &'a ResourceId, node: &'a str) -> Self {
        Self { node: Some(node), ..Self::list(pods, None, Form::Whole) }
    }

    /// The counterpart of [`Want::get`].
    pub(crate) fn get(resource: &'a ResourceId, namespace: Option<&'a str>, name: &'a str, form: Form) -> Self {
        let form = if resource.is_private() { Form::Metadata } else { form };
        Self { name: Some(name), namespace, node: None, form, resource, log: None, probe: None }
    }

    /// The same in another form.
    pub(super) fn in_form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// The owned want.
    pub(crate) fn want(self) -> Want {
        let Self { name, namespace, node, form, resource, log, probe } = self;
        let (name, namespace, node) = (name.map(Into::into), namespace.map(Into::into), node.map(Into::into));
        let (log, probe) = (log.cloned().map(Box::new), probe.cloned().map(Box::new));
        Want { resource: resource.clone(), namespace, name, node, form, log, probe }
    }
}

/// Hashes only these fields, for speed: few wants differ only in the others.
impl Hash for Sought<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Includes the group: many groups may have a kind with the same name.
        (self.name, self.namespace, self.form, &self.resource.plural, &self.resource.group).hash(state);
    }
}

impl Hash for Want {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sought().hash(state);
    }
}

impl Equivalent<Want> for Sought<'_> {
    fn equivalent(&self, want: &Want) -> bool {
        *self == want.sought()
    }
}

impl Want {
    /// The same want, borrowed.
    pub(crate) fn sought(&self) -> Sought<'_> {
        Sought {
            name: self.name.as_deref(),
            namespace: self.namespace.as_deref(),
            node: self.node.as_deref(),
            form: self.form,
            resource: &self.resource,
            log: self.log.as_deref(),
            probe: self.probe.as_deref(),
        }
    }

    /// A list.
    #[must_use]
    pub fn list(resource: &ResourceId, namespace: Option<&str>, form: Form) -> Self {
        Sought::list(resource, namespace, form).want()
    }

    /// One object. Only the metadata of Secrets and `ConfigMap`s is read.
    #[must_use]
    pub fn get(resource: &ResourceId, namespace: Option<&str>, name: &str, form: Form) -> Self {
        Sought::get(resource, namespace, name, form).want()
    }

    /// The relevant lines of a container's log.
    #[must_use]
    pub fn log(namespace: &str, pod: &str, log: LogOf) -> Self {
        let pods = ResourceId::new("", "v1", "pods");
        Self { log: Some(Box::new(log)), ..Self::get(&pods, Some(namespace), pod, Form::Metadata) }
    }

    /// The server's answer to a dry run.
    #[must_use]
    pub fn probe(seen: Seen<'_>, what: Probe) -> Self {
        let metadata = &seen.object.metadata;
        let at = match &what {
            Probe::Delete => 0,
            Probe::RemoveFinalizer(key) => metadata.finalizers.iter().position(|held| held == key).unwrap_or_default(),
        };
        let probe = ProbeOf { what, uid: metadata.uid.to_string(), at, user: None };
        let namespace = metadata.namespace.as_deref();
        Self { probe: Some(Box::new(probe)), ..Self::get(&seen.resource.id, namespace, &metadata.name, Form::Metadata) }
    }

    /// The same dry run as another user.
    pub(crate) fn by_user(mut self, user: &str) -> Self {
        if let Some(probe) = &mut self.probe {
            probe.user = Some(user.to_owned());
        }
        self
    }

    /// The relevant lines from a node's kubelet.
    pub(crate) fn node_log(node: &str, log: LogOf) -> Self {
        let nodes = ResourceId::new("", "v1", "nodes");
        Self { log: Some(Box::new(log)), ..Self::get(&nodes, None, node, Form::Metadata) }
    }

    /// The URL path.
    #[must_use]
    pub fn path(&self) -> String {
        self.resource.path(self.namespace.as_deref(), self.name.as_deref())
    }
}

impl fmt::Display for Want {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(log) = &self.log {
            write!(f, "{log} of ")?;
        }
        if let Some(probe) = &self.probe {
            write!(f, "{probe}: ")?;
        }
        write!(f, "{}", self.resource)?;
        if let Some(name) = &self.name {
            write!(f, "/{name}")?;
        }
        if let Some(node) = &self.node {
            write!(f, " on node {node}")?;
        }
        match &self.namespace {
            Some(namespace) => write!(f, " in namespace {namespace}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::Topic;
    use std::collections::HashSet;
    use std::hash::{BuildHasher, RandomState};

    /// Otherwise, the facts about 10,000 groups with a kind of the same name would be one long
    /// list.
    #[test]
    fn kinds_of_the_same_name_in_many_groups_are_found_as_fast_as_others() {
        let state = RandomState::new();
        let kind = |number: u32| ResourceId::new(&format!("g{number}.io"), "v1", "things");
        let hashes = (0..1000).map(|number| state.hash_one(Want::list(&kind(number), Some("shop"), Form::Metadata)));
        assert!(hashes.collect::<HashSet<u64>>().len() > 990);
    }

    #[test]
    fn a_borrowed_want_finds_exactly_the_owned_one() {
        let kinds = [ResourceId::new("", "v1", "pods"), ResourceId::new("acme.io", "v1", "pods")];
        let forms = [Form::Metadata, Form::Whole, Form::Owned, Form::Deleting, Form::Stored, Form::Cached];
        let (places, names) = ([None, Some("a"), Some("b")], [None, Some("a"), Some("ab")]);
        let mut all = Vec::new();
        for (resource, form) in kinds.iter().flat_map(|kind| forms.map(|form| (kind, form))) {
            for (namespace, name) in places.iter().flat_map(|place| names.map(|name| (*place, name))) {
                for node in names {
                    all.push(Sought { name, namespace, node, form, resource, log: None, probe: None });
                }
            }
        }
        let wants: indexmap::IndexSet<Want> = all.iter().map(|sought| sought.want()).collect();
        assert_eq!(wants.len(), all.len());
        for sought in all {
            assert_eq!(wants.get(&sought), Some(&sought.want()));
        }
        let of = LogOf { container: "c".into(), previous: false, about: Topic::default() };
        let log = Want { log: Some(Box::new(of)), ..Want::get(&kinds[0], None, "a", Form::Metadata) };
        assert!(!wants.contains(&log.sought()), "the log of a pod is not the pod");
    }
}
