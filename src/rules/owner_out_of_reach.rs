//! References to owners that can never be valid: to a namespaced owner from a cluster-scoped object, which
//! the garbage collector then never deletes, and to an owner in another namespace, which counts as absent
//! (kubernetes/kubernetes: `pkg/controller/garbagecollector/garbagecollector.go`, `isDangling`).

use crate::facts::{Facts, Known, Readable, Target, each, for_each};
use crate::findings::owner_references::drop_reference_step;
use crate::kubernetes::garbage_collection::{
    Hindrance, WaitingOwner, elsewhere as elsewhere_of, hindered, standing, waiting,
};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::full_name;
use crate::plan::steps::drop_garbage_collector_finalizer as drop_finalizer;
use crate::report::{Cause, OwnerState, Ref, Remedy, Risk};
use crate::survey::{FOREGROUND, Seen};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

pub(super) const RULE: Rule =
    Rule::new("owner-out-of-reach", include_str!("owner_out_of_reach.md"), &[Explains::Deleted(diagnose)]);

/// How many references of one object are checked.
const MAX_REFERENCES: usize = 20;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    for_each(&waiting(target, facts)?, |owner| {
        for (dependent, why) in hindered(owner, facts)? {
            if matches!(why, Hindrance::Impossible(_)) {
                found.add(never_collected(owner, dependent.seen));
            }
        }
        Ok(())
    })?;
    own_references(target, facts, found)
}

/// The finding for an owner that waits for a cluster-scoped dependent, which nothing deletes.
fn never_collected(owner: &WaitingOwner<'_>, dependent: Seen<'_>) -> Draft {
    let (reference, named) = (Ref::from(owner.owner), Ref::from(dependent));
    let delete = format!("kubectl delete {}", full_name(&named));
    let summary = format!(
        "{reference} waits for {named}, which is cluster-scoped: the garbage collector never deletes it for a \
            namespaced owner"
    );
    let mut draft = Draft::new(Cause::GarbageCollector, reference.clone(), summary)
        .finalizer(FOREGROUND)
        .waits_for(named.clone())
        .evidence(
            format!("names {reference} as its owner, with blockOwnerDeletion"),
            &named,
            "metadata.ownerReferences",
        )
        .evidence("is not being deleted yet", &named, "metadata.deletionTimestamp")
        .remedy(Remedy::command(
            "delete the cluster-scoped object, if nobody needs it",
            delete,
            "the object is then gone for every namespace",
        ));
    if let Some(cut) = drop_reference_step(dependent.object, &named, owner.owner.object.uid()) {
        let consequence = format!("such an owner cannot exist; {named} itself is not changed");
        draft = draft.remedy(Remedy::new(cut, Risk::Harmless, consequence));
    }
    if !drop_finalizer::would_do_nothing(&reference, owner.owner.object) {
        draft = draft.remedy(Remedy::new(
            drop_finalizer::step(&reference, FOREGROUND),
            Risk::Harmless,
            format!("{named} stays: the garbage collector does not delete it"),
        ));
    }
    draft.objects(vec![reference])
}

/// Reports the consequences of the target's own references.
fn own_references(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let (mut notes, mut elsewhere, mut kept) = (Vec::new(), None, false);
    let object = target.object();
    let namespace = object.metadata.namespace.as_deref();
    let references = object.metadata.owner_references.iter().take(MAX_REFERENCES);
    let standings = each(references, |owner| Ok((owner, standing(owner, namespace, facts).surveyed()?)))?;
    for (reference, standing) in standings {
        match standing {
            Err(_) | Ok((OwnerState::Present | OwnerState::Terminating, _)) => kept = true,
            Ok((OwnerState::Impossible, _)) => {
                notes.push(format!(
                    "names {}, which is namespaced, as an owner: the garbage collector never deletes it",
                    spoken(reference)
                ));
            }
            Ok((OwnerState::UnknownKind, _)) => notes.push(format!(
                "names {} of {}, which is not served, as an owner: the garbage collector never deletes it",
                spoken(reference),
                reference.api_version
            )),
            Ok((OwnerState::Missing | OwnerState::Replaced, _)) if elsewhere.is_none() => {
                elsewhere = elsewhere_of(reference, namespace, facts)?;
            }
            Ok(_) => {}
        }
    }
    let unjudged = !notes.is_empty();
    if !target.is_deleting() {
        for note in notes {
            found.also_broken(target.reference(), note);
        }
    }
    if let Some(owner) = elsewhere.filter(|_| !kept && !unjudged) {
        counted_as_gone(target, &owner, found);
    }
    Ok(())
}

fn spoken(reference: &OwnerReference) -> String {
    format!("{} {}", reference.kind, reference.name)
}

fn counted_as_gone(target: &Target<'_>, owner: &Ref, found: &mut Findings) {
    let reference = target.reference();
    if !target.is_deleting() {
        let why = format!(
            "its owner {owner} is in another namespace, so it counts as missing and the garbage collector deletes the \
            object"
        );
        return found.also_broken(reference, why);
    }
    found.add(
        Draft::new(
            Cause::GarbageCollector,
            reference.clone(),
            format!(
                "{reference} has its owner in another namespace: the owner counts as missing, so the garbage \
                collector deletes the dependent"
            ),
        )
        .underway()
        .likely()
        .evidence(format!("names {owner} as its owner"), &reference, "metadata.ownerReferences")
        .remark("the journal does not say who requested the deletion: it may have been somebody else")
        .remedy(Remedy::manual(
            "create it again without that reference, or in its owner's namespace",
            "it is being deleted, and that cannot be undone",
        ))
        .objects(vec![reference]),
    );
}
