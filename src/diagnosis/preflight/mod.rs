//! Foresees what would get stuck if the targets were deleted now, and the order of deletions that
//! avoids it.
//!
//! All objects in a namespace are deleted at once. Programs in it that serve its objects (the
//! controller of a finalizer, a webhook, an aggregated API, a conversion) disappear first, and the
//! objects that depend on them stay. Programs elsewhere are checked as in a diagnosis: one that is
//! gone, down or does not answer now will not do its part then.
//!
//! Nothing here is certain, since nothing is being deleted yet: a finding is proven only by the
//! server's own answer to a dry run, or by a controller that does not run.

mod content;
mod elsewhere;
mod further;
mod lists;
mod managed;
mod nodes;
mod order;
mod owned;
mod precedence;
mod product;
mod set;
mod storage;
mod stuck;
mod users;

use crate::diagnosis::answer::{self, Diagnosis};
use crate::diagnosis::explore::{read, resource_of};
use crate::diagnosis::merge::{self, Merged};
use crate::diagnosis::requirements;
use crate::diagnosis::verdict::Holding;
use crate::facts::{Facts, Known, Readable, Target, is_namespace};
use crate::findings::loss;
use crate::kubernetes::definitions::{Definition, Instances};
use crate::needs::{Cost, Explains, Findings, Going, Outlook, Phase, Rule, World};
use crate::plan::deletion::{self, Circumstance};
use crate::report::{
    About, ControllerState, Finding, Note, ObjectNote, Ref, Report, State, TargetReport, Turn, and_more, number_of,
};
use crate::rules::{self, RULES};
use crate::survey::{Cascade, Seen, Survey, TargetName};
use precedence::Precedence;
use product::Set;
use set::SetContent;
use std::collections::{BTreeSet, HashMap};

/// Foresees the deletion of `targets`, or of the products that the survey was taken for.
#[must_use]
pub fn diagnose(survey: &Survey, targets: &[TargetName], cascade: Cascade) -> Diagnosis {
    let (mut set, wants) = match survey.purpose.named_products() {
        [] => product::of_targets(survey, targets),
        names => product::choose(survey, names, &survey.targets),
    };
    if !wants.is_empty() {
        set.unread.append(&mut set.absent);
        let report = answer::report(survey, Vec::new(), Vec::new(), Vec::new(), set.unread);
        return Diagnosis { report, wants };
    }
    set.is_one = set.counts_as_one(survey);
    foresee_all(survey, &set, cascade)
}

/// Lists the installed products alone, in one namespace or anywhere.
#[must_use]
pub fn products(survey: &Survey, namespace: Option<&str>) -> Diagnosis {
    let (set, wants) = product::list(survey, namespace);
    let report = answer::report(survey, Vec::new(), Vec::new(), Vec::new(), set.unread);
    Diagnosis { report: Report { about: About::Products, products: set.products, ..report }, wants }
}

fn foresee_all<'s>(survey: &'s Survey, set: &'s Set<'s>, cascade: Cascade) -> Diagnosis {
    let facts = rules::facts(survey);
    let going = going(survey, set, cascade, &facts);
    let (mut looked, mut foreseen, mut outlooks) = (Vec::new(), Vec::new(), Vec::new());
    for name in &set.targets {
        let (target, outlook) = look_at(name, &going, set, survey, &facts);
        for mut draft in outlook.drafts.iter().cloned() {
            draft.finding.blocks = vec![target.object.clone()];
            foreseen.push(draft);
        }
        looked.push(target);
        outlooks.push(outlook);
    }
    let drafts = Merged::of(foreseen.iter().cloned());
    let losses = loss::of_each(&drafts, &facts);
    let (drafts, told) = merge::one_for_each_end(merge::roots_first(loss::tell(drafts, &losses)));
    let (drafts, told) = merge::worst_first(drafts, told, &looked, survey.taken_at);
    let needs = requirements::of(&foreseen, &told, &looked, &facts);
    let (findings, remedies) = merge::number(drafts, &facts);
    let turns: Vec<(Phase, Turn)> = outlooks.iter().flat_map(|outlook| outlook.turns.iter().cloned()).collect();
    let precedence = if set.is_one { precedence(&turns, &looked, &facts) } else { Precedence::default() };
    let owned = match cascade {
        Cascade::Orphan => HashMap::new(),
        _ => order::owned_costs(set, deletion::known_volumes(&facts)),
    };
    let (wants, mut unread) = facts.into_wants();
    unread.extend(set.unread.iter().cloned());
    let holding = Holding::new(&findings);
    let noted: Vec<Note> = unread.iter().cloned().collect();
    for (target, outlook) in looked.iter_mut().zip(&outlooks) {
        judge(target, outlook, &holding, &noted, cascade);
    }
    // A product that does not exist blocks nothing; the report still mentions it.
    unread.extend(set.absent.iter().cloned());
    let mut consequences: BTreeSet<ObjectNote> =
        outlooks.iter().flat_map(|outlook| outlook.consequences.iter()).chain(&set.consequences).cloned().collect();
    let live: Vec<(&TargetReport, &[Cost])> = (looked.iter().zip(&outlooks))
        .filter(|(target, outlook)| is_forecast(target.state) && !target.object.uid.is_empty() && !outlook.refused)
        .map(|(target, outlook)| (target, &outlook.costs[..]))
        .collect();
    let order = order::of(turns, &live, cascade, set, &precedence, &owned);
    tell_risks(&mut looked, &order);
    if set.is_one && set.products.is_empty() {
        consequences.extend(order::against_the_given_order(&set.targets, &order));
    }
    let report = Report {
        about: About::Preflight,
        products: set.products.clone(),
        order,
        needs,
        consequences: consequences.into_iter().collect(),
        absent_products: set.absent.iter().map(|note| note.what.clone()).collect(),
        ..answer::report(survey, looked, findings, remedies, unread)
    };
    Diagnosis { report, wants }
}

/// The order of those objects of a set that an operator reconciles.
fn precedence(turns: &[(Phase, Turn)], looked: &[TargetReport], facts: &Facts<'_>) -> Precedence {
    let early = turns.iter().flat_map(|(_, turn)| &turn.steps);
    let early = early.map(|step| &step.object);
    let all = early.chain(looked.iter().map(|target| &target.object)).filter(|object| order::is_taken_care_of(object));
    let all: Vec<Ref> = all.filter(|object| !object.uid.is_empty()).cloned().collect();
    Precedence::read(&all, facts).ok_or_note(facts).unwrap_or_default()
}

/// Whether the object is not being deleted yet.
fn is_forecast(state: State) -> bool {
    matches!(state, State::WouldHang | State::WouldGo | State::Unknown)
}

/// The objects that are deleted with the targets, as far as they are known.
fn going<'s>(survey: &'s Survey, set: &'s Set<'s>, cascade: Cascade, facts: &Facts<'s>) -> Going<'s> {
    let contents = Going::of_objects(set.contents.values().flatten().copied());
    let mut going = Going { cascade, as_one: set.is_one, made: set.made.clone(), ..contents };
    for target in &set.targets {
        let known = survey.discovery.resources.iter().find(|resource| resource.id == target.resource);
        if is_namespace(&resource_of(target, survey)) {
            going.namespaces.insert(&target.name);
        }
        match (read(target, facts), known) {
            (Ok(Some(object)), Some(resource)) => going.add(Seen { resource, object }),
            (Ok(Some(object)), None) => drop(going.uids.insert(object.uid())),
            _ => {}
        }
    }
    going
}

fn look_at<'s>(
    name: &TargetName,
    going: &Going<'_>,
    set: &Set<'s>,
    survey: &'s Survey,
    facts: &Facts<'s>,
) -> (TargetReport, Outlook) {
    let known = survey.discovery.resources.iter().find(|resource| resource.id == name.resource);
    let mut target = TargetReport::new(Ref::named(&resource_of(name, survey), name));
    let mut outlook = Outlook::default();
    match (known, read(name, facts).ok_or_note(facts)) {
        (_, Some(None)) => target = TargetReport::gone(target.object),
        (_, Some(Some(object))) if object.is_deleting() => return already_going(name, facts, survey),
        (Some(resource), Some(Some(object))) => {
            let seen = Seen { resource, object };
            target.object = seen.into();
            foresee(seen, going, set, (survey, facts), &mut outlook);
        }
        (None, Some(Some(_))) => facts.note_unknown(target.object.to_string(), "its kind is no longer served"),
        (_, None) => {}
    }
    (target, outlook)
}

/// A target that is already being deleted gets the ordinary diagnosis.
fn already_going(name: &TargetName, facts: &Facts<'_>, survey: &Survey) -> (TargetReport, Outlook) {
    let mut found = Findings::default();
    let target = crate::diagnosis::targets::look_at(name, facts, survey, &mut found);
    (target, Outlook { drafts: found.drafts, ..Outlook::default() })
}

fn foresee<'s>(
    seen: Seen<'s>,
    going: &Going<'_>,
    set: &Set<'s>,
    (survey, facts): (&'s Survey, &Facts<'s>),
    out: &mut Outlook,
) {
    let target = Target { seen };
    // All checks leave their wants in the same round.
    let content = set::content(&target, set, going, facts);
    let (content, left) = match content {
        Ok(SetContent { all, left }) => (Ok(all), left),
        Err(gap) => (Err(gap), 0),
    };
    let collected = further::collected(seen, going, facts, out);
    let further = further::of(&target, &collected, going, facts);
    let mut looks = vec![lists::look(&target, going, facts, out), nodes::look(&target, facts, out)];
    looks.extend(ask_rules(&target, &World::new(going, &content, &further), facts, out));
    if let Ok(content) = &content {
        looks.extend([managed::look(&target, going, facts, out), storage::look(&target, content, going, facts, out)]);
        stuck::look(content, survey, facts, out);
    }
    out.content = content.as_ref().map_or(0, Vec::len) - left;
    let collected = collected.ok_or_note(facts);
    let content_too = content.as_deref().unwrap_or_default();
    let known: BTreeSet<&str> = content_too.iter().map(|seen| seen.object.uid()).collect();
    let others = collected.iter().flatten().filter(|seen| !known.contains(seen.object.uid()));
    let volumes = deletion::known_volumes(facts);
    let afterwards = order::costs_of(&others.copied().collect::<Vec<_>>(), false, volumes);
    for what in order::in_words(&target.reference(), &afterwards.iter().collect::<Vec<_>>()) {
        out.consequence(target.reference(), what);
    }
    let of_itself = order::costs(seen, circumstance(seen, set, facts), content_too, volumes);
    out.costs.splice(0..0, of_itself);
    out.costs.extend(afterwards);
    content.ok_or_note(facts);
    for look in looks {
        look.ok_or_note(facts);
    }
}

/// What is known of a target besides what it says itself.
fn circumstance(seen: Seen<'_>, set: &Set<'_>, facts: &Facts<'_>) -> Circumstance {
    let instances = Definition::is(seen).map(|definition| definition.instances(facts));
    match instances {
        Some(Ok(Instances::Listed(all))) if all.is_empty() => Circumstance::Unused,
        None if set.made.contains(seen.object.uid()) => Circumstance::Installed,
        _ => Circumstance::Ordinary,
    }
}

/// Says for each target that would be deleted which risk that has: the one of its turn.
fn tell_risks(looked: &mut [TargetReport], order: &[Turn]) {
    for target in looked.iter_mut().filter(|target| target.state == State::WouldGo) {
        let uid = &target.object.uid;
        if let Some(turn) = order.iter().find(|turn| turn.steps.iter().any(|step| step.object.uid == *uid)) {
            target.summary = std::mem::take(&mut target.summary).then(format!("; risk: {}", turn.risk));
        }
    }
}

/// Asks the rules what they foresee. A rule that must read something first does not block the others.
fn ask_rules(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Vec<Known> {
    let mut asked = Vec::new();
    for (rule, explains) in RULES.iter().flat_map(Rule::explained) {
        let Explains::Foreseen(foresee) = explains else { continue };
        let before = out.drafts.len();
        asked.push(foresee(target, world, facts, out));
        for draft in &mut out.drafts[before..] {
            draft.finding.rule = rule;
        }
    }
    asked
}

/// Sums up the forecast for one target.
fn judge(target: &mut TargetReport, outlook: &Outlook, holding: &Holding<'_>, unread: &[Note], cascade: Cascade) {
    if target.state == State::Gone || target.since.is_some() {
        holding.judge(target);
        return;
    }
    if target.object.uid.is_empty() {
        target.summary = "undecided: it cannot be read".into();
        return;
    }
    let about = holding.about(&target.object);
    let about: Vec<&Finding> = about.iter().copied().filter(|finding| finding.is_root_cause()).collect();
    (target.state, target.summary) = match (&about[..], unread) {
        ([], [note, more @ ..]) => {
            let found = "found nothing that would hold it, but not everything could be read";
            (State::Unknown, format!("{found}: {}{}", note.what, and_more(more.len())).into())
        }
        // The controller that removes the finalizers may be among the unread facts.
        ([first, ..], [_, ..]) if about.iter().all(|finding| is_doubt(finding)) => {
            (State::Unknown, format!("undecided: {}", first.summary).into())
        }
        ([], []) => (State::WouldGo, would_go(target, outlook, cascade).into()),
        ([only], _) => (State::WouldHang, only.summary.clone()),
        ([first, ..], _) => (State::WouldHang, format!("{} causes, the first: {}", about.len(), first.summary).into()),
    };
}

/// Whether only the controller is unknown.
fn is_doubt(finding: &Finding) -> bool {
    finding.controller.as_ref().is_some_and(|controller| controller.state == ControllerState::Unknown)
}

fn would_go(target: &TargetReport, outlook: &Outlook, cascade: Cascade) -> String {
    let objects = number_of(outlook.content, "object");
    match (target.object.kind.as_str(), cascade) {
        ("Namespace", _) => format!("nothing would hold it; {objects} would be deleted with it"),
        ("CustomResourceDefinition", _) => {
            format!("nothing would hold it; {objects} of its kind would be deleted with it")
        }
        (_, Cascade::Orphan) => "nothing would hold it; its dependents would stay".into(),
        _ => "nothing would hold it".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Cause, Controller, Named, Sentence};

    fn pod() -> Ref {
        Ref::from(Named { kind: "Pod".into(), name: "web".into(), uid: "u1".into(), ..Named::default() })
    }

    fn finding(cause: Cause, summary: &str) -> Finding {
        Draft::new(cause, pod(), summary).finding
    }

    /// A finding whose controller is in this state.
    fn held(state: ControllerState, summary: &str) -> Finding {
        let controller = Controller { workload: None, state, evidence: Vec::new() };
        Finding { controller: Some(controller), ..finding(Cause::Finalizer, summary) }
    }

    fn judged(about: &[&Finding], all_read: bool) -> (State, Sentence) {
        let mut target = TargetReport { object: pod(), state: State::Unknown, since: None, summary: "".into() };
        let about: Vec<Finding> =
            about.iter().map(|finding| Finding { blocks: vec![pod()], ..(*finding).clone() }).collect();
        let note = |what: &str| Note::about(what, "forbidden");
        let unread = if all_read { Vec::new() } else { vec![note("pods"), note("clusterroles")] };
        judge(&mut target, &Outlook::default(), &Holding::new(&about), &unread, Cascade::Background);
        (target.state, target.summary)
    }

    #[test]
    fn unread_kinds_leave_the_forecast_unknown() {
        assert_eq!(judged(&[], true), (State::WouldGo, "nothing would hold it".into()));
        let (state, summary) = judged(&[], false);
        assert_eq!(state, State::Unknown);
        assert!(summary.contains("not everything could be read: pods and 1 more"), "{summary}");
    }

    #[test]
    fn an_unknown_controller_may_be_among_unread_objects() {
        let (unknown, down) =
            (held(ControllerState::Unknown, "nobody is known"), held(ControllerState::Down, "it is down"));
        assert_eq!(judged(&[&unknown], false), (State::Unknown, "undecided: nobody is known".into()));
        assert_eq!(judged(&[&unknown], true), (State::WouldHang, "nobody is known".into()));
        assert_eq!(judged(&[&down], false), (State::WouldHang, "it is down".into()));
        let both = "2 causes, the first: nobody is known";
        assert_eq!(judged(&[&unknown, &down], false), (State::WouldHang, both.into()));
    }

    #[test]
    fn consequences_and_progress_hold_nothing() {
        let follows = Finding { root: false, ..finding(Cause::Finalizer, "") };
        let on_its_way = finding(Cause::Progressing, "");
        assert_eq!(judged(&[&follows, &on_its_way], true).0, State::WouldGo);
    }
}
