//! The finding that objects wait for a finalizer: who set it, who should remove it, and why that has not
//! happened.

use crate::facts::{All, Facts, Known, Readable, Target, ago, clock, each, flat_each, since};
use crate::knowledge::catalogue;
use crate::kubernetes::admission::{Admission, removals};
use crate::kubernetes::control_plane::releases;
use crate::kubernetes::definitions::Definition;
use crate::kubernetes::eviction;
use crate::kubernetes::external;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::late::MAX_FINALIZERS;
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::ownership::traces;
use crate::kubernetes::progress::differences::{by_reason, without_names};
use crate::kubernetes::progress::unanswered::unanswered;
use crate::kubernetes::progress::usual::Usual;
use crate::kubernetes::progress::{Explanation, Judgement, Work, find, let_through};
use crate::kubernetes::statements::other_objects::trouble_of;
use crate::needs::{Draft, Mood, Waiting};
use crate::plan::quote;
use crate::reasons::inaction;
use crate::reasons::remedies as release;
use crate::reasons::verdict::{by_setter, verdict};
use crate::report::{Cause, ControllerState, Need, Ref, Remedy, Sentence, SetBy, Verb};
use crate::survey::{FieldManager, Object, Resource, Seen};
use jiff::SignedDuration;

/// How many of the objects that a controller waits for are checked.
const MAX_BLOCKERS: usize = 10;

/// A count in a condition that is older than this says nothing about work in progress.
pub(crate) const LATELY: SignedDuration = SignedDuration::from_mins(2);

/// The findings for each finalizer: one for each reason why it is not removed.
pub(crate) fn drafts(
    target: &Target<'_>,
    cause: Cause,
    groups: &[(&str, Vec<Seen<'_>>)],
    facts: &Facts<'_>,
) -> Known<Vec<Draft>> {
    let mut drafts = flat_each(groups.iter().take(MAX_FINALIZERS), |(finalizer, objects)| {
        each(by_reason(objects, facts)?, |objects| draft(target, cause, finalizer, &objects, facts))
    })?;
    drafts.extend(groups.iter().skip(MAX_FINALIZERS).map(|(finalizer, objects)| {
        let refs: Vec<Ref> = objects.iter().map(|seen| (*seen).into()).collect();
        let draft = begin(cause, finalizer, &refs, None).remark(format!(
            "controllers were looked up only for the first {MAX_FINALIZERS} of {} finalizers",
            groups.len()
        ));
        let draft = release::without(draft, finalizer, objects, &refs).objects(refs);
        if releases(finalizer) { draft.needs_accepted(Verb::Update) } else { draft }
    }));
    Ok(drafts)
}

/// The findings for objects whose deletion was requested a moment ago. Only a controller that runs can be late: where
/// none does, the reason is there at once.
pub(crate) fn at_once(
    target: &Target<'_>,
    cause: Cause,
    groups: &[(&str, Vec<Seen<'_>>)],
    facts: &Facts<'_>,
) -> Known<Vec<Draft>> {
    let state = |draft: &Draft| draft.finding.controller.as_ref().map(|controller| controller.state);
    let runs = |draft: &Draft| !matches!(state(draft), Some(ControllerState::Gone | ControllerState::Down));
    let mut drafts = drafts(target, cause, groups, facts)?;
    drafts.retain(|draft| !runs(draft));
    Ok(drafts)
}

/// The finding that `objects` wait for `finalizer`, with the controller that should release them and why it
/// has not.
pub(crate) fn draft(
    target: &Target<'_>,
    cause: Cause,
    finalizer: &str,
    objects: &[Seen<'_>],
    facts: &Facts<'_>,
) -> Known<Draft> {
    let refs: Vec<Ref> = objects.iter().map(|seen| (*seen).into()).collect();
    // The search for the controller begins with the definition, which is read together with the objects.
    let _ = traces::definition(finalizer, objects[0], facts);
    let held = HeldObjects::read_whole(objects, facts)?;
    let entry = catalogue::of(finalizer, &refs[0].kind, &refs[0].target().resource.group);
    if let Some((title, consequence)) = front_door(finalizer, &refs[0]) {
        let draft = describe(begin(cause, finalizer, &refs, None), finalizer, &held, &refs[0], facts);
        let own_way = entry.map(|entry| {
            Remedy::manual(
                format!("let {} release it: {}", entry.controller, entry.way_out),
                format!("nothing is lost: it does its clean-up ({})", entry.guards),
            )
        });
        let draft = draft.remedies(own_way).remedy(Remedy::manual(title, consequence)).objects(refs);
        return Ok(if releases(finalizer) { draft.needs_accepted(Verb::Update) } else { draft });
    }
    let namespace = release::namespace_of(&refs[0], facts).if_readable();
    let refused = refused_to_others(target, finalizer, facts);
    let (namespace, mut found, refused) = (namespace, find(finalizer, &held, facts), refused).all()?;
    let is_absent = matches!(found.why, Explanation::ScaledToZero(_) | Explanation::Down { .. });
    let namespace = namespace.flatten().filter(|_| !is_absent);
    let falling = falling(target, finalizer, namespace, facts);
    if let Some(text) = &falling {
        found.why = Explanation::Working(Work::Seen);
        found.controller.state = ControllerState::Alive;
        found.controller.evidence.insert(0, text.into());
    }
    let usual = Usual::of(finalizer, objects, &found, facts);
    if let (Explanation::Idle, None) = (&found.why, usual) {
        found.why = hindered_together(target, objects, facts)?;
    }
    let mut verdict = verdict(cause, &found, usual);
    if let Some(setter) = held.whole.iter().find_map(|object| object.finalizer_set_by(finalizer)) {
        verdict = by_setter(verdict, &found, &setter.name);
    }
    let awaited =
        awaited(&found.why, facts)?.map(|words| Sentence::from(", which says: ").reported(&words)).unwrap_or_default();
    verdict.because = verdict.because.map(|because| because.then(awaited));
    let because = falling.as_ref().map(|_| "somebody is releasing them".into()).or(verdict.because);
    let mut draft = begin(verdict.cause, finalizer, &refs, because).by_reason(verdict.reason);
    draft = describe(draft, finalizer, &held, &refs[0], facts);
    draft = draft.waits_for(verdict.waits_for);
    draft = inaction::evidence(draft, &found).why(verdict.why);
    draft = draft.looked_at(inaction::looked_at(&found, facts.may_read_logs()));
    if let Some(words) = found.why.words() {
        draft = draft.reason(without_names(words, objects[0].object));
    }
    if follows(target, &found.why) {
        draft = draft.underway();
    }
    if let Some(usual) = usual {
        let (usually, end) = (usual.words(), usual.end());
        draft = draft.remark(format!("this usually takes {usually}: do not remove it by hand before {end}"));
    }
    draft = draft.with_each(refused, Draft::remark);
    draft = release::with_remedies(draft, &found, finalizer, objects, usual, facts)?;
    draft = draft.with_each(further(&found, objects[0].resource, falling.is_some(), facts)?, Draft::rests_on);
    let at_work = is_at_work(&found, finalizer);
    draft = draft.controller(found.controller).objects(refs);
    Ok(if at_work { draft.needs_accepted(Verb::Update) } else { draft })
}

/// Why a running controller does nothing about `objects`: the same thing must happen first for all of them.
fn hindered_together<'s>(target: &Target<'s>, objects: &[Seen<'_>], facts: &Facts<'s>) -> Known<Explanation<'s>> {
    let hindered = eviction::hindered(target, facts)?;
    let mut each = objects.iter().map(|seen| hindered.get(seen.object.uid()).copied());
    let first = each.next().flatten();
    Ok(first.filter(|_| each.all(|other| other == first)).map_or(Explanation::Idle, Explanation::Hindered))
}

/// The trouble that the first awaited object reports about itself, if it is not being deleted: then it is the
/// reason, and not only in the way.
fn awaited(why: &Explanation<'_>, facts: &Facts<'_>) -> Known<Option<String>> {
    let (Explanation::Blocked(edges) | Explanation::InUse(edges)) = why else { return Ok(None) };
    let Some(edge) = edges.first().filter(|edge| !edge.blocker.object.is_deleting()) else { return Ok(None) };
    trouble_of(edge.blocker, facts)
}

/// The gates that refuse the removal of `finalizer` to others, and let its controller remove it.
fn refused_to_others(target: &Target<'_>, finalizer: &str, facts: &Facts<'_>) -> Known<Vec<String>> {
    if !Admission::glance(facts)?.gates().any(|gate| gate.tells_of_who_asks()) {
        return Ok(Vec::new());
    }
    let obstacles = removals(target, facts)?;
    let of_it = obstacles.iter().filter(|it| it.finalizers.iter().any(|key| key == finalizer));
    flat_each(of_it, |obstacle| let_through::of(obstacle, facts))
}

/// The needs of a controller before it continues: the objects that it waits for and the kinds that it cannot
/// read, according to its message. A running controller without evidence of its work needs its kind to be
/// readable in all namespaces: one object that cannot be converted prevents that.
fn further(found: &Judgement<'_>, kind: &Resource, is_falling: bool, facts: &Facts<'_>) -> Known<Vec<Need>> {
    if let Explanation::Blocked(edges) | Explanation::InUse(edges) = &found.why {
        let going = edges.iter().filter(|edge| edge.blocker.object.is_deleting());
        return Ok(going.take(MAX_BLOCKERS).map(|edge| Need::Deleted(edge.blocker.into())).collect());
    }
    if let Explanation::Says(_) | Explanation::Hearsay(_) = &found.why {
        return unanswered(&found.why, facts);
    }
    if is_falling || found.obeys() || found.controller.state != ControllerState::Alive {
        return Ok(Vec::new());
    }
    let definition = Definition::of(kind, facts).if_readable()?.flatten();
    let is_converted = definition.is_some_and(|definition| definition.converts_for(&kind.id.version));
    Ok(is_converted.then(|| Need::Readable(kind.id.clone())).into_iter().collect())
}

/// Whether its controller runs, or a part of Kubernetes does its work, so that only the request has to be
/// accepted.
fn is_at_work(found: &Judgement<'_>, finalizer: &str) -> bool {
    match found.controller.state {
        ControllerState::Alive => !found.obeys(),
        ControllerState::Failing => match &found.why {
            Explanation::Says(message) | Explanation::Hearsay(message) | Explanation::SaidBefore(message) => {
                is_about_admission(message)
            }
            Explanation::Barred { .. } => true,
            _ => false,
        },
        ControllerState::Unknown => releases(finalizer),
        ControllerState::Gone | ControllerState::Down => false,
    }
}

/// Whether an object is released by itself once others are deleted that are stuck in the same target, and
/// have findings of their own.
pub(crate) fn follows(target: &Target<'_>, why: &Explanation<'_>) -> bool {
    let (Explanation::Blocked(edges) | Explanation::InUse(edges)) = why else { return false };
    let inside = |object: &Object| object.metadata.namespace.as_deref() == Some(target.object().name());
    let stuck = |object: &Object| object.is_deleting() && !object.metadata.finalizers.is_empty();
    target.is_namespace() && edges.iter().all(|edge| inside(edge.blocker.object) && stuck(edge.blocker.object))
}

/// The line about the waiting objects.
pub(crate) fn begin(cause: Cause, finalizer: &str, refs: &[Ref], because: Option<Sentence>) -> Draft {
    let who = if refs.len() == 1 { (&refs[0]).into() } else { Sentence::from(format!("{} objects", refs.len())) };
    let rest = because.map(|text| Sentence::from(": ").then(text)).unwrap_or_default();
    Draft::waiting(cause, refs, who, finalizer, Waiting { mood: Mood::Is, rest }).kept_by(finalizer, &refs[0])
}

/// Adds the setter of the finalizer, and the facts about the finalizer.
pub(crate) fn describe(draft: Draft, finalizer: &str, held: &HeldObjects<'_>, first: &Ref, facts: &Facts<'_>) -> Draft {
    let setter: Option<FieldManager> = held.whole.iter().find_map(|object| object.finalizer_set_by(finalizer));
    let draft = match setter {
        Some(manager) => {
            let when = manager.time.map(|time| format!(", at least {} ago", ago(time, facts))).unwrap_or_default();
            draft.set_by(SetBy { manager: manager.name, at: manager.time }, &when, first)
        }
        None => draft.remark("managedFields do not show who set it"),
    };
    let stays = held.read().flat_map(|seen| external::of(seen.object).into_iter().map(move |found| (seen, found)));
    let draft = stays.fold(draft, |draft, (seen, found)| draft.outside(&found.what, &seen.into(), &found.field));
    match catalogue::of(finalizer, &first.kind, &first.target().resource.group) {
        Some(entry) => draft.product(entry.product, entry.controller).guards(entry.guards),
        None => draft.remark("not in the catalogue of known finalizers"),
    }
}

/// The text that fewer objects are left than the namespace's conditions counted a moment ago, so that a
/// controller releases them.
pub(crate) fn falling(
    target: &Target<'_>,
    finalizer: &str,
    namespace: Option<&Object>,
    facts: &Facts<'_>,
) -> Option<String> {
    let namespace = namespace.filter(|_| target.is_namespace() && !facts.wrote())?;
    let condition = namespace.condition("NamespaceFinalizersRemaining")?;
    let written = namespace.status_written_by().filter_map(|manager| manager.time).max()?;
    let counted = condition.message().split([',', ':']).find_map(|part| {
        part.trim().strip_prefix(finalizer)?.strip_prefix(" in ")?.split(' ').next()?.parse::<usize>().ok()
    })?;
    // The condition counts over all kinds: unread ones may be among them.
    let content = facts.sweep(namespace.name()).ok().filter(|content| content.unread.is_empty())?;
    let has = |object: &Object| object.metadata.finalizers.iter().any(|key| key == finalizer);
    let inside = content.objects.iter().filter(|seen| has(seen.object)).count();
    let age = since(written, facts.now());
    if counted <= inside || age > LATELY {
        return None;
    }
    let seconds = u64::try_from(age.as_secs()).unwrap_or_default().max(1);
    let (gone, left) = ((counted - inside) as u64, inside as u64);
    let until =
        facts.now().checked_add(SignedDuration::from_secs(i64::try_from(left * seconds / gone).unwrap_or(i64::MAX)));
    let until =
        until.map(|until| format!(": at this rate the last one is released at {}", clock(until))).unwrap_or_default();
    Some(format!("{counted} waited for it {} ago, {inside} wait now{until}", ago(written, facts)))
}

/// The official way out for those finalizers of Kubernetes itself that are never to be removed by a patch.
pub(crate) fn front_door(finalizer: &str, object: &Ref) -> Option<(Sentence, &'static str)> {
    let name = quote(&object.kubectl());
    match finalizer {
        "customresourcecleanup.apiextensions.k8s.io" => Some((
            Sentence::from("release the instances first").by(format_args!("kubectl get {} -A", quote(&object.name))),
            "if you remove it by hand, the instances stay in etcd and come back with the next install",
        )),
        "kubernetes.io/pv-protection" => Some((
            Sentence::from("delete the claim that is bound to it first").by(format_args!("kubectl describe {name}")),
            "while the claim is bound, the data is safe; if you remove the finalizer by hand, the claim is lost",
        )),
        _ => None,
    }
}
