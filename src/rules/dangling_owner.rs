//! No owner of an object is left, and it is still there: the garbage collector
//! was to delete it and does not, or never will.

use crate::facts::{Facts, Known, SETTLE, Sweep, Target, Unknown, since};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::{in_namespace, quote};
use crate::report::{Cause, Ref, Remedy};
use crate::survey::{Form, Object, Reason, Unread};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

pub(super) const RULE: Rule =
    Rule { name: NAME, explanation: include_str!("dangling_owner.md"), explains: &[Explains::Deleted(diagnose)] };

pub(crate) const NAME: &str = "dangling-owner";

/// How the garbage collector sees an owner (kubernetes/kubernetes:
/// `pkg/controller/garbagecollector/garbagecollector.go`, `graph_builder.go`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// It is there.
    Solid,
    /// It does not exist, or another object has its name.
    Absent,
    /// It is in another namespace: counts as absent.
    Elsewhere,
    /// The server does not serve this version of its kind: nobody can look.
    UnknownKind,
    /// It is in a namespace, and the dependent in none: nobody looks.
    Namespaced,
}

/// Of an object with more owners nothing is said.
const OWNERS: usize = 100;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let object = target.object();
    // Deletion is a one-way trip: the garbage collector no longer minds the owners.
    if object.is_deleting() || !is_settled(object, facts) {
        return Ok(());
    }
    // Nobody means so many: reading them all would cost more than it tells.
    if object.metadata.owner_references.len() > OWNERS {
        return Ok(());
    }
    // All are read before the first answer is looked at: one round, not one each.
    let references = object.metadata.owner_references.iter();
    let read: Vec<_> = references.map(|reference| (reference, standing(reference, object, facts))).collect();
    let mut standings = Vec::new();
    for (reference, standing) in read {
        standings.push((reference, standing?));
    }
    // Of references that can never hold `owner_out_of_reach` tells.
    if let Some((class @ Class::Overdue, reference)) = class(&standings) {
        found.add(draft(class, &[(target.reference(), reference)]).underway());
    }
    Ok(())
}

/// What was made a moment ago may name an owner that was read a moment before.
pub(crate) fn is_settled(object: &Object, facts: &Facts<'_>) -> bool {
    object.metadata.creation_timestamp.is_some_and(|made| since(made, facts.now()) > SETTLE)
}

/// How an owner stands, by reading it where the garbage collector does.
///
/// # Errors
/// When it was not surveyed yet or could not be read.
pub(crate) fn standing(reference: &OwnerReference, object: &Object, facts: &Facts<'_>) -> Known<Standing> {
    let (group, version) = reference.api_version.split_once('/').unwrap_or(("", &reference.api_version));
    let served = facts.discovery().resources.iter().find(|resource| {
        resource.kind == reference.kind && resource.id.group == group && resource.id.version == version
    });
    let namespace = object.metadata.namespace.as_deref();
    let Some(resource) = served else {
        return unserved(reference, facts);
    };
    if resource.namespaced && namespace.is_none() {
        return Ok(Standing::Namespaced);
    }
    let namespace = namespace.filter(|_| resource.namespaced);
    let owner = facts.get(&resource.id, namespace, &reference.name, Form::Metadata)?;
    let same = owner.is_some_and(|owner| owner.uid() == reference.uid);
    Ok(if same { Standing::Solid } else { Standing::Absent })
}

/// A group that cannot be looked into just now may well serve the kind.
fn unserved(reference: &OwnerReference, facts: &Facts<'_>) -> Known<Standing> {
    if facts.discovery().stale.contains(&reference.api_version) {
        let why = Unread { reason: Reason::ServerError, message: "its discovery is stale".into() };
        return Err(Unknown::Unread { what: reference.api_version.clone(), why });
    }
    Ok(Standing::UnknownKind)
}

/// What becomes of an object, by all of its owners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// It should have been deleted: every owner is gone.
    Overdue,
    /// It should have been deleted: its owner is in another namespace.
    ElsewhereOwned,
    /// It is never deleted: its owner's kind is not served.
    UnknownKind,
    /// It is never deleted: it is in no namespace and its owner is.
    NamespacedOwner,
    /// It stays, and the reference will be taken off.
    BesideOthers,
}

/// The class of an object, and the reference that makes it so; `None` when all
/// of its owners are there.
pub(crate) fn class<'r>(standings: &[(&'r OwnerReference, Standing)]) -> Option<(Class, &'r OwnerReference)> {
    let first = |wanted: Standing| standings.iter().find(|(_, standing)| *standing == wanted).map(|(owner, _)| *owner);
    let solid = first(Standing::Solid).is_some();
    let beside = |class: Class| if solid { Class::BesideOthers } else { class };
    first(Standing::Namespaced)
        .map(|owner| (Class::NamespacedOwner, owner))
        .or_else(|| first(Standing::UnknownKind).map(|owner| (Class::UnknownKind, owner)))
        .or_else(|| first(Standing::Elsewhere).map(|owner| (beside(Class::ElsewhereOwned), owner)))
        .or_else(|| first(Standing::Absent).map(|owner| (beside(Class::Overdue), owner)))
}

/// The finding for objects of one class, each with the reference that makes it so.
pub(crate) fn draft(class: Class, rows: &[(Ref, &OwnerReference)]) -> Draft {
    let refs: Vec<Ref> = rows.iter().map(|(object, _)| object.clone()).collect();
    let (first, reference) = &rows[0];
    let one = refs.len() == 1;
    let which = if one { first.to_string() } else { Sweep::count(&refs) };
    let owner = format!("{} {}", reference.kind, reference.name);
    let is = if one { "is" } else { "are" };
    let (summary, fate) = match class {
        Class::Overdue => (
            format!("{which} {is} still there, and no owner is left"),
            "the garbage collector deletes such objects within seconds: something hinders it",
        ),
        Class::ElsewhereOwned => (
            format!("{which} {is} owned across namespaces"),
            "an owner in another namespace counts as missing: the garbage collector deletes what it owns",
        ),
        Class::UnknownKind => (
            format!("{which} {is} owned by a {} of {}, which is not served", reference.kind, reference.api_version),
            "the garbage collector cannot look for the owner and tries again for ever: it never deletes them",
        ),
        Class::NamespacedOwner => (
            format!("{which} {is} in no namespace, and owned by an object in one"),
            "such an owner cannot be looked for: the garbage collector never deletes them",
        ),
        Class::BesideOthers => (
            format!("{which} name{} an owner that is gone, beside one that is there", if one { "s" } else { "" }),
            "they stay for the other owner; the garbage collector takes the reference off when it looks at them",
        ),
    };
    let draft = Draft::new(Cause::GarbageCollector, first.clone(), summary)
        .evidence(format!("owned by {owner}, uid {}", reference.uid), first, "metadata.ownerReferences")
        .remark(fate)
        .remedy(way_out(class, first));
    draft.objects(refs)
}

fn way_out(class: Class, first: &Ref) -> Remedy {
    let name = format!("{}{}", quote(&first.kubectl()), in_namespace(first));
    match class {
        Class::Overdue | Class::ElsewhereOwned => Remedy::manual(
            format!("see why it is not deleted: kubectl delete {name} --dry-run=server says who refuses"),
            "nothing is lost; if nothing refuses, see whether kube-controller-manager runs",
        ),
        Class::UnknownKind | Class::NamespacedOwner => Remedy::manual(
            format!("if it is not needed: kubectl delete {name}"),
            "the object is lost: see first who uses it",
        ),
        Class::BesideOthers => Remedy::manual("wait, or leave it as it is", "nothing is lost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_living_owner_keeps_an_object_and_an_unknown_kind_for_ever() {
        let owner = OwnerReference::default();
        let class_of = |standings: &[Standing]| {
            let standings: Vec<_> = standings.iter().map(|standing| (&owner, *standing)).collect();
            class(&standings).map(|(class, _)| class)
        };
        assert_eq!(class_of(&[]), None);
        assert_eq!(class_of(&[Standing::Solid]), None);
        assert_eq!(class_of(&[Standing::Absent]), Some(Class::Overdue));
        assert_eq!(class_of(&[Standing::Absent, Standing::Solid]), Some(Class::BesideOthers));
        assert_eq!(class_of(&[Standing::Absent, Standing::UnknownKind]), Some(Class::UnknownKind));
        assert_eq!(class_of(&[Standing::Elsewhere, Standing::Absent]), Some(Class::ElsewhereOwned));
    }
}
