//! A controller that runs and gives no reason: further checks of the workloads that it created for the
//! clean-up, the users of the object, its references, and peculiarities.

use crate::facts::{All, Known};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::clones::clones;
use crate::kubernetes::mentions::hosts::{UnansweredService, unanswered_service};
use crate::kubernetes::mentions::parts::{Attached, attached, undeletable_part};
use crate::kubernetes::mentions::{InTheWay, users};
use crate::kubernetes::messages::trouble::{is_about_use, is_waiting};
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::ownership::settings;
use crate::kubernetes::progress::cleanup_jobs::{CleanupJob, JobState, MadeForMark};
use crate::kubernetes::progress::inquiry::{Inquiry, words};
use crate::kubernetes::progress::judgement::{Explanation, Judgement, Work};
use crate::kubernetes::progress::unwell::{FailingReference, failing_reference};
use crate::kubernetes::progress::{cleanup_jobs, missing, odd_entry, place, stopped_part};
use crate::kubernetes::statements::{other_objects, siblings, statement};
use crate::report::{ControllerState, Ref, Sentence};

/// Looks for a reason besides the controller and the object, if neither gives one.
pub(super) fn look<'s>(found: &mut Judgement<'s>, best: Option<&Candidate<'s>>, inquiry: Inquiry<'_, 's>) -> Known {
    let held = inquiry.held;
    for_clean_up(found, inquiry)?;
    in_use(found, inquiry)?;
    if let Some(best) = best.filter(|_| matches!(found.why, Explanation::Idle | Explanation::SaidBefore(_))) {
        rests(found, best, inquiry)?;
    }
    // A failure from before a deletion may be over by the time of the deletion.
    let is_going = held.objects.iter().any(|seen| seen.object.is_deleting());
    let waits = found.why.words().is_some_and(is_waiting);
    if is_going && (waits || matches!(found.why, Explanation::Idle)) {
        unwell(found, waits, inquiry)?;
    }
    if is_going && matches!(found.why, Explanation::Idle) {
        lacks(found, best, inquiry)?;
    }
    if matches!(found.why, Explanation::Idle)
        && let Some(kind) = users::kind_without_users(inquiry.finalizer, held, inquiry.facts, inquiry.gaps)?
    {
        found.why = Explanation::Unreferred { kind };
    }
    if matches!(found.why, Explanation::Idle) {
        let odd = odd_entry::find(inquiry);
        let part = best.map_or(Ok(None), |best| undeletable_part(best, held.first(), inquiry.facts, inquiry.gaps));
        let (odd, part) = (odd, part).all()?;
        failed_before(found, held);
        found.lead = part.or(odd);
        let settings = best.and_then(|best| settings::taken_from(best.seen.object));
        let aside = |name| format!("not the data of ConfigMap {name}, from which it takes its settings").into();
        found.aside.extend(settings.map(aside));
    }
    Ok(())
}

/// Requests in advance the facts for the further checks of a controller that gives no reason.
fn ask_along(found: &Judgement<'_>, inquiry: Inquiry<'_, '_>) {
    let gaps = &Gaps::default();
    let inquiry = Inquiry { gaps, ..inquiry };
    let Inquiry { finalizer, held, traces, facts, .. } = inquiry;
    let _ = (attached(finalizer, held, facts, gaps), clones(false, held.first(), facts, gaps));
    let _ = users::users(held, finalizer, traces.kind, users::SearchedIn::Own, facts, gaps);
    if matches!(found.why, Explanation::Idle) {
        let _ = (failing_reference(false, inquiry), unanswered_service(held, facts));
    }
}

/// Looks for the Jobs of a clean-up, if the controller runs and gives no other reason: it waits for
/// these Jobs.
fn for_clean_up<'s>(found: &mut Judgement<'s>, inquiry: Inquiry<'_, 's>) -> Known {
    // A statement by another program may be about other work.
    let is_hearsay = matches!(found.why, Explanation::Hearsay(_));
    if !is_hearsay && !found.why.is_silent() {
        return Ok(());
    }
    if !is_hearsay {
        ask_along(found, inquiry);
    }
    // The controller cleans up a cluster-scoped object in its own namespace.
    let home = found.controller.workload.as_ref().and_then(|workload| workload.namespace.clone());
    let own = inquiry.held.first().object.metadata.namespace.as_deref().map(ToOwned::to_owned);
    let jobs = match own.as_ref().or(home.as_ref()).filter(|_| !is_hearsay) {
        Some(place) => cleanup_jobs::find(place, inquiry),
        None => Ok(Vec::new()),
    };
    let called = home.map_or(Ok(Vec::new()), |home| cleanup_jobs::called_after(&home, inquiry));
    let (jobs, called) = (jobs, called).all()?;
    let Some(first) = jobs.into_iter().chain(called).next() else {
        return if is_hearsay { Ok(()) } else { belonging(found, inquiry) };
    };
    let CleanupJob { job, state, mark } = &first;
    let text = match mark {
        MadeForMark::SinceDeletion => Sentence::from("it has created ").then(job).then(" since the deletion"),
        MadeForMark::Uid => Sentence::about(job, "has the uid of the object in its name or labels"),
    };
    found.controller.evidence.insert(0, text);
    if is_hearsay {
        found.controller.state = ControllerState::Alive;
    }
    found.why = match state {
        JobState::Runs => {
            found.controller.evidence.insert(0, Sentence::about(job, "is running"));
            Explanation::Working(Work::Expected)
        }
        JobState::Failed(_) | JobState::Hangs(_) => Explanation::CleanupJob(first),
    };
    Ok(())
}

/// Looks for parts of the objects that are being deleted, and for users that name them in an annotation.
fn belonging<'s>(found: &mut Judgement<'s>, inquiry: Inquiry<'_, 's>) -> Known {
    let Inquiry { finalizer, held, facts, gaps, .. } = inquiry;
    let Attached { going, asking } = attached(finalizer, held, facts, gaps)?;
    if going.is_empty() && asking.is_empty() {
        return Ok(());
    }
    // The controller has not said that it waits for them.
    found.stale = true;
    found.why = if going.is_empty() { Explanation::InUse(asking) } else { Explanation::Blocked(going) };
    Ok(())
}

/// Looks for the users of the objects, if their controller runs and gives no other reason, or says
/// that they are in use.
fn in_use<'s>(found: &mut Judgement<'s>, inquiry: Inquiry<'_, 's>) -> Known {
    let Inquiry { finalizer, held, traces, facts, gaps, .. } = inquiry;
    let said = found.why.words().is_some_and(is_about_use);
    // A message that something is waited for may mean objects that are being deleted, too.
    let waits = !said && found.why.words().is_some_and(is_waiting);
    // A controller that guards an object, runs and says nothing waits for the object's users.
    let guards = matches!(found.why, Explanation::Working(Work::Expected))
        && users::is_guard(finalizer)
        && !users::counts_none(held);
    if !said && !waits && !guards && !found.why.is_silent() {
        return Ok(());
    }
    let told = if said || guards { Ok(Vec::new()) } else { other_objects::about(held.first(), facts) };
    let fails = said || matches!(found.why, Explanation::SaysOnly(_));
    let made = clones(fails, held.first(), facts, gaps);
    let place = if said { users::SearchedIn::Anywhere } else { users::SearchedIn::Own };
    let (told, mut users, made) = (told, users::users(held, finalizer, traces.kind, place, facts, gaps), made).all()?;
    users.extend(made);
    if waits {
        users.retain(|edge| edge.blocker.object.is_deleting());
    }
    if guards {
        users.retain(|edge| !edge.blocker.object.is_deleting());
    }
    let evidence = &mut found.controller.evidence;
    if (waits || guards) && users.is_empty() {
        return Ok(());
    }
    if let (Some(told), true) = (told.into_iter().next(), users.is_empty()) {
        evidence.insert(0, format!("{} says \"{}\"", told.by, told.message).into());
        (found.why, found.said_in) = (Explanation::Hearsay(told.message), None);
        return Ok(());
    }
    if let Some((field, count)) = users::counted(held) {
        evidence.insert(0, format!("{}: {field} is {count}", Ref::from(held.first())).into());
    }
    if users.is_empty() && matches!(found.why, Explanation::Idle) {
        return said_of_others(found, inquiry);
    }
    if !users.is_empty() {
        // The controller need not have said that it waits for them; and waiting is no failure.
        found.stale |= !said;
        if found.controller.state == ControllerState::Failing {
            found.controller.state = ControllerState::Alive;
        }
        found.why = Explanation::InUse(users);
    }
    Ok(())
}

/// Looks for missing objects that the object or its controller names in other ways than by a reference.
fn lacks(found: &mut Judgement<'_>, best: Option<&Candidate<'_>>, inquiry: Inquiry<'_, '_>) -> Known {
    let called = best.map_or(Ok(None), |best| missing::by_variable(best.seen, inquiry));
    let called = called.map(|it| it.map(|(what, variable)| (what, format!("its variable {variable}"))));
    let (node, labelled, called) = (place::node_gone(inquiry), missing::by_label(inquiry), called).all()?;
    if let Some((what, field)) = node.or(labelled).or(called) {
        found.why = Explanation::Lacks { what, field };
    }
    Ok(())
}

/// Checks the objects that the held object refers to, if the controller gives no reason or says
/// that it `waits`. If it waits, conditions that are not True yet count, too.
fn unwell<'s>(found: &mut Judgement<'s>, waits: bool, inquiry: Inquiry<'_, 's>) -> Known {
    let unserved = if waits { Ok(None) } else { unanswered_service(inquiry.held, inquiry.facts) };
    let (sick, unserved) = (failing_reference(waits, inquiry), unserved).all()?;
    if let Some(FailingReference { what, words }) = sick {
        let named = Ref::from(what);
        found.controller.evidence.insert(0, Sentence::about(&named, format!("says \"{words}\"")));
        // An object that is being deleted never becomes Ready: the controller waits until it is gone.
        found.why = if what.object.is_deleting() {
            found.stale = true;
            Explanation::Blocked(vec![InTheWay { waiting: inquiry.held.first(), blocker: what, sure: false }])
        } else {
            Explanation::Unwell { what: named, words }
        };
    } else if let Some(UnansweredService { service, field, .. }) = unserved {
        // The Service may as well be the one that the object exposes.
        let text = Sentence::from(format!("nothing answers behind {service}, which {field} names"));
        found.aside.insert(0, text);
    }
    Ok(())
}

/// Quotes a failure from before the deletion, if there are no statements since. The failure may be
/// about the resource that the object represents, and need not be the reason.
fn failed_before(found: &mut Judgement<'_>, held: &HeldObjects<'_>) {
    let mut custom = held.read().filter(|seen| is_custom(&seen.resource.id.group));
    let Some(failure) = custom.find_map(statement::standing_failure) else { return };
    found.controller.evidence.insert(0, format!("{}: {}", Ref::from(failure.of), failure.text).into());
    // The words come from the object: they belong to the evidence.
    found.aside.insert(0, "a condition has reported a failure since before the deletion (-o wide)".into());
}

/// Blames a part of the same product that does not run, if the running one gives no reason.
fn rests<'s>(found: &mut Judgement<'s>, best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known {
    let Some(resting) = stopped_part::sibling(best, inquiry)? else { return Ok(()) };
    let workload = Ref::from(resting);
    let told = format!("{workload} belongs to the same product, may write this kind, and is scaled to 0 replicas");
    found.controller.evidence.insert(0, told.into());
    found.controller.state = ControllerState::Down;
    found.controller.workload = Some(workload);
    found.why = Explanation::ScaledToZero(resting);
    found.sure = false;
    Ok(())
}

/// Looks for the controller's statements about other objects with the same finalizer, if there are
/// none about this one.
fn said_of_others<'s>(found: &mut Judgement<'s>, inquiry: Inquiry<'_, 's>) -> Known {
    let Inquiry { finalizer, held, traces, facts, gaps, .. } = inquiry;
    let workload = found.controller.workload.iter().map(|workload| workload.name.clone());
    let names: Vec<String> = words(traces).chain(workload).collect();
    let told = siblings::about(held.first(), finalizer, &names, facts, gaps)?;
    if let Some(told) = told.into_iter().next() {
        let evidence = format!("an event of {}, which has the same finalizer, says \"{}\"", told.by, told.message);
        found.controller.evidence.insert(0, evidence.into());
        found.why = Explanation::Hearsay(format!("{} (of {})", told.message, told.by));
    }
    Ok(())
}
