//! An object whose owners are all gone still exists: the garbage collector should delete it and has not,
//! or never will.

use crate::facts::{Facts, Known, Readable, Sweep, Target, each, flat_each};
use crate::kubernetes::garbage_collection::{Fate, OwnerNamespaces, OwnerStanding, named, owners_count, served_as};
use crate::needs::{Draft, Explains, Findings, OwnedObjects, Rule};
use crate::plan::full_name;
use crate::plugin::COMMAND;
use crate::report::{Cause, Ref, Remedy, Sentence};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use std::collections::{BTreeMap, HashSet};

pub(super) const RULE: Rule = Rule::new(
    "dangling-owner",
    include_str!("dangling_owner.md"),
    &[Explains::Deleted(diagnose), Explains::OwnersExist(findings)],
);

/// Objects with more owners than this are not checked.
const MAX_OWNERS: usize = 100;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let object = target.object();
    if !owners_count(object, facts) {
        return Ok(());
    }
    // Nobody sets so many owners on purpose: reading all of them would cost more than it is worth.
    if object.metadata.owner_references.len() > MAX_OWNERS {
        return Ok(());
    }
    let references = &object.metadata.owner_references;
    let standings = each(references, |reference| Ok((reference, OwnerStanding::of(reference, object, facts)?)))?;
    // `owner_out_of_reach` reports references that can never be valid.
    if let Some((fate @ Fate::Overdue, reference)) = Fate::of(&standings) {
        found.add(draft(fate, &[(target.reference(), reference)], facts).underway());
    }
    Ok(())
}

/// The findings for all of `owned` whose owners are gone or cannot be looked up, by the objects' fate.
fn findings(owned: &OwnedObjects<'_>, facts: &Facts<'_>) -> Known<Vec<Draft>> {
    let owners = owned.objects.iter().flat_map(|seen| &seen.object.metadata.owner_references);
    let owners: HashSet<&str> = owners.map(|owner| owner.uid.as_str()).collect();
    let listed = owned.listed.iter().map(|seen| (seen.object.uid(), seen.object.metadata.namespace.as_deref()));
    let places: OwnerNamespaces<'_> = listed.filter(|(uid, _)| owners.contains(uid)).collect();
    let minded = owned.objects.iter().filter(|seen| owners_count(seen.object, facts));
    let judged = flat_each(minded, |seen| {
        Ok(OwnerStanding::of_each(seen.object, &places, facts).if_readable()?.map(|standings| (*seen, standings)))
    })?;
    let mut fates: BTreeMap<(Fate, String), Vec<(Ref, &OwnerReference)>> = BTreeMap::new();
    for (seen, standings) in judged {
        if let Some((fate, owner)) = Fate::of(&standings) {
            let kind = format!("{} {}", owner.api_version, owner.kind);
            let key = if fate == Fate::UnknownKind { kind } else { String::new() };
            fates.entry((fate, key)).or_default().push((seen.into(), owner));
        }
    }
    Ok(fates.into_iter().map(|((fate, _), rows)| draft(fate, &rows, facts)).collect())
}

/// The finding for objects with one fate, each with the reference that decides it.
fn draft(fate: Fate, rows: &[(Ref, &OwnerReference)], facts: &Facts<'_>) -> Draft {
    let refs: Vec<Ref> = rows.iter().map(|(object, _)| object.clone()).collect();
    let (first, reference) = &rows[0];
    let one = refs.len() == 1;
    let which = if one { first.to_string() } else { Sweep::count(&refs) };
    let owner = format!("{} {}", reference.kind, reference.name);
    let served = served_as(&named(reference, first.namespace.as_deref(), facts), facts);
    let is = if one { "is" } else { "are" };
    let (summary, says) = match fate {
        Fate::Overdue => (
            format!("{which} {is} still there, but no owner is left"),
            "the garbage collector deletes such objects within seconds: something prevents it",
        ),
        Fate::ElsewhereOwned => (
            format!("{which} {is} owned across namespaces"),
            "an owner in another namespace counts as missing: the garbage collector deletes what it owns",
        ),
        Fate::UnknownKind if served.is_some() => (
            format!(
                "{which} name{} an owner in {}, which is not served; its kind {} is served in {}",
                if one { "s" } else { "" },
                reference.api_version,
                reference.kind,
                served.as_deref().unwrap_or_default()
            ),
            "the garbage collector checks no other version: it never deletes them, even after the owner is gone",
        ),
        Fate::UnknownKind => (
            format!("{which} {is} owned by a {} of {}, which is not served", reference.kind, reference.api_version),
            "the garbage collector cannot look up the owner and keeps trying: it never deletes them",
        ),
        Fate::NamespacedOwner => (
            format!("{which} {is} cluster-scoped but owned by a namespaced object"),
            "such an owner cannot be looked up: the garbage collector never deletes them, even after the owner is gone",
        ),
        Fate::NamespacedOwnerGone => (
            format!("{which} {is} cluster-scoped; the owner, of a namespaced kind, was not found"),
            "such an owner cannot be looked up: the garbage collector never deletes them",
        ),
        Fate::BesideOthers => (
            format!("{which} name{} an owner that is gone, and another one that exists", if one { "s" } else { "" }),
            "the other owner keeps them; the garbage collector removes the reference when it processes them",
        ),
    };
    let draft = Draft::new(Cause::GarbageCollector, first.clone(), summary)
        .evidence(format!("owned by {owner}, uid {}", reference.uid), first, "metadata.ownerReferences")
        .remark(says)
        .remedy(way_out(fate, &refs, served.as_deref()));
    draft.objects(refs)
}

/// The remedy. It names a single object; if there are several, none of them can stand for the others.
fn way_out(fate: Fate, refs: &[Ref], served: Option<&str>) -> Remedy {
    let first = &refs[0];
    let name = full_name(first);
    let several = refs.len() > 1;
    match fate {
        Fate::Overdue | Fate::ElsewhereOwned => Remedy::manual(
            if several {
                Sentence::from("check for each of them who would refuse its deletion")
                    .by(format_args!("{COMMAND} preflight TYPE NAME"))
            } else {
                Sentence::from("check who would refuse its deletion").by(format_args!("{COMMAND} preflight {name}"))
            },
            "nothing is lost; if nothing refuses, check whether kube-controller-manager is running",
        ),
        Fate::NamespacedOwner => Remedy::manual(
            if several {
                "name a cluster-scoped owner, or none, in what creates them".into()
            } else {
                Sentence::from(format!("name a cluster-scoped owner, or none, in what creates {first}"))
                    .by(format_args!("kubectl get {name} -o yaml"))
            },
            "nothing is lost: its owner and what uses it still exist",
        ),
        Fate::UnknownKind if served.is_some() => Remedy::command(
            format!("change the owner reference to {}, also in what creates the object", served.unwrap_or_default()),
            format_args!("kubectl edit {name}"),
            "nothing is lost while its owner exists; it is deleted when the owner is gone",
        ),
        Fate::UnknownKind | Fate::NamespacedOwnerGone => Remedy::manual(
            if several {
                Sentence::from("list all of them, and delete by name what you do not need")
                    .by(format_args!("{COMMAND} orphans -o json"))
            } else {
                Sentence::from("delete it, if nobody needs it").by(format_args!("kubectl delete {name}"))
            },
            "the deleted objects are lost; check first who uses them",
        ),
        Fate::BesideOthers => Remedy::manual("wait; no change is needed", "nothing is lost"),
    }
}
