//! The report: what every output format prints, and the JSON contract
//! (`unstick.dev/v1alpha1`; its schema is `docs/report.schema.json`).

use super::preflight::Turn;
use crate::plan::Remedy;
use crate::survey::{Object, Resource, ResourceId, Seen, TargetName};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// The answer to one call of the program.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// What was asked, for words on a screen.
    #[serde(skip)]
    pub about: About,
    /// `unstick.dev/v1alpha1`.
    pub api_version: &'static str,
    /// `Report`.
    pub kind: &'static str,
    /// When the facts were read, by the server's clock.
    #[cfg_attr(test, schemars(with = "String"))]
    pub taken_at: Timestamp,
    /// The kubeconfig context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The server's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// What was asked about.
    pub targets: Vec<Target>,
    /// What was found, root causes first.
    pub findings: Vec<Finding>,
    /// What can be done, in the order in which to do it.
    pub remedies: Vec<Remedy>,
    /// In which order to delete, so that nothing gets stuck that need not; of a preflight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Turn>,
    /// What follows from a deletion and holds nothing up; of a preflight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consequences: Vec<ObjectNote>,
    /// What could not be read, so that nobody takes it for empty.
    pub unread: Vec<Note>,
    /// What only waits for a target.
    pub waiters: Vec<ObjectNote>,
    /// What is broken and has no part in it.
    pub also_broken: Vec<ObjectNote>,
}

/// What a report is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum About {
    /// What was named.
    #[default]
    Targets,
    /// What a forced finalize left behind.
    Orphans,
    /// The aggregated APIs, so many in all.
    Apis(usize),
    /// What would become of what was named if it were deleted.
    Preflight,
}

/// One thing that was asked about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// The thing.
    pub object: Ref,
    /// How it stands.
    pub state: State,
    /// Since when it is being deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub since: Option<Timestamp>,
    /// One line.
    pub summary: String,
}

/// How a target stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum State {
    /// Something holds it that will not let go by itself in its usual time.
    Stuck,
    /// Nobody can say: facts that matter were not readable.
    Unknown,
    /// It is going, within its time.
    Progressing,
    /// Nobody has asked for its deletion.
    NotDeleting,
    /// It does not exist.
    Gone,
    /// Nobody has asked for its deletion; deleted as it stands, it would get stuck.
    WouldHang,
    /// Nobody has asked for its deletion; nothing would hold it.
    WouldGo,
}

/// One thing that waits, what for, and on what evidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// `f1`, `f2`, … within this report.
    pub id: String,
    /// The rule that found it.
    pub rule: &'static str,
    /// The kind of cause.
    pub cause: Cause,
    /// The thing that waits; the first of `objects`.
    pub subject: Ref,
    /// What it waits for, also when that does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<Ref>,
    /// The finalizer that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finalizer: Option<String>,
    /// Whether no other finding's repair would make this one go away.
    pub root: bool,
    /// Whether it need not happen: the order of a preflight avoids it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub avoidable: bool,
    /// The targets that it holds.
    pub blocks: Vec<Ref>,
    /// Everything that waits for this same cause.
    pub objects: Vec<Ref>,
    /// Whether the evidence proves it.
    pub certainty: Certainty,
    /// One line, lowercase, without a full stop.
    pub summary: String,
    /// What was read, and where.
    pub evidence: Vec<Evidence>,
    /// What must work one behind the other, from what is waited for down to the
    /// first thing that does not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<Link>,
    /// Who should release them, and how that stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<Controller>,
    /// Who owns the waiting objects, upward to the roots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<Ownership>,
    /// The ids of its remedies.
    pub remedies: Vec<String>,
}

/// The kinds of causes; a fixed vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A finalizer on an object.
    Finalizer,
    /// A finalizer of a Namespace, in its metadata or its spec.
    NamespaceFinalizer,
    /// An aggregated API.
    Api,
    /// An admission webhook or policy.
    Admission,
    /// A conversion webhook.
    Conversion,
    /// A `CustomResourceDefinition`.
    Crd,
    /// The kubelet or its node.
    Kubelet,
    /// A volume.
    Storage,
    /// Dependents that must go first.
    Dependents,
    /// The garbage collector.
    GarbageCollector,
    /// The namespace controller.
    NamespaceController,
    /// Missing rights of a controller.
    Permissions,
    /// A `PodDisruptionBudget` that refuses an eviction.
    Eviction,
    /// Rows that nobody can read.
    Unreadable,
    /// Objects left without their namespace or definition.
    Stranded,
    /// Nothing is wrong: it is going.
    Progressing,
    /// Nothing is wrong: nobody deletes it.
    NotDeleting,
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Certainty {
    /// The evidence admits no other reading.
    Proven,
    /// The evidence points there; something that could tell was not visible.
    Likely,
}

/// A piece of evidence and where it was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// What was read.
    pub text: String,
    /// In which object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Ref>,
    /// In which of its fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// One thing that must work before the one above it can.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The thing; of kinds that no API serves, such as a route, only kind and
    /// name are known.
    pub object: Ref,
    /// How it stands.
    pub state: LinkState,
    /// What was read of it, in a few words.
    pub text: String,
}

/// How a link of a chain stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum LinkState {
    /// It does its part.
    Fine,
    /// It does not, because the next one does not.
    Affected,
    /// It does not, and nothing further down that could be seen is the reason:
    /// the first to repair.
    Broken,
    /// It could not be read, or does not show.
    Unknown,
}

/// Who should release what waits for a finalizer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Controller {
    /// The workload that runs it, or that would.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<Ref>,
    /// How it stands.
    pub state: ControllerState,
    /// What was read of it, and where; what points at it first.
    pub evidence: Vec<String>,
}

/// How a controller stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum ControllerState {
    /// There are traces of it, and nothing that could run it.
    Gone,
    /// It is installed and does not run.
    Down,
    /// It runs, and something keeps it from its work.
    Failing,
    /// It runs, and nothing tells that it does not get on.
    Alive,
    /// It was not found, or what would tell could not be read.
    Unknown,
}

/// One waiting object and its owners.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Ownership {
    /// The object.
    pub of: Ref,
    /// Its direct owners.
    pub owners: Vec<Owner>,
}

/// An owner, with its own owners above it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    /// The owner.
    pub object: Ref,
    /// How it stands.
    pub state: OwnerState,
    /// Whether it is the managing controller.
    pub controller: bool,
    /// Its own owners.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<Owner>,
}

/// How an owner stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum OwnerState {
    /// It exists.
    Present,
    /// It exists and is being deleted.
    Terminating,
    /// It does not exist.
    Missing,
    /// Another object has its name now.
    Replaced,
    /// The server does not serve its kind.
    UnknownKind,
    /// It is its own owner further down.
    Cycle,
    /// It exists in another namespace than its dependent.
    OtherNamespace,
    /// It is namespaced and its dependent is not.
    Impossible,
    /// It could not be read.
    Unread,
}

/// A remark about something that is no object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Note {
    /// What.
    pub what: String,
    /// Why.
    pub why: String,
}

/// A remark about an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ObjectNote {
    /// The object.
    pub object: Ref,
    /// Why it is named.
    pub why: String,
}

/// Names one object; absent fields are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Ref {
    /// `group/version`, or `version` for the core group.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The plural resource name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub resource: String,
    /// The namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The name.
    pub name: String,
    /// The identity.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub uid: String,
    /// Whether it does not exist.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub missing: bool,
}

/// What is left out when it is written is empty when it is read. By hand: the
/// schema is that of what is written.
impl<'de> Deserialize<'de> for Ref {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Default, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        struct Read {
            api_version: String,
            kind: String,
            resource: String,
            namespace: Option<String>,
            name: String,
            uid: String,
            missing: bool,
        }
        let Read { api_version, kind, resource, namespace, name, uid, missing } = Read::deserialize(deserializer)?;
        Ok(Self { api_version, kind, resource, namespace, name, uid, missing })
    }
}

impl Ref {
    /// Names an object of a resource.
    #[must_use]
    pub fn of(resource: &Resource, object: &Object) -> Self {
        let name = TargetName {
            resource: resource.id.clone(),
            namespace: object.metadata.namespace.clone(),
            name: object.metadata.name.clone(),
        };
        Self { uid: object.metadata.uid.clone(), ..Self::named(resource, &name) }
    }

    /// Names an object that was not read.
    #[must_use]
    pub fn named(resource: &Resource, name: &TargetName) -> Self {
        Self {
            api_version: resource.id.api_version(),
            kind: resource.kind.clone(),
            resource: resource.id.plural.clone(),
            namespace: name.namespace.clone(),
            name: name.name.clone(),
            uid: String::new(),
            missing: false,
        }
    }

    /// Its name, to ask for it.
    #[must_use]
    pub fn target(&self) -> TargetName {
        let (group, version) = self.api_version.split_once('/').unwrap_or(("", &self.api_version));
        TargetName {
            resource: ResourceId::new(group, version, &self.resource),
            namespace: self.namespace.clone(),
            name: self.name.clone(),
        }
    }

    /// The same object, known not to exist.
    #[must_use]
    pub fn missing(self) -> Self {
        Self { missing: true, ..self }
    }

    /// `kind` and name as a person says it: `Pod web-1`.
    #[must_use]
    pub fn spoken(&self) -> String {
        format!("{} {}", self.kind, self.name)
    }

    /// `resource.group/name` as kubectl prints it: `databases.acme.io/orders`.
    #[must_use]
    pub fn kubectl(&self) -> String {
        let plural = if self.resource.is_empty() { self.kind.to_lowercase() } else { self.resource.clone() };
        match self.api_version.split_once('/') {
            Some((group, _)) => format!("{plural}.{group}/{}", self.name),
            None => format!("{plural}/{}", self.name),
        }
    }
}

impl From<Seen<'_>> for Ref {
    fn from(seen: Seen<'_>) -> Self {
        Self::of(seen.resource, seen.object)
    }
}

impl fmt::Display for Ref {
    /// `namespace/kind/name`, shortest form that is unambiguous to a reader.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.namespace {
            Some(namespace) => write!(f, "{} {namespace}/{}", self.kind, self.name),
            None => write!(f, "{} {}", self.kind, self.name),
        }
    }
}

impl Link {
    /// A link that stands like this.
    #[must_use]
    pub fn new(object: Ref, state: LinkState, text: impl Into<String>) -> Self {
        Self { object, state, text: text.into() }
    }
}

impl Finding {
    /// Whether this finding says that something is wrong.
    #[must_use]
    pub fn is_trouble(&self) -> bool {
        !matches!(self.cause, Cause::Progressing | Cause::NotDeleting)
    }

    /// Whether it is about what a forced finalize left behind.
    #[must_use]
    pub fn is_stranded(&self) -> bool {
        self.cause == Cause::Stranded
    }
}

impl Report {
    /// The remedies of a finding, in order.
    pub fn remedies_of<'a>(&'a self, finding: &'a Finding) -> impl Iterator<Item = &'a Remedy> {
        self.remedies.iter().filter(|remedy| finding.remedies.contains(&remedy.id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With `UNSTICK_RECORD=1` the committed schema is written anew.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the schema is a file of the project")]
    fn the_committed_schema_is_that_of_the_types() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/report.schema.json");
        let schema = serde_json::to_string_pretty(&schemars::schema_for!(Report)).unwrap() + "\n";
        if std::env::var_os("UNSTICK_RECORD").is_some() {
            std::fs::write(path, &schema).unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(path).unwrap_or_default(),
            schema,
            "record it: UNSTICK_RECORD=1 cargo test --lib schema"
        );
    }

    #[test]
    fn absent_fields_are_left_out_of_a_reference() {
        let reference = Ref { kind: "Pod".into(), name: "p".into(), ..Ref::default() };
        assert_eq!(serde_json::to_value(reference).unwrap(), serde_json::json!({"kind": "Pod", "name": "p"}));
    }
}
