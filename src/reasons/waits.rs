//! The finding that objects wait for a finalizer: who set it, who should remove it, and why that has not
//! happened.

use super::answer::WordedReason;
use super::at_work::{self, Work};
use super::case::Case;
use super::drains::hindered;
use super::find;
use super::found_reason::FoundReason;
use super::judgement::Judgement;
use super::usual::Usual;
use super::{controller_unknown, gives_no_reason, let_through, not_its_turn, not_leader, run, said_before_restart};
use crate::facts::{All, Facts, Known, Readable, Target, ago, clock, each, flat_each, since};
use crate::findings::removal::removal;
use crate::knowledge::catalogue;
use crate::kubernetes::admission::{Admission, removals};
use crate::kubernetes::control_plane::releases;
use crate::kubernetes::definitions::Definition;
use crate::kubernetes::external;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::late::MAX_FINALIZERS;
use crate::kubernetes::ownership::traces;
use crate::kubernetes::progress::differences::{by_reason, without_names};
use crate::kubernetes::progress::nothing_outside::{self, NothingOutside};
use crate::kubernetes::progress::usual::{USUALLY, known};
use crate::needs::{Draft, Mood, Waiting};
use crate::plan::{full_name, quote};
use crate::report::{Cause, ControllerState, Need, Ref, Remedy, Sentence, SetBy, Verb};
use crate::survey::{FieldManager, Form, Object, Seen};
use jiff::SignedDuration;

/// The consequence of a repair after which a controller acts by itself.
pub(crate) use super::case::CLEANS_UP;

/// How many objects are split off the others with their finalizer because they lack something.
const MAX_LACKS: usize = 8;

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
        let apart = flat_each(by_reason(objects, facts)?, |objects| by_lack(finalizer, objects, MAX_LACKS, facts))?;
        each(apart, |objects| draft(target, cause, finalizer, &objects, facts))
    })?;
    drafts.extend(groups.iter().skip(MAX_FINALIZERS).map(|(finalizer, objects)| {
        let refs: Vec<Ref> = objects.iter().map(|seen| (*seen).into()).collect();
        let draft = begin(cause, finalizer, &refs, None).remark(format!(
            "controllers were looked up only for the first {MAX_FINALIZERS} of {} finalizers",
            groups.len()
        ));
        let draft = draft.remedies(not_looked_up(finalizer, objects, &refs)).objects(refs);
        if releases(finalizer) { draft.needs_accepted(Verb::Update) } else { draft }
    }));
    Ok(drafts)
}

/// Splits off the objects that lack something which the others need not lack: the Secret of one object is no reason
/// for another.
fn by_lack<'s>(finalizer: &str, objects: Vec<Seen<'s>>, most: usize, facts: &Facts<'s>) -> Known<Vec<Vec<Seen<'s>>>> {
    if objects.len() < 2 || most == 0 {
        return Ok(vec![objects]);
    }
    let held = HeldObjects::read_whole(&objects, facts)?;
    let of = find(finalizer, &held, facts)?.why.of;
    let lacks_it = |seen: &Seen<'_>| of.iter().any(|uid| uid == seen.object.uid());
    // Objects that were not read are taken to be like the others.
    if of.is_empty() || held.read().all(|seen| lacks_it(&seen)) {
        return Ok(vec![objects]);
    }
    let (its, others): (Vec<_>, Vec<_>) = objects.into_iter().partition(lacks_it);
    Ok([vec![its], by_lack(finalizer, others, most - 1, facts)?].concat())
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
                "nothing is lost: it does its own clean-up",
            )
        });
        let draft = draft.remedies(own_way).remedy(Remedy::manual(title, consequence)).objects(refs);
        return Ok(if releases(finalizer) { draft.needs_accepted(Verb::Update) } else { draft });
    }
    let namespace = namespace_of(&refs[0], facts).if_readable();
    let refused = refused_to_others(target, finalizer, facts);
    let (namespace, mut found, refused) = (namespace, find(finalizer, &held, facts), refused).all()?;
    let namespace = namespace.flatten().filter(|_| !found.why.is_absent());
    let falling = falling(target, finalizer, namespace, facts);
    if let Some(text) = &falling {
        found.why = at_work::found(Work::Seen);
        found.profile.controller.state = ControllerState::Alive;
        found.profile.controller.evidence.insert(0, text.into());
    }
    let usual = usual(finalizer, objects, &found, facts);
    if usual.is_none()
        && found.why.is(&gives_no_reason::REASON)
        && let Some(hindered) = hindered_together(target, objects, facts)?
    {
        found.why = hindered;
    }
    let Judgement { profile: found, why } = &found;
    let (refs, held) = (&refs[..], &held);
    let judged = Case { finalizer, cause, objects, refs, held, found, entry, usual, foreseen: None, facts };
    let mut answer = run::answer(why, &judged)?;
    if falling.is_some() {
        answer.because = "somebody is releasing them".into();
    }
    let needs = further(&judged, &answer, falling.is_some())?;
    let (at_work, remedies) = (is_at_work(&judged, &answer), with_removal(&judged, &answer));
    let follows = follows(target, &answer.others);
    let draft = begin(answer.cause, finalizer, refs, Some(answer.because)).by_reason(answer.reason.name);
    let mut draft = describe(draft, finalizer, held, &refs[0], facts);
    draft = draft.waits_for(answer.waits_for).why(answer.why);
    draft.finding.evidence.extend(answer.evidence);
    draft = draft.looked_at(answer.looked_at).remedies(remedies);
    if let Some(words) = answer.words {
        draft = draft.reason(without_names(&words, objects[0].object));
    }
    if follows {
        draft = draft.underway();
    }
    if let Some(usual) = usual {
        let (usually, end) = (usual.words(), usual.end());
        draft = draft.remark(format!("this usually takes {usually}: do not remove it by hand before {end}"));
    }
    draft = draft.with_each(refused, Draft::remark).with_each(needs, Draft::rests_on);
    draft = draft.controller(found.controller.clone()).objects(refs.to_vec());
    Ok(if at_work { draft.needs_accepted(Verb::Update) } else { draft })
}

/// The remedies of `answer` and the removal of the finalizer.
fn with_removal(case: &Case<'_, '_>, answer: &WordedReason<'_>) -> Vec<Remedy> {
    let mut remedies = answer.remedies.clone();
    // Within the usual time, the controller may just be deleting what would be left behind.
    if case.usual.is_some() || answer.cause == Cause::Progressing {
        return remedies;
    }
    let cannot_read = answer.words.is_some() && answer.needs.as_ref().is_some_and(|needs| !needs.is_empty());
    let by_name = answer.can_be_mended && case.workload().is_some() || cannot_read;
    let Some(removal) = removal(case.finalizer, case.objects, case.refs) else { return remedies };
    let removal = if by_name { removal.by_name() } else { removal };
    let nothing = nothing_outside(case, answer);
    let loses = match &answer.went_with {
        Some(what) if case.entry.is_none() => lost_with(what),
        _ => removal.consequence,
    };
    let leads = nothing.iter().map(NothingOutside::lead).chain(answer.removal_first.iter().map(Into::into));
    let consequence = leads.fold(loses, |rest, lead| lead.then(rest));
    let removal = Remedy { consequence, ..removal };
    // A repair comes before anything permanent, unless it destroys more, or there is nothing to clean up.
    let is_vain = nothing.is_some() && answer.words.is_some();
    if is_vain || answer.removal_first.is_some() {
        remedies.insert(0, removal);
        remedies.splice(0..0, abandon(case).filter(|_| is_vain));
    } else {
        remedies.push(removal);
    }
    remedies
}

/// The consequence of the removal of a finalizer from a part of `what`, which does not exist.
fn lost_with(what: &Ref) -> Sentence {
    let gone = Sentence::from("whatever its controller would have cleaned up for ").then(what);
    gone.then(" stays behind, unless it is gone, too")
}

/// What shows that none of the objects stands for something outside the cluster.
fn nothing_outside(case: &Case<'_, '_>, answer: &WordedReason<'_>) -> Option<NothingOutside> {
    let said = answer.words.as_deref().zip(case.found.said_in);
    let mut each = case
        .objects
        .iter()
        .zip(case.held.read())
        .map(|(_, seen)| nothing_outside::of(seen, said, case.facts.discovery()));
    let first = each.next().flatten();
    let are_read = case.held.read().count() == case.objects.len();
    first.filter(|_| are_read && each.all(|other| other.is_some()))
}

/// The product's own annotation by which its controller leaves alone what is outside, according to the catalogue.
fn abandon(case: &Case<'_, '_>) -> Option<Remedy> {
    let (annotation, object) = (case.entry?.abandon?, case.first());
    Some(Remedy::command(
        format!("let its controller release {object} and leave alone what is outside the cluster"),
        format_args!("kubectl annotate {} --overwrite {annotation}", full_name(object)),
        "whatever it made outside the cluster stays",
    ))
}

/// Removes the remedies to fix what the controller says and to create a missing object again, if neither is
/// possible.
pub(crate) fn beyond_repair(mut draft: Draft) -> Draft {
    draft.remedies.retain(|remedy| !remedy.mends_its_work);
    draft
}

/// The usual time of a clean-up, while that is not over; `None` if that time is unknown, or nobody is there to be late.
fn usual(finalizer: &str, objects: &[Seen<'_>], found: &Judgement<'_>, facts: &Facts<'_>) -> Option<Usual> {
    let Judgement { why, profile } = found;
    // No time is usual where nothing that runs may be the controller.
    let is_nobody =
        why.is(&controller_unknown::REASON) && profile.controller.workload.is_none() && !profile.out_of_sight;
    let is_absent = matches!(profile.controller.state, ControllerState::Gone | ControllerState::Down);
    if is_absent || is_nobody || why.is(&not_leader::REASON) {
        return None;
    }
    let is_quiet = why.is_one_of(&[&gives_no_reason::REASON, &said_before_restart::REASON]);
    let takes = known(finalizer).or(is_quiet.then_some(USUALLY))?;
    Usual::of(takes, objects, why.back, facts)
}

/// Why a running controller does nothing about `objects`, if the same thing must happen first for all of them.
fn hindered_together<'s>(
    target: &Target<'_>,
    objects: &[Seen<'_>],
    facts: &Facts<'_>,
) -> Known<Option<FoundReason<'s>>> {
    let hindered = hindered(target, facts)?;
    let mut each = objects.iter().map(|seen| hindered.get(seen.object.uid()).copied());
    let first = each.next().flatten();
    Ok(first.filter(|_| each.all(|other| other == first)).map(not_its_turn::found))
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

/// The needs of a controller before it continues. A running controller without evidence of its work needs its kind
/// to be readable in all namespaces: one object that cannot be converted prevents that.
fn further(case: &Case<'_, '_>, answer: &WordedReason<'_>, is_falling: bool) -> Known<Vec<Need>> {
    if let Some(needs) = &answer.needs {
        return Ok(needs.clone());
    }
    if is_falling || answer.obeys || case.found.controller.state != ControllerState::Alive {
        return Ok(Vec::new());
    }
    let kind = case.objects[0].resource;
    let definition = Definition::of(kind, case.facts).if_readable()?.flatten();
    let is_converted = definition.is_some_and(|definition| definition.converts_for(&kind.id.version));
    Ok(is_converted.then(|| Need::Readable(kind.id.clone())).into_iter().collect())
}

/// Whether its controller runs, or a part of Kubernetes does its work, so that only the request has to be
/// accepted.
fn is_at_work(case: &Case<'_, '_>, answer: &WordedReason<'_>) -> bool {
    match case.found.controller.state {
        ControllerState::Alive => !answer.obeys,
        ControllerState::Failing => answer.only_accepted,
        ControllerState::Unknown => releases(case.finalizer),
        ControllerState::Gone | ControllerState::Down => false,
    }
}

/// The remedies if no controller was looked for.
fn not_looked_up(finalizer: &str, objects: &[Seen<'_>], refs: &[Ref]) -> impl Iterator<Item = Remedy> {
    let bring_back = Remedy::manual(format!("repair or bring back the controller that owns {finalizer}"), CLEANS_UP);
    std::iter::once(bring_back).chain(removal(finalizer, objects, refs))
}

/// Whether an object is released by itself once `others` are deleted, all of which are stuck in the same target
/// and have findings of their own.
fn follows(target: &Target<'_>, others: &[Seen<'_>]) -> bool {
    let inside = |object: &Object| object.metadata.namespace.as_deref() == Some(target.object().name());
    let stuck = |object: &Object| object.is_deleting() && !object.metadata.finalizers.is_empty();
    let mut all = others.iter();
    target.is_namespace() && !others.is_empty() && all.all(|other| inside(other.object) && stuck(other.object))
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
        Some(entry) => {
            let guards = catalogue::clauses_about(entry.guards, &first.kind);
            draft.product(entry.product, entry.controller).with_each(guards, |draft, guards| draft.guards(&guards))
        }
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

/// The namespace of an object, which is needed for the permissions to restore and for the count of remaining
/// objects.
fn namespace_of<'s>(object: &Ref, facts: &Facts<'s>) -> Known<Option<&'s Object>> {
    match (&object.namespace, facts.preferred("", "namespaces")) {
        (Some(name), Some(kind)) => facts.get(&kind.id, None, name, Form::Whole),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{InMemory, Object, Resource};
    use serde_json::json;

    #[test]
    fn nothing_is_on_time_where_no_controller_runs() {
        let finalizer = "awsmachinepool.infrastructure.cluster.x-k8s.io";
        let kind = Resource::tested("infrastructure.cluster.x-k8s.io", "awsmachinepools", "AWSMachinePool", true);
        let object: Object = serde_json::from_value(json!({"metadata": {"name": "spot", "namespace": "shop",
            "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": [finalizer]}}))
        .unwrap();
        let cluster = InMemory::holding("2026-01-01T00:01:00Z", [kind.clone()], []);
        let on_time = |out_of_sight: bool| {
            let (is_usual, _) = Facts::of(&cluster, |facts| {
                let mut found = Judgement::new(controller_unknown::found(), Vec::new(), true);
                found.profile.out_of_sight = out_of_sight;
                Ok(usual(finalizer, &[Seen { resource: &kind, object: &object }], &found, facts).is_some())
            });
            is_usual
        };
        assert!(on_time(true), "its controller may run where nothing was searched");
        assert!(!on_time(false), "no workload that runs may be it");
    }
}
