//! Foreground deletion: an owner stays until its dependents with blockOwnerDeletion are gone. Anything
//! that blocks the dependents blocks it, too.

use crate::facts::{Dependent, Facts, Known, Target, ago, asked_ago, each};
use crate::findings::owner_references::dependents_in_words;
use crate::findings::state::with_finalizers;
use crate::kubernetes::finalizers::names::says_something;
use crate::kubernetes::garbage_collection::{Newcomer, WaitingOwner, Web, newcomers, waiting};
use crate::kubernetes::ownership::named_workloads::called_after;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::full_name;
use crate::plan::steps::drop_garbage_collector_finalizer as drop_finalizer;
use crate::report::{Cause, Ref, Remedy, Risk, Sentence, objects_in_words};
use crate::survey::{FOREGROUND, Seen};

pub(super) const RULE: Rule = Rule::new(
    "foreground-deletion-waits",
    include_str!("foreground_deletion_waits.md"),
    &[Explains::Deleted(diagnose)],
);

/// How many dependents are shown as evidence.
const MAX_SHOWN: usize = 3;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let mut waiting = waiting(target, facts)?;
    let web = Web::below(&waiting, facts)?;
    // Another rule reports what the members of a ring wait for among themselves.
    for owner in &mut waiting {
        owner.blocking.retain(|dependent| !found.waits_in_ring(owner.owner, FOREGROUND, dependent.seen));
    }
    let made_again = each(&waiting, |owner| newcomers(owner, facts))?;
    for (owner, newcomers) in waiting.iter().zip(&made_again) {
        if let [first, ..] = &newcomers[..] {
            found.add(made_again_draft(owner, first, facts)?);
        }
    }
    let mut made_again = made_again.iter();
    waiting.retain(|_| made_again.next().is_none_or(Vec::is_empty));
    // Other rules report dependents that are not being deleted.
    waiting.retain(|owner| owner.blocking.iter().any(|dependent| dependent.seen.object.is_deleting()));
    if waiting.is_empty() {
        return Ok(());
    }
    // If this object is itself followed, the ends were found already, from the target.
    let ends = if found.is_following() { Vec::new() } else { web.ends() };
    follow(target, &waiting, ends, found);
    found.add(draft(target, &waiting, facts, found));
    Ok(())
}

/// The finding for dependents that are replaced whenever one is deleted, which does not end by itself.
fn made_again_draft(owner: &WaitingOwner<'_>, newest: &Newcomer<'_>, facts: &Facts<'_>) -> Known<Draft> {
    let (named, dependent) = (Ref::from(owner.owner), Ref::from(newest.dependent.seen));
    let made = newest.dependent.seen.object.metadata.creation_timestamp;
    let age = made.map(|made| ago(made, facts)).unwrap_or_default();
    let asked = asked_ago(owner.owner.object, facts);
    let Maker { who, workload, remark } = maker(newest, facts)?;
    let summary = Sentence::about(&named, "is deleted in the foreground, but ");
    let summary = summary.then(who.clone()).then(" creates its dependents again and again");
    let draft = Draft::new(Cause::Dependents, named.clone(), summary)
        .finalizer(FOREGROUND)
        .waits_for(workload.unwrap_or_else(|| dependent.clone()))
        .likely()
        .evidence(format!("deletion was requested {asked} ago"), &named, "metadata.deletionTimestamp")
        .evidence(format!("created {age} ago, with blockOwnerDeletion"), &dependent, "metadata.creationTimestamp")
        .with_each(&newest.maker, |draft, maker| {
            draft.evidence(format!("created by {maker}"), &dependent, "metadata.managedFields")
        })
        .with_each(remark, Draft::remark);
    let look = format!("kubectl get {} -o yaml --show-managed-fields", full_name(&dependent));
    let stop = Sentence::from("stop ").then(who).then(format!(" from creating more for {named}")).by(look);
    let collected = "nothing is lost: the garbage collector then deletes the last of them, and then the owner";
    Ok(draft.remedy(Remedy::manual(stop, collected)).objects(vec![named]))
}

/// Who creates dependents again.
struct Maker {
    who: Sentence,
    /// The workload, if only one has the name of the field manager.
    workload: Option<Ref>,
    remark: Option<&'static str>,
}

/// A client has the same name for everybody who uses it.
fn maker(newest: &Newcomer<'_>, facts: &Facts<'_>) -> Known<Maker> {
    let Some(name) = &newest.maker else {
        let remark = Some("managedFields do not show who creates them");
        return Ok(Maker { who: "somebody".into(), workload: None, remark });
    };
    if !says_something(name) {
        let remark = Some("any program or person may use that client: its requests are in the audit log");
        return Ok(Maker { who: format!("somebody who uses {name}").into(), workload: None, remark });
    }
    let called = called_after(name, facts)?;
    let workload = if let [only] = &called[..] { Some(Ref::from(*only)) } else { None };
    let who = workload.as_ref().map_or_else(|| name.as_str().into(), Sentence::from);
    Ok(Maker { who, workload, remark: None })
}

/// Follows the dependents, since whatever holds them holds the owner. The ends of the chains come first,
/// beginning with those that have finalizers and with the oldest deletions. The content of a namespace is
/// checked anyway.
fn follow<'s>(target: &Target<'s>, waiting: &[WaitingOwner<'s>], mut ends: Vec<Seen<'s>>, found: &mut Findings) {
    let inside = |seen: &Seen<'_>| {
        target.is_namespace() && seen.object.metadata.namespace.as_deref() == Some(target.object().name())
    };
    let age = |seen: &Seen<'_>| (seen.object.metadata.finalizers.is_empty(), seen.object.metadata.deletion_timestamp);
    ends.sort_by_key(age);
    let direct = waiting.iter().flat_map(|owner| &owner.blocking).map(|dependent| dependent.seen);
    for seen in ends.into_iter().chain(direct).filter(|seen| seen.object.is_deleting() && !inside(seen)) {
        found.follow(seen);
    }
}

fn draft(target: &Target<'_>, waiting: &[WaitingOwner<'_>], facts: &Facts<'_>, found: &Findings) -> Draft {
    let owners: Vec<Ref> = waiting.iter().map(|owner| owner.owner.into()).collect();
    let blocking: Vec<Dependent<'_>> = waiting.iter().flat_map(|owner| owner.blocking.iter().copied()).collect();
    let verb = if owners.len() == 1 { "is" } else { "are" };
    let summary = format!(
        "{} {verb} deleted in the foreground, after {}",
        objects_in_words(&owners),
        dependents_in_words(&blocking)
    );
    let mut draft = Draft::new(Cause::Dependents, owners[0].clone(), summary).finalizer(FOREGROUND).underway();
    if let [only] = &blocking[..] {
        draft = draft.waits_for(Ref::from(only.seen));
    }
    for dependent in blocking.iter().take(MAX_SHOWN) {
        draft = draft.evidence(words(*dependent, facts), &dependent.seen.into(), "metadata.ownerReferences");
    }
    // In a namespace that is being deleted, releasing the owner would free nothing.
    let idle = waiting.iter().any(|owner| owner.idle().next().is_some());
    let inside = target.is_namespace() && !is(target, &owners[0]);
    if let ([only], false) = (waiting, idle || inside || found.is_following())
        && !drop_finalizer::would_do_nothing(&owners[0], only.owner.object)
    {
        draft = draft.remedy(Remedy::new(
            drop_finalizer::step(&owners[0], FOREGROUND),
            Risk::Disruptive,
            format!(
                "it is deleted before {}: a clean-up that reads the owner may fail, and what holds the dependents \
                must still be fixed",
                dependents_in_words(&blocking)
            ),
        ));
    }
    draft.objects(owners)
}

fn is(target: &Target<'_>, object: &Ref) -> bool {
    target.object().uid() == object.uid
}

fn words(dependent: Dependent<'_>, facts: &Facts<'_>) -> String {
    let object = dependent.seen.object;
    let state = match object.deletion_asked() {
        Some(asked) => format!("terminating for {}", ago(asked, facts)),
        None => "not being deleted yet".into(),
    };
    format!("has blockOwnerDeletion: {state}{}", with_finalizers(object))
}
