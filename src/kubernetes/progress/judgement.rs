//! The judgement about a controller.

use crate::kubernetes::admission::Gate;
use crate::kubernetes::mentions::{InTheWay, UnservedKind};
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::ownership::lost_rights::LostRights;
use crate::kubernetes::progress::cleanup_jobs::CleanupJob;
use crate::kubernetes::progress::reasons::{LooksAway, NotThere, RemoteCluster};
use crate::kubernetes::statements::said_in::SaidIn;
use crate::kubernetes::workloads::health::BeingDeleted;
use crate::report::{Controller, ControllerState, Ref, Sentence};
use crate::survey::Seen;
use jiff::{SignedDuration, Timestamp};

/// The judgement about a controller.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the evidence")]
pub struct Judgement<'s> {
    /// The controller, for the report.
    pub controller: Controller,
    /// Other observations: a failure from before the deletion, and workloads that resemble the controller
    /// and are ruled out, each with the reason.
    pub aside: Vec<Sentence>,
    /// A fact about the object or its controller that may be the reason, if neither gives one.
    pub lead: Option<Sentence>,
    /// The facts that could not be read, one line for each reason.
    pub unread: Vec<Sentence>,
    /// The cluster that its message is about, if the object is applied to another one.
    pub remote: Option<RemoteCluster>,
    /// Why it does not release its objects.
    pub why: Explanation<'s>,
    /// The reason comes from its log, which shows a past failure: the next attempt may have
    /// succeeded.
    pub by_log: bool,
    /// Where the words about the object were read that give the reason; `None` if none do, or its log.
    pub said_in: Option<SaidIn<'s>>,
    /// The evidence is older than its pod, or than the end of its obstacle, and may no longer hold. Or it
    /// may be about another finalizer.
    pub stale: bool,
    /// It may run where nothing was searched, or writes from there.
    pub out_of_sight: bool,
    /// Several pieces of evidence point at the workload.
    pub sure: bool,
    /// A `ClusterRoleBinding` lets its account work on the kind: anybody may copy names and marks, but
    /// this takes permissions in the whole cluster.
    pub bound: bool,
    /// There are traces of a controller in this cluster, not only in the catalogue.
    pub has_traces: bool,
    /// It has been running only since the last deletion was requested, and its work at the start
    /// has not released the object.
    pub began_later: bool,
}

impl<'s> Judgement<'s> {
    /// A judgement without a known workload: it is not sure.
    pub(crate) fn without_workload(
        state: ControllerState,
        why: Explanation<'s>,
        evidence: Vec<String>,
        has_traces: bool,
    ) -> Self {
        let evidence = evidence.into_iter().map(Into::into).collect();
        Self {
            controller: Controller { workload: None, state, evidence },
            why,
            aside: Vec::new(),
            lead: None,
            unread: Vec::new(),
            remote: None,
            by_log: false,
            said_in: None,
            stale: false,
            out_of_sight: false,
            sure: false,
            bound: false,
            has_traces,
            began_later: false,
        }
    }

    /// Whether it has stopped, according to its lease, and is no known workload of this cluster.
    pub(crate) fn has_stopped_elsewhere(&self) -> bool {
        self.controller.state == ControllerState::Down && self.controller.workload.is_none()
    }

    /// Whether only events give the reason.
    pub(crate) fn is_by_event(&self) -> bool {
        matches!(self.said_in, Some(SaidIn::Event(_)))
    }

    /// Whether it runs as it should, and ignores the object because it was told so.
    pub(crate) fn obeys(&self) -> bool {
        matches!(self.why, Explanation::LooksAway(LooksAway::Paused(_) | LooksAway::OfAnotherClass { .. }))
    }
}

/// A namespace that is being deleted, in which no controller can be installed.
#[derive(Debug)]
pub struct ClosedNamespace {
    /// Its name.
    pub name: String,
    /// Whether the controller lived in it. Otherwise nothing tells where it lived.
    pub is_home: bool,
}

/// Why a controller does not release its objects, as far as can be seen.
#[derive(Debug)]
pub enum Explanation<'s> {
    /// No workload that could run it exists. The kind may still be installed.
    Gone {
        /// Whether the kind's definition still exists.
        installed: bool,
        /// The namespace in which it cannot come back.
        closed: Option<ClosedNamespace>,
    },
    /// It is scaled to 0.
    ScaledToZero(Seen<'s>),
    /// It has no pod that works.
    Down {
        /// The workload.
        workload: Ref,
        /// Why no pod works.
        reason: String,
        /// The last message of the program that ended, without words around it.
        last_words: Option<String>,
        /// The missing object.
        missing: Option<Ref>,
        /// It cannot come back: its namespace, or the workload itself, is being deleted.
        going: Option<BeingDeleted>,
    },
    /// It runs, but not where the object needs it.
    NotThere(NotThere),
    /// It would release the object, but ignores it.
    LooksAway(LooksAway),
    /// It may not write the object.
    LostRights {
        /// The workload.
        workload: Ref,
        /// The permissions, and the account that needs them.
        lost: LostRights,
    },
    /// A policy refuses its writes, by its own rules about who asks.
    Barred {
        /// The policy, by its binding.
        gate: Gate<'s>,
        /// The account that the workload runs as.
        account: Account,
    },
    /// The account that the object names for its clean-up may not delete the objects in its inventory.
    Tenant(Tenant),
    /// It needs something that does not exist.
    Missing {
        /// The missing object.
        what: Ref,
    },
    /// The object refers to a missing object from which it was made. Whether the clean-up needs it is
    /// unknown.
    Lacks {
        /// The missing object.
        what: Ref,
        /// The field that names it.
        field: String,
    },
    /// It needs an object of a kind that the server does not serve.
    NoKind(UnservedKind),
    /// It waits for something that no longer exists, according to its message and an entry among the
    /// finalizers.
    Outlived(Ref),
    /// It holds this object for those of another kind, and none of them refers to it any more.
    Unreferred {
        /// That kind.
        kind: String,
    },
    /// Other objects are in its way, according to the controller's message.
    Blocked(Vec<InTheWay<'s>>),
    /// It runs, and these use the object, though no message says so.
    InUse(Vec<InTheWay<'s>>),
    /// An object that the held one refers to reports a failure.
    Unwell {
        /// The object.
        what: Ref,
        /// Its words.
        words: String,
    },
    /// A Job or workload that it created for the clean-up fails or hangs.
    CleanupJob(CleanupJob),
    /// It must create something in a namespace that is being deleted.
    CannotCreate,
    /// Its message gives the reason.
    Says(String),
    /// Its message says that it fails, but not why.
    SaysOnly(String),
    /// A message about the object gives the reason; the controller may not be its author.
    Hearsay(String),
    /// It runs, and works on the object as far as can be seen.
    Working(Work),
    /// It runs; nothing shows that it works on the object.
    Idle,
    /// It runs, but something must happen first that others block.
    Hindered(BeforeRelease),
    /// It runs; the message is from before it came back, and there is none since.
    SaidBefore(String),
    /// The reason is unknown.
    Unknown,
}

impl Explanation<'_> {
    /// The message that it quotes.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        match self {
            Self::Says(message) | Self::Hearsay(message) | Self::SaidBefore(message) => Some(message),
            _ => None,
        }
    }

    /// Whether the controller runs and gives no reason.
    pub(super) fn is_silent(&self) -> bool {
        matches!(self, Self::Idle | Self::SaidBefore(_) | Self::SaysOnly(_))
    }
}

/// An event that must come before a controller releases its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeforeRelease {
    /// Something is left on its node.
    Drain,
    /// Another program must remove a hook.
    Hook,
}

/// A tenant's account that must delete an object and may not.
#[derive(Debug, Clone)]
pub struct Tenant {
    /// The account.
    pub account: Ref,
    /// The first object that it may not delete.
    pub what: Ref,
    /// How many others there are.
    pub more: usize,
}

/// The evidence that a controller works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// It has written to a held object, or released some of them.
    Seen,
    /// It runs and leads, and the deletion is recent.
    Expected,
    /// Its pod was created a moment ago, and is not Ready yet.
    Starting,
    /// It came back at this time, after the deletion was requested.
    Back(Timestamp),
    /// The obstacle in its message ended at this time.
    Freed(Timestamp),
}

/// For this long after a write, its writer counts as alive: controllers with work left come back more
/// often. The write need not be progress: a failed attempt is written down, too.
pub(crate) const SIGN_OF_LIFE: SignedDuration = SignedDuration::from_mins(2);

/// For this long after the deletion, a write counts as progress. Objects that are still held then were
/// tried again and again.
pub(crate) const PROGRESSES_WITHIN: SignedDuration = SignedDuration::from_mins(10);
