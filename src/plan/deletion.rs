//! The risk of deleting a thing: one answer for every way that deletes it. Whether a product is removed, a definition, a
//! named object or what is left in a namespace, the same object has the same risk.
//!
//! The callers add the objects that are deleted along with it: they have read these.

use crate::facts::Facts;
use crate::installers::is_installers_own;
use crate::knowledge::catalogue;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::namespaces::is_default_content;
use crate::kubernetes::storage::{is_claim, is_volume};
use crate::plan::steps::delete_object;
use crate::report::Risk;
use crate::survey::{Form, Object, Seen};

/// What is known of an object besides what it says itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Circumstance {
    /// Nothing more.
    Ordinary,
    /// An installer created it, and creates it again from its own sources.
    Installed,
    /// It is a definition, and its kind is known to have no objects.
    Unused,
    /// Its namespace is gone, so that nobody creates it again. What its finalizers guard is judged apart.
    Stranded,
}

/// The cost of what nobody but its author can create again.
const CREATED_AGAIN: &str = "undo cannot restore it; it must be created again from its manifest";

/// The risk of deleting an object, and why.
pub(crate) fn cost(seen: &Seen<'_>, known: Circumstance) -> (Risk, String) {
    let id = &seen.resource.id;
    let is = |group: &str, plural: &str| id.is(group, plural);
    if seen.object.is_deleting() {
        return (Risk::Harmless, "its deletion was requested before".into());
    }
    if is_default_content(seen) {
        return (Risk::Harmless, "Kubernetes creates it in every namespace".into());
    }
    if is("", "namespaces") {
        return (Risk::LosesData, "everything in it is deleted".into());
    }
    if is("apiextensions.k8s.io", "customresourcedefinitions") {
        return match known {
            Circumstance::Unused => (Risk::Disruptive, format!("{CREATED_AGAIN}; no object of its kind is left")),
            _ => (Risk::LosesData, "all objects of its kind are deleted, in all namespaces".into()),
        };
    }
    if is("", "persistentvolumeclaims") {
        return (Risk::LosesData, "the volume of a claim is deleted with it if its reclaim policy is Delete".into());
    }
    match known {
        Circumstance::Stranded => of_stranded(seen),
        _ => destroyed(seen).unwrap_or_else(|| of_kind(seen, known)),
    }
}

/// Like [`cost`], for a claim or volume by the reclaim policy, as far as `volumes` were read.
pub(crate) fn cost_with_disk(seen: &Seen<'_>, known: Circumstance, volumes: Option<&[Object]>) -> (Risk, String) {
    let disk = if seen.object.is_deleting() { None } else { of_disk(seen, volumes) };
    disk.unwrap_or_else(|| cost(seen, known))
}

/// All volumes, if they were read for another purpose.
pub(crate) fn known_volumes<'s>(facts: &Facts<'s>) -> Option<&'s [Object]> {
    let kind = facts.preferred("", "persistentvolumes")?;
    facts.known_list(&kind.id, Form::Whole)
}

/// The cost of deleting a claim or volume, by the reclaim policy; `None` for other kinds.
pub(crate) fn of_disk(seen: &Seen<'_>, volumes: Option<&[Object]>) -> Option<(Risk, String)> {
    let volume = if is_volume(seen.resource) {
        let by_uid = |volume: &&Object| volume.uid() == seen.object.uid();
        Some(volumes.into_iter().flatten().find(by_uid).unwrap_or(seen.object))
    } else if is_claim(seen.resource) {
        let uid = seen.object.uid();
        volumes.into_iter().flatten().find(|volume| volume.text("/spec/claimRef/uid") == Some(uid))
    } else {
        return None;
    };
    let name = volume.map_or("", Object::name);
    let stays = if is_volume(seen.resource) {
        format!("the disk behind PersistentVolume {name} stays with its data: nothing deletes it")
    } else {
        format!("PersistentVolume {name} stays with its data, in phase Released: nothing deletes it")
    };
    Some(match volume.and_then(|volume| volume.text("/spec/persistentVolumeReclaimPolicy")) {
        Some("Delete") => {
            (Risk::LosesData, format!("PersistentVolume {name} and the disk behind it are deleted, with the data"))
        }
        Some("Retain") => (Risk::Disruptive, stays),
        _ => (Risk::LosesData, "its data may be deleted with it".to_owned()),
    })
}

/// Whether a controller destroys something when the object is deleted, by the catalogue.
pub(crate) fn is_cleaned_up(seen: &Seen<'_>) -> bool {
    !seen.object.is_deleting() && destroyed(seen).is_some()
}

/// What the controllers of its finalizers destroy, by the catalogue.
fn destroyed(seen: &Seen<'_>) -> Option<(Risk, String)> {
    let mut texts: Vec<&str> = catalogue::destroyed(&seen.object.metadata.finalizers).collect();
    texts.dedup();
    (!texts.is_empty()).then(|| (Risk::LosesData, format!("its controller does its clean-up: {}", texts.join("; "))))
}

fn of_kind(seen: &Seen<'_>, known: Circumstance) -> (Risk, String) {
    let id = &seen.resource.id;
    if known == Circumstance::Installed || is_installers_own(id) {
        return (Risk::Disruptive, CREATED_AGAIN.into());
    }
    if id.is_secret() {
        return (Risk::LosesData, SECRET.into());
    }
    if is_custom(&id.group) {
        return (Risk::LosesData, format!("its controller may delete data with it; {CREATED_AGAIN}"));
    }
    (Risk::Disruptive, CREATED_AGAIN.into())
}

/// The cost of a Secret.
const SECRET: &str = "the journal keeps no data of a Secret: it cannot be created again";

fn of_stranded(seen: &Seen<'_>) -> (Risk, String) {
    let id = &seen.resource.id;
    let (risk, text) = if id.is_secret() {
        (Risk::LosesData, SECRET)
    } else if delete_object::is_kept(id) {
        (
            Risk::Disruptive,
            "its remaining users lose it; the journal keeps it as it was, and undo creates it again with a new uid",
        )
    } else {
        (
            Risk::LosesData,
            "the journal does not keep its content, so undo cannot restore it; save a copy first with kubectl get -o \
             yaml",
        )
    };
    (risk, text.into())
}

/// The worst of several costs; of equal ones, the first.
pub(crate) fn worst(costs: impl IntoIterator<Item = (Risk, String)>) -> Option<(Risk, String)> {
    costs.into_iter().reduce(|one, other| if other.0 > one.0 { other } else { one })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::Resource;
    use serde_json::{Value, json};

    const CRD: (&str, &str) = ("apiextensions.k8s.io", "customresourcedefinitions");

    fn risk((group, plural): (&str, &str), known: Circumstance, more: &Value) -> Risk {
        let resource = Resource::tested(group, plural, plural, true);
        let mut metadata = json!({"name": "a", "namespace": "shop", "uid": "a"});
        metadata.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let object = Object::single(json!({"metadata": metadata})).unwrap();
        cost(&Seen { resource: &resource, object: &object }, known).0
    }

    #[test]
    fn the_kind_and_what_is_known_decide() {
        use Circumstance::{Installed, Ordinary, Stranded, Unused};
        let none = json!({});
        for (kind, known, expected) in [
            (("acme.io", "gizmos"), Ordinary, Risk::LosesData),
            (("acme.io", "gizmos"), Installed, Risk::Disruptive),
            (("acme.io", "gizmos"), Stranded, Risk::LosesData),
            (("argoproj.io", "applications"), Ordinary, Risk::Disruptive),
            (CRD, Ordinary, Risk::LosesData),
            (CRD, Installed, Risk::LosesData),
            (CRD, Unused, Risk::Disruptive),
            (("", "namespaces"), Installed, Risk::LosesData),
            (("", "persistentvolumeclaims"), Installed, Risk::LosesData),
            (("", "secrets"), Ordinary, Risk::LosesData),
            (("", "secrets"), Installed, Risk::Disruptive),
            (("", "secrets"), Stranded, Risk::LosesData),
            (("apps", "deployments"), Ordinary, Risk::Disruptive),
            (("", "limitranges"), Stranded, Risk::Disruptive),
        ] {
            assert_eq!(risk(kind, known, &none), expected, "{kind:?} {known:?}");
        }
    }

    #[test]
    fn what_a_controller_destroys_is_lost_whoever_created_the_object() {
        let held = json!({"finalizers": ["resources-finalizer.argocd.argoproj.io"]});
        for known in [Circumstance::Ordinary, Circumstance::Installed] {
            assert_eq!(risk(("argoproj.io", "applications"), known, &held), Risk::LosesData, "{known:?}");
        }
    }

    #[test]
    fn what_is_being_deleted_already_costs_nothing_more() {
        let going = json!({"deletionTimestamp": "2026-01-01T00:00:00Z"});
        assert_eq!(risk(("acme.io", "gizmos"), Circumstance::Ordinary, &going), Risk::Harmless);
        assert_eq!(risk(CRD, Circumstance::Ordinary, &going), Risk::Harmless);
    }

    #[test]
    fn the_worst_of_several_costs_counts() {
        let costs = [(Risk::Disruptive, "a"), (Risk::LosesData, "b"), (Risk::LosesData, "c")];
        let costs = costs.map(|(risk, text)| (risk, text.to_owned()));
        assert_eq!(worst(costs), Some((Risk::LosesData, "b".to_owned())));
        assert_eq!(worst([]), None);
    }
}
