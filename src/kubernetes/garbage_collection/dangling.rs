//! Whether any owner of an object still exists, as the garbage collector judges it
//! (kubernetes/kubernetes: `pkg/controller/garbagecollector/garbagecollector.go`,
//! `graph_builder.go`).

use crate::facts::{Facts, Gap, Known, Readable, SETTLE, each, since};
use crate::survey::{Form, Object, Reason, Unread};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use std::collections::HashMap;

/// An owner's state, as the garbage collector sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OwnerStanding {
    /// It exists.
    Solid,
    /// It does not exist, or another object has its name.
    Absent,
    /// It is in another namespace, and so counts as absent.
    Elsewhere,
    /// The server does not serve this version of its kind, so the collector cannot check.
    UnknownKind,
    /// It exists in a namespace, but the dependent is cluster-scoped: the collector does not check.
    Namespaced,
    /// Like [`Self::Namespaced`], but whether it exists is unknown.
    NamespacedUnseen,
}

impl OwnerStanding {
    /// The state of an owner of `object`, read from where the garbage collector reads it.
    pub(crate) fn of(reference: &OwnerReference, object: &Object, facts: &Facts<'_>) -> Known<Self> {
        let namespace = object.metadata.namespace.as_deref();
        let Some(resource) = facts.discovery().served(&reference.api_version, &reference.kind) else {
            return unserved(reference, facts);
        };
        if resource.namespaced && namespace.is_none() {
            return Ok(Self::NamespacedUnseen);
        }
        let namespace = namespace.filter(|_| resource.namespaced);
        let owner = facts.get(&resource.id, namespace, &reference.name, Form::Metadata)?;
        let same = owner.is_some_and(|owner| owner.uid() == reference.uid);
        Ok(if same { Self::Solid } else { Self::Absent })
    }

    /// The state of each owner of `object`. Most are in `places` by their uid; the others are read one
    /// by one.
    pub(crate) fn of_each<'a>(
        object: &'a Object,
        places: &OwnerNamespaces<'_>,
        facts: &Facts<'_>,
    ) -> Known<Vec<(&'a OwnerReference, Self)>> {
        let namespace = object.metadata.namespace.as_deref();
        let known = each(&object.metadata.owner_references, |owner| {
            Ok(match (places.get(owner.uid.as_str()), namespace) {
                (Some(Some(_)), None) => Some(Self::Namespaced),
                (Some(Some(place)), Some(namespace)) if *place != namespace => Some(Self::Elsewhere),
                (Some(_), _) => Some(Self::Solid),
                (None, _) => noted(owner, Self::of(owner, object, facts).surveyed()?, facts),
            })
        })?;
        let complete: Option<Vec<Self>> = known.into_iter().collect();
        let why = Unread { reason: Reason::NotInSurvey, message: String::new() };
        // An owner that cannot be read may well exist.
        let standings = complete.ok_or(Gap { what: "an owner".into(), why })?;
        Ok(object.metadata.owner_references.iter().zip(standings).collect())
    }
}

/// The namespace of each listed owner, by uid; `None` for a cluster-scoped owner.
pub(crate) type OwnerNamespaces<'a> = HashMap<&'a str, Option<&'a str>>;

/// The state of an owner whose kind is not served. A group with stale discovery may well serve it.
fn unserved(reference: &OwnerReference, facts: &Facts<'_>) -> Known<OwnerStanding> {
    if facts.discovery().stale.contains(&reference.api_version) {
        let why = Unread { reason: Reason::ServerError, message: "its discovery is stale".into() };
        return Err(Gap { what: reference.api_version.clone().into(), why }.into());
    }
    Ok(OwnerStanding::UnknownKind)
}

/// Notes, once for each kind, that owners cannot be read.
fn noted(owner: &OwnerReference, standing: Result<OwnerStanding, Gap>, facts: &Facts<'_>) -> Option<OwnerStanding> {
    let note = |gap: Gap| {
        let reason = Unread { message: String::new(), ..gap.why };
        facts.note_unread(format!("owners of kind {} ({})", owner.kind, owner.api_version), &reason);
    };
    standing.map_err(note).ok()
}

/// An object's fate, as its owners decide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// It should have been deleted: every owner is gone.
    Overdue,
    /// It should have been deleted: its owner is in another namespace.
    ElsewhereOwned,
    /// It is never deleted: its owner's kind is not served.
    UnknownKind,
    /// It is never deleted: it is cluster-scoped, and its owner is in a namespace.
    NamespacedOwner,
    /// It is never deleted: it is cluster-scoped, and its owner, of a namespaced kind, was not found in
    /// any namespace.
    NamespacedOwnerGone,
    /// It stays, and the garbage collector will remove the reference.
    BesideOthers,
}

impl Fate {
    /// The fate of an object, and the reference that decides it; `None` if all of its owners exist.
    pub(crate) fn of<'r>(standings: &[(&'r OwnerReference, OwnerStanding)]) -> Option<(Self, &'r OwnerReference)> {
        let first =
            |wanted: OwnerStanding| standings.iter().find(|(_, standing)| *standing == wanted).map(|(owner, _)| *owner);
        let solid = first(OwnerStanding::Solid).is_some();
        let beside = |fate: Self| if solid { Self::BesideOthers } else { fate };
        first(OwnerStanding::Namespaced)
            .map(|owner| (Self::NamespacedOwner, owner))
            .or_else(|| first(OwnerStanding::NamespacedUnseen).map(|owner| (Self::NamespacedOwnerGone, owner)))
            .or_else(|| first(OwnerStanding::UnknownKind).map(|owner| (Self::UnknownKind, owner)))
            .or_else(|| first(OwnerStanding::Elsewhere).map(|owner| (beside(Self::ElsewhereOwned), owner)))
            .or_else(|| first(OwnerStanding::Absent).map(|owner| (beside(Self::Overdue), owner)))
    }
}

/// Whether the owners of an object count. The garbage collector ignores those of an object that is
/// being deleted. An object that was created a moment ago may name an owner that was read before
/// that.
pub(crate) fn owners_count(object: &Object, facts: &Facts<'_>) -> bool {
    let settled = object.metadata.creation_timestamp.is_some_and(|made| since(made, facts.now()) > SETTLE);
    settled && !object.is_deleting()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_living_or_unknown_owner_keeps_an_object() {
        let owner = OwnerReference::default();
        let fate_of = |standings: &[OwnerStanding]| {
            let standings: Vec<_> = standings.iter().map(|standing| (&owner, *standing)).collect();
            Fate::of(&standings).map(|(fate, _)| fate)
        };
        assert_eq!(fate_of(&[]), None);
        assert_eq!(fate_of(&[OwnerStanding::Solid]), None);
        assert_eq!(fate_of(&[OwnerStanding::Absent]), Some(Fate::Overdue));
        assert_eq!(fate_of(&[OwnerStanding::Absent, OwnerStanding::Solid]), Some(Fate::BesideOthers));
        assert_eq!(fate_of(&[OwnerStanding::Absent, OwnerStanding::UnknownKind]), Some(Fate::UnknownKind));
        assert_eq!(fate_of(&[OwnerStanding::Elsewhere, OwnerStanding::Absent]), Some(Fate::ElsewhereOwned));
    }
}
