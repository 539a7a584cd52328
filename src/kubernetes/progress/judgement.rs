//! What was found out about a controller.

use crate::kubernetes::admission::Gate;
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::ownership::lost_rights::LostRights;
use crate::kubernetes::progress::cleanup_jobs::CleanupJob;
use crate::kubernetes::progress::reasons::{LooksAway, NotThere};
use crate::kubernetes::progress::unserved::UnservedKind;
use crate::kubernetes::workloads::health::BeingDeleted;
use crate::report::{Controller, ControllerState, Ref, Sentence};
use crate::survey::Seen;
use jiff::{SignedDuration, Timestamp};

/// What was found out about a controller.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the evidence")]
pub struct Judgement<'s> {
    /// For the report.
    pub controller: Controller,
    /// What else was looked at: a failure from before the deletion, and workloads that look like the
    /// controller and are not, each with the reason.
    pub aside: Vec<Sentence>,
    /// A fact about the object or its controller that may be the reason, where neither gives one.
    pub lead: Option<Sentence>,
    /// What could not be read on the way to it, a line for each reason.
    pub unread: Vec<Sentence>,
    /// Why it does not release.
    pub why: Explanation<'s>,
    /// That is read from its log, which tells what failed once: the next attempt
    /// may have succeeded.
    pub by_log: bool,
    /// What shows of it is older than its pod, or than the end of what was in its way: it may
    /// be so no longer. Or it may be about another finalizer.
    pub stale: bool,
    /// Several pieces of evidence point at the workload, not one alone.
    pub sure: bool,
    /// A `ClusterRoleBinding` lets its account work on the kind: names and marks anybody may
    /// copy, and this takes rights in the whole cluster to write.
    pub bound: bool,
    /// Something in this cluster points at a controller, not the catalogue alone.
    pub has_traces: bool,
    /// It runs only since after the last deletion: what it does at its start has not released
    /// the object.
    pub began_later: bool,
}

impl Judgement<'_> {
    /// Whether it has stopped, by its lease, and is no workload of this cluster that was found.
    pub(crate) fn has_stopped_elsewhere(&self) -> bool {
        self.controller.state == ControllerState::Down && self.controller.workload.is_none()
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

/// Why a controller does not release, as far as it can be seen.
#[derive(Debug)]
pub enum Explanation<'s> {
    /// Nothing that could run it exists. The kind may still be installed.
    Gone {
        /// Whether the kind's definition is there still.
        installed: bool,
        /// Where it cannot come back.
        closed: Option<ClosedNamespace>,
    },
    /// It is told to run no pod.
    ScaledToZero(Seen<'s>),
    /// It has no pod that works.
    Down {
        /// The workload.
        workload: Ref,
        /// Why.
        reason: String,
        /// What is missing.
        missing: Option<Ref>,
        /// It cannot come back: its namespace, or it itself, is being deleted.
        going: Option<BeingDeleted>,
    },
    /// It runs, and not where the object needs it.
    NotThere(NotThere),
    /// It would do it, and does not look at the object.
    LooksAway(LooksAway),
    /// It may not write the object.
    LostRights {
        /// The workload.
        workload: Ref,
        /// The rights, and who is to get them again.
        lost: LostRights,
    },
    /// A policy refuses what it writes, by its own rules about who asks.
    Barred {
        /// The policy, by its binding.
        gate: Gate<'s>,
        /// The account that the workload runs as.
        account: Account,
    },
    /// The account that the object names, as which it works, may not delete what the object lists.
    Tenant(Tenant),
    /// It needs something that does not exist.
    Missing {
        /// What.
        what: Ref,
    },
    /// The object refers to something that it was made from and that does not exist. Whether
    /// the clean-up needs it nobody says.
    Lacks {
        /// What.
        what: Ref,
        /// The field that names it.
        field: String,
    },
    /// It needs an object of a kind that the server does not serve.
    NoKind(UnservedKind),
    /// It waits for something that does not exist any more, by its words and by an entry among the
    /// finalizers.
    Outlived(Ref),
    /// No object of the kind for which it holds this one refers to it any more.
    Unreferred {
        /// That kind.
        kind: String,
    },
    /// Other objects stand in its way, by the controller's own words.
    Blocked(Vec<InTheWay<'s>>),
    /// It runs, and these use the object, which nobody has said.
    InUse(Vec<InTheWay<'s>>),
    /// An object that the held one refers to reports a failure.
    Unwell {
        /// What.
        what: Ref,
        /// Its words.
        words: String,
    },
    /// A Job or workload that it has made for the clean-up fails or hangs.
    CleanupJob(CleanupJob),
    /// It has to create something in a namespace that takes nothing new.
    CannotCreate,
    /// It says why it cannot.
    Says(String),
    /// It says that it fails, and not why.
    SaysOnly(String),
    /// Somebody, perhaps it, says of the object why it cannot.
    Hearsay(String),
    /// It runs, and works on it, as far as that shows.
    Working(Work),
    /// It runs; nothing tells that it works on this.
    Idle,
    /// It runs, and something must happen before that others hinder.
    Hindered(BeforeRelease),
    /// It runs; this was said before it came back, and nothing since.
    SaidBefore(String),
    /// Nobody knows.
    Unknown,
}

impl Explanation<'_> {
    /// The words that it quotes.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        match self {
            Self::Says(message) | Self::Hearsay(message) | Self::SaidBefore(message) => Some(message),
            _ => None,
        }
    }
}

/// An event that must come before a controller releases its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeforeRelease {
    /// Something is left on its node.
    Drain,
    /// Somebody else has to remove a hook.
    Hook,
}

/// A tenant's account that must delete an object and may not.
#[derive(Debug, Clone)]
pub struct Tenant {
    /// The account.
    pub account: Ref,
    /// The first object that it may not delete.
    pub what: Ref,
    /// How many more there are.
    pub more: usize,
}

/// What shows that a controller works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// It has written to what it holds, or released some of it.
    Seen,
    /// It is there and leads, and was asked a short while ago.
    Expected,
    /// It came back at this time, after the deletion was asked for.
    Back(Timestamp),
    /// What it says was in its way is so no longer, since this time.
    Freed(Timestamp),
}

/// An object that another one waits for, by the words of its controller.
#[derive(Debug, Clone, Copy)]
pub struct InTheWay<'s> {
    /// The object that waits.
    pub waiting: Seen<'s>,
    /// What it waits for.
    pub blocker: Seen<'s>,
    /// No other kind has the name by which it is called.
    pub sure: bool,
}

/// For so long after a write its writer counts as alive: controllers that have work left come back
/// to it more often. Whether the write was progress it does not show: a failed attempt is written
/// down, too.
pub(crate) const SIGN_OF_LIFE: SignedDuration = SignedDuration::from_mins(2);

/// For so long after the deletion a write counts as progress. What is still not released then was
/// tried again and again.
pub(crate) const PROGRESSES_WITHIN: SignedDuration = SignedDuration::from_mins(10);
