//! Runs the rules for the targets and for the objects that these wait for.

use super::answer::{Diagnosis, report};
use super::explore::{onward, read, resource_of, run_rules, why_unreadable};
use super::merge::{self, Merged};
use super::verdict::Holding;
use super::{requirements, roots, waiters};
use crate::facts::{Facts, Gap, Readable, Target};
use crate::findings::loss;
use crate::kubernetes::garbage_collection;
use crate::needs::{Draft, Findings, Graph, NotRead};
use crate::report::{Need, Ref, Report, TargetReport};
use crate::rules;
use crate::survey::{Seen, Survey, TargetName};
use std::collections::{BTreeSet, HashSet};

/// How many targets are diagnosed at once. If there are more, some are diagnosed first: most of them
/// usually wait for the same thing, and each round over all of them takes time.
const MAX_TARGETS: usize = 500;
/// How many targets are diagnosed first, spread over all of them.
const MAX_FIRST: usize = 64;

/// Diagnoses `targets` from the facts of `survey`. As long as the first of many targets want facts, the
/// others are not diagnosed.
#[must_use]
pub fn diagnose(survey: &Survey, targets: &[TargetName]) -> Diagnosis {
    if targets.len() > MAX_TARGETS {
        let some: Vec<TargetName> = targets.iter().step_by(targets.len() / MAX_FIRST).cloned().collect();
        let first = diagnose_all(survey, &some);
        if !first.wants.is_empty() {
            return first;
        }
    }
    diagnose_all(survey, targets)
}

fn diagnose_all(survey: &Survey, targets: &[TargetName]) -> Diagnosis {
    let facts = rules::facts(survey);
    let (mut looked, mut merged) = (Vec::new(), Merged::default());
    let (mut graph, mut leads) = (Graph::default(), Vec::new());
    let (mut also_broken, mut waiters, mut waiting) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for name in targets {
        let mut found = Findings::default();
        looked.push(look_at(name, &facts, survey, &mut found));
        also_broken.extend(found.also_broken);
        let target = &looked[looked.len() - 1].object;
        waiting.extend(found.waiters.iter().map(|note| (note.object.clone(), target.clone())));
        waiters.extend(found.waiters);
        for mut draft in found.drafts {
            draft.finding.blocks = vec![target.clone()];
            if facts.wants_more() {
                draft.keep_objects();
            } else {
                draft.enter(&mut graph);
                leads.extend(requirements::leads(&draft));
            }
            merged.add(draft);
        }
    }
    let mut drafts = merged.into_drafts();
    let losses = loss::of_each(&drafts, &facts);
    if facts.wants_more() {
        return unfinished(survey, looked, &drafts, facts);
    }
    roots::link_namespaces(&mut graph, &drafts);
    graph.complete();
    requirements::place_targets(&mut graph, &looked, leads, &facts);
    requirements::place_waiters(&mut graph, &waiting);
    requirements::place_broken(&mut graph, &also_broken);
    let tops = requirements::tops(&looked);
    tops.iter().cloned().for_each(|top| graph.mentions(top));
    let settled = graph.settled();
    let in_the_way = settled.below(&tops, |_| true);
    roots::read_off(&mut drafts, &settled);
    roots::weigh(&mut drafts, &settled, &tops, &in_the_way);
    roots::yield_to_what_is_known(&mut drafts);
    roots::yield_to_their_workload(&mut drafts);
    let (drafts, told) = merge::one_for_each_end(merge::roots_first(loss::tell(drafts, &losses)));
    let (drafts, told) = merge::worst_first(drafts, told, &looked, survey.taken_at);
    let (findings, remedies) = merge::number(drafts, &facts);
    let holding = Holding::new(&findings);
    for target in &mut looked {
        holding.judge(target);
    }
    let mut needs = requirements::list(&settled, &tops, &told);
    requirements::judge(&mut needs, &looked);
    // An object that blocks a target is not listed as broken but harmless.
    also_broken.retain(|note| !Need::of_part(&note.object).is_some_and(|part| in_the_way.contains(&part)));
    // An object that is stuck itself does not merely wait for another.
    let places = if waiters.is_empty() { HashSet::new() } else { settled.places(&tops) };
    waiters.retain(|note| !settled.rests_on_more_than(&Need::Deleted(note.object.clone()), &places));
    let (wants, unread) = facts.into_wants();
    let report = Report {
        also_broken: also_broken.into_iter().collect(),
        waiters: waiters.into_iter().collect(),
        needs,
        ..report(survey, looked, findings, remedies, unread)
    };
    Diagnosis { report, wants }
}

/// The answer while facts are missing. It is not shown, so only its remaining wants are computed.
fn unfinished(survey: &Survey, looked: Vec<TargetReport>, merged: &[Draft], facts: Facts<'_>) -> Diagnosis {
    for draft in merged {
        // The next answer contains the owners.
        drop(garbage_collection::of(&draft.finding.objects, &facts));
    }
    let (wants, unread) = facts.into_wants();
    Diagnosis { report: report(survey, looked, Vec::new(), Vec::new(), unread), wants }
}

/// Runs the rules for one target; its state is judged later.
pub(crate) fn look_at(name: &TargetName, facts: &Facts<'_>, survey: &Survey, found: &mut Findings) -> TargetReport {
    let kind = resource_of(name, survey);
    let mut target = TargetReport::new(Ref::named(&kind, name));
    match read(name, facts).surveyed() {
        Ok(Ok(None)) => return TargetReport::gone(target.object),
        Ok(Ok(Some(object))) => {
            let seen = Seen { resource: &kind, object };
            target.object = seen.into();
            target.since = object.deletion_asked();
            run_rules(seen, facts, found);
            found.waiters = waiters::of(&Target { seen }, facts).unwrap_or_default();
            onward(name, facts, survey, found);
            found.leave_alone_what_is_going();
        }
        Ok(Err(Gap { what, why })) => {
            let unreadable = NotRead { kind: &kind, object: Some(&target.object), why: &why };
            found.drafts.extend(why_unreadable(&unreadable, facts));
            facts.note_unread(what, &why);
        }
        Err(_) => {}
    }
    target
}
