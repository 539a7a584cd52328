//! Admission: who would refuse the deletion, or its last steps, now or as soon as what
//! answers for a webhook has gone with the target.

use crate::facts::{Facts, Known, Target, Unknown, is_event, is_pod};
use crate::kubernetes::admission::{
    Admission, Gate, GateKey, Kind, Operation, is_about_admission, refusal, trial_deletions, unanswered_updates,
};
use crate::needs::{Draft, Going, Outlook, Phase};
use crate::plan::quote;
use crate::report::{Cause, Remedy, Turn, counted, refs};
use crate::survey::{Probe, Probed, Reason, Seen};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// The rules that would say so afterwards.
const REFUSED: &str = "deletion-refused";
const NOT_TAKEN_OFF: &str = "finalizer-removal-refused";

/// Requests of one kind that the deletion leads to.
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

/// Adds who would refuse it.
pub(super) fn look<'s>(
    target: &Target<'s>,
    content: &[Seen<'s>],
    going: &Going<'_>,
    facts: &Facts<'s>,
    out: &mut Outlook,
) -> Known {
    let admission = Admission::read(facts)?;
    let all: Vec<Seen<'s>> = std::iter::once(target.seen)
        .chain(content.iter().copied().filter(|seen| !is_event(seen.resource) && !seen.object.is_deleting()))
        .collect();
    let requests = requests(target, &all);
    let leaving: Vec<Gate<'s>> = admission.gates().filter(|gate| leaves(gate, going)).collect();
    go_first(&leaving, &requests, target, facts, out)?;
    let tried = trial_deletions(&all, &admission, facts);
    let itself = itself(target, facts, out);
    let held: Vec<Seen<'s>> = all.iter().copied().filter(|seen| !seen.object.metadata.finalizers.is_empty()).collect();
    let updates = unanswered_updates(&held, &admission, facts);
    let (tried, updates, ()) = (tried?, updates?, itself?);
    for (rule, obstacle) in tried.iter().map(|one| (REFUSED, one)).chain(updates.iter().map(|one| (NOT_TAKEN_OFF, one)))
    {
        // Of what goes with the target it is said above.
        if obstacle.gate.is_some_and(|gate| leaves(&gate, going)) && obstacle.words.is_none() {
            continue;
        }
        out.hangs(rule, refusal::draft(obstacle, facts)?.without("metadata.deletionTimestamp"));
    }
    Ok(())
}

/// What the server says to a trial deletion of the target, whoever is asked about it:
/// some namespaces may never go (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go`).
fn itself(target: &Target<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let object = target.reference();
    let refused = match facts.probe(target.seen, Probe::Delete) {
        Ok(Some(Probed::Refused(refused))) => refused,
        Ok(_) => return Ok(()),
        Err(Unknown::Unread { why, .. }) if why.reason == Reason::Forbidden => {
            out.consequence(object, format!("you may not delete it: {}", why.message));
            return Ok(());
        }
        Err(unknown) => return Err(unknown),
    };
    // A webhook with side effects is not asked in a dry run, and lets none pass.
    if refused.message.contains("does not support dry run") {
        facts.note_unknown(format!("whether {object} may be deleted"), refused.message.clone());
        return Ok(());
    }
    // Of webhooks and policies it is said by name.
    if is_about_admission(&refused.message) {
        return Ok(());
    }
    let draft = Draft::new(
        Cause::Admission,
        object.clone(),
        format!("{object} cannot be deleted: the server refuses it: {}", refused.message),
    )
    .evidence(format!("a trial deletion (dry run) is refused: {}", refused.message), &object, "")
    .remedy(Remedy::manual("leave it, or delete what is in it instead", "nothing is lost"));
    out.hangs(REFUSED, draft);
    out.refused = true;
    Ok(())
}

/// What is asked of the API server until everything is gone.
fn requests<'s>(target: &Target<'s>, all: &[Seen<'s>]) -> Vec<Requests<'s>> {
    let filtered = |take: &dyn Fn(&Seen<'s>) -> bool| all.iter().copied().filter(|seen| take(seen)).collect();
    let mut requests = vec![
        Requests { operation: Operation::Delete, part: "", objects: all.to_vec() },
        Requests {
            operation: Operation::Update,
            part: "",
            objects: filtered(&|seen| !seen.object.metadata.finalizers.is_empty()),
        },
        Requests { operation: Operation::Update, part: "status", objects: filtered(&|seen| is_pod(seen.resource)) },
    ];
    if target.is_namespace() {
        requests.push(Requests { operation: Operation::Update, part: "finalize", objects: vec![target.seen] });
    }
    requests
}

/// Whether what answers for a webhook goes with the targets.
fn leaves(gate: &Gate<'_>, going: &Going<'_>) -> bool {
    gate.backend_namespace().is_some_and(|namespace| going.holds(Some(namespace)))
}

/// What a webhook whose backend leaves would refuse then.
struct Refused<'s> {
    objects: Vec<Seen<'s>>,
    words: Vec<String>,
}

/// Fail-closed webhooks whose backends go with the target: each refuses from then on
/// what it is asked about, here and in the rest of the cluster.
fn go_first<'s>(
    leaving: &[Gate<'s>],
    requests: &[Requests<'s>],
    target: &Target<'s>,
    facts: &Facts<'s>,
    out: &mut Outlook,
) -> Known {
    let mut refused: BTreeMap<GateKey<'s>, Refused<'s>> = BTreeMap::new();
    for gate in leaving.iter().filter(|gate| gate.fails_closed()) {
        let here = refused_here(*gate, requests, facts)?;
        if !here.objects.is_empty() {
            refused.insert(gate.key(), here);
        }
    }
    let mut known = HashSet::new();
    for gate in leaving.iter().filter(|gate| known.insert(gate.reference())) {
        let entries: Vec<&Gate<'s>> = leaving.iter().filter(|other| other.reference() == gate.reference()).collect();
        let in_the_way: Vec<&&Gate<'s>> = entries.iter().filter(|entry| refused.contains_key(&entry.key())).collect();
        let closed = entries.iter().any(|entry| entry.fails_closed());
        if closed {
            out.first(Phase::Registrations, turn(gate, &entries));
        }
        if in_the_way.is_empty() && closed {
            let why = format!(
                "it stays behind when namespace {} is gone, and refuses from then on what it is asked about elsewhere: delete it, too",
                gate.backend_namespace().unwrap_or_default()
            );
            out.consequence(gate.reference(), why);
        }
        for entry in in_the_way {
            let here = &refused[&entry.key()];
            out.hangs(REFUSED, draft(entry, here, target));
        }
    }
    Ok(())
}

fn refused_here<'s>(gate: Gate<'s>, requests: &[Requests<'s>], facts: &Facts<'s>) -> Known<Refused<'s>> {
    let mut refused = Refused { objects: Vec::new(), words: Vec::new() };
    let mut known = HashSet::new();
    for request in requests {
        for seen in gate.asked_about(&request.objects, |seen| request.kind(seen), facts)? {
            let words = request.words(seen);
            if !refused.words.contains(&words) {
                refused.words.push(words);
            }
            if known.insert(seen.object.uid()) {
                refused.objects.push(seen);
            }
        }
    }
    Ok(refused)
}

fn draft(gate: &Gate<'_>, refused: &Refused<'_>, target: &Target<'_>) -> Draft {
    let registration = gate.reference();
    let objects = refs(&refused.objects);
    let summary = format!(
        "{} could not go: webhook {} must be asked, and what answers for it would go first, with namespace {}",
        counted(&refused.objects),
        gate.name(),
        gate.backend_namespace().unwrap_or_default()
    );
    let asked = if gate.is_conditional() { "is asked, if its matchConditions hold, about" } else { "is asked about" };
    let shown: Vec<&str> = refused.words.iter().take(4).map(String::as_str).collect();
    let more = refused.words.len().saturating_sub(shown.len());
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Draft::new(Cause::Admission, objects[0].clone(), summary)
        .waits_for(registration.clone())
        .evidence(
            format!("webhook {} {asked} {}{more}; failurePolicy Fail", gate.name(), shown.join(", ")),
            &registration,
            "webhooks",
        )
        .evidence(
            format!("its Service is {}", gate.backend_name().unwrap_or_default()),
            &registration,
            "webhooks[].clientConfig.service",
        )
        .remark(format!("everything in {} is asked to go at once, its pods first", target.reference()))
        .likely()
        .avoidable()
        .objects(objects)
}

/// What is done about a configuration: deleted where all of it would be dead, else
/// the dead entries are told not to matter.
fn turn(gate: &Gate<'_>, leaving: &[&Gate<'_>]) -> Turn {
    let configuration = gate.registration();
    let why = format!("what answers for it goes with namespace {}", gate.backend_namespace().unwrap_or_default());
    if leaving.len() == configuration.object.array("/webhooks").len() {
        return Turn::registration(
            &configuration.into(),
            why,
            "nothing is checked by it any more; its product registers it again when it is installed again",
        );
    }
    let places = leaving.iter().filter(|gate| gate.fails_closed()).filter_map(|gate| gate.index());
    let patch: Vec<Value> = places
        .map(|place| {
            serde_json::json!({"op": "replace", "path": format!("/webhooks/{place}/failurePolicy"), "value": "Ignore"})
        })
        .collect();
    let reference = gate.reference();
    let command = format!(
        "kubectl patch {} --type=json -p {}",
        quote(&reference.kubectl()),
        quote(&Value::Array(patch).to_string())
    );
    Turn::by_hand(format!("have {reference} go on without the webhooks that lose their backend"), why, command)
}
