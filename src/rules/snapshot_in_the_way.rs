//! A snapshot, its content and the claim that it is made of, or that is made of it,
//! keep each other (kubernetes-csi/external-snapshotter:
//! `pkg/common-controller/snapshot_controller.go`).

use crate::facts::{Facts, Known, Target, Unknown, for_each_known};
use crate::kubernetes::controllers::held_up::waiting;
use crate::kubernetes::storage::{keeps_snapshots, used_by};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref};
use crate::survey::{Form, Object, Resource, Seen};
use std::collections::BTreeSet;

pub(super) const RULE: Rule = Rule {
    name: "snapshot-in-the-way",
    explanation: include_str!("snapshot_in_the_way.md"),
    explains: &[Explains::Deleted(diagnose)],
};

const GROUP: &str = "snapshot.storage.k8s.io";
/// Of so many objects of a target it is looked what they wait for.
const OBJECTS: usize = 30;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    for (seen, key, wait) in waits(target, facts)? {
        let draft = used_by(wait.draft(seen, key), &[wait.by], target, facts, found)?;
        found.add(draft);
    }
    Ok(())
}

/// What waits for another object, by uid and finalizer. Of the rest whoever should
/// release it is to be found.
pub(super) fn explains(target: &Target<'_>, facts: &Facts<'_>) -> Known<BTreeSet<(String, String)>> {
    let waits = waits(target, facts)?;
    Ok(waits.into_iter().map(|(seen, key, _)| (seen.object.uid().to_owned(), key.to_owned())).collect())
}

fn waits<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<(Seen<'s>, &'s str, Wait<'s>)>> {
    let held = waiting(target, facts)?
        .into_iter()
        .flat_map(|seen| seen.object.metadata.finalizers.iter().map(move |key| (seen, key.as_str())))
        .filter(|(_, key)| keeps_snapshots(key));
    let read = for_each_known(held.take(OBJECTS), |(seen, key)| {
        let wait = waits_for(seen, key, facts);
        if let Err(Unknown::Unread { what, why }) = &wait {
            facts.note_unread(what, why);
        }
        Ok(wait?.map(|wait| (seen, key, wait)))
    })?;
    Ok(read.into_iter().flatten().flatten().collect())
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
