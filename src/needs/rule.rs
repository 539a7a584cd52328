//! What a rule is.

use super::{After, Draft, Findings, Outlook, Ring, World};
use crate::facts::{Facts, Known, OwnedFinalizer, Target};
use crate::report::Ref;
use crate::survey::{Object, Resource, Seen, Unread};

/// A rule: its name (file stem, scenario prefix, `explain` argument and JSON
/// field; it never changes meaning), its explanation and what it explains.
#[derive(Debug)]
pub struct Rule {
    /// The kebab-case name.
    pub name: &'static str,
    /// Markdown with fixed headings.
    pub explanation: &'static str,
    /// The kinds of need that it explains.
    pub explains: &'static [Explains],
    /// The finalizers that no other rule speaks of.
    pub owns: &'static [OwnedFinalizer],
}

/// A kind of need, and what says why one of it is not met. What it has to read first
/// ends it for this round.
#[derive(Debug, Clone, Copy)]
pub enum Explains {
    /// An object is deleted, whatever keeps it: a finalizer, a refusal, a controller, an agent.
    Deleted(OfTarget),
    /// What goes with an object can be listed.
    Listed(OfTarget),
    /// Nobody uses an object any more.
    Unused(OfTarget),
    /// An object or a kind can be read, which the server refused with these words.
    Readable(OfUnread),
    /// A workload that has no pod gets one.
    HasPods(OfWorkload),
    /// The aggregated APIs answer.
    Serving(OfServers),
    /// The owners that an object names exist.
    OwnersExist(OfOwners),
    /// The namespace of an object exists, and is the one that the object was made in.
    NamespaceExists(OfNamespace),
    /// An object would be deleted, if somebody asked for that.
    Foreseen(OfFuture),
    /// Which objects go only after which others. It decides nothing: the rings in it do.
    Order(OfOrder),
    /// One of several objects that each go only after the next goes all the same.
    Ring(OfRing),
}

/// Adds what it finds for one target.
pub type OfTarget = fn(&Target<'_>, &Facts<'_>, &mut Findings) -> Known;
/// Says why an object or a kind cannot be read.
pub type OfUnread = fn(&NotRead<'_>, &Facts<'_>) -> Known<Option<Draft>>;
/// Says why a workload has no pod.
pub type OfWorkload = fn(&Ref, &Facts<'_>) -> Known<Option<Draft>>;
/// Says which aggregated APIs do not answer. The objects are the namespaces whose deletion
/// waits for that; there may be none.
pub type OfServers = fn(&[&Object], &Facts<'_>) -> Known<Vec<Draft>>;
/// Says which objects name owners that do not exist.
pub type OfOwners = fn(&OwnedObjects<'_>, &Facts<'_>) -> Known<Vec<Draft>>;
/// Says what is stranded in a namespace.
pub type OfNamespace = fn(&NamespacedObjects<'_>, &Facts<'_>) -> Known<Vec<Draft>>;
/// Adds what would become of one target in the world after its deletion.
pub type OfFuture = fn(&Target<'_>, &World<'_>, &Facts<'_>, &mut Outlook) -> Known;
/// Says of what is held in a target after what it goes. The flag says whether other objects
/// are looked at as well: else what one object alone waits for closes no ring.
pub type OfOrder = fn(&Target<'_>, &Facts<'_>, bool) -> Known<Vec<After>>;
/// Says what objects that wait for each other need, if they are of the kind that it explains.
pub type OfRing = fn(&Ring, &Facts<'_>) -> Known<Option<Draft>>;

impl Rule {
    /// A rule that owns no finalizer.
    #[must_use]
    pub const fn new(name: &'static str, explanation: &'static str, explains: &'static [Explains]) -> Self {
        Self { name, explanation, explains, owns: &[] }
    }

    /// The same rule, which alone speaks of these finalizers.
    #[must_use]
    pub const fn owns(self, owns: &'static [OwnedFinalizer]) -> Self {
        Self { owns, ..self }
    }

    /// Its name, with each kind of need that it explains.
    pub fn explained(&self) -> impl Iterator<Item = (&'static str, Explains)> {
        self.explains.iter().map(|explains| (self.name, *explains))
    }

    /// How it explains that an object is not deleted, for whatever reason; `None` when it
    /// does not.
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
    /// The object; `None` where its kind cannot be listed.
    pub object: Option<&'a Ref>,
    /// What the server said.
    pub why: &'a Unread,
}

/// Objects that name owners.
#[derive(Debug, Clone, Copy)]
pub struct OwnedObjects<'a> {
    /// The objects that are asked about.
    pub objects: &'a [Seen<'a>],
    /// Everything that was listed: most owners are among it.
    pub listed: &'a [Seen<'a>],
}

/// The objects in a namespace, which need not exist.
#[derive(Debug, Clone, Copy)]
pub struct NamespacedObjects<'a> {
    /// The namespace's name.
    pub name: &'a str,
    /// The namespace; `None` when it does not exist.
    pub namespace: Option<&'a Object>,
    /// The objects in it, as far as they could be listed.
    pub objects: &'a [Seen<'a>],
    /// Whether every kind in it was listed.
    pub complete: bool,
    /// Whether the server has refused a DELETE in it, for want of the namespace. Webhooks
    /// and policies that select namespaces ask for it (kubernetes/kubernetes:
    /// `staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/namespace/matcher.go`).
    pub no_delete: bool,
}
