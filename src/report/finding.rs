//! One thing that waits: what for, who should have released it, on what evidence.

use super::{Ownership, Ref, Sentence};
use jiff::Timestamp;
use serde::Serialize;

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
    /// Other finalizers of the same controller.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_finalizers: Vec<String>,
    /// Whether the repair of no other finding would resolve this one.
    pub root: bool,
    /// Whether it says no more than that nothing is late yet, for words on a screen.
    #[serde(skip)]
    pub on_time: bool,
    /// Whether the order of a preflight avoids it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub avoidable: bool,
    /// The targets that it holds.
    pub blocks: Vec<Ref>,
    /// Everything that waits for this same cause.
    pub objects: Vec<Ref>,
    /// How many more wait that could not be named: a condition counts them.
    #[serde(skip)]
    pub unnamed: usize,
    /// How certain the finding itself is: that something is held, refused or down.
    pub certainty: Certainty,
    /// How certain the reason is. It may be proven that a finalizer holds an object although it is
    /// not known why its controller does not release it.
    pub why: Why,
    /// One line, lowercase, without a full stop.
    pub summary: Sentence,
    /// What was read, and where.
    pub evidence: Vec<Evidence>,
    /// The chain of things that must work, down to the first one that does not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<Link>,
    /// The link of the chain that is to be repaired: an object, and not only its namespace or a
    /// request to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken_link: Option<Ref>,
    /// Who set the finalizer, as far as the object records that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_by: Option<SetBy>,
    /// What the finalizer belongs to, as far as it is in the catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<Product>,
    /// What its controller does before it removes the finalizer, if the catalogue knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guards: Option<Sentence>,
    /// What the objects represent outside the cluster.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<Outside>,
    /// What a server, a controller or a condition says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<Said>,
    /// What was checked and is not the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looked_at: Option<Sentence>,
    /// The controller that should release them, and its state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<Controller>,
    /// Who owns the waiting objects, upward to the roots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<Ownership>,
    /// The ids of its remedies.
    pub remedies: Vec<String>,
}

/// The kinds of causes; a fixed vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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
    /// Something that is still used.
    InUse,
    /// Dependents that must be deleted first.
    Dependents,
    /// The garbage collector.
    GarbageCollector,
    /// The namespace controller.
    NamespaceController,
    /// Missing rights of a controller.
    Permissions,
    /// A `PodDisruptionBudget` that refuses an eviction.
    Eviction,
    /// Stored objects that cannot be read.
    Unreadable,
    /// Objects left without their namespace or definition.
    Stranded,
    /// It is being deleted, and nothing is wrong.
    Progressing,
    /// It is not being deleted, and nothing is wrong.
    NotDeleting,
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Certainty {
    /// The evidence excludes every other explanation.
    Proven,
    /// The evidence points there, but something relevant could not be seen.
    Likely,
}

/// How well the reason is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Why {
    /// The evidence excludes every other reason.
    Proven,
    /// The evidence points there.
    Likely,
    /// Nothing that could be read says why.
    Unknown,
}

/// A piece of evidence and where it was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// What was read.
    pub text: Sentence,
    /// The object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Ref>,
    /// The field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Whether the summary says it already.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_summary: bool,
}

/// Who set a finalizer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SetBy {
    /// The name under which it writes.
    pub manager: String,
    /// When it wrote last: it set the finalizer then or earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub at: Option<Timestamp>,
}

/// What a finalizer belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Product {
    /// Its name.
    pub name: String,
    /// The part of it that removes the finalizer.
    pub controller: String,
    /// Whether the controller is called like the product, so that it tells nothing more.
    #[serde(skip)]
    pub is_its_controller: bool,
}

/// Something outside the cluster that an object represents: it stays behind if no controller cleans
/// up.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Outside {
    /// Its kind and name: `load balancer a1b2.elb.example`.
    pub what: Sentence,
    /// The object that represents it.
    pub object: Ref,
}

/// A quoted text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Said {
    /// The words, without what an API server wraps around them.
    pub words: Sentence,
    /// The object in which they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Ref>,
}

/// One thing that must work before the one above it can.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The thing; of kinds that no API serves, such as a route, only kind and
    /// name are known.
    pub object: Ref,
    /// Its state.
    pub state: LinkState,
    /// What was read of it, in a few words.
    pub text: Sentence,
}

/// The state of a link of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum LinkState {
    /// It works.
    Fine,
    /// It does not work, because the next link does not.
    Affected,
    /// It does not work, and no visible link below it is the reason: repair it first.
    Broken,
    /// It could not be read, or is not recorded.
    Unknown,
}

/// Who should release what waits for a finalizer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Controller {
    /// The workload that runs it, or should run it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<Ref>,
    /// Its state.
    pub state: ControllerState,
    /// What was read of it, and where; what points at it first.
    pub evidence: Vec<Sentence>,
}

/// The state of a controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum ControllerState {
    /// There are traces of it, but no workload that could run it.
    Gone,
    /// It is installed but does not run.
    Down,
    /// It runs, but something keeps it from its work.
    Failing,
    /// It runs, and nothing shows that it makes no progress.
    Alive,
    /// It was not found, or could not be read.
    Unknown,
}

impl Link {
    /// A link that stands like this.
    #[must_use]
    pub fn new(object: Ref, state: LinkState, text: impl Into<Sentence>) -> Self {
        Self { object, state, text: text.into() }
    }
}

impl Finding {
    /// Whether this finding says that something is wrong.
    #[must_use]
    pub fn is_trouble(&self) -> bool {
        !matches!(self.cause, Cause::Progressing | Cause::NotDeleting)
    }

    /// Whether it is a reason why something does not go, and not only what follows from one.
    #[must_use]
    pub fn is_root_cause(&self) -> bool {
        self.root && self.is_trouble()
    }

    /// How many objects it holds besides the first.
    #[must_use]
    pub fn others(&self) -> usize {
        (self.objects.len() + self.unnamed).saturating_sub(1)
    }

    /// Whether it is about what a forced finalize left behind.
    #[must_use]
    pub fn is_stranded(&self) -> bool {
        self.cause == Cause::Stranded
    }
}
