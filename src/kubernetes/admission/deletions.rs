//! Objects that should have been deleted, or deleted once more, and still exist because admission
//! refuses the deletion.

use crate::facts::{Facts, Known, Readable, SETTLE, Target, flat_each, for_each, is_late, is_pod, since};
use crate::kubernetes::admission::obstacle::{add, dead, is_said_of, joined, named, with_backends};
use crate::kubernetes::admission::trials::{MAX_PROBES, TrialGroup};
use crate::kubernetes::admission::{Admission, Gate, Kind, Obstacle, Operation, Proof, kind, trials};
use crate::kubernetes::garbage_collection::{Hindrance, all_dependents, collectors, hindrance, waiting};
use crate::kubernetes::messages::admission::{Words, is_about_admission, read};
use crate::survey::{Condition, ORPHAN, Object, Probe, Probed, ResourceId, Seen, ServedBy, has};
use std::collections::{HashMap, HashSet};

/// How many dependents of an owner in foreground deletion are checked.
const MAX_DEPENDENTS: usize = 50;

/// The deletions that admission prevents.
#[derive(Debug, Default)]
pub struct Deletions<'s> {
    /// The webhooks and policies, and what they refuse.
    pub obstacles: Vec<Obstacle<'s>>,
    /// The error in the namespace's condition is outdated: the namespace controller notices when it
    /// checks again.
    pub mended: bool,
    /// The gate that refused the deletion then, if it is registered.
    pub(crate) mended_by: Option<Gate<'s>>,
}

/// The webhooks and policies that prevent deletions that the target waits for.
pub fn deletions<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Deletions<'s>> {
    let left = left(target, facts)?;
    let pods = overdue_pods(target, facts)?;
    let owners = waiting(target, facts)?;
    let idle: Vec<Seen<'s>> = owners.iter().flat_map(|owner| owner.idle().map(|dependent| dependent.seen)).collect();
    let orphans = orphans(target, facts)?;
    let told = told(target);
    let emptied = is_emptied(target, facts)?;
    if left.is_empty() && pods.is_empty() && idle.is_empty() && orphans.is_empty() && !emptied {
        return Ok(Deletions::default());
    }
    let admission = Admission::read(facts)?;
    let collector = for_collector(&idle, &admission)?;
    let update: Vec<Seen<'s>> = collector.update.into_iter().chain(orphans).collect();
    let mut all = Deletions::default();
    if !left.is_empty() {
        from_condition(target, told.as_deref(), &left, &admission, &mut all)?;
    }
    let explained: HashSet<&str> =
        all.obstacles.iter().flat_map(|obstacle| &obstacle.objects).map(|seen| seen.object.uid()).collect();
    let open: Vec<Seen<'s>> = (left.into_iter().chain(pods).chain(collector.delete))
        .filter(|seen| !explained.contains(seen.object.uid()))
        .collect();
    for obstacle in by_trial(&open, &admission)?.into_iter().chain(references(&update, &admission)?) {
        add(&mut all.obstacles, obstacle);
    }
    if emptied {
        for gate in last_word(target, &admission)? {
            let finalizers = vec!["kubernetes".to_owned()];
            let new = Obstacle::new(Some(gate), Operation::Update, vec![target.seen]);
            add(&mut all.obstacles, Obstacle { part: "finalize", finalizers, ..new });
        }
    }
    Ok(Deletions { obstacles: with_backends(all.obstacles, facts)?, ..all })
}

/// Whether nothing is left in a namespace, so that its controller only has to finalize it.
fn is_emptied(target: &Target<'_>, facts: &Facts<'_>) -> Known<bool> {
    let Some(namespace) = target.namespace_being_emptied().filter(|_| is_late(target.object(), facts, SETTLE * 3))
    else {
        return Ok(false);
    };
    let content = facts.sweep(namespace)?;
    Ok(content.unread.is_empty() && content.pods().next().is_none() && content.rest().next().is_none())
}

/// Dead webhooks that are called before the controller may remove its entry from `spec.finalizers`:
/// that is an update of the namespace's `finalize`.
fn last_word<'s>(target: &Target<'s>, admission: &Admission<'_, 's>) -> Known<Vec<Gate<'s>>> {
    let finalize = Kind { subresource: "finalize", ..kind(target.seen.resource, Operation::Update) };
    dead(&admission.asked(finalize, target.object())?, admission.facts)
}

/// The error that the namespace controller got when it last tried.
fn told(target: &Target<'_>) -> Option<String> {
    let failure = target.object().condition("NamespaceDeletionContentFailure")?;
    (failure.status() == "True").then(|| Condition::message(failure).to_owned())
}

/// The objects left in a namespace that its controller has deleted, or should have. While a pod
/// remains, it does not try the rest (kubernetes/kubernetes:
/// `pkg/controller/namespace/deletion/namespaced_resources_deleter.go`).
fn left<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let Some(namespace) = target.namespace_being_emptied().filter(|_| target.is_settled(facts)) else {
        return Ok(Vec::new());
    };
    let content = facts.sweep(namespace)?;
    let has_pods = content.may_have_pods();
    let about_more = told(target).is_some_and(|told| is_about_admission(&told));
    let asked = |seen: &Seen<'_>| is_pod(seen.resource) || !has_pods || about_more;
    let rest: Vec<Seen<'s>> = content.pods().chain(content.rest()).collect();
    Ok(rest.into_iter().filter(|seen| !seen.object.is_deleting() && asked(seen)).collect())
}

/// Pods that should be gone by now. The kubelet or the pod garbage collector deletes each once
/// more, without grace.
fn overdue_pods<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let overdue = |pod: &Object| {
        let ended = pod.metadata.deletion_timestamp;
        pod.metadata.deletion_grace_period_seconds != Some(0)
            && ended.is_some_and(|ended| since(ended, facts.now()) > SETTLE * 2)
    };
    let pods = target.deleting(facts)?.into_iter().filter(|seen| is_pod(seen.resource) && overdue(seen.object));
    Ok(pods.collect())
}

/// The garbage collector's work on dependents before it deletes their owner.
#[derive(Default)]
struct ForCollector<'s> {
    /// Dependents to delete.
    delete: Vec<Seen<'s>>,
    /// Dependents whose reference to the owner must be removed.
    update: Vec<Seen<'s>>,
}

/// Splits `idle` into the dependents to delete and those to change, and leaves out those for which
/// no gate is registered.
fn for_collector<'s>(idle: &[Seen<'s>], admission: &Admission<'_, 's>) -> Known<ForCollector<'s>> {
    let mut all = ForCollector::default();
    let mut about: HashMap<&ResourceId, bool> = HashMap::new();
    let is_asked = |seen: &&Seen<'s>| {
        let any = |operation| !admission.about(kind(seen.resource, operation)).is_empty();
        *about.entry(&seen.resource.id).or_insert_with(|| any(Operation::Delete) || any(Operation::Update))
    };
    for_each(idle.iter().filter(is_asked).take(MAX_DEPENDENTS), |seen| {
        match hindrance(seen.object, admission.facts)? {
            Hindrance::None => all.delete.push(*seen),
            Hindrance::Kept(_) => all.update.push(*seen),
            Hindrance::Impossible(_) | Hindrance::UnknownKind(_) | Hindrance::Unread(_) => {}
        }
        Ok(())
    })?;
    Ok(all)
}

/// Dependents that are to be orphaned and still name their owner.
fn orphans<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    flat_each(collectors(target, facts)?.into_iter().filter(|seen| has(seen.object, ORPHAN)), |owner| {
        let (dependents, _) = all_dependents(owner, facts)?;
        Ok(dependents.into_iter().map(|dependent| dependent.seen).take(MAX_DEPENDENTS))
    })
}

/// Dead webhooks that are called before a reference is removed.
fn references<'s>(update: &[Seen<'s>], admission: &Admission<'_, 's>) -> Known<Vec<Obstacle<'s>>> {
    flat_each(groups(update, Operation::Update, admission)?, |group| {
        let dead = dead(&group.asked, admission.facts)?;
        Ok(dead.into_iter().map(move |gate| group.obstacle(Some(gate))))
    })
}

/// Evaluates the error that the namespace controller got. The error names no object: it concerns
/// all kinds whose deletion passes the gate that it names.
fn from_condition<'s>(
    target: &Target<'s>,
    told: Option<&str>,
    left: &[Seen<'s>],
    admission: &Admission<'_, 's>,
    all: &mut Deletions<'s>,
) -> Known {
    let (Some(message), facts) = (told, admission.facts) else { return Ok(()) };
    for_each(read(message), |words| {
        let gates = named(&words, &[], admission.gates());
        let told = |objects: &[Seen<'s>]| Proof::Told {
            namespace: target.reference(),
            message: message.to_owned(),
            may_be_over: objects.iter().any(|seen| facts.served_by(seen.resource) == Ok(ServedBy::Unknown)),
        };
        let new = |gate, objects: Vec<Seen<'s>>| Obstacle {
            words: Some(words.clone()),
            proof: told(&objects),
            ..Obstacle::new(gate, Operation::Delete, objects)
        };
        if gates.is_empty() {
            match still_refused_of(left, facts)? {
                objects if objects.is_empty() => all.mended = true,
                objects => add(&mut all.obstacles, new(None, objects)),
            }
        }
        // Objects that are already being deleted are not affected.
        let asked = flat_each(gates, |gate| {
            let objects = kinds_asked(gate, left, facts)?;
            Ok((!objects.is_empty()).then_some((gate, objects)))
        })?;
        // Other gates may have the same name, and match other objects.
        let several: Vec<Gate<'s>> = asked.iter().map(|(gate, _)| *gate).collect();
        for_each(asked, |(gate, objects)| {
            if words.is_unanswered() && !gate.fails_closed() {
                (all.mended, all.mended_by) = (true, Some(gate));
                return Ok(());
            }
            let others = several.iter().copied().filter(|other| other.key() != gate.key()).collect();
            match still_refused(&words, gate, &objects, facts)? {
                Still::Refused { heard } => {
                    add(&mut all.obstacles, Obstacle { others, heard, ..new(Some(gate), objects) });
                }
                Still::Perhaps => {
                    let proof = Proof::Stale { namespace: target.reference(), message: message.to_owned() };
                    add(&mut all.obstacles, Obstacle { others, proof, ..new(Some(gate), objects) });
                }
                Still::Mended => (all.mended, all.mended_by) = (true, Some(gate)),
            }
            Ok(())
        })
    })
}

/// Whether the namespace controller's error still holds.
enum Still {
    /// A dry run is refused, or could not be sent.
    Refused {
        /// The server's answer to a dry run names the gate.
        heard: bool,
    },
    /// Dry runs are accepted; the server may still refuse the namespace controller, or an object that
    /// was not tried.
    Perhaps,
    /// Dry runs are accepted.
    Mended,
}

/// Whether the server would still refuse the deletion. A webhook or policy may refuse only one of
/// many objects, or only the namespace controller.
fn still_refused<'s>(words: &Words, gate: Gate<'s>, objects: &[Seen<'s>], facts: &Facts<'s>) -> Known<Still> {
    let tried = |seen: Seen<'s>| match facts.probe(seen, Probe::Delete).surveyed()? {
        Ok(Some(Probed::Passed)) => Ok(None),
        Ok(Some(Probed::Refused(refused))) => Ok(Some(is_said_of(&refused.message, seen, &gate))),
        Ok(_) | Err(_) => Ok(Some(false)),
    };
    let Some((first, rest)) = objects.split_first() else { return Ok(Still::Refused { heard: false }) };
    if let Some(heard) = tried(*first)? {
        return Ok(Still::Refused { heard });
    }
    if words.is_unanswered() {
        return Ok(Still::Mended);
    }
    let refused = flat_each(rest.iter().take(MAX_PROBES - 1), |seen| tried(*seen))?;
    Ok(match (refused.is_empty(), objects.len() > MAX_PROBES || gate.may_look_at_who_asks()) {
        (false, _) => Still::Refused { heard: refused.contains(&true) },
        (true, true) => Still::Perhaps,
        (true, false) => Still::Mended,
    })
}

/// The objects of the kinds whose deletion the server would still refuse, when the gate that
/// refuses it is not registered.
fn still_refused_of<'s>(left: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let mut kinds: HashMap<&ResourceId, Seen<'s>> = HashMap::new();
    for seen in left {
        if kinds.len() < MAX_PROBES {
            kinds.entry(&seen.resource.id).or_insert(*seen);
        }
    }
    let passed = flat_each(kinds, |(id, first)| {
        let said = facts.probe(first, Probe::Delete).if_readable()?.flatten();
        Ok((said == Some(&Probed::Passed)).then_some(id))
    })?;
    Ok(left.iter().copied().filter(|seen| !passed.contains(&&seen.resource.id)).collect())
}

/// All objects of the kinds that `gate` matches in part: a bulk deletion stops at the first object
/// that is refused (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go`). The objects that it
/// matches come first.
fn kinds_asked<'s>(gate: Gate<'s>, left: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let asked = gate.asked_about(left, |seen| kind(seen.resource, Operation::Delete), facts)?;
    let kinds: HashSet<&ResourceId> = asked.iter().map(|seen| &seen.resource.id).collect();
    let known: HashSet<&str> = asked.iter().map(|seen| seen.object.uid()).collect();
    let is_other = |seen: &&Seen<'s>| kinds.contains(&seen.resource.id) && !known.contains(seen.object.uid());
    Ok(asked.iter().chain(left.iter().filter(is_other)).copied().collect())
}

/// The webhooks and policies that would refuse the deletion of objects, found by dry runs.
pub fn trial_deletions<'s>(objects: &[Seen<'s>], admission: &Admission<'_, 's>) -> Known<Vec<Obstacle<'s>>> {
    with_backends(joined(by_trial(objects, admission)?), admission.facts)
}

/// Dead webhooks that are called before objects may be updated, and so before a finalizer is
/// removed from them.
pub fn unanswered_updates<'s>(objects: &[Seen<'s>], admission: &Admission<'_, 's>) -> Known<Vec<Obstacle<'s>>> {
    with_backends(joined(references(objects, admission)?), admission.facts)
}

/// Tries by dry run the deletions that no error message is about.
fn by_trial<'s>(open: &[Seen<'s>], admission: &Admission<'_, 's>) -> Known<Vec<Obstacle<'s>>> {
    trials::run(groups(open, Operation::Delete, admission)?, "trial deletion", admission)
}

fn groups<'s>(open: &[Seen<'s>], operation: Operation, admission: &Admission<'_, 's>) -> Known<Vec<TrialGroup<'s>>> {
    trials::groups(open, operation, |_| vec![""], admission)
}
