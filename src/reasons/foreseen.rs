//! Finalizers of objects that would be deleted: whether their controllers will still exist.

use crate::facts::{All, Facts, Known, Target, each, is_late};
use crate::findings::start::scale_up;
use crate::knowledge::catalogue::{self, CatalogueEntry};
use crate::kubernetes::control_plane::releases;
use crate::kubernetes::external;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::finalizers::late::MAX_FINALIZERS;
use crate::kubernetes::mentions::followers;
use crate::kubernetes::progress::reasons::NotThere;
use crate::kubernetes::progress::unwell::{self, Flaw};
use crate::kubernetes::progress::{Explanation, Judgement, anticipate, find, pauses, pending, place};
use crate::needs::{Draft, Mood, Outlook, Phase, Relation, Waiting, World};
use crate::reasons::expected_troubles::{self, Encounter};
use crate::reasons::remedies::CLEANS_UP;
use crate::reasons::{barred, controller_deleted_first, inaction, which};
use crate::report::{Cause, Controller, ControllerState, Ref, Remedy, Sentence, SetBy, Turn, counted, refs};
use crate::survey::{Cascade, Resource, ResourceId, Seen};
use indexmap::IndexMap;
use jiff::SignedDuration;
use serde_json::Value;
use std::collections::HashSet;

/// How old a deletion must be before it counts as stuck.
const IS_LATE: SignedDuration = SignedDuration::from_mins(1);

/// The objects of one kind that would wait for one finalizer.
struct FinalizerGroup<'s> {
    finalizer: &'s str,
    objects: Vec<Seen<'s>>,
    /// Their relation to the target's deletion; `None` if they are part of it.
    relation: Option<Relation>,
}

/// Objects of one kind that must be deleted while their controllers exist.
#[derive(Default)]
struct Early<'s> {
    objects: Vec<Seen<'s>>,
    controllers: Vec<Ref>,
}

/// Adds the objects that would wait for finalizers for ever, and those that must be deleted first to avoid
/// that.
///
/// # Errors
/// When something was not surveyed yet, or the target's content cannot be read.
pub(crate) fn held<'s>(target: &Target<'s>, world: &World<'s>, facts: &Facts<'s>, out: &mut Outlook) -> Known {
    let content = world.content()?;
    let has_finalizers = |seen: &Seen<'_>| !seen.object.metadata.finalizers.is_empty();
    let all: Vec<Seen<'s>> =
        std::iter::once(target.seen).chain(content.iter().copied()).filter(has_finalizers).collect();
    let mut groups = groups(&all, None);
    groups.extend(of_its_spec(target));
    let further = world.further()?;
    for relation in [Relation::GoesWith, Relation::Uses] {
        let those: Vec<Seen<'s>> =
            further.iter().filter(|it| it.relation == relation).map(|it| it.seen).filter(has_finalizers).collect();
        groups.extend(self::groups(&those, Some(relation)));
    }
    if target.is_namespace() && !groups.is_empty() {
        anticipate(target.object().name(), facts);
    }
    let looked = look(&groups, facts)?;
    if groups.len() > MAX_FINALIZERS {
        let untold = groups.len() - MAX_FINALIZERS;
        facts.note_unknown(format!("the controllers of {untold} finalizers"), "there are too many");
    }
    let counterparts = counterparts(&looked, world);
    let mut beside = Outlook::default();
    let mut early: IndexMap<&ResourceId, Early<'s>> = IndexMap::new();
    let further_groups = self::groups(&counterparts, Some(Relation::GoesWith));
    let beside_too = look(&further_groups, facts)?;
    let all = groups.iter().zip(&looked).chain(further_groups.iter().zip(&beside_too));
    let unawaited = if target.is_namespace() { Vec::new() } else { followers::unawaited(target.seen, facts)? };
    let unawaited: HashSet<&str> = unawaited.iter().map(|seen| seen.object.uid()).collect();
    for (group, looked) in all {
        // An object whose controller is deleted, too, stays behind for ever.
        let stays = !looked.found.controller.workload.as_ref().is_some_and(|workload| world.going.takes(workload));
        let is_unawaited = stays && group.objects.iter().all(|seen| unawaited.contains(seen.object.uid()));
        if group.relation.is_some() || is_unawaited {
            judge(group, looked, world, facts, &mut beside);
        } else if let Some(home) = judge(group, looked, world, facts, out) {
            add_early(&mut early, group, home);
        }
    }
    add_beside(target, &unawaited, world, beside, out);
    for (kind, early) in early {
        // The server of an object stays until the deletion of the object has finished.
        let is_due = |seen: &Seen<'_>| world.going.as_one || !seen.object.is_deleting();
        let live: Vec<Seen<'s>> = early.objects.into_iter().filter(is_due).collect();
        if live.is_empty() || live[0].object.uid() == target.object().uid() {
            continue;
        }
        let of_kind = content.iter().filter(|seen| seen.resource.id == *kind).count();
        let custom = is_custom(&kind.group);
        let why = format!("while {} runs to release them", early.controllers[0]);
        out.first(
            Phase::Objects,
            Turn::objects(&live, custom && of_kind == live.len(), why, |seen| world.cost(seen, facts)),
        );
    }
    Ok(())
}

/// Adds those of `objects` that would wait for finalizers for ever, by the state of their controllers.
pub(super) fn of_content<'s>(objects: &[Seen<'s>], world: &World<'_>, facts: &Facts<'s>, out: &mut Outlook) -> Known {
    let groups = groups(objects, None);
    let looked = look(&groups, facts)?;
    for (group, looked) in groups.iter().zip(&looked) {
        judge(group, looked, world, facts, out);
    }
    Ok(())
}

/// The objects of one group, and the judgement about their controller.
struct GroupOutlook<'s> {
    held: HeldObjects<'s>,
    found: Judgement<'s>,
    /// A flaw that its clean-up would meet.
    flaw: Option<Flaw>,
    /// How to start the controller if it is at 0 replicas, or how to let it write.
    ways: Vec<Remedy>,
}

/// Looks up the controllers of the first few groups.
fn look<'s>(groups: &[FinalizerGroup<'s>], facts: &Facts<'s>) -> Known<Vec<GroupOutlook<'s>>> {
    each(groups.iter().take(MAX_FINALIZERS), |group| {
        let held = HeldObjects::read_whole(&group.objects, facts)?;
        let mut found = find(group.finalizer, &held, facts)?;
        // Only an agent on the volume's node could act, and that node is gone.
        if matches!(found.why, Explanation::Unknown | Explanation::Idle)
            && let Some(gone) = place::node_of_volume_gone(&held, facts)?
        {
            found.why = Explanation::NotThere(gone);
        }
        let works = matches!(found.why, Explanation::Idle);
        let flaw = if works { unwell::flaw(&held, facts) } else { Ok(None) };
        let (flaw, ways) = (flaw, ways(group, &held, &found, facts)).all()?;
        Ok(GroupOutlook { held, found, flaw, ways })
    })
}

/// Objects that were created for one of the held objects, and are deleted with it.
fn counterparts<'s>(looked: &[GroupOutlook<'s>], world: &World<'_>) -> Vec<Seen<'s>> {
    let mut all: Vec<Seen<'s>> = Vec::new();
    for GroupOutlook { held, found, .. } in looked {
        let Explanation::InUse(users) = &found.why else { continue };
        let own = users.iter().filter(|edge| followers::is_counterpart(**edge, held)).map(|edge| edge.blocker);
        for seen in own.filter(|seen| !world.takes(&(*seen).into())) {
            if !seen.object.metadata.finalizers.is_empty() && !all.iter().any(|it| it.object.uid() == seen.object.uid())
            {
                all.push(seen);
            }
        }
    }
    all
}

/// Adds the forecast for objects that are no part of the deletion but may hold it up. They hold up nothing,
/// and only stay behind, if the target waits for no controller, or if the controller does not wait for
/// them.
fn add_beside(target: &Target<'_>, unawaited: &HashSet<&str>, world: &World<'_>, beside: Outlook, out: &mut Outlook) {
    let waits = target.is_namespace()
        || world.going.cascade == Cascade::Foreground
        || target.object().metadata.finalizers.iter().any(|key| !releases(key));
    let is_awaited = |object: &Ref| !unawaited.contains(object.uid.as_str());
    for draft in beside.drafts {
        if waits && draft.finding.objects.iter().any(is_awaited) {
            out.hangs(draft.likely());
        } else {
            out.consequence(draft.finding.subject.clone(), draft.finding.summary.clone());
        }
    }
}

/// Adds the objects of `group`, which must be deleted while `home` exists.
fn add_early<'s>(all: &mut IndexMap<&'s ResourceId, Early<'s>>, group: &FinalizerGroup<'s>, home: Ref) {
    let early = all.entry(&group.objects[0].resource.id).or_default();
    early.controllers.push(home);
    let known: HashSet<&str> = early.objects.iter().map(|seen| seen.object.uid()).collect();
    let new: Vec<Seen<'s>> = group.objects.iter().copied().filter(|seen| !known.contains(seen.object.uid())).collect();
    early.objects.extend(new);
}

fn groups<'s>(objects: &[Seen<'s>], relation: Option<Relation>) -> Vec<FinalizerGroup<'s>> {
    let mut groups: IndexMap<(&str, &ResourceId), FinalizerGroup<'s>> = IndexMap::new();
    for seen in objects {
        for finalizer in seen.object.metadata.finalizers.iter().filter(|key| !releases(key)) {
            let group = groups.entry((finalizer, &seen.resource.id));
            let group = group.or_insert(FinalizerGroup { finalizer, objects: Vec::new(), relation });
            group.objects.push(*seen);
        }
    }
    groups.into_values().collect()
}

/// The entries of a namespace's `spec.finalizers` besides that of Kubernetes itself.
fn of_its_spec<'s>(target: &Target<'s>) -> impl Iterator<Item = FinalizerGroup<'s>> {
    let entries = if target.is_namespace() { target.object().array("/spec/finalizers") } else { &[] };
    let others = entries.iter().filter_map(Value::as_str).filter(|entry| *entry != "kubernetes");
    let seen = target.seen;
    others.map(move |finalizer| FinalizerGroup { finalizer, objects: vec![seen], relation: None })
}

/// An object that should be deleted by now, although its controller runs.
fn overdue(group: &FinalizerGroup<'_>, facts: &Facts<'_>) -> Option<Ref> {
    let overdue = group.objects.iter().find(|seen| is_late(seen.object, facts, IS_LATE));
    overdue.map(|seen| (*seen).into())
}

/// Judges one group; returns the controller if it is deleted with the target, so that the objects must be
/// deleted first.
fn judge(
    group: &FinalizerGroup<'_>,
    looked: &GroupOutlook<'_>,
    world: &World<'_>,
    facts: &Facts<'_>,
    out: &mut Outlook,
) -> Option<Ref> {
    let GroupOutlook { held, found, ways, .. } = looked;
    let workload = found.controller.workload.clone();
    let home = workload.clone().filter(|workload| world.going.takes(workload));
    let name = workload.as_ref().map_or_else(|| "its controller".into(), Sentence::from);
    let entry = catalogue_entry(group);
    let hang = |because: Sentence| {
        let draft = begin(group, held, Mood::Would, because).controller(found.controller.clone());
        draft.by_reason(which::name_of(found))
    };
    let by_hand = |title: Sentence| Remedy::manual(title, CLEANS_UP);
    match &found.why {
        Explanation::Gone { .. } => {
            let way = entry.map(|entry| format!(": {}", entry.way_out)).unwrap_or_default();
            let draft = hang("no controller for it was found in this cluster".into());
            out.hangs(draft.remedy(by_hand(format!("install its controller again before you delete{way}").into())));
        }
        Explanation::ScaledToZero(_) => {
            let draft = sure(hang(name.then(" is scaled to 0 replicas")), found, workload.as_ref());
            out.hangs(draft.remedies(ways.iter().cloned()));
        }
        Explanation::Down { reason, .. } => {
            let repair = Sentence::from("repair ").then(&name).then(" before you delete");
            let because = name.then(" is down: ").then(Sentence::reason(reason));
            out.hangs(sure(hang(because), found, workload.as_ref()).remedy(by_hand(repair)));
        }
        Explanation::NotThere(_) | Explanation::LooksAway(_) => out.hangs(inactive(group, held, found)),
        Explanation::LostRights { workload: who, lost } => {
            let draft = hang(name.then(lost.without())).likely();
            let clean_up = "it does its own clean-up";
            let remedy = lost.remedy(&group.objects[0].into(), who, clean_up, " before you delete", facts);
            out.hangs(draft.waits_for(workload).remedy(remedy));
        }
        Explanation::Barred { gate, .. } => {
            let draft = hang(barred::because(name, *gate)).likely().waits_for(gate.reference());
            out.hangs(draft.remedies(ways.iter().cloned()));
        }
        Explanation::Unknown => out.hangs(of_nobody_known(group, held, found, facts)),
        Explanation::Working(_) | Explanation::Idle | Explanation::SaidBefore(_) if overdue(group, facts).is_some() => {
            let object = overdue(group, facts).unwrap_or_default();
            troubled(hang(Sentence::about(&object, "is already being deleted and still exists")), out);
        }
        _ if home.is_some() => {
            let draft = hang(name.then(goes_first(workload.as_ref(), world)))
                .likely()
                .avoidable()
                .by_reason(controller_deleted_first::REASON.name);
            out.hangs(draft.waits_for(workload));
            consequences(group, held, out);
            return home;
        }
        _ => {
            if let Some(Encounter { reason, because, mood, waits_for: on, remedy }) = meets(group, looked, name, world)
            {
                // It runs: nothing has failed yet.
                let controller = Controller { state: ControllerState::Alive, ..found.controller.clone() };
                let draft = begin(group, held, mood, because).controller(controller).likely().by_reason(reason);
                out.hangs(draft.waits_for(on).remedy(remedy));
                return None;
            }
            for gap in &found.unread {
                facts.note_unknown(format!("whether {} makes progress", name_of(found)), gap.clone());
            }
            consequences(group, held, out);
        }
    }
    None
}

/// The words for a controller that is gone before the objects that it should release.
fn goes_first(workload: Option<&Ref>, world: &World<'_>) -> &'static str {
    let with_its_namespace = workload.is_some_and(|it| world.going.holds(it.namespace.as_deref()));
    if with_its_namespace {
        " would be deleted first, with its namespace"
    } else {
        " is deleted, too, and would be gone first"
    }
}

/// The start of a controller that is at 0 replicas, at the same risk as after the deletion; or the way to let
/// a refused controller pass.
fn ways(
    group: &FinalizerGroup<'_>,
    held: &HeldObjects<'_>,
    found: &Judgement<'_>,
    facts: &Facts<'_>,
) -> Known<Vec<Remedy>> {
    let parked = match &found.why {
        Explanation::ScaledToZero(parked) => parked,
        Explanation::Barred { gate, account } => {
            return barred::remedies(*gate, account, &refs(&group.objects), CLEANS_UP, facts);
        }
        _ => return Ok(Vec::new()),
    };
    let pending = pending::besides(&group.objects, group.finalizer, *parked, facts)?;
    let start = scale_up(*parked, found.sure && found.bound, catalogue_entry(group), held, &pending, facts);
    let title = Sentence::from("start it before you delete").by(&start.steps[0].command);
    Ok(vec![Remedy { title, ..start }])
}

/// The trouble that `name`, which runs, would meet in its work.
fn meets(
    group: &FinalizerGroup<'_>,
    looked: &GroupOutlook<'_>,
    name: Sentence,
    world: &World<'_>,
) -> Option<Encounter> {
    let GroupOutlook { held, found, flaw, .. } = looked;
    let users = || {
        let further = world.further().ok()?.iter().find(|further| further.relation == Relation::Uses)?;
        (group.relation.is_none() && matches!(found.why, Explanation::Idle))
            .then(|| expected_troubles::used_by(&further.seen.into()))
    };
    expected_troubles::trouble(found, name, held, world)
        .or_else(users)
        .or_else(|| flaw.as_ref().map(expected_troubles::of_flaw))
}

fn name_of(found: &Judgement<'_>) -> String {
    found.controller.workload.as_ref().map_or_else(|| "its controller".to_owned(), Ref::to_string)
}

/// The catalogue's entry about the finalizer on this kind.
fn catalogue_entry(group: &FinalizerGroup<'_>) -> Option<&'static CatalogueEntry> {
    let Resource { kind, id, .. } = group.objects[0].resource;
    catalogue::of(group.finalizer, kind, &id.group)
}

/// The finding for a finalizer whose owner is unknown.
fn of_nobody_known(
    group: &FinalizerGroup<'_>,
    held: &HeldObjects<'_>,
    found: &Judgement<'_>,
    facts: &Facts<'_>,
) -> Draft {
    for gap in &found.unread {
        facts.note_unknown(format!("who removes {}", group.finalizer), gap.clone());
    }
    let draft = begin(group, held, Mood::May, "it is not known who removes it".into());
    let draft = draft.controller(found.controller.clone()).likely().waits_for(found.controller.workload.clone());
    let draft = draft.by_reason(which::name_of(found));
    let title = match catalogue_entry(group).filter(|_| found.has_traces) {
        Some(entry) => format!("first check whether {} is running: {}", entry.controller, entry.way_out),
        None => format!("first find out who removes {}, and whether that controller is running", group.finalizer),
    };
    draft.remedy(Remedy::manual(title, CLEANS_UP))
}

/// The finding for a controller that exists, but does not act on such an object.
fn inactive(group: &FinalizerGroup<'_>, held: &HeldObjects<'_>, found: &Judgement<'_>) -> Draft {
    let name = found.controller.workload.as_ref().map_or_else(|| "its controller".into(), Sentence::from);
    let draft =
        begin(group, held, Mood::Would, inaction::because(found, name)).likely().by_reason(which::name_of(found));
    let draft = inaction::evidence(draft.controller(found.controller.clone()), found);
    let draft = draft.waits_for(inaction::missed(found));
    let remedy = inaction::remedy(found, &group.objects[0].into(), "it does its own clean-up");
    draft.remedies(remedy.or_else(|| match &found.why {
        Explanation::NotThere(NotThere::NodeGone(place)) => Some(expected_troubles::without_node(&place.node)),
        _ => None,
    }))
}

/// Adds a controller that has trouble now, and may have none when the deletion is requested.
fn troubled(draft: Draft, out: &mut Outlook) {
    let title = "fix what it says before you delete";
    out.hangs(draft.likely().remedy(Remedy::manual(title, "nothing is lost")));
}

/// Makes the finding likely, unless several pieces of evidence point at the workload that does not run.
fn sure(draft: Draft, found: &Judgement<'_>, workload: Option<&Ref>) -> Draft {
    let draft = draft.waits_for(workload.cloned());
    if found.sure { draft } else { draft.likely() }
}

fn begin(group: &FinalizerGroup<'_>, held: &HeldObjects<'_>, mood: Mood, because: Sentence) -> Draft {
    let all = refs(&group.objects);
    let finalizer = group.finalizer;
    let is_one = group.objects.len() == 1;
    let words = format!("{}{}", counted(&group.objects), group.relation.map_or("", |it| it.words(is_one)));
    let own = group.objects[0].object.metadata.finalizers.iter().any(|key| key == finalizer);
    let field = if own { "metadata.finalizers" } else { "spec.finalizers" };
    let waiting = Waiting { mood, rest: Sentence::from(": ").then(because) };
    let mut draft = Draft::waiting(Cause::Finalizer, &all, words, finalizer, waiting).evidence(
        format!("finalizer {finalizer}"),
        &all[0],
        field,
    );
    let setter = held.whole.iter().find_map(|object| object.finalizer_set_by(finalizer));
    draft = draft.with_each(setter, |draft, by| draft.set_by(SetBy { manager: by.name, at: None }, "", &all[0]));
    for seen in held.read() {
        for what in external::in_words(seen.object) {
            draft = draft.remark(format!("{} represents something outside the cluster: {what}", Ref::from(seen)));
        }
    }
    draft = match catalogue_entry(group) {
        Some(entry) => draft.product(entry.product, entry.controller),
        None => draft.remark("not in the catalogue of known finalizers"),
    };
    draft.objects(all)
}

/// Adds the things that an existing controller destroys in its clean-up.
fn consequences(group: &FinalizerGroup<'_>, held: &HeldObjects<'_>, out: &mut Outlook) {
    let first = Ref::from(group.objects[0]);
    if let Some(destroyed) = catalogue_entry(group).and_then(|entry| entry.if_finished) {
        let words = counted(&group.objects);
        let of = if group.objects.len() == 1 { String::new() } else { format!("of {words}: ") };
        out.consequence(first, format!("{of}its controller does its clean-up: {destroyed}"));
    }
    for seen in held.read() {
        for what in external::in_words(seen.object) {
            out.consequence(seen.into(), format!("its controller cleans up outside the cluster: {what}"));
        }
        if let Some(by) = pauses::suspended(seen) {
            out.consequence(seen.into(), format!("{}: its controller may release it without a clean-up", by.text()));
        }
        if let Some(message) = unwell::complaint(seen) {
            out.consequence(
                seen.into(),
                Sentence::from("it now reports a problem, which perhaps does not affect its clean-up: ")
                    .reported(&message),
            );
        }
    }
}
