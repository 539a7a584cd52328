//! Snapshots, their contents, and the claims from which they are made or that are made from
//! them: they wait for each other (kubernetes-csi/external-snapshotter:
//! `pkg/common-controller/snapshot_controller.go`).

use crate::facts::{Facts, Known, Readable, Target, flat_each, since};
use crate::kubernetes::finalizers::late::waiting;
use crate::kubernetes::storage::keeps_snapshots;
use crate::survey::{Form, Object, Resource, Seen};
use jiff::SignedDuration;
use serde_json::Value;
use std::collections::BTreeSet;

/// The finalizer that keeps a content for its snapshot.
pub(crate) const CONTENT_BOUND: &str = "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection";
const GROUP: &str = "snapshot.storage.k8s.io";
/// How many finalizers of a target's objects are checked.
const MAX_WAITING: usize = 30;
/// The age from which an unfinished object may never be finished.
const TAKES: SignedDuration = SignedDuration::from_mins(10);

/// An object that waits for another because of a finalizer of the snapshot controller.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wait<'s> {
    /// The object that waits.
    pub(crate) held: Seen<'s>,
    /// The finalizer that holds it.
    pub(crate) finalizer: &'s str,
    /// The object that it waits for.
    pub(crate) by: Seen<'s>,
    /// Why, in words.
    pub(crate) because: &'static str,
    /// The field of `by` that shows it.
    pub(crate) field: &'static str,
}

impl Wait<'_> {
    /// Whether the object in `by` stays until somebody deletes it.
    pub(crate) fn is_bound(&self) -> bool {
        self.finalizer == CONTENT_BOUND
    }

    /// Whether the object in `by` is a snapshot that is not finished.
    pub(crate) fn is_for_a_snapshot(&self) -> bool {
        self.field == "status.readyToUse"
    }
}

/// Whether a resource is `volumesnapshots`.
pub(crate) fn is_snapshot(resource: &Resource) -> bool {
    resource.id.is(GROUP, "volumesnapshots")
}

/// Whether a resource is `volumesnapshotcontents`.
pub(crate) fn is_content(resource: &Resource) -> bool {
    resource.id.is(GROUP, "volumesnapshotcontents")
}

/// The late objects here that wait for another object. Objects that cannot be read are noted and left
/// out.
pub(crate) fn waits<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Wait<'s>>> {
    of_each(waiting(target, facts)?, facts)
}

/// The objects that each of these objects waits for because of its finalizers.
fn of_each<'s>(objects: impl IntoIterator<Item = Seen<'s>>, facts: &Facts<'s>) -> Known<Vec<Wait<'s>>> {
    let all = objects.into_iter();
    let keys = all.flat_map(|seen| seen.object.metadata.finalizers.iter().map(move |key| (seen, key.as_str())));
    let keys = keys.filter(|(_, key)| keeps_snapshots(key)).take(MAX_WAITING);
    flat_each(keys, |(seen, key)| Ok(waits_for(seen, key, facts).or_note(facts)?.flatten()))
}

/// The objects that `objects` would wait for if they were deleted, and whether that state lasts.
pub(crate) fn foreseen<'s>(objects: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<(Wait<'s>, bool)>> {
    let live = of_each(objects.iter().copied(), facts)?.into_iter().filter(|wait| !wait.by.object.is_deleting());
    Ok(live.map(|wait| (wait, wait.is_bound() || lasts(wait.by.object, facts))).collect())
}

/// Whether a snapshot or a claim will not be finished: it has failed, was created a while ago, or needs no
/// provisioner (<https://kubernetes.io/docs/concepts/storage/persistent-volumes/#class-1>).
fn lasts(object: &Object, facts: &Facts<'_>) -> bool {
    let begun = object.metadata.creation_timestamp;
    let waits_for_a_person =
        object.text("/spec/storageClassName") == Some("") && object.text("/spec/volumeName").is_none();
    waits_for_a_person
        || object.at("/status/error").is_some()
        || begun.is_some_and(|begun| since(begun, facts.now()) > TAKES)
}

/// The content that a snapshot is bound to.
pub(crate) fn content_of<'s>(snapshot: Seen<'s>, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
    let Some(resource) = facts.preferred(GROUP, "volumesnapshotcontents") else { return Ok(None) };
    let Some(name) = snapshot.object.text("/status/boundVolumeSnapshotContentName") else { return Ok(None) };
    let content = facts.get(&resource.id, None, name, Form::Whole).or_note(facts)?.flatten();
    Ok(content.map(|object| Seen { resource, object }))
}

/// The objects that wait for another, by uid and finalizer. Others wait for a controller, which must be
/// found.
pub(crate) fn kept(target: &Target<'_>, facts: &Facts<'_>) -> Known<BTreeSet<(String, String)>> {
    let waits = waits(target, facts)?;
    Ok(waits.into_iter().map(|wait| (wait.held.object.uid().to_owned(), wait.finalizer.to_owned())).collect())
}

/// An object whole, if it is still the one that was listed.
fn whole<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Option<&'s Object>> {
    if !seen.object.body.is_empty() {
        return Ok(Some(seen.object));
    }
    Ok(facts.whole(seen)?.filter(|object| object.uid() == seen.object.uid()))
}

/// The object that another waits for because of one of its finalizers; `None` if none can be seen.
fn waits_for<'s>(seen: Seen<'s>, finalizer: &'s str, facts: &Facts<'s>) -> Known<Option<Wait<'s>>> {
    let namespace = seen.object.metadata.namespace.as_deref();
    let kind = |plural: &str| -> Option<&'s Resource> { facts.preferred(GROUP, plural) };
    let wait = |resource, object, because, field| {
        let by = Seen { resource, object };
        Wait { held: seen, finalizer, by, because, field }
    };
    let (_, what) = finalizer.split_once('/').unwrap_or_default();
    match what {
        "pvc-as-source-protection" => {
            let Some(snapshots) = kind("volumesnapshots") else { return Ok(None) };
            let all = facts.list(&snapshots.id, namespace, Form::Whole)?;
            let made_of_it = |snapshot: &&Object| {
                snapshot.text("/spec/source/persistentVolumeClaimName") == Some(seen.object.name())
                    && snapshot.at("/status/readyToUse").and_then(Value::as_bool) != Some(true)
            };
            let because = "a snapshot of the claim is not finished";
            Ok(all.iter().find(made_of_it).map(|object| wait(snapshots, object, because, "status.readyToUse")))
        }
        "volumesnapshot-as-source-protection" => {
            let Some(claims) = facts.preferred("", "persistentvolumeclaims") else { return Ok(None) };
            let all = facts.list(&claims.id, namespace, Form::Whole)?;
            let made_of_it = |claim: &&Object| {
                claim.text("/spec/dataSource/kind") == Some("VolumeSnapshot")
                    && claim.text("/spec/dataSource/name") == Some(seen.object.name())
                    && claim.text("/status/phase") == Some("Pending")
            };
            let because = "a claim is being created from the snapshot and is not bound yet";
            Ok(all.iter().find(made_of_it).map(|object| wait(claims, object, because, "status.phase")))
        }
        "volumesnapshot-bound-protection" => {
            let (Some(contents), Some(snapshot)) = (kind("volumesnapshotcontents"), whole(seen, facts)?) else {
                return Ok(None);
            };
            let Some(name) = snapshot.text("/status/boundVolumeSnapshotContentName") else { return Ok(None) };
            let content = facts.get(&contents.id, None, name, Form::Whole)?;
            // A retained content is not waited for.
            let content = content.filter(|content| content.text("/spec/deletionPolicy") != Some("Retain"));
            let because = "its content is being deleted at the storage backend first";
            let content = content.filter(|content| content.is_deleting());
            Ok(content.map(|object| wait(contents, object, because, "metadata.deletionTimestamp")))
        }
        "volumesnapshotcontent-bound-protection" => {
            let (Some(snapshots), Some(content)) = (kind("volumesnapshots"), whole(seen, facts)?) else {
                return Ok(None);
            };
            let part = |name: &str| content.text(&format!("/spec/volumeSnapshotRef/{name}"));
            let (Some(namespace), Some(name)) = (part("namespace"), part("name")) else { return Ok(None) };
            let snapshot = facts.get(&snapshots.id, Some(namespace), name, Form::Whole)?;
            let is_its = |snapshot: &&Object| {
                snapshot.text("/status/boundVolumeSnapshotContentName") == Some(content.name())
                    && part("uid").is_none_or(|uid| uid == snapshot.uid())
            };
            let because = "it is the content of a snapshot that is not being deleted";
            let snapshot = snapshot.filter(is_its).filter(|snapshot| !snapshot.is_deleting());
            Ok(snapshot.map(|object| wait(snapshots, object, because, "status.boundVolumeSnapshotContentName")))
        }
        _ => Ok(None),
    }
}
