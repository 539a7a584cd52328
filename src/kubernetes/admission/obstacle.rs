//! The obstacles that admission makes, and the evidence for them.

use crate::facts::{Facts, Known, each, flat_each};
use crate::kubernetes::admission::{Gate, GateKey, Operation};
use crate::kubernetes::messages::admission::{Words, first};
use crate::kubernetes::services::{Backend, Verdict};
use crate::report::{NoteSubject, Ref};
use crate::survey::{Reason, Seen, Unread};
use std::collections::HashSet;

/// The evidence that admission is an obstacle.
#[derive(Debug, Clone)]
pub enum Proof {
    /// The server's answer to a dry run with this object.
    Tried {
        /// The object.
        object: Ref,
        /// The answer.
        message: String,
    },
    /// The server's answer to the namespace controller.
    Told {
        /// The namespace.
        namespace: Ref,
        /// The message of its condition.
        message: String,
        /// Whether no dry run could show that it still holds.
        may_be_over: bool,
    },
    /// The server's answer to the controller that creates the pods of a workload.
    Met {
        /// The workload.
        workload: Ref,
        /// The field that holds the answer.
        field: &'static str,
        /// The answer.
        message: String,
    },
    /// A controller's message about objects that it holds.
    Said {
        /// The object with the message.
        object: Ref,
        /// The message.
        message: String,
    },
    /// The server's answer to the namespace controller, which does not hold for the user of this
    /// program: a dry run of the same request is accepted.
    Stale {
        /// The namespace.
        namespace: Ref,
        /// The message of its condition.
        message: String,
    },
    /// No answer at all: the webhook would be called, and its backend does not answer.
    Dead,
}

/// A webhook or policy that prevents objects from being deleted.
#[derive(Debug, Clone)]
pub struct Obstacle<'s> {
    /// The gate; `None` if no gate of that name is registered: the API does not show admission that is
    /// configured by files on the control plane.
    pub gate: Option<Gate<'s>>,
    /// Other gates that may be meant, when the words name none.
    pub others: Vec<Gate<'s>>,
    /// The operation that is refused.
    pub operation: Operation,
    /// The subresource of the request; empty for the objects themselves.
    pub part: &'static str,
    /// The words of the answer.
    pub words: Option<Words>,
    /// The evidence.
    pub proof: Proof,
    /// Whether the API server itself names the gate in its answer to a dry run of this request.
    pub heard: bool,
    /// The backend of a webhook that does not answer.
    pub backend: Option<Backend<'s>>,
    /// The objects that it holds up.
    pub objects: Vec<Seen<'s>>,
    /// The finalizers that cannot be removed.
    pub finalizers: Vec<String>,
}

/// Refusals with equal keys have one cause.
pub(crate) type ObstacleKey<'s> = (Option<GateKey<'s>>, Operation, String);

impl<'s> Obstacle<'s> {
    /// The obstacle that `gate` is for these objects, before its answer is known.
    pub(crate) fn new(gate: Option<Gate<'s>>, operation: Operation, objects: Vec<Seen<'s>>) -> Self {
        Self {
            gate,
            others: Vec::new(),
            operation,
            part: "",
            words: None,
            proof: Proof::Dead,
            heard: false,
            backend: None,
            objects,
            finalizers: Vec::new(),
        }
    }

    /// Whether the gate only fails to answer; otherwise it refuses by design.
    pub(crate) fn is_unanswered(&self) -> bool {
        self.words.as_ref().is_none_or(Words::is_unanswered)
    }

    /// Whether the evidence cannot be written by somebody who may only write objects in a namespace. It
    /// is then the server's own answer to a dry run, its silence, or a webhook without a backend, which is
    /// dead whoever names it. Conditions, events and controllers' messages are text in such objects, and
    /// may name any gate.
    pub(crate) fn is_certain(&self) -> bool {
        let broken = || self.backend.as_ref().is_some_and(|backend| backend.verdict == Verdict::Broken);
        match self.proof {
            Proof::Dead => true,
            Proof::Tried { .. } => self.heard,
            Proof::Said { .. } | Proof::Told { .. } | Proof::Met { .. } | Proof::Stale { .. } => {
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

    /// Adds `other`, which has the same cause.
    pub(crate) fn join(&mut self, other: Self) {
        let known: HashSet<&str> = self.objects.iter().map(|seen| seen.object.uid()).collect();
        let new: Vec<Seen<'s>> = other.objects.into_iter().filter(|seen| !known.contains(seen.object.uid())).collect();
        self.objects.extend(new);
        for finalizer in other.finalizers {
            if !self.finalizers.contains(&finalizer) {
                self.finalizers.push(finalizer);
            }
        }
        // The server's words say more than a match does.
        if matches!(self.proof, Proof::Dead) && !matches!(other.proof, Proof::Dead) {
            (self.proof, self.words, self.heard) = (other.proof, other.words, other.heard);
        }
    }
}

/// The webhook or policy that the words name.
pub(crate) fn name_in(words: &Words) -> Option<&str> {
    match words {
        Words::Unanswered { webhook, .. } | Words::Denied { webhook, .. } => Some(webhook),
        Words::Policy { policy, .. } => Some(policy),
        Words::Changed { .. } | Words::PutBack => None,
    }
}

/// The end of the names of webhook configurations and policies in files on the control plane; the API takes no
/// others of that name (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/admission/plugin/manifest/loader.go`; alpha in 1.36).
const IN_FILES: &str = ".static.k8s.io";

/// Whether the name of a gate says that it is in a file on the control plane.
pub(crate) fn is_in_a_file(words: &Words) -> bool {
    name_in(words).is_some_and(|name| name.ends_with(IN_FILES))
}

/// Whether the words name this gate.
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

/// Whether the server's answer to a request for `seen` itself says that this gate refuses it.
pub(crate) fn is_said_of(message: &str, seen: Seen<'_>, gate: &Gate<'_>) -> bool {
    first(message, seen).is_some_and(|words| is_named(&words, gate))
}

/// Adds an obstacle, or joins it to one with the same cause.
pub(crate) fn add<'s>(all: &mut Vec<Obstacle<'s>>, obstacle: Obstacle<'s>) {
    match all.iter_mut().find(|known| known.cause() == obstacle.cause()) {
        Some(known) => known.join(obstacle),
        None => all.push(obstacle),
    }
}

/// The obstacles, with those joined that have the same cause.
pub(crate) fn joined<'s>(obstacles: impl IntoIterator<Item = Obstacle<'s>>) -> Vec<Obstacle<'s>> {
    let mut all = Vec::new();
    obstacles.into_iter().for_each(|obstacle| add(&mut all, obstacle));
    all
}

/// The gates that the words name: among those that match, or else among all.
pub(crate) fn named<'s>(words: &Words, asked: &[Gate<'s>], all: impl Iterator<Item = Gate<'s>>) -> Vec<Gate<'s>> {
    let of_asked: Vec<Gate<'s>> = asked.iter().copied().filter(|gate| is_named(words, gate)).collect();
    match (of_asked.is_empty(), words) {
        (true, Words::Changed { .. } | Words::PutBack) | (false, _) => of_asked,
        (true, _) => all.filter(|gate| is_named(words, gate)).collect(),
    }
}

/// Fills in the backends of the webhooks that do not answer.
pub(crate) fn with_backends<'s>(all: Vec<Obstacle<'s>>, facts: &Facts<'s>) -> Known<Vec<Obstacle<'s>>> {
    each(all, |mut obstacle| {
        if let Some(gate) = obstacle.gate.filter(|_| obstacle.is_unanswered()) {
            obstacle.backend = gate.backend(facts)?;
        }
        Ok(obstacle)
    })
}

/// The webhooks among `gates` that may hang after a dry run got no answer: those that the server
/// waits for and that must answer. It cannot be seen which one hangs; those with conditions come
/// last.
pub(crate) fn silent<'s>(gates: &[Gate<'s>], why: &Unread) -> Vec<Gate<'s>> {
    if why.reason != Reason::TimedOut {
        return Vec::new();
    }
    let waited_for = |gate: &Gate<'_>| gate.fails_closed() && matches!(gate, Gate::Webhook { .. });
    let mut silent: Vec<Gate<'s>> = gates.iter().copied().filter(waited_for).collect();
    silent.sort_by_key(Gate::is_conditional);
    silent
}

/// The words about a webhook that probably hangs.
pub(crate) fn no_answer(gate: &Gate<'_>) -> Words {
    Words::Unanswered { webhook: gate.name().into(), cause: "a dry run got no answer in time".into() }
}

/// The gates among `gates` that refuse requests because their backend does not answer. Gates with
/// conditions are left out: only the server's answer shows whether a condition holds.
pub(crate) fn dead<'s>(gates: &[Gate<'s>], facts: &Facts<'s>) -> Known<Vec<Gate<'s>>> {
    let surely: Vec<Gate<'s>> = gates.iter().copied().filter(|gate| !gate.is_conditional()).collect();
    unanswered(&surely, facts)
}

/// The names of the gates among `gates` that have conditions and whose backend does not answer:
/// they may be obstacles.
pub(crate) fn perhaps<'s>(gates: &[Gate<'s>], facts: &Facts<'s>) -> Known<Vec<&'s str>> {
    let perhaps: Vec<Gate<'s>> = gates.iter().copied().filter(Gate::is_conditional).collect();
    Ok(unanswered(&perhaps, facts)?.iter().map(Gate::name).collect())
}

/// Notes that a dry run gave no verdict, and which webhooks may prevent it.
pub(crate) fn note_untold(what: NoteSubject, why: &Unread, perhaps: &[&str], facts: &Facts<'_>) {
    let what = match perhaps {
        [] => what,
        names => format!(
            "{what} (webhook {} does not answer; its matchConditions decide whether that refuses the request)",
            names.join(", ")
        )
        .into(),
    };
    facts.note_unread(what, why);
}

/// The gates of several groups, each once, whose backend does not answer.
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
