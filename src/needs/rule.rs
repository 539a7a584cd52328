//! The type of a rule.

use super::{After, Draft, Findings, Outlook, Ring, World};
use crate::facts::{Facts, Known, OwnedFinalizer, Target};
use crate::report::Ref;
use crate::survey::{Object, Resource, Seen, Unread};

/// A rule: its name (file stem, scenario prefix, `explain` argument and JSON field; it never changes
/// meaning), its explanation, and the needs that it explains.
#[derive(Debug)]
pub struct Rule {
    /// The kebab-case name.
    pub name: &'static str,
    /// Markdown with fixed headings.
    pub explanation: &'static str,
    /// The kinds of need that it explains.
    pub explains: &'static [Explains],
    /// The finalizers that no other rule reports.
    pub owns: &'static [OwnedFinalizer],
}

/// A kind of need, with the function that says why one is not met. A fact that must be read first ends the
/// function for this round.
#[derive(Debug, Clone, Copy)]
pub enum Explains {
    /// An object is deleted, whatever holds it: a finalizer, a refusal, a controller, an agent.
    Deleted(OfTarget),
    /// The content of an object can be listed.
    Listed(OfTarget),
    /// An object has no users any more.
    Unused(OfTarget),
    /// An object or a kind can be read, which the server refused with this message.
    Readable(OfUnread),
    /// A workload without pods gets one.
    HasPods(OfWorkload),
    /// The aggregated APIs answer.
    Serving(OfServers),
    /// The owners that an object names exist.
    OwnersExist(OfOwners),
    /// The namespace of an object exists, and is the one in which the object was created.
    NamespaceExists(OfNamespace),
    /// An object would be deleted, if that were requested.
    Foreseen(OfFuture),
    /// Some objects are deleted only after others. This decides nothing; the rings in it do.
    Order(OfOrder),
    /// One of several objects that wait for each other is deleted anyway.
    Ring(OfRing),
}

/// Adds the findings about one target.
pub type OfTarget = fn(&Target<'_>, &Facts<'_>, &mut Findings) -> Known;
/// Explains why an object or a kind cannot be read.
pub type OfUnread = fn(&NotRead<'_>, &Facts<'_>) -> Known<Option<Draft>>;
/// Explains why a workload has no pod.
pub type OfWorkload = fn(&Ref, &Facts<'_>) -> Known<Option<Draft>>;
/// Explains which aggregated APIs do not answer. The objects are the namespaces whose deletion waits for
/// them; there may be none.
pub type OfServers = fn(&[&Object], &Facts<'_>) -> Known<Vec<Draft>>;
/// Explains which objects name owners that do not exist.
pub type OfOwners = fn(&OwnedObjects<'_>, &Facts<'_>) -> Known<Vec<Draft>>;
/// Explains which objects are stranded in a namespace.
pub type OfNamespace = fn(&NamespacedObjects<'_>, &Facts<'_>) -> Known<Vec<Draft>>;
/// Adds the forecast for one target in the world after its deletion.
pub type OfFuture = fn(&Target<'_>, &World<'_>, &Facts<'_>, &mut Outlook) -> Known;
/// Returns the order in which held objects of a target are deleted. The flag says whether other objects are
/// checked as well: if they are not, the wait of a single object closes no ring.
pub type OfOrder = fn(&Target<'_>, &Facts<'_>, bool) -> Known<Vec<After>>;
/// Explains what objects that wait for each other need, if the ring is of the rule's kind.
pub type OfRing = fn(&Ring, &Facts<'_>) -> Known<Option<Draft>>;

impl Rule {
    /// A rule that owns no finalizer.
    #[must_use]
    pub const fn new(name: &'static str, explanation: &'static str, explains: &'static [Explains]) -> Self {
        Self { name, explanation, explains, owns: &[] }
    }

    /// The same rule, as the only one that reports these finalizers.
    #[must_use]
    pub const fn owns(self, owns: &'static [OwnedFinalizer]) -> Self {
        Self { owns, ..self }
    }

    /// Its name, with each kind of need that it explains.
    pub fn explained(&self) -> impl Iterator<Item = (&'static str, Explains)> {
        self.explains.iter().map(|explains| (self.name, *explains))
    }

    /// The function that explains why an object is not deleted, for whatever reason; `None` if there is
    /// none.
    #[must_use]
    pub fn of_target(&self) -> Option<OfTarget> {
        self.explains.iter().find_map(|explains| match explains {
            Explains::Deleted(of) | Explains::Listed(of) | Explains::Unused(of) => Some(*of),
            _ => None,
        })
    }
}

/// An object or a kind that cannot be read.
#[derive(Debug, Clone, Copy)]
pub struct NotRead<'a> {
    /// The kind.
    pub kind: &'a Resource,
    /// The object; `None` if its kind cannot be listed.
    pub object: Option<&'a Ref>,
    /// The server's answer.
    pub why: &'a Unread,
}

/// Objects that name owners.
#[derive(Debug, Clone, Copy)]
pub struct OwnedObjects<'a> {
    /// The objects in question.
    pub objects: &'a [Seen<'a>],
    /// Everything that was listed, including most owners.
    pub listed: &'a [Seen<'a>],
}

/// The objects in a namespace, which need not exist.
#[derive(Debug, Clone, Copy)]
pub struct NamespacedObjects<'a> {
    /// The namespace's name.
    pub name: &'a str,
    /// The namespace; `None` if it does not exist.
    pub namespace: Option<&'a Object>,
    /// The objects in it, as far as they could be listed.
    pub objects: &'a [Seen<'a>],
    /// Whether every kind in it was listed.
    pub complete: bool,
    /// Whether the server has refused a DELETE in it, because the namespace is missing. Webhooks and policies with
    /// a namespaceSelector need it (kubernetes/kubernetes:
    /// `staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/namespace/matcher.go`).
    pub no_delete: bool,
}
