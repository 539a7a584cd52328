//! What a survey asks for: one read of a list, an object, a log, or of what the server
//! says to a dry run.

use super::log::LogOf;
use super::object::Seen;
use super::probe::{Probe, ProbeOf};
use super::resource::ResourceId;
use std::fmt;

/// How much of an object is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// `PartialObjectMetadata`; in lists without managedFields.
    Metadata,
    /// The whole object.
    Whole,
    /// A list's metadata, and of that only the objects that name an owner: what
    /// the search for dependents in all namespaces keeps.
    Owned,
    /// A list's metadata as the store holds it now, whatever a cache still shows.
    Stored,
    /// A list's metadata from the server's cache alone: what a controller meets.
    Cached,
}

/// One read that a rule asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Want {
    /// What to read.
    pub resource: ResourceId,
    /// Where; `None` for cluster-scoped resources and for lists over all namespaces.
    pub namespace: Option<String>,
    /// One object, or `None` for the list.
    pub name: Option<String>,
    /// How much of it.
    pub form: Form,
    /// Not the pod itself but the log of one of its containers.
    pub log: Option<LogOf>,
    /// Not the object itself but what the server says to a dry run with it.
    pub probe: Option<ProbeOf>,
}

impl Want {
    /// A list.
    #[must_use]
    pub fn list(resource: &ResourceId, namespace: Option<&str>, form: Form) -> Self {
        Self {
            resource: resource.clone(),
            namespace: namespace.map(Into::into),
            name: None,
            form,
            log: None,
            probe: None,
        }
    }

    /// One object. Secrets and `ConfigMap`s are asked for by metadata only.
    #[must_use]
    pub fn get(resource: &ResourceId, namespace: Option<&str>, name: &str, form: Form) -> Self {
        let form = if resource.is_private() { Form::Metadata } else { form };
        let namespace = namespace.map(Into::into);
        Self { resource: resource.clone(), namespace, name: Some(name.into()), form, log: None, probe: None }
    }

    /// The lines of a container's log that are about something.
    #[must_use]
    pub fn log(namespace: &str, pod: &str, log: LogOf) -> Self {
        let pods = ResourceId::new("", "v1", "pods");
        Self { log: Some(log), ..Self::get(&pods, Some(namespace), pod, Form::Metadata) }
    }

    /// What the server would say to a write.
    #[must_use]
    pub fn probe(seen: Seen<'_>, what: Probe) -> Self {
        let metadata = &seen.object.metadata;
        let at = match &what {
            Probe::Delete => 0,
            Probe::RemoveFinalizer(key) => metadata.finalizers.iter().position(|held| held == key).unwrap_or_default(),
        };
        let probe = ProbeOf { what, uid: metadata.uid.clone(), at };
        let namespace = metadata.namespace.as_deref();
        Self { probe: Some(probe), ..Self::get(&seen.resource.id, namespace, &metadata.name, Form::Metadata) }
    }

    /// What the kubelet of a node says about something.
    #[must_use]
    pub fn node_log(node: &str, log: LogOf) -> Self {
        let nodes = ResourceId::new("", "v1", "nodes");
        Self { log: Some(log), ..Self::get(&nodes, None, node, Form::Metadata) }
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
        match &self.namespace {
            Some(namespace) => write!(f, " in namespace {namespace}"),
            None => Ok(()),
        }
    }
}
