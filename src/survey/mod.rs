//! Facts: what was asked of the API server and what it answered.
//!
//! A [`Survey`] maps each [`Want`] to a [`Fact`]. A read that failed is the fact
//! [`Fact::Unread`] with its reason, never an empty list. Nothing here talks to
//! a server: `cluster` fills a survey, [`mod@file`] stores and reads one.

mod base;
pub mod file;
mod finalizers;
mod items;
mod log;
mod object;
mod probe;
mod resource;
mod yaml;

pub use finalizers::{FOREGROUND, ORPHAN, deletes_dependents, has, is_collectors};
pub use log::{Bearing, LogLine, LogOf, Topic, pick, running};
pub use object::{Condition, FieldManager, Metadata, Object};
pub use probe::{Probe, ProbeOf, Probed, Refused};
pub use resource::{Discovery, Resource, ResourceId, encode};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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

/// What a read gave.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// The objects of a list.
    Listed(Vec<Object>),
    /// One object.
    Found(Box<Object>),
    /// Lines of a log, the most telling first.
    Logged(Vec<LogLine>),
    /// What the server said to a dry run.
    Probed(Probed),
    /// The server says that there is no such object.
    Missing,
    /// Nobody knows.
    Unread(Unread),
}

/// Why something could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unread {
    /// The kind of failure.
    pub reason: Reason,
    /// The server's or the connection's own words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// The kinds of failed reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// The caller has no right to read it.
    Forbidden,
    /// The API behind it refuses, whoever asks: an aggregated server's own 403.
    Refused,
    /// No answer in time.
    TimedOut,
    /// The server answered that it cannot: 5xx, or a cache that never gets ready.
    ServerError,
    /// The server did not take this caller's request: 4xx, throttling.
    Rejected,
    /// The answer was not what the API promises.
    Garbled,
    /// The server does not serve this resource (any more).
    NotServed,
    /// No connection.
    Unreachable,
    /// The credentials were not accepted.
    Unauthorized,
    /// A recorded survey does not hold it.
    NotInSurvey,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.reason {
            Reason::Forbidden => "forbidden",
            Reason::Refused => "refused by the API behind it",
            Reason::TimedOut => "timed out",
            Reason::ServerError => "server error",
            Reason::Rejected => "request not taken",
            Reason::Garbled => "not a valid answer",
            Reason::NotServed => "not served",
            Reason::Unreachable => "unreachable",
            Reason::Unauthorized => "not authorized",
            Reason::NotInSurvey => "not in this survey",
        };
        f.write_str(reason)?;
        if self.message.is_empty() { Ok(()) } else { write!(f, ": {}", self.message) }
    }
}

/// An object that somebody asked about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TargetName {
    /// Its resource.
    pub resource: ResourceId,
    /// Its namespace; `None` when cluster-scoped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
}

impl TargetName {
    /// The read that shows the target whole.
    #[must_use]
    pub fn want(&self) -> Want {
        Want::get(&self.resource, self.namespace.as_deref(), &self.name, Form::Whole)
    }
}

/// What a survey of stranded objects is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scope {
    /// The one namespace to look into; `None` is the whole cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The uids of what an earlier look found without owners. What is collected
    /// in time is not in both looks; `None` in the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_owners_before: Option<std::collections::BTreeSet<String>>,
    /// The missing namespaces in which the server has refused a DELETE because
    /// they are missing: a webhook or policy selects namespaces.
    #[serde(default, skip_serializing_if = "std::collections::BTreeSet::is_empty")]
    pub no_delete_in: std::collections::BTreeSet<String>,
}

impl Scope {
    /// Whether an object in this namespace, or in none, is looked at.
    #[must_use]
    pub fn holds(&self, namespace: Option<&str>) -> bool {
        self.namespace.is_none() || self.namespace.as_deref() == namespace
    }
}

/// What becomes of the dependents of what is deleted, as `kubectl delete --cascade` has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Cascade {
    /// The garbage collector deletes them afterwards.
    #[default]
    Background,
    /// They are deleted first.
    Foreground,
    /// They stay.
    Orphan,
}

impl Cascade {
    /// As the API calls it.
    #[must_use]
    pub fn policy(self) -> &'static str {
        match self {
            Self::Background => "Background",
            Self::Foreground => "Foreground",
            Self::Orphan => "Orphan",
        }
    }

    /// As kubectl's flag spells it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Background => "background",
            Self::Foreground => "foreground",
            Self::Orphan => "orphan",
        }
    }
}

/// Everything known about the cluster at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// When, by the server's clock.
    pub taken_at: Timestamp,
    /// The kubeconfig context it was read through.
    pub context: Option<String>,
    /// The server's version, such as `v1.36.3`.
    pub server: Option<String>,
    /// What it was taken for.
    pub targets: Vec<TargetName>,
    /// Where stranded objects are looked for, when it was taken for these and
    /// not for targets.
    pub orphans: Option<Scope>,
    /// Whether it was taken for the aggregated APIs and not for targets.
    pub apis: bool,
    /// How the targets would be deleted, when it was taken to foresee that.
    pub preflight: Option<Cascade>,
    /// Whether logs of controllers may be read.
    pub logs: bool,
    /// What the server serves.
    pub discovery: Discovery,
    /// Whether this program has written to the cluster before it was taken.
    pub wrote: bool,
    facts: BTreeMap<Want, Fact>,
}

impl Survey {
    /// An empty survey.
    #[must_use]
    pub fn new(taken_at: Timestamp, discovery: Discovery) -> Self {
        Self {
            taken_at,
            context: None,
            server: None,
            targets: Vec::new(),
            orphans: None,
            apis: false,
            preflight: None,
            logs: false,
            discovery,
            wrote: false,
            facts: BTreeMap::new(),
        }
    }

    /// Adds what a read gave, without the parts that must not be kept.
    pub fn record(&mut self, want: Want, mut fact: Fact) {
        let private = want.resource.is_private();
        match &mut fact {
            Fact::Listed(objects) => objects.iter_mut().for_each(|object| object.strip(private)),
            Fact::Found(object) => object.strip(private),
            Fact::Logged(_) | Fact::Probed(_) | Fact::Missing | Fact::Unread(_) => {}
        }
        self.facts.insert(want, fact);
    }

    /// The fact for a want; a whole object answers for its metadata too, and all
    /// objects for those that have an owner.
    #[must_use]
    pub fn fact(&self, want: &Want) -> Option<&Fact> {
        let larger: &[Form] = match want.form {
            Form::Whole | Form::Stored | Form::Cached => &[],
            Form::Metadata => &[Form::Whole],
            Form::Owned => &[Form::Metadata, Form::Whole],
        };
        let answer = |form: &Form| self.facts.get(&Want { form: *form, ..want.clone() });
        self.facts.get(want).or_else(|| larger.iter().find_map(answer))
    }

    /// Every fact, in a stable order.
    pub fn facts(&self) -> impl Iterator<Item = (&Want, &Fact)> {
        self.facts.iter()
    }
}

/// An object together with the resource it was read from.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'s> {
    /// The resource.
    pub resource: &'s Resource,
    /// The object.
    pub object: &'s Object,
}
