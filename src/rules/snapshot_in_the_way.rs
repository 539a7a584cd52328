//! A snapshot, its content and the claim that it is made of, or that is made of it,
//! keep each other (kubernetes-csi/external-snapshotter:
//! `pkg/common-controller/snapshot_controller.go`).

use super::Rule;
use super::held_by_finalizer::{draft as held_draft, waiting};
use super::support::storage::{keeps_snapshots, used_by};
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, Ref, Target, Unknown};
use crate::survey::{Form, Object, Resource, Seen};

pub(super) const RULE: Rule =
    Rule { name: "snapshot-in-the-way", explanation: include_str!("snapshot_in_the_way.md"), diagnose };

const GROUP: &str = "snapshot.storage.k8s.io";
/// Of so many objects of a target it is looked what they wait for.
const OBJECTS: usize = 30;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let held: Vec<(Seen<'_>, &str)> = waiting(target, facts)?
        .into_iter()
        .flat_map(|seen| seen.object.metadata.finalizers.iter().map(move |key| (seen, key.as_str())))
        .filter(|(_, key)| keeps_snapshots(key))
        .collect();
    let read: Vec<Known<Option<Wait<'_>>>> =
        held.iter().take(OBJECTS).map(|(seen, key)| waits_for(*seen, key, facts)).collect();
    if read.iter().any(|read| matches!(read, Err(Unknown::NotSurveyed))) {
        return Err(Unknown::NotSurveyed);
    }
    let mut alone: Vec<(&str, Vec<Seen<'_>>)> = Vec::new();
    for (at, (seen, key)) in held.iter().enumerate() {
        match read.get(at) {
            Some(Ok(Some(wait))) => {
                let draft = wait.draft(*seen, key);
                let draft = used_by(draft, &[wait.by], target, facts, found)?;
                found.add(draft);
            }
            _ => match alone.iter_mut().find(|(other, of)| other == key && of[0].resource.id == seen.resource.id) {
                Some((_, of)) => of.push(*seen),
                None => alone.push((key, vec![*seen])),
            },
        }
    }
    // Nothing is in the way: then whoever should release them is to be found.
    let drafts: Vec<Known<Draft>> = alone
        .iter()
        .map(|(key, objects)| said(held_draft(target, Cause::Storage, key, objects, facts)?, objects, facts))
        .collect();
    for draft in drafts.into_iter().collect::<Known<Vec<Draft>>>()? {
        found.add(draft);
    }
    Ok(())
}

/// Adds what the driver says of a snapshot that it could not delete.
fn said(draft: Draft, objects: &[Seen<'_>], facts: &Facts<'_>) -> Known<Draft> {
    let whole = match whole(objects[0], facts) {
        Err(Unknown::NotSurveyed) => return Err(Unknown::NotSurveyed),
        read => read.ok().flatten(),
    };
    let error = whole.and_then(|object| object.text("/status/error/message"));
    Ok(match error {
        Some(error) => {
            let error: String = error.chars().take(240).collect();
            draft.evidence(format!("the driver says: {error}"), &objects[0].into(), "status.error")
        }
        None => draft,
    })
}

/// What one of them waits for.
struct Wait<'s> {
    by: Seen<'s>,
    because: &'static str,
    field: &'static str,
}

impl Wait<'_> {
    fn draft(&self, seen: Seen<'_>, finalizer: &str) -> Draft {
        let (named, by) = (Ref::from(seen), Ref::from(self.by));
        Draft::new(Cause::Storage, named.clone(), format!("{named} waits for {by}: {}", self.because))
            .finalizer(finalizer)
            .evidence(format!("finalizer {finalizer}, and deletion asked for"), &named, "metadata.finalizers")
            .evidence(self.because, &by, self.field)
    }
}

fn whole<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Option<&'s Object>> {
    if !seen.object.body.is_empty() {
        return Ok(Some(seen.object));
    }
    let found =
        facts.get(&seen.resource.id, seen.object.metadata.namespace.as_deref(), seen.object.name(), Form::Whole)?;
    Ok(found.filter(|object| object.uid() == seen.object.uid()))
}

fn waits_for<'s>(seen: Seen<'s>, finalizer: &str, facts: &Facts<'s>) -> Known<Option<Wait<'s>>> {
    let namespace = seen.object.metadata.namespace.as_deref();
    let kind = |plural: &str| -> Option<&'s Resource> { facts.discovery().preferred(GROUP, plural) };
    let (_, what) = finalizer.split_once('/').unwrap_or_default();
    match what {
        "pvc-as-source-protection" => {
            let Some(snapshots) = kind("volumesnapshots") else { return Ok(None) };
            let all = facts.list(&snapshots.id, namespace, Form::Whole)?;
            let made_of_it = |snapshot: &&Object| {
                snapshot.text("/spec/source/persistentVolumeClaimName") == Some(seen.object.name())
                    && snapshot.at("/status/readyToUse").and_then(serde_json::Value::as_bool) != Some(true)
            };
            Ok(all.iter().find(made_of_it).map(|object| Wait {
                by: Seen { resource: snapshots, object },
                because: "a snapshot of the claim is not finished",
                field: "status.readyToUse",
            }))
        }
        "volumesnapshot-as-source-protection" => {
            let Some(claims) = facts.discovery().preferred("", "persistentvolumeclaims") else { return Ok(None) };
            let all = facts.list(&claims.id, namespace, Form::Whole)?;
            let made_of_it = |claim: &&Object| {
                claim.text("/spec/dataSource/kind") == Some("VolumeSnapshot")
                    && claim.text("/spec/dataSource/name") == Some(seen.object.name())
                    && claim.text("/status/phase") == Some("Pending")
            };
            Ok(all.iter().find(made_of_it).map(|object| Wait {
                by: Seen { resource: claims, object },
                because: "a claim is being made of the snapshot and is not bound",
                field: "status.phase",
            }))
        }
        "volumesnapshot-bound-protection" => {
            let (Some(contents), Some(snapshot)) = (kind("volumesnapshotcontents"), whole(seen, facts)?) else {
                return Ok(None);
            };
            let Some(name) = snapshot.text("/status/boundVolumeSnapshotContentName") else { return Ok(None) };
            let content = facts.get(&contents.id, None, name, Form::Whole)?;
            // What is retained is not waited for.
            let content = content.filter(|content| content.text("/spec/deletionPolicy") != Some("Retain"));
            Ok(content.filter(|content| content.is_deleting()).map(|object| Wait {
                by: Seen { resource: contents, object },
                because: "its content is being deleted at the storage backend first",
                field: "metadata.deletionTimestamp",
            }))
        }
        _ => Ok(None),
    }
}
