//! The webhooks and policies that would refuse a deletion, or its last steps, now or as soon as the
//! backend of a webhook is deleted with the targets.

use crate::facts::{Facts, Gap, Known, Readable, Target, flat_each, for_each, is_event, is_pod};
use crate::findings::admission::refusal;
use crate::kubernetes::admission::obstacle::dead;
use crate::kubernetes::admission::{Admission, Gate, GateKey, Kind, Obstacle, Operation, kind};
use crate::needs::{Draft, Going, Outlook, Phase, World};
use crate::plan::{self, quote};
use crate::report::{Cause, Ref, Risk, Turn, Verb, counted, refs, some_of};
use crate::survey::{Probe, Probed, Reason, Refused, Seen, Unread};
use indexmap::{IndexMap, IndexSet};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// The objects that would be deleted: the target, and its content that is not being deleted yet.
pub(crate) fn asked_to_go<'s>(target: &Target<'s>, world: &World<'s>) -> Known<Vec<Seen<'s>>> {
    let content = world.content()?.iter().copied();
    let content = content.filter(|seen| !is_event(seen.resource) && !seen.object.is_deleting());
    Ok(std::iter::once(target.seen).chain(content).collect())
}

/// The server's answer to a trial deletion of a target, whether a gate matches or not.
pub(crate) enum TrialDeletion<'s> {
    /// It would delete the target; or such an object cannot be tried.
    Passed,
    /// It would refuse the deletion.
    Refused(&'s Refused),
    /// The user lacks the permission.
    Forbidden(Unread),
}

/// Tries the deletion of the target itself.
///
/// # Errors
/// When it was not tried yet, or the server gave no verdict.
pub(crate) fn trial<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<TrialDeletion<'s>> {
    match facts.probe(target.seen, Probe::Delete).surveyed()? {
        Ok(Some(Probed::Refused(refused))) => Ok(TrialDeletion::Refused(refused)),
        Ok(_) => Ok(TrialDeletion::Passed),
        Err(Gap { why, .. }) if why.reason == Reason::Forbidden => Ok(TrialDeletion::Forbidden(why)),
        Err(gap) => Err(gap.into()),
    }
}

/// A webhook or policy that would refuse a deletion, as far as registrations show without a trial.
pub(crate) struct Refuser {
    /// The webhook's configuration, or the policy.
    pub(crate) registration: Ref,
    /// `would be refused`, or `may be refused`.
    pub(crate) how: &'static str,
    /// The reason.
    pub(crate) why: String,
}

/// The webhooks and policies that would refuse the deletion of a target: fail-closed webhooks without a
/// backend, and policies that deny. The most certain ones come first.
pub(crate) fn would_refuse(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<Refuser>> {
    let admission = Admission::glance(facts)?;
    let asked = flat_each(admission.gates().filter(Gate::denies), |gate| {
        let about = gate.asked_about(&[target.seen], |seen| kind(seen.resource, Operation::Delete), facts)?;
        Ok((!about.is_empty()).then_some(gate))
    })?;
    let dead: HashSet<GateKey<'_>> = dead(&asked, facts)?.iter().map(Gate::key).collect();
    let mut refusers: Vec<Refuser> = Vec::new();
    for gate in asked {
        let registration = gate.reference();
        if dead.contains(&gate.key()) {
            let why =
                format!("webhook {} must be called before the deletion, but its Service does not answer", gate.name());
            refusers.insert(0, Refuser { registration, how: "would be refused", why });
        } else if matches!(gate, Gate::Policy { .. }) {
            let why =
                format!("policy {} is evaluated for the deletion, and denies what it does not allow", gate.name());
            refusers.push(Refuser { registration, how: "may be refused", why });
        }
    }
    Ok(refusers)
}

/// Adds the findings about `obstacles`. If a webhook's backend is deleted with the targets,
/// [`without_backends`] says more, unless the server's answer named the webhook. A webhook that is deleted
/// with the targets and does not answer is deleted before everything else.
pub(crate) fn add(obstacles: &[Obstacle<'_>], world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let told = |obstacle: &&Obstacle<'_>| {
        obstacle.words.is_some() || !obstacle.gate.is_some_and(|gate| leaves(&gate, world.going))
    };
    for_each(obstacles.iter().filter(told), |obstacle| {
        let draft = refusal::draft(obstacle, facts)?.without("metadata.deletionTimestamp");
        let gate = obstacle.gate.filter(|_| is_unanswered(obstacle));
        match gate {
            Some(gate) if world.going.takes(&gate.reference()) => {
                let seen = gate.registration();
                let cost = world.cost(&seen, facts);
                let turn = Turn::registration(seen, NOBODY_ANSWERS.into(), CHECKS_NOTHING, cost);
                out.hangs_unless(draft, Phase::Unanswered, turn);
            }
            Some(gate) if leaves(&gate, world.going) => out.hangs(draft.avoidable()),
            _ => out.hangs(draft),
        }
        Ok(())
    })
}

/// Why a webhook is deleted first.
const NOBODY_ANSWERS: &str = "it cannot be called, so it would refuse the deletions that follow";
/// The consequence of deleting a registration.
const CHECKS_NOTHING: &str = "it no longer checks anything; installing its product again registers it again";

fn is_unanswered(obstacle: &Obstacle<'_>) -> bool {
    obstacle.is_unanswered() && obstacle.is_certain()
}

/// The webhooks that do not answer now, according to the server.
pub(crate) fn unanswered<'s>(obstacles: &[Obstacle<'s>]) -> HashSet<GateKey<'s>> {
    let said = obstacles.iter().filter(|obstacle| obstacle.words.is_some() && is_unanswered(obstacle));
    said.filter_map(|obstacle| obstacle.gate).map(|gate| gate.key()).collect()
}

/// Adds the gates that refuse the removal of a finalizer now. They may let it pass once the object is being
/// deleted, or for its controller.
pub(crate) fn add_refused(obstacles: &[Obstacle<'_>], facts: &Facts<'_>, out: &mut Outlook) -> Known {
    for_each(obstacles, |obstacle| {
        let draft = refusal::draft(obstacle, facts)?.without("metadata.deletionTimestamp").likely();
        out.hangs(draft.refuses(Verb::Update).remark(
            "this was tried now and as your user: at the time of the \
            deletion, the controller may be allowed to do it",
        ));
        Ok(())
    })
}

/// Requests of one kind that follow from the deletion.
struct Requests<'s> {
    operation: Operation,
    part: &'static str,
    objects: Vec<Seen<'s>>,
}

impl Requests<'_> {
    fn kind<'k>(&self, seen: Seen<'k>) -> Kind<'k> {
        Kind { resource: seen.resource, subresource: self.part, operation: self.operation }
    }

    /// `DELETE of configmaps`, `UPDATE of pods/status`
    fn words(&self, seen: Seen<'_>) -> String {
        let part = if self.part.is_empty() { String::new() } else { format!("/{}", self.part) };
        format!("{} of {}{part}", self.operation.word(), seen.resource.id.short())
    }
}

/// The requests that the API server must accept until everything is deleted.
fn requests<'s>(target: &Target<'s>, all: &[Seen<'s>]) -> Vec<Requests<'s>> {
    let update = |part, objects| Requests { operation: Operation::Update, part, objects };
    let held = all.iter().copied().filter(|seen| !seen.object.metadata.finalizers.is_empty()).collect();
    let pods = all.iter().copied().filter(|seen| is_pod(seen.resource)).collect();
    let mut requests = vec![
        Requests { operation: Operation::Delete, part: "", objects: all.to_vec() },
        update("", held),
        update("status", pods),
    ];
    if target.is_namespace() {
        requests.push(update("finalize", vec![target.seen]));
    }
    requests
}

/// Whether the backend of a webhook is deleted with the targets.
fn leaves(gate: &Gate<'_>, going: &Going<'_>) -> bool {
    gate.service_behind().is_some_and(|(namespace, service)| going.serves(namespace, service))
}

/// The object with which the backend is deleted.
fn place(gate: &Gate<'_>, going: &Going<'_>) -> String {
    gate.service_behind().map(|(namespace, service)| going.place(namespace, service)).unwrap_or_default()
}

/// The requests that a webhook would refuse once its backend is gone.
struct RefusedLater<'s> {
    objects: Vec<Seen<'s>>,
    words: Vec<String>,
}

/// Adds the fail-closed webhooks whose backends are deleted with the targets: from then on, each refuses the
/// requests that it matches, for `all` objects to delete and in the rest of the cluster. Webhooks that are
/// already `unanswered` are deleted before everything else.
pub(crate) fn without_backends<'s>(
    target: &Target<'s>,
    all: &[Seen<'s>],
    admission: &Admission<'_, 's>,
    unanswered: &HashSet<GateKey<'s>>,
    world: &World<'s>,
    facts: &Facts<'s>,
    out: &mut Outlook,
) -> Known {
    let requests = requests(target, all);
    let leaving: Vec<Gate<'s>> = admission.gates().filter(|gate| leaves(gate, world.going)).collect();
    let mut kept: BTreeMap<GateKey<'s>, RefusedLater<'s>> = BTreeMap::new();
    for_each(leaving.iter().filter(|gate| gate.fails_closed()), |gate| {
        let here = kept_here(*gate, &requests, facts)?;
        if !here.objects.is_empty() {
            kept.insert(gate.key(), here);
        }
        Ok(())
    })?;
    let mut known = HashSet::new();
    for gate in leaving.iter().filter(|gate| known.insert(gate.reference())) {
        let entries: Vec<&Gate<'s>> = leaving.iter().filter(|other| other.reference() == gate.reference()).collect();
        let in_the_way: Vec<&&Gate<'s>> = entries.iter().filter(|entry| kept.contains_key(&entry.key())).collect();
        let closed = entries.iter().any(|entry| entry.fails_closed());
        // Registrations that are deleted, too, are in the order already.
        let stays = !world.going.takes(&gate.reference());
        let place = place(gate, world.going);
        if closed && stays {
            let refuses = in_the_way.iter().any(|entry| unanswered.contains(&entry.key()));
            let phase = if refuses { Phase::Unanswered } else { Phase::Registrations };
            out.first(phase, turn(gate, &entries, &place, world.cost(&gate.registration(), facts)));
        }
        if in_the_way.is_empty() && closed && stays {
            let why =
                format!("it stays when {place} is gone, and then refuses requests in other namespaces: delete it, too");
            out.consequence(gate.reference(), why);
        }
        for entry in in_the_way.iter().filter(|entry| !unanswered.contains(&entry.key())) {
            out.hangs(draft(entry, &kept[&entry.key()], target, &place));
        }
    }
    Ok(())
}

fn kept_here<'s>(gate: Gate<'s>, requests: &[Requests<'s>], facts: &Facts<'s>) -> Known<RefusedLater<'s>> {
    let (mut objects, mut words) = (IndexMap::new(), IndexSet::new());
    for_each(requests, |request| {
        for seen in gate.asked_about(&request.objects, |seen| request.kind(seen), facts)? {
            words.insert(request.words(seen));
            objects.entry(seen.object.uid()).or_insert(seen);
        }
        Ok(())
    })?;
    Ok(RefusedLater { objects: objects.into_values().collect(), words: words.into_iter().collect() })
}

fn draft(gate: &Gate<'_>, kept: &RefusedLater<'_>, target: &Target<'_>, place: &str) -> Draft {
    let registration = gate.reference();
    let objects = refs(&kept.objects);
    let summary = format!(
        "{} could not be deleted: webhook {} must be called, but its backend would be deleted first, with {place}",
        counted(&kept.objects),
        gate.name()
    );
    let asked = if gate.is_conditional() { "is called, if its matchConditions are met, for" } else { "is called for" };
    let shown = some_of(&kept.words, 4);
    Draft::new(Cause::Admission, objects[0].clone(), summary)
        .waits_for(registration.clone())
        .evidence(format!("webhook {} {asked} {shown}; failurePolicy Fail", gate.name()), &registration, "webhooks")
        .evidence(
            format!("its Service is {}", gate.backend_name().unwrap_or_default()),
            &registration,
            "webhooks[].clientConfig.service",
        )
        .remark(format!("everything in {} is deleted, its pods first", target.reference()))
        .likely()
        .avoidable()
        .objects(objects)
}

/// The turn for a configuration: it is deleted if all of its webhooks would be dead; otherwise the dead ones
/// are ignored.
fn turn(gate: &Gate<'_>, leaving: &[&Gate<'_>], place: &str, cost: (Risk, String)) -> Turn {
    let configuration = gate.registration();
    let why = format!("its backend is deleted with {place}");
    if leaving.len() == configuration.object.array("/webhooks").len() {
        return Turn::registration(configuration, why, CHECKS_NOTHING, cost);
    }
    let places = leaving.iter().filter(|gate| gate.fails_closed()).filter_map(|gate| gate.index());
    let patch: Vec<Value> = places
        .map(|place| {
            serde_json::json!({"op": "replace", "path": format!("/webhooks/{place}/failurePolicy"), "value": "Ignore"})
        })
        .collect();
    let reference = gate.reference();
    let command = plan::patch(&quote(&reference.kubectl()), &Value::Array(patch));
    Turn::by_hand(
        format!("set failurePolicy to Ignore in {reference} for the webhooks that lose their backend"),
        why,
        command,
    )
}
