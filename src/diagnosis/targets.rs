//! Runs the rules over what was asked about and over what that waits for.

use super::answer::{Diagnosis, report};
use super::merge::{self, Merged};
use super::{behind, roots, waiters};
use crate::facts::{Facts, Target, Unknown};
use crate::needs::{Findings, UnreadObject};
use crate::report::{Cause, Certainty, Finding, ObjectNote, Ref, Report, State, Target as TargetReport};
use crate::rules::RULES;
use crate::survey::{Resource, Seen, Survey, TargetName, Unread};
use std::collections::BTreeSet;

/// Diagnoses `targets` from the facts of `survey`.
#[must_use]
pub fn diagnose(survey: &Survey, targets: &[TargetName]) -> Diagnosis {
    let facts = Facts::new(survey);
    let (mut looked, mut drafts) = (Vec::new(), Vec::new());
    let (mut also_broken, mut waiters) = (BTreeSet::new(), BTreeSet::new());
    for name in targets {
        let mut found = Findings::default();
        looked.push(look_at(name, &facts, survey, &mut found));
        also_broken.extend(found.also_broken);
        waiters.extend(found.waiters);
        for mut draft in found.drafts {
            draft.finding.blocks = vec![looked[looked.len() - 1].object.clone()];
            drafts.push(draft);
        }
    }
    let graph = roots::graph(&drafts);
    let mut merged = Merged::default();
    for draft in drafts {
        merged.add(draft);
    }
    let mut drafts = merged.into_drafts();
    roots::read_off(&mut drafts, &graph);
    let (findings, remedies) = merge::number(merge::roots_first(drafts), &facts);
    for target in &mut looked {
        judge(target, &findings);
    }
    // What is in the way of one target is not beside the point for another.
    also_broken.retain(|note: &ObjectNote| {
        let is_it = |object: &Ref| *object == note.object;
        !findings.iter().any(|finding| {
            finding.root
                && finding.is_trouble()
                && (is_it(&finding.subject) || finding.waits_for.as_ref().is_some_and(is_it))
        })
    });
    // What is stuck itself does not merely wait for something else that is.
    waiters.retain(|note: &ObjectNote| !findings.iter().any(|finding| finding.objects.contains(&note.object)));
    let (wants, unread) = facts.into_wants();
    let report = Report {
        also_broken: also_broken.into_iter().collect(),
        waiters: waiters.into_iter().collect(),
        ..report(survey, looked, findings, remedies, unread)
    };
    Diagnosis { report, wants }
}

/// Runs the rules for one target; its state is judged later.
pub(crate) fn look_at(name: &TargetName, facts: &Facts<'_>, survey: &Survey, found: &mut Findings) -> TargetReport {
    let kind = resource_of(name, survey);
    let mut target =
        TargetReport { object: Ref::named(&kind, name), state: State::Unknown, since: None, summary: String::new() };
    let want = name.want();
    match facts.get(&want.resource, want.namespace.as_deref(), &name.name, want.form) {
        Ok(None) => {
            target.state = State::Gone;
            target.object.missing = true;
            target.summary = "not found".into();
        }
        Ok(Some(object)) => {
            let seen = Seen { resource: &kind, object };
            target.object = seen.into();
            target.since = object.deletion_asked();
            run_rules(seen, facts, found);
            found.waiters = waiters::of(&Target { seen }, facts).unwrap_or_default();
            look_at_followed(name, facts, survey, found);
            found.leave_alone_what_is_going();
        }
        Err(unknown) => {
            if let Unknown::Unread { why, .. } = &unknown {
                look_at_unread(&kind, &target.object, why, facts, found);
            }
            undecided(unknown, facts);
        }
    }
    target
}

/// What can be said of an object that nobody can read.
pub(crate) fn look_at_unread(kind: &Resource, object: &Ref, why: &Unread, facts: &Facts<'_>, found: &mut Findings) {
    let unread = UnreadObject { kind, object, why };
    for (rule, explain) in RULES.iter().filter_map(|rule| Some((rule.name, rule.of_unread()?))) {
        match explain(&unread, facts) {
            Ok(Some(mut draft)) => {
                draft.finding.rule = rule;
                found.add(draft);
            }
            Ok(None) => {}
            Err(unknown) => undecided(unknown, facts),
        }
    }
}

/// So many objects that a target waits for are looked at; the next survey, when
/// these are gone, shows the rest.
pub(crate) const FOLLOWED: usize = 50;

/// Runs the rules for what the target waits for, and for what that waits for.
pub(crate) fn look_at_followed(target: &TargetName, facts: &Facts<'_>, survey: &Survey, found: &mut Findings) {
    let mut known: BTreeSet<TargetName> = [target.clone()].into();
    let mut next = 0;
    found.following = true;
    while let Some(name) = found.followed.get(next).cloned() {
        next += 1;
        if known.len() > FOLLOWED || !known.insert(name.clone()) {
            continue;
        }
        let want = name.want();
        let namespace = want.namespace.as_deref();
        let read = match facts.get(&want.resource, namespace, &name.name, want.form) {
            // Its metadata may lead on already: a long chain takes no round a link.
            Err(Unknown::NotSurveyed) => facts.metadata(&want.resource, namespace, &name.name),
            read => read,
        };
        match read {
            Ok(Some(object)) if object.is_deleting() => {
                run_rules(Seen { resource: &resource_of(&name, survey), object }, facts, found);
            }
            Ok(_) => {}
            Err(unknown) => undecided(unknown, facts),
        }
    }
}

/// The resource of a target; one that discovery does not know is named as it was asked for.
pub(crate) fn resource_of(name: &TargetName, survey: &Survey) -> Resource {
    let known = survey.discovery.resources.iter().find(|resource| resource.id == name.resource);
    known.cloned().unwrap_or_else(|| Resource {
        id: name.resource.clone(),
        kind: name.resource.plural.clone(),
        namespaced: name.namespace.is_some(),
        singular: String::new(),
        short_names: Vec::new(),
        verbs: Vec::new(),
    })
}

pub(crate) fn run_rules(seen: Seen<'_>, facts: &Facts<'_>, found: &mut Findings) {
    let target = Target { seen };
    let start = found.drafts.len();
    for (rule, explain) in RULES.iter().filter_map(|rule| Some((rule.name, rule.of_target()?))) {
        let before = found.drafts.len();
        let known = explain(&target, facts, found);
        for draft in &mut found.drafts[before..] {
            draft.finding.rule = rule;
        }
        if let Err(unknown) = known {
            undecided(unknown, facts);
        }
        // Nobody can act on an object without its namespace: nothing else holds true.
        if found.is_stranded_since(start) {
            return;
        }
    }
    let mut drafts = found.drafts.split_off(start);
    if let Err(unknown) = behind::look(&mut drafts, facts) {
        undecided(unknown, facts);
    }
    found.drafts.append(&mut drafts);
}

pub(crate) fn undecided(unknown: Unknown, facts: &Facts<'_>) {
    if let Unknown::Unread { what, why } = unknown {
        facts.note_unread(what, &why);
    }
}

/// Sums up what the findings say of one target.
pub(crate) fn judge(target: &mut TargetReport, findings: &[Finding]) {
    if target.state == State::Gone {
        return;
    }
    let about: Vec<&Finding> = findings.iter().filter(|finding| finding.blocks.contains(&target.object)).collect();
    let roots: Vec<&&Finding> = about.iter().filter(|finding| finding.root && finding.is_trouble()).collect();
    let first = |cause: Cause| about.iter().find(|finding| finding.cause == cause);
    (target.state, target.summary) = if let Some(root) = roots.first() {
        let summary = if roots.len() == 1 {
            root.summary.clone()
        } else {
            format!("{} causes, the first: {}", roots.len(), root.summary)
        };
        (State::Stuck, summary)
    } else if let Some(finding) = first(Cause::NotDeleting) {
        (State::NotDeleting, finding.summary.clone())
    } else if let Some(finding) = first(Cause::Progressing) {
        (State::Progressing, finding.summary.clone())
    } else {
        // What points somewhere and proves nothing is better than silence.
        let hint = about.iter().find(|finding| finding.is_trouble() && finding.certainty == Certainty::Likely);
        let text = hint.map_or("nothing that was readable explains why it is still here", |finding| &finding.summary);
        (State::Unknown, format!("undecided: {text}"))
    };
}
