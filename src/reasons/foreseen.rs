//! Finalizers of objects that would be deleted: whether their controllers will still exist.

use super::answer::WordedReason;
use super::case::{Case, Foreseen};
use super::find;
use super::judgement::Judgement;
use super::{
    cannot_create, controller_deleted_first, controller_unknown, dangling_reference, gives_no_reason, in_use, paused,
    place, run,
};
use crate::facts::{Facts, Known, Target, each};
use crate::knowledge::catalogue::{self, CatalogueEntry};
use crate::kubernetes::control_plane::releases;
use crate::kubernetes::external;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::finalizers::late::MAX_FINALIZERS;
use crate::kubernetes::mentions::followers;
use crate::kubernetes::progress::unwell;
use crate::kubernetes::progress::{anticipate, pauses};
use crate::needs::{Draft, Outlook, Phase, Relation, Waiting, World};
use crate::report::{Cause, Controller, ControllerState, Ref, Sentence, SetBy, Turn, Why, counted, refs};
use crate::survey::{Cascade, Resource, ResourceId, Seen};
use indexmap::IndexMap;
use serde_json::Value;
use std::collections::HashSet;

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
    let looked = look(&groups, world, facts)?;
    if groups.len() > MAX_FINALIZERS {
        let untold = groups.len() - MAX_FINALIZERS;
        facts.note_unknown(format!("the controllers of {untold} finalizers"), "there are too many");
    }
    let counterparts = counterparts(&looked, world);
    let mut beside = Outlook::default();
    let mut early: IndexMap<&ResourceId, Early<'s>> = IndexMap::new();
    let further_groups = self::groups(&counterparts, Some(Relation::GoesWith));
    let beside_too = look(&further_groups, world, facts)?;
    let unawaited = if target.is_namespace() { Vec::new() } else { followers::unawaited(target.seen, facts)? };
    let unawaited: HashSet<&str> = unawaited.iter().map(|seen| seen.object.uid()).collect();
    for looked in looked.iter().chain(&beside_too) {
        let group = looked.group;
        // An object whose controller is deleted, too, stays behind for ever.
        let stays =
            !looked.found.profile.controller.workload.as_ref().is_some_and(|workload| world.going.takes(workload));
        let is_unawaited = stays && group.objects.iter().all(|seen| unawaited.contains(seen.object.uid()));
        if group.relation.is_some() || is_unawaited {
            looked.judge(facts, &mut beside);
        } else if let Some(home) = looked.judge(facts, out) {
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
    for looked in look(&groups, world, facts)? {
        looked.judge(facts, out);
    }
    Ok(())
}

/// The objects of one group, and the judgement about their controller.
struct GroupOutlook<'g, 's> {
    group: &'g FinalizerGroup<'s>,
    /// The catalogue's entry about the finalizer on this kind.
    entry: Option<&'static CatalogueEntry>,
    held: HeldObjects<'s>,
    found: Judgement<'s>,
    /// Why the controller would not release them.
    answer: WordedReason<'s>,
    /// The same, if the controller is deleted, too.
    goes_first: Option<WordedReason<'s>>,
}

/// Looks up the controllers of the first few groups.
fn look<'g, 's>(
    groups: &'g [FinalizerGroup<'s>],
    world: &World<'_>,
    facts: &Facts<'s>,
) -> Known<Vec<GroupOutlook<'g, 's>>> {
    each(groups.iter().take(MAX_FINALIZERS), |group| {
        let held = HeldObjects::read_whole(&group.objects, facts)?;
        let mut found = find(group.finalizer, &held, facts)?;
        if found.why.is_one_of(&[&controller_unknown::REASON, &gives_no_reason::REASON]) {
            // Only an agent on the volume's node could act, and that node is gone.
            let gone = place::node_of_volume_gone(&held, facts);
            let job = cannot_create::made_by_jobs(&group.objects, world, &found.profile);
            if let Some(why) = gone?.or(job) {
                found.why = why;
            }
        }
        let refs = refs(&group.objects);
        let Resource { kind, id, .. } = group.objects[0].resource;
        let entry = catalogue::of(group.finalizer, kind, &id.group);
        let case = Case {
            finalizer: group.finalizer,
            cause: Cause::Finalizer,
            objects: &group.objects,
            refs: &refs,
            held: &held,
            found: &found.profile,
            entry,
            usual: None,
            foreseen: Some(Foreseen { world, relation: group.relation }),
            facts,
        };
        let (mut answer, goes_first) =
            (run::answer(&found.why, &case)?, controller_deleted_first::answer(&case, world));
        // A controller that rests asks for no users and no sources.
        if [in_use::REASON.name, dangling_reference::REASON.name].contains(&answer.reason.name)
            && let Some(suspended) = paused::suspended(&group.objects)
        {
            answer = run::answer(&suspended, &case)?.perhaps();
        }
        Ok(GroupOutlook { group, entry, held, found, answer, goes_first })
    })
}

/// Objects that were created for one of the held objects, and are deleted with it.
fn counterparts<'s>(looked: &[GroupOutlook<'_, 's>], world: &World<'_>) -> Vec<Seen<'s>> {
    let mut all: Vec<Seen<'s>> = Vec::new();
    for GroupOutlook { held, found, .. } in looked {
        if !found.why.is(&in_use::REASON) {
            continue;
        }
        let own =
            found.why.others.iter().filter(|edge| followers::is_counterpart(**edge, held)).map(|edge| edge.blocker);
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

impl GroupOutlook<'_, '_> {
    /// Adds what would happen to the group; returns the controller if it is deleted with the target, so that the objects
    /// must be deleted first.
    fn judge(&self, facts: &Facts<'_>, out: &mut Outlook) -> Option<Ref> {
        let Self { found: Judgement { profile: found, .. }, answer, .. } = self;
        let workload = found.controller.workload.as_ref();
        if let Some(first) = self.goes_first.as_ref().filter(|_| answer.acts) {
            out.hangs(self.hangs(first).avoidable());
            self.consequences(out);
            return workload.cloned();
        }
        if !answer.now_only {
            out.hangs(self.hangs(answer));
            return None;
        }
        let name = workload.map_or_else(|| "its controller".to_owned(), Ref::to_string);
        for gap in &found.unread {
            facts.note_unknown(format!("whether {name} makes progress"), gap.clone());
        }
        self.consequences(out);
        None
    }

    /// The finding that the objects would wait because of `answer`.
    fn hangs(&self, answer: &WordedReason<'_>) -> Draft {
        let FinalizerGroup { finalizer, objects, relation } = self.group;
        let all = refs(objects);
        let words = format!("{}{}", counted(objects), relation.map_or("", |it| it.words(objects.len() == 1)));
        let own = objects[0].object.metadata.finalizers.iter().any(|key| key == finalizer);
        let field = if own { "metadata.finalizers" } else { "spec.finalizers" };
        let waiting = Waiting { mood: answer.mood, rest: Sentence::from(": ").then(&answer.because) };
        let mut draft = Draft::waiting(Cause::Finalizer, &all, words, finalizer, waiting).by_reason(answer.reason.name);
        draft = draft.evidence(format!("finalizer {finalizer}"), &all[0], field);
        let setter = self.held.whole.iter().find_map(|object| object.finalizer_set_by(finalizer));
        draft = draft.with_each(setter, |draft, by| draft.set_by(SetBy { manager: by.name, at: None }, "", &all[0]));
        for seen in self.held.read() {
            for what in external::in_words(seen.object) {
                let seen = Ref::from(seen);
                draft = draft.remark(format!("{seen} represents something outside the cluster: {what}"));
            }
        }
        draft = match self.entry {
            Some(entry) => draft.product(entry.product, entry.controller),
            None => draft.remark("not in the catalogue of known finalizers"),
        };
        // A controller that acts has not failed yet.
        let controller = &self.found.profile.controller;
        let state = if answer.acts { ControllerState::Alive } else { controller.state };
        draft = draft.controller(Controller { state, ..controller.clone() }).objects(all);
        draft.finding.evidence.extend(answer.evidence.clone());
        draft = draft.waits_for(answer.waits_for.clone());
        draft = draft.remedies(answer.remedies.iter().cloned());
        if answer.why == Why::Proven { draft } else { draft.likely() }
    }

    /// Adds the things that an existing controller destroys in its clean-up.
    fn consequences(&self, out: &mut Outlook) {
        let objects = &self.group.objects;
        if let Some(destroyed) = self.entry.and_then(|entry| entry.if_finished) {
            let of = if objects.len() == 1 { String::new() } else { format!("of {}: ", counted(objects)) };
            out.consequence(objects[0].into(), format!("{of}its controller does its clean-up: {destroyed}"));
        }
        for seen in self.held.read() {
            for what in external::in_words(seen.object) {
                out.consequence(seen.into(), format!("its controller cleans up outside the cluster: {what}"));
            }
            if let Some(by) = pauses::suspended(seen) {
                let by = by.text();
                out.consequence(seen.into(), format!("{by}: its controller may release it without a clean-up"));
            }
            if let Some(message) = unwell::complaint(seen) {
                let reports = "it now reports a problem, which perhaps does not affect its clean-up: ";
                out.consequence(seen.into(), Sentence::from(reports).reported(&message));
            }
        }
    }
}
