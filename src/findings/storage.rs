//! Findings about objects that are kept while they are in use, and how to end the use.

use crate::facts::{Facts, Known, Readable, Target, each, is_pod};
use crate::kubernetes::storage::is_finished;
use crate::needs::{Draft, Findings};
use crate::plan::{full_name, in_namespace, one, quote};
use crate::report::{Cause, Ref, Remedy, Risk, Sentence, StepKind};
use crate::survey::{Form, Seen};

/// How many users are stopped one by one.
const MAX_STOPPED: usize = 2;
/// How many pods a command names.
const MAX_NAMED: usize = 10;

/// The volume of a claim, and what its reclaim policy means for the data.
pub(crate) struct ClaimVolume {
    pub(crate) claim: Ref,
    pub(crate) volume: Ref,
    /// What becomes of the data, in words.
    pub(crate) fate: &'static str,
    /// Whether the data is deleted with the claim.
    pub(crate) is_deleted: bool,
}

/// The volume of a claim, if it has one that can be read.
///
/// # Errors
/// When it was not surveyed yet.
pub(crate) fn claim_volume(claim: Seen<'_>, facts: &Facts<'_>) -> Known<Option<ClaimVolume>> {
    let (Some(volumes), Some(name)) = (facts.preferred("", "persistentvolumes"), claim.object.text("/spec/volumeName"))
    else {
        return Ok(None);
    };
    let volume = facts.get(&volumes.id, None, name, Form::Whole).if_readable()?.flatten();
    Ok(volume.map(|volume| {
        let policy = volume.text("/spec/persistentVolumeReclaimPolicy");
        let fate = match policy {
            Some("Delete") => "reclaim policy Delete: when the claim is gone, its data is deleted",
            Some("Retain") => "reclaim policy Retain: when the claim is gone, its data stays in the volume",
            _ => "does not say what happens to the data after the claim is deleted",
        };
        ClaimVolume {
            claim: claim.into(),
            volume: Ref::of(volumes, volume),
            fate,
            is_deleted: policy == Some("Delete"),
        }
    }))
}

/// Adds to each way out by which the disk of a volume is deleted that the data goes, and before the others the way
/// to keep the data. Where only its finalizer is removed, the disk stays.
pub(crate) fn with_deleted_disk(mut draft: Draft, volume: Seen<'_>) -> Draft {
    let deletes = |remedy: &&mut Remedy| {
        !remedy.warns && !remedy.steps.iter().any(|step| step.kind() == StepKind::RemoveFinalizer)
    };
    let is_deleted = volume.object.text("/spec/persistentVolumeReclaimPolicy") == Some("Delete");
    let mut ways = draft.remedies.iter_mut().filter(deletes).filter(|_| is_deleted).peekable();
    if ways.peek().is_none() {
        return draft;
    }
    let volume = Ref::from(volume);
    for way in ways {
        way.risk = way.risk.max(Risk::LosesData);
        way.consequence = Sentence::from("at its end, its data is deleted with it; ").then(&way.consequence);
    }
    draft.remedy_first(Remedy::command(
        "keep its data first",
        format_args!(
            "kubectl patch {} -p '{{\"spec\":{{\"persistentVolumeReclaimPolicy\":\"Retain\"}}}}'",
            one("pv", &volume.name)
        ),
        "nothing is lost: the disk stays in the storage system until somebody deletes it there",
    ))
}

/// The finding that an object is kept by the finalizer for objects in use.
pub(crate) fn kept(cause: Cause, named: &Ref, finalizer: &str, summary: impl Into<Sentence>) -> Draft {
    Draft::new(cause, named.clone(), summary).finalizer(finalizer).kept_by(finalizer, named)
}

/// Adds the users of the subject. A user that is being deleted is followed, and whatever holds it is the root.
/// Otherwise somebody has to decide about it.
pub(crate) fn used_by(
    draft: Draft,
    users: &[Seen<'_>],
    target: &Target<'_>,
    facts: &Facts<'_>,
    found: &mut Findings,
) -> Known<Draft> {
    let Some(first) = users.iter().find(|user| !user.object.is_deleting()).or(users.first()) else { return Ok(draft) };
    let named = Ref::from(*first);
    let draft = draft.waits_for(named.clone());
    if first.object.is_deleting() {
        // In a namespace that is a target, objects that are being deleted are checked anyway.
        let inside = target.is_namespace() && named.namespace.as_deref() == Some(target.object().name());
        if !inside {
            found.follow(*first);
        }
        return Ok(draft.underway().evidence(
            "is being deleted and still exists",
            &named,
            "metadata.deletionTimestamp",
        ));
    }
    let draft = draft.evidence("is not being deleted", &named, "metadata.deletionTimestamp");
    let stay: Vec<Seen<'_>> = users.iter().filter(|user| !user.object.is_deleting()).copied().collect();
    let (over, others): (Vec<Seen<'_>>, Vec<Seen<'_>>) =
        stay.into_iter().partition(|user| is_pod(user.resource) && is_finished(user.object));
    let over = (!over.is_empty()).then(|| delete_finished(&over));
    let others = each(others.into_iter().take(MAX_STOPPED), |user| {
        if is_pod(user.resource) { stop(user, facts) } else { Ok(decide(&user.into())) }
    })?;
    Ok(draft.remedies(over.into_iter().chain(others)))
}

/// The remedy for finished pods, after which they no longer count as users.
fn delete_finished(pods: &[Seen<'_>]) -> Remedy {
    let first = Ref::from(pods[0]);
    let names: Vec<String> = pods.iter().take(MAX_NAMED).map(|pod| quote(pod.object.name())).collect();
    let command = format!("kubectl delete pod {}{}", names.join(" "), in_namespace(&first));
    let (title, consequence) = match pods.len() {
        1 => (format!("delete {first}, which has finished"), "its log and its status are deleted with it"),
        count => (
            format!("delete {first} and {} more, which have finished", count - 1),
            "their logs and their status are deleted with them",
        ),
    };
    Remedy::command(title, command, consequence)
}

fn decide(object: &Ref) -> Remedy {
    Remedy::command(
        format!("first decide on {object}, which is not being deleted"),
        format_args!("kubectl get {} -o yaml", full_name(object)),
        "checking loses nothing",
    )
}

/// The remedy that ends a pod without a replacement.
fn stop(pod: Seen<'_>, facts: &Facts<'_>) -> Known<Remedy> {
    let named = Ref::from(pod);
    let namespace = in_namespace(&named);
    let delete = format!("kubectl delete {}{namespace}", one("pod", &named.name));
    let owner = pod.object.metadata.owner_references.iter().find(|owner| owner.controller == Some(true));
    let Some(owner) = owner else {
        return Ok(Remedy::command(format!("stop {named}"), delete, "its containers stop"));
    };
    let (kind, name) = match above(owner, &named, facts)? {
        Some(above) => above,
        None => (owner.kind.clone(), owner.name.clone()),
    };
    let stop = Sentence::from(format!("stop {named} by stopping {kind} {name}, which creates it again"));
    let what = || one(&kind.to_lowercase(), &name);
    let stop = match kind.as_str() {
        "Deployment" | "StatefulSet" | "ReplicaSet" | "ReplicationController" => {
            stop.by(format_args!("kubectl scale {}{namespace} --replicas=0", what()))
        }
        "Job" | "DaemonSet" => stop.by(format_args!("kubectl delete {}{namespace}", what())),
        _ => stop,
    };
    Ok(Remedy::manual(stop, "its containers stop until it is started again"))
}

/// The Deployment of a pod's `ReplicaSet`.
fn above(
    owner: &k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference,
    pod: &Ref,
    facts: &Facts<'_>,
) -> Known<Option<(String, String)>> {
    let Some(sets) = facts.preferred("apps", "replicasets").filter(|_| owner.kind == "ReplicaSet") else {
        return Ok(None);
    };
    let set = facts.metadata(&sets.id, pod.namespace.as_deref(), &owner.name).if_readable()?.flatten();
    let above = set.and_then(|set| set.metadata.owner_references.iter().find(|owner| owner.controller == Some(true)));
    Ok(above.map(|above| (above.kind.clone(), above.name.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::steps::remove_finalizer;
    use crate::survey::{Object, Resource};
    use serde_json::json;

    #[test]
    fn each_way_to_the_end_of_a_volume_says_that_its_data_goes() {
        let kind = Resource::tested("", "persistentvolumes", "PersistentVolume", false);
        let ways = |policy: &str| {
            let object: Object = serde_json::from_value(json!({"metadata": {"name": "data", "uid": "u"},
                "spec": {"persistentVolumeReclaimPolicy": policy}}))
            .unwrap();
            let volume = Seen { resource: &kind, object: &object };
            let removal = remove_finalizer::step(&volume.into(), &["a.io/x".to_owned()], "a.io/x");
            let draft = Draft::new(Cause::Storage, volume.into(), "it waits")
                .remedy(Remedy::manual("wait", "nothing is lost"))
                .remedy(Remedy::new(removal, Risk::Leaks, "the disk stays"));
            with_deleted_disk(draft, volume).remedies
        };
        let kept = ways("Retain");
        assert_eq!((kept.len(), kept[0].risk), (2, Risk::Manual));
        let [keep, wait, removal] = &ways("Delete")[..] else { panic!("three ways") };
        assert!(keep.title.contains("kubectl patch pv data -p "), "{}", keep.title);
        assert_eq!((wait.risk, removal.risk), (Risk::LosesData, Risk::Leaks));
        assert!(wait.consequence.contains("its data is deleted with it"), "{}", wait.consequence);
    }
}
