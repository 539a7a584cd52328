//! What stands in the way, and on what evidence.

use crate::facts::{Facts, Known, flat_each, for_each};
use crate::kubernetes::admission::{Gate, GateKey, Operation};
use crate::kubernetes::messages::admission::Words;
use crate::kubernetes::messages::admission::first;
use crate::kubernetes::services::{Backend, Verdict};
use crate::report::Ref;
use crate::survey::{Reason, Seen, Unread};
use std::collections::HashSet;

/// On what it rests that admission stands in the way.
#[derive(Debug, Clone)]
pub enum Proof {
    /// The server's words to a dry run with this object.
    Tried {
        /// The object.
        object: Ref,
        /// What the server said.
        message: String,
    },
    /// The server's words to the namespace controller.
    Told {
        /// The namespace.
        namespace: Ref,
        /// Its condition.
        message: String,
        /// Whether no dry run could show that it is so still.
        may_be_over: bool,
    },
    /// The server's words to whoever makes the pods of a workload.
    Met {
        /// The workload.
        workload: Ref,
        /// Where they stand.
        field: &'static str,
        /// What the server said.
        message: String,
    },
    /// What a controller says of the objects that it holds.
    Said {
        /// The object that it says it of.
        object: Ref,
        /// What it says.
        message: String,
    },
    /// The server's words to the namespace controller, which they hold no longer for
    /// whoever asks here: a dry run of the same is accepted.
    Stale {
        /// The namespace.
        namespace: Ref,
        /// Its condition.
        message: String,
    },
    /// Nothing was said: it would be asked, and nobody answers for it.
    Dead,
}

/// A webhook or policy that keeps objects from going.
#[derive(Debug, Clone)]
pub struct Obstacle<'s> {
    /// The gate; `None` where none of that name is registered: admission that is configured by
    /// files on the control plane does not show in the API.
    pub gate: Option<Gate<'s>>,
    /// Others who may be meant, where the words name nobody.
    pub others: Vec<Gate<'s>>,
    /// What is refused.
    pub operation: Operation,
    /// The part of the objects that is written; empty for the objects themselves.
    pub part: &'static str,
    /// What was said.
    pub words: Option<Words>,
    /// On what it rests.
    pub proof: Proof,
    /// The API server itself names it in its answer to a dry run of just this request.
    pub heard: bool,
    /// What stands behind a webhook that does not answer.
    pub backend: Option<Backend<'s>>,
    /// What it keeps.
    pub objects: Vec<Seen<'s>>,
    /// The finalizers that cannot be taken off.
    pub finalizers: Vec<String>,
}

/// Tells whether two refusals are one cause.
pub(crate) type ObstacleKey<'s> = (Option<GateKey<'s>>, Operation, String);

impl<'s> Obstacle<'s> {
    /// Whether it only fails to answer; otherwise it does what it is there for.
    #[must_use]
    pub fn is_unanswered(&self) -> bool {
        self.words.as_ref().is_none_or(Words::is_unanswered)
    }

    /// Whether it rests on what nobody can write who may only write objects in a namespace: the
    /// server's own answer to a dry run, its silence, or rules by which a webhook must be called
    /// that nobody answers for. Conditions, events and what controllers say are such objects'
    /// text, and may name whom they like.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        let broken = || self.backend.as_ref().is_some_and(|backend| backend.verdict == Verdict::Broken);
        match self.proof {
            Proof::Dead => true,
            Proof::Said { .. } => false,
            Proof::Tried { .. } => self.heard,
            Proof::Told { .. } | Proof::Met { .. } | Proof::Stale { .. } => {
                self.heard || (self.is_unanswered() && broken())
            }
        }
    }

    pub(crate) fn cause(&self) -> ObstacleKey<'s> {
        let said = match (&self.gate, &self.words) {
            (Some(_), _) | (None, None) => String::new(),
            (None, Some(words)) => name_in(words).unwrap_or_default().to_owned(),
        };
        (self.gate.map(|gate| gate.key()), self.operation, said)
    }

    /// Adds `other`, which is the same cause.
    pub(crate) fn join(&mut self, other: Self) {
        let known: HashSet<&str> = self.objects.iter().map(|seen| seen.object.uid()).collect();
        let new: Vec<Seen<'s>> = other.objects.into_iter().filter(|seen| !known.contains(seen.object.uid())).collect();
        self.objects.extend(new);
        for finalizer in other.finalizers {
            if !self.finalizers.contains(&finalizer) {
                self.finalizers.push(finalizer);
            }
        }
        // The server's words tell more than a match.
        if matches!(self.proof, Proof::Dead) && !matches!(other.proof, Proof::Dead) {
            (self.proof, self.words, self.heard) = (other.proof, other.words, other.heard);
        }
    }
}

/// The webhook or policy that words name.
pub(crate) fn name_in(words: &Words) -> Option<&str> {
    match words {
        Words::Unanswered { webhook, .. } | Words::Denied { webhook, .. } => Some(webhook),
        Words::Policy { policy, .. } => Some(policy),
        Words::Changed { .. } | Words::PutBack => None,
    }
}

/// Whether words are about this gate.
pub(crate) fn is_named(words: &Words, gate: &Gate<'_>) -> bool {
    match (words, gate) {
        (Words::Unanswered { webhook, .. } | Words::Denied { webhook, .. }, Gate::Webhook { .. }) => {
            webhook == gate.name()
        }
        (Words::Policy { policy, binding, .. }, Gate::Policy { binding: by, .. }) => {
            policy == gate.name() && binding.as_deref().is_none_or(|binding| binding == by.object.name())
        }
        (Words::Changed { .. } | Words::PutBack, gate) => gate.mutates(),
        _ => false,
    }
}

/// Whether the server's answer to a request about `seen` says itself that this gate refuses it.
pub(crate) fn is_said_of(message: &str, seen: Seen<'_>, gate: &Gate<'_>) -> bool {
    first(message, seen).is_some_and(|words| is_named(&words, gate))
}

/// Adds an obstacle, or joins it to the one of the same cause.
pub(crate) fn add<'s>(all: &mut Vec<Obstacle<'s>>, obstacle: Obstacle<'s>) {
    match all.iter_mut().find(|known| known.cause() == obstacle.cause()) {
        Some(known) => known.join(obstacle),
        None => all.push(obstacle),
    }
}

/// The gates that words mean: of those that are asked, or else of all.
pub(crate) fn named<'s>(words: &Words, asked: &[Gate<'s>], all: impl Iterator<Item = Gate<'s>>) -> Vec<Gate<'s>> {
    let of_asked: Vec<Gate<'s>> = asked.iter().copied().filter(|gate| is_named(words, gate)).collect();
    match (of_asked.is_empty(), words) {
        (true, Words::Changed { .. } | Words::PutBack) | (false, _) => of_asked,
        (true, _) => all.filter(|gate| is_named(words, gate)).collect(),
    }
}

/// Fills in what stands behind the webhooks that do not answer.
pub(crate) fn with_backends<'s>(all: &mut [Obstacle<'s>], facts: &Facts<'s>) -> Known {
    for_each(all, |obstacle| {
        if let Some(gate) = obstacle.gate.filter(|_| obstacle.is_unanswered()) {
            obstacle.backend = gate.backend(facts)?;
        }
        Ok(())
    })
}

/// Those of `gates` that may hang, when a dry run got no answer: they must be asked,
/// and are waited for. Which of several it is does not show; those that are asked
/// on a condition come last.
pub(crate) fn silent<'s>(gates: &[Gate<'s>], why: &Unread) -> Vec<Gate<'s>> {
    if why.reason != Reason::TimedOut {
        return Vec::new();
    }
    let waited_for = |gate: &Gate<'_>| gate.fails_closed() && matches!(gate, Gate::Webhook { .. });
    let mut silent: Vec<Gate<'s>> = gates.iter().copied().filter(waited_for).collect();
    silent.sort_by_key(Gate::is_conditional);
    silent
}

/// The words for a webhook that is likely to hang.
pub(crate) fn no_answer(gate: &Gate<'_>) -> Words {
    Words::Unanswered { webhook: gate.name().into(), cause: "a dry run got no answer in time".into() }
}

/// Those of `gates` that refuse what they are asked because nobody answers for them.
/// One that is asked on a condition is not among them: whether the condition holds,
/// only the server's words tell.
pub(crate) fn dead<'s>(gates: &[Gate<'s>], facts: &Facts<'s>) -> Known<Vec<Gate<'s>>> {
    let surely: Vec<Gate<'s>> = gates.iter().copied().filter(|gate| !gate.is_conditional()).collect();
    unanswered(&surely, facts)
}

/// The names of those of `gates` that nobody answers for and that are asked on a
/// condition: they may stand in the way.
pub(crate) fn perhaps<'s>(gates: &[Gate<'s>], facts: &Facts<'s>) -> Known<Vec<&'s str>> {
    let perhaps: Vec<Gate<'s>> = gates.iter().copied().filter(Gate::is_conditional).collect();
    Ok(unanswered(&perhaps, facts)?.iter().map(Gate::name).collect())
}

/// Puts on record that a dry run gave no verdict, and who may stand in its way.
pub(crate) fn note_untold(what: String, why: &Unread, perhaps: &[&str], facts: &Facts<'_>) {
    let what = match perhaps {
        [] => what,
        names => format!(
            "{what} (webhook {} does not answer and may refuse it, which depends on its matchConditions)",
            names.join(", ")
        ),
    };
    facts.note_unread(what, why);
}

/// All the gates that are asked about several groups, each once, which nobody
/// answers for.
pub(crate) fn dead_of_any<'a, 's: 'a>(
    groups: impl Iterator<Item = &'a [Gate<'s>]>,
    facts: &Facts<'s>,
) -> Known<HashSet<GateKey<'s>>> {
    let mut known = HashSet::new();
    let gates: Vec<Gate<'s>> = groups.flatten().copied().filter(|gate| known.insert(gate.key())).collect();
    Ok(unanswered(&gates, facts)?.iter().map(Gate::key).collect())
}

pub(crate) fn unanswered<'s>(gates: &[Gate<'s>], facts: &Facts<'s>) -> Known<Vec<Gate<'s>>> {
    flat_each(gates.iter().copied().filter(Gate::fails_closed), |gate| {
        let is_dead = gate.backend(facts)?.is_some_and(|backend| backend.verdict == Verdict::Broken);
        Ok(is_dead.then_some(gate))
    })
}
