//! An owner has the garbage collector's own finalizer and no obstacle, or dependents that are not
//! being deleted: the garbage collector does not run, cannot read, or is refused.

use crate::facts::{Dependent, Facts, Known, Target, for_each, is_late};
use crate::findings::controller_manager::{controller_manager, see_to_the_controller_manager};
use crate::findings::owner_references::drop_reference;
use crate::kubernetes::admission::{Gate, may_refuse_some};
use crate::kubernetes::garbage_collection::{Hindrance, WaitingOwner, hindered, note_unread, waiting};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::steps::drop_garbage_collector_finalizer as drop_finalizer;
use crate::plan::{full_name, in_namespace};
use crate::report::{Cause, Need, Ref, Remedy, Risk, Sentence, Verb, objects_in_words};
use crate::survey::{FOREGROUND, Seen, ServedBy};
use jiff::SignedDuration;
use std::mem::discriminant;

pub(super) const RULE: Rule =
    Rule::new("garbage-collector-idle", include_str!("garbage_collector_idle.md"), &[Explains::Deleted(diagnose)]);

/// The garbage collector's user, if each controller has its own account.
const COLLECTOR: &str = "system:serviceaccount:kube-system:generic-garbage-collector";

/// How many webhooks and policies that may refuse it are named.
const MAX_SUSPECTS: usize = 3;

/// How many of the kinds that cannot be listed are checked.
const MAX_UNREAD: usize = 5;

/// How long a collector may take for many dependents after it has begun.
const AT_WORK: SignedDuration = SignedDuration::from_secs(60);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let waiting = waiting(target, facts)?;
    let (free, held): (Vec<_>, Vec<_>) = waiting.iter().partition(|owner| owner.blocking.is_empty());
    if !free.is_empty() {
        found.add(nothing_left(&free, facts)?);
    }
    for_each(held, |owner| {
        let at_work = owner.blocking.iter().any(|dependent| dependent.seen.object.is_deleting());
        if at_work && !is_late(owner.owner.object, facts, AT_WORK) {
            return Ok(());
        }
        let idle: Vec<(Dependent<'_>, Hindrance)> = hindered(owner, facts)?
            .into_iter()
            .filter(|(_, why)| !matches!(why, Hindrance::Impossible(_) | Hindrance::UnknownKind(_)))
            .collect();
        if !idle.is_empty() {
            found.add(not_asked(owner, &idle, facts)?);
        }
        Ok(())
    })
}

/// The finding for owners without any dependent that could be listed.
fn nothing_left(owners: &[&WaitingOwner<'_>], facts: &Facts<'_>) -> Known<Draft> {
    let refs: Vec<Ref> = owners.iter().map(|owner| owner.owner.into()).collect();
    let verb = if refs.len() == 1 { "waits" } else { "wait" };
    let first = &refs[0];
    let complete = owners.iter().all(|owner| owner.complete);
    let own = own_api(owners, facts)?;
    let what = if complete {
        format!("the garbage collector to remove {FOREGROUND}")
    } else if let Some(api) = &own {
        format!("the garbage collector; {api} cannot be listed: that API does not answer")
    } else {
        "a dependent that could not be read, or for the garbage collector".to_owned()
    };
    let summary = format!("{} {verb} for {what}", objects_in_words(&refs));
    let mut draft = Draft::new(Cause::GarbageCollector, first.clone(), summary)
        .finalizer(FOREGROUND)
        .needs_accepted(Verb::Update)
        // The last dependent may have been deleted just now.
        .likely()
        .kept_by(FOREGROUND, first);
    draft = if complete {
        draft.remark("no object of any kind names it as an owner with blockOwnerDeletion")
    } else {
        note_unread(facts)?;
        let unread = facts.dependents_anywhere()?.unread();
        let unread = unread.iter().filter(|(_, why)| why.is_the_servers()).take(MAX_UNREAD);
        unread.fold(draft, |draft, (kind, _)| draft.rests_on(Need::Readable(kind.id.clone()))).remark(
            "no object that could be read names it as an owner with blockOwnerDeletion; some kinds could not be read",
        )
    };
    draft = controller_manager(draft, facts)?.remedy(see_to_the_controller_manager());
    let (risk, consequence) = match &own {
        _ if complete => (Risk::Harmless, "no object has to be deleted before it".to_owned()),
        // While this API does not answer, its objects cannot be deleted anyway.
        Some(api) => {
            (Risk::Disruptive, format!("no readable object has to be deleted before it; {api} could not be read"))
        }
        // A dependent of a kind that cannot be read may have to be deleted first.
        None => return Ok(draft.objects(refs)),
    };
    Ok(draft.remedies(release(owners, &refs, risk, consequence)).objects(refs))
}

/// The remedy with which the API server removes the finalizer from the owners.
fn release(owners: &[&WaitingOwner<'_>], refs: &[Ref], risk: Risk, consequence: String) -> Option<Remedy> {
    let can = owners.iter().zip(refs);
    let can = can.filter(|(owner, object)| !drop_finalizer::would_do_nothing(object, owner.owner.object));
    let steps: Vec<_> = can.map(|(_, object)| drop_finalizer::step(object, FOREGROUND)).collect();
    let several = format!("delete {} objects again, in the background: that removes {FOREGROUND}", steps.len());
    Remedy::of_all(steps, several, risk, consequence)
}

/// The kinds that could not be listed because of the server, if all of them belong to the API of the
/// owners themselves: their own kind, or one that they register as an `APIService` or a
/// `CustomResourceDefinition`. Then no other dependent is hidden.
fn own_api(owners: &[&WaitingOwner<'_>], facts: &Facts<'_>) -> Known<Option<String>> {
    let unread = facts.dependents_anywhere()?.unread();
    let kinds = unread.iter().map(|(kind, why)| {
        let own = |owner: &&WaitingOwner<'_>| {
            is_registered_by(&kind.id.group, &kind.id.version, &kind.id.plural, owner.owner)
        };
        (kind.id.short(), why.is_the_servers() && owners.iter().all(own))
    });
    // The kinds of a version that could not be discovered are unknown.
    let versions = facts.discovery().stale.iter().map(|version| {
        let (group, name) = version.split_once('/').unwrap_or(("", version));
        (version.clone(), owners.iter().all(|owner| is_registered_by(group, name, "", owner.owner)))
    });
    let all: Vec<(String, bool)> = kinds.chain(versions).collect();
    let are_own = all.iter().all(|(_, is_own)| *is_own);
    Ok(all.into_iter().map(|(what, _)| what).next().filter(|_| are_own))
}

/// Whether a kind is in the API group of `owner`, or `owner` registers the kind.
fn is_registered_by(group: &str, version: &str, plural: &str, owner: Seen<'_>) -> bool {
    let name = owner.object.name();
    match (owner.resource.id.group.as_str(), owner.resource.id.plural.as_str()) {
        // Its name consists of the version and the group.
        ("apiregistration.k8s.io", "apiservices") => name == format!("{version}.{group}"),
        ("apiextensions.k8s.io", "customresourcedefinitions") => name == format!("{plural}.{group}"),
        (of, _) => of == group,
    }
}

/// The finding for dependents that the garbage collector should have deleted or released.
fn not_asked(owner: &WaitingOwner<'_>, idle: &[(Dependent<'_>, Hindrance)], facts: &Facts<'_>) -> Known<Draft> {
    let reference = Ref::from(owner.owner);
    let (first, why) = &idle[0];
    let dependent = Ref::from(first.seen);
    let alike = idle.iter().filter(|(_, other)| discriminant(other) == discriminant(why)).count();
    let these = if alike == 1 { dependent.to_string() } else { format!("{alike} dependents such as {dependent}") };
    let suspects = match why {
        Hindrance::None => may_refuse_some(first.seen, facts)?,
        _ => Vec::new(),
    };
    let heeds_dry_runs = facts.served_by(first.seen.resource)? == ServedBy::ApiServer;
    let (missed, advice) = missed(*first, why, suspects.first(), owner, heeds_dry_runs);
    let mut draft =
        Draft::new(Cause::GarbageCollector, reference.clone(), format!("{reference} waits for {these}: {missed}"))
            .finalizer(FOREGROUND)
            .waits_for(dependent.clone())
            .needs_accepted(Verb::Update)
            .rests_on(Need::Accepted(Verb::Delete, dependent.clone()))
            .likely()
            .evidence("has blockOwnerDeletion, and is not being deleted", &dependent, "metadata.deletionTimestamp");
    for gate in suspects.iter().take(MAX_SUSPECTS) {
        let text = match gate {
            Gate::Policy { policy, .. } => {
                format!(
                    "policy {} is evaluated for the deletion, and may decide differently for each user",
                    policy.object.name()
                )
            }
            Gate::Webhook { .. } => {
                format!("webhook {} is called for the deletion, and may answer differently for each user", gate.name())
            }
        };
        draft = draft.evidence(text, &gate.reference(), "");
    }
    draft = controller_manager(draft, facts)?
        .remedy(Remedy::manual(advice, "nothing is lost"))
        .remedy(see_to_the_controller_manager());
    if !drop_finalizer::would_do_nothing(&reference, owner.owner.object) {
        draft = draft.remedy(Remedy::new(
            drop_finalizer::step(&reference, FOREGROUND),
            Risk::Disruptive,
            "it is deleted before its dependents: they lose their owner and stay until the garbage collector works \
            again",
        ));
    }
    Ok(draft.objects(vec![reference]))
}

/// The work on a dependent that the garbage collector has not done, and the advice.
fn missed(
    dependent: Dependent<'_>,
    why: &Hindrance,
    suspect: Option<&Gate<'_>>,
    owner: &WaitingOwner<'_>,
    heeds_dry_runs: bool,
) -> (String, Sentence) {
    let named = Ref::from(dependent.seen);
    match why {
        Hindrance::Kept(other) => (
            format!("the garbage collector has not removed its reference, though {other} keeps it"),
            Sentence::from("remove the reference").by(drop_reference(
                dependent.seen.object,
                &named,
                owner.owner.object.uid(),
            )),
        ),
        Hindrance::Unread(other) => (
            format!("its owner {other} cannot be read, and perhaps the garbage collector cannot read it either"),
            Sentence::from("check why it cannot be read").by(format_args!("kubectl get {}", full_name(other))),
        ),
        _ => (
            match suspect {
                Some(Gate::Policy { policy, .. }) => format!(
                    "the garbage collector has not deleted it yet; policy {}, which may decide differently for each user, may refuse that",
                    policy.object.name()
                ),
                _ => "the garbage collector has not deleted it yet".to_owned(),
            },
            see_whether_it_is_refused(&named, heeds_dry_runs),
        ),
    }
}

/// Advice to check for a refusal. A server behind the API server need not respect dry runs.
fn see_whether_it_is_refused(dependent: &Ref, heeds_dry_runs: bool) -> Sentence {
    let name = full_name(dependent);
    if !heeds_dry_runs {
        return Sentence::from("check what its own server says about its deletion")
            .by(format_args!("kubectl describe {name}"))
            .by(format_args!("kubectl get events{}", in_namespace(dependent)));
    }
    Sentence::from("check whether the garbage collector's DELETE is refused")
        .by(format_args!("kubectl delete {name} --dry-run=server --as={COLLECTOR}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    #[test]
    fn no_dry_run_goes_to_an_aggregated_api() {
        let thing = Ref::from(Named {
            api_version: "things.acme.io/v1".into(),
            kind: "Thing".into(),
            resource: "things".into(),
            namespace: Some("shop".into()),
            name: "one".into(),
            ..Named::default()
        });
        assert!(see_whether_it_is_refused(&thing, true).contains("--dry-run=server"));
        assert!(!see_whether_it_is_refused(&thing, false).contains("dry-run"));
    }
}
