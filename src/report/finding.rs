//! The reason why objects wait: what they wait for, who should have released them, on what evidence.

use super::{Ownership, Ref, Sentence};
use jiff::Timestamp;
use serde::Serialize;

/// The reason why objects wait, with its evidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// `f1`, `f2`, … within this report.
    pub id: String,
    /// The rule that made the finding.
    pub rule: &'static str,
    /// Why the controller of the finalizer has not released the objects, by a name that `explain` explains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// The kind of cause.
    pub cause: Cause,
    /// The first of the waiting `objects`.
    pub subject: Ref,
    /// The object that `subject` waits for, even if it does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<Ref>,
    /// The finalizer that holds the objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finalizer: Option<String>,
    /// Other finalizers of the same controller.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_finalizers: Vec<String>,
    /// Whether the repair of no other finding would resolve this one.
    pub root: bool,
    /// Whether it only says that nothing is late yet, for the wording on a screen.
    #[serde(skip)]
    pub on_time: bool,
    /// Whether deleting in the order of the preflight avoids it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub avoidable: bool,
    /// The targets that the cause holds.
    pub blocks: Vec<Ref>,
    /// All objects that wait for this cause.
    pub objects: Vec<Ref>,
    /// How many more objects wait but could not be named: a condition counts them.
    #[serde(skip)]
    pub unnamed: usize,
    /// How certain it is that something is held, refused or down.
    pub certainty: Certainty,
    /// How certain the reason is. It may be proven that a finalizer holds an object while it is unknown
    /// why its controller does not remove it.
    pub why: Why,
    /// One line, lowercase, without a full stop.
    pub summary: Sentence,
    /// The evidence, and where it was read.
    pub evidence: Vec<Evidence>,
    /// The chain of things that must work, ending with the first one that does not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<Link>,
    /// The link of the chain that must be repaired: an object, not only its namespace or a request to
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken_link: Option<Ref>,
    /// The field manager that set the finalizer, if the object records it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_by: Option<SetBy>,
    /// The product that the finalizer belongs to, if the catalogue lists it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<Product>,
    /// The work of the controller before it removes the finalizer, if the catalogue lists it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guards: Option<Sentence>,
    /// The things outside the cluster that the objects represent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<Outside>,
    /// The words of a server, a controller or a condition about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<Said>,
    /// The checks that did not find the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looked_at: Option<Sentence>,
    /// The controller that should release the objects, and its state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<Controller>,
    /// The owners of the waiting objects, up to the roots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<Ownership>,
    /// The ids of the remedies of this finding.
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
    /// An object that is still in use.
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
    /// The object is being deleted, and nothing is wrong.
    Progressing,
    /// The object is not being deleted, and nothing is wrong.
    NotDeleting,
}

/// How certain a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Certainty {
    /// The evidence excludes every other explanation.
    Proven,
    /// The evidence points to this explanation, but relevant facts could not be read.
    Likely,
}

/// How well the reason is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Why {
    /// The evidence excludes every other reason.
    Proven,
    /// The evidence points to this reason.
    Likely,
    /// Nothing that could be read gives the reason.
    Unknown,
}

/// A piece of evidence and where it was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The fact that was read.
    pub text: Sentence,
    /// The object in which it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Ref>,
    /// The field in which it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Whether the summary of the finding says the same.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_summary: bool,
}

/// The field manager that set a finalizer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SetBy {
    /// The name under which the manager writes.
    pub manager: String,
    /// The time of its last write: it set the finalizer then or earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub at: Option<Timestamp>,
}

/// The product that a finalizer belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Product {
    /// The name of the product.
    pub name: String,
    /// The part of the product that removes the finalizer.
    pub controller: String,
    /// Whether the controller has the name of the product, so that naming both adds nothing.
    #[serde(skip)]
    pub is_its_controller: bool,
}

/// Something outside the cluster that an object represents. It stays behind if no controller cleans
/// it up.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Outside {
    /// Its kind and name: `load balancer a1b2.elb.example`.
    pub what: Sentence,
    /// The object that represents it.
    pub object: Ref,
}

/// Quoted words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Said {
    /// The words, without the text that an API server wraps around them.
    pub words: Sentence,
    /// The object in which they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Ref>,
}

/// One link of a chain: it must work before the link above it can.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The object. For a kind that no API serves, such as a route, only kind and name are known.
    pub object: Ref,
    /// Its state.
    pub state: LinkState,
    /// The facts that were read about the object, in a few words.
    pub text: Sentence,
}

impl Evidence {
    /// What was read in `field` of `object`, or of the whole object if `field` is empty.
    pub(crate) fn read(text: impl Into<Sentence>, object: &Ref, field: &str) -> Self {
        let field = (!field.is_empty()).then(|| field.to_owned());
        Self { text: text.into(), object: Some(object.clone()), field, in_summary: false }
    }
}

impl Link {
    /// What was read, as a clause: with the object as its subject, except for the addresses of a Service, whose
    /// text says whose they are.
    pub(crate) fn clause(&self) -> Sentence {
        if self.object.kind == "EndpointSlice" { self.text.clone() } else { Sentence::about(&self.object, &self.text) }
    }
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

/// The controller that should remove a finalizer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Controller {
    /// The workload that runs the controller, or should run it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<Ref>,
    /// Its state.
    pub state: ControllerState,
    /// The evidence about it and where it was read, beginning with what identifies it.
    pub evidence: Vec<Sentence>,
}

/// The state of a controller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum ControllerState {
    /// There are traces of the controller, but no workload that could run it.
    Gone,
    /// The controller is installed but does not run.
    Down,
    /// The controller runs, but something prevents its work.
    Failing,
    /// The controller runs, and nothing shows that it makes no progress.
    Alive,
    /// The controller was not found, or could not be read.
    #[default]
    Unknown,
}

impl Link {
    /// A link with this state.
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

    /// Whether it is a root cause of trouble, and not a consequence of another finding.
    #[must_use]
    pub fn is_root_cause(&self) -> bool {
        self.root && self.is_trouble()
    }

    /// The name of the page that explains the finding.
    #[must_use]
    pub fn page(&self) -> &'static str {
        self.reason.unwrap_or(self.rule)
    }

    /// How many objects it holds besides the first.
    #[must_use]
    pub fn others(&self) -> usize {
        (self.objects.len() + self.unnamed).saturating_sub(1)
    }

    /// Whether it is about objects that a forced finalize left behind.
    #[must_use]
    pub fn is_stranded(&self) -> bool {
        self.cause == Cause::Stranded
    }
}
