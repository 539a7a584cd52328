//! Other objects still use the object.

use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::others::{field_naming, free_first, going, named, release, reports, stop_use};
use super::silent::SilentController;
use super::{reported, says_only_that_it_fails};
use crate::facts::{All, Known, each};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::clones::clones;
use crate::kubernetes::mentions::{InTheWay, followers, implied_users, users};
use crate::kubernetes::messages::trouble::{is_about_use, is_waiting};
use crate::kubernetes::namespaces::namespace_gone;
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::statements::other_objects;
use crate::needs::World;
use crate::plan::full_name;
use crate::report::{Cause, ControllerState, Ref, Remedy, Sentence};
use crate::survey::Seen;

pub(crate) const REASON: NamedReason = NamedReason::new("in-use", include_str!("in_use.md"), Stage::Use);

/// Users of the objects, if the controller runs and gives no other reason, or says that the objects are in use.
pub(super) fn ask<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { finalizer, held, traces, facts, gaps, .. } = silent.inquiry;
    let said = silent.says(is_about_use);
    // A message that something is waited for may mean objects that are being deleted, too.
    let waits = !said && silent.says(is_waiting);
    let counts_them =
        !said && !waits && silent.says(|words| implied_users::counts_others(words, held, traces.kind, facts));
    // A controller that guards an object, runs and says nothing waits for the object's users.
    let guards = silent.why.is_expected && users::is_guard(finalizer) && !users::counts_none(held);
    if !said && !waits && !counts_them && !guards && !silent.is_silent {
        return Ok(None);
    }
    let told = if said || guards || counts_them { Ok(Vec::new()) } else { other_objects::about(held.first(), facts) };
    let fails = said || silent.why.is(&says_only_that_it_fails::REASON);
    let place = if said { users::SearchedIn::Anywhere } else { users::SearchedIn::Own };
    let (users, made) =
        (users::users(held, finalizer, traces.kind, place, facts, gaps), clones(fails, held.first(), facts, gaps));
    let (told, users, made) = (told, users, made).all()?;
    let is_going = |edge: &InTheWay<'_>| edge.blocker.object.is_deleting();
    let counts = |edge: &InTheWay<'_>| !(waits && !is_going(edge) || guards && is_going(edge));
    let mut users: Vec<InTheWay<'s>> = users.into_iter().chain(made).filter(counts).collect();
    if users.is_empty() && told.is_empty() && (said || silent.gives_none) {
        users = others_using(silent, said || users::is_guard(finalizer))?;
    }
    if users.is_empty() {
        let told = told.into_iter().next().filter(|_| !waits);
        return Ok(told.map(|told| {
            let evidence = vec![format!("{} says \"{}\"", told.by, told.message).into()];
            reported::found(&told.message).evidence(evidence)
        }));
    }
    let evidence = counted(silent.inquiry).or_else(|| agrees(silent, &users)).into_iter().collect();
    // Waiting is no failure.
    let state = (silent.profile.controller.state == ControllerState::Failing).then_some(ControllerState::Alive);
    Ok(Some(found(users).evidence(evidence).turns_out(state).unsaid(!said && !counts_them)))
}

/// Users of other products that name the objects and are not being deleted, or, if the objects are `guarded`, those that
/// mean the object called `default` by naming none.
fn others_using<'s>(silent: &SilentController<'_, 's>, guarded: bool) -> Known<Vec<InTheWay<'s>>> {
    let Inquiry { held, traces, facts, gaps, .. } = silent.inquiry;
    let workload = silent.best.map(Candidate::reference).filter(|_| silent.is_going());
    let default = if guarded { implied_users::meaning_default(held, traces.kind, facts, gaps) } else { Ok(Vec::new()) };
    let (mut others, default) = (followers::foreign_users(held, workload.as_ref(), facts), default).all()?;
    let is_user = |edge: &InTheWay<'_>| {
        let (user, held) = (edge.blocker.object, edge.waiting.object);
        !user.is_deleting() && !user.is_owned_by(held) && !held.is_owned_by(user)
    };
    others.retain(|edge| is_user(edge) && !followers::is_counterpart(*edge, held));
    others.extend(default);
    Ok(others)
}

/// The number of users in the message of the controller, if just as many were found.
fn agrees(silent: &SilentController<'_, '_>, users: &[InTheWay<'_>]) -> Option<Sentence> {
    let (words, kind) = (silent.why.words.as_deref()?, users[0].blocker.resource);
    let found = users.iter().filter(|edge| edge.blocker.resource.id == kind.id).count();
    let count = implied_users::counted_in(words, kind).filter(|count| *count == found)?;
    Some(format!("the message of its controller counts {count} users: as many {} were found", kind.id.short()).into())
}

/// How many users the objects have, according to their status.
pub(super) fn counted(inquiry: Inquiry<'_, '_>) -> Option<Sentence> {
    let (field, count) = users::counted(inquiry.held)?;
    Some(format!("{}: {field} is {count}", Ref::from(inquiry.held.first())).into())
}

pub(super) fn found(users: Vec<InTheWay<'_>>) -> FoundReason<'_> {
    let told = users.clone();
    FoundReason { others: users, ..REASON.found(move |case| answer(case, &told)) }.state(ControllerState::Alive)
}

fn answer<'s>(case: &Case<'_, 's>, users: &[InTheWay<'s>]) -> Known<WordedReason<'s>> {
    if let Some(foreseen) = case.foreseen {
        return Ok(left_in(case, users, foreseen.world));
    }
    let is_used = Sentence::from("it is in use by ").then(named(users)).then(reports(&users[0], case.facts)?);
    let answer = REASON.proven(case, is_used).cause(Cause::InUse).waits_for(Ref::from(users[0].blocker));
    let ways =
        each(users.iter().take(2), |edge| Ok(case.by_hand(end_use(edge, namespace_gone(edge.blocker, case.facts)?))))?;
    Ok(answer.needs(going(users)).others(users.iter().map(|edge| edge.blocker).collect()).remedies(ways))
}

/// The users that are left in `world`: objects that are deleted, too, are no longer users.
fn left_in<'s>(case: &Case<'_, 's>, users: &[InTheWay<'_>], world: &World<'_>) -> WordedReason<'s> {
    let others = users.iter().filter(|edge| !followers::is_counterpart(**edge, case.held));
    let mut left = others.map(|edge| Ref::from(edge.blocker)).filter(|user| !world.takes(user));
    let Some(user) = left.next() else { return REASON.likely(case, "").now_only() };
    let more = match left.count() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    let answer = by(case, &user);
    WordedReason { because: answer.because.then(more), ..answer }
}

/// `user`, which is not being deleted, uses the object.
pub(super) fn by<'s>(case: &Case<'_, 's>, user: &Ref) -> WordedReason<'s> {
    let answer = REASON.likely(case, Sentence::from("it is in use by ").then(user)).acts();
    answer.waits_for(user.clone()).remedies([free_first(user)])
}

/// The condition by which a custom object that is not being deleted says that it is in use.
pub(super) fn own_word(seen: Seen<'_>) -> Option<String> {
    let mut all = seen.object.conditions().filter(|it| it.status() == "True" && is_about_use(it.kind()));
    all.next().filter(|_| is_custom(&seen.resource.id.group)).map(|it| format!("{}: {}", it.kind(), it.message()))
}

/// It reports `words` about its use.
pub(super) fn by_its_own_word<'s>(case: &Case<'_, 's>, words: String) -> WordedReason<'s> {
    let because = Sentence::from("it already reports: ").reported(words);
    let title = "before you delete, end the use that it reports";
    REASON.likely(case, because).acts().perhaps().waits_for(None).remedies([Remedy::manual(title, "nothing is lost")])
}

/// The remedy for a user of an object, which need not be deleted, but must stop using it. A user that is for something in
/// a namespace which is gone never ends by itself.
fn end_use(edge: &InTheWay<'_>, gone: Option<(String, Ref)>) -> Sentence {
    if edge.blocker.object.is_deleting() {
        return release(edge.blocker);
    }
    let (user, guarded) = (Ref::from(edge.blocker), Ref::from(edge.waiting));
    if let Some((field, namespace)) = gone {
        let left = Sentence::from(format!("delete {user}, which is left over: {field} names "));
        let delete = format!("kubectl delete {}", full_name(&user));
        return left.then(&namespace).then(", which does not exist").by(delete);
    }
    let field = field_naming(edge.blocker.object, &guarded);
    stop_use(&user, &guarded, field.as_deref()).by(format_args!("kubectl get {} -o yaml", full_name(&user)))
}
