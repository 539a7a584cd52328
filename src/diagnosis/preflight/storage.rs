//! Objects in use, which would be kept, and the consequences for data and for external
//! resources.

use crate::facts::{Facts, Known, SETTLE, Target};
use crate::findings::loss::Loss;
use crate::kubernetes::external;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::storage::is_claim;
use crate::needs::{Cost, Explains, Findings, Going, Outlook, Rule};
use crate::plan::deletion;
use crate::reasons::find;
use crate::report::Ref;
use crate::rules::RULES;
use crate::survey::{Form, Object, Seen};

/// How many volumes are named.
const MAX_VOLUMES: usize = 50;
/// The finalizer with which a provisioner keeps a volume until the disk behind it is deleted
/// (kubernetes-sigs/sig-storage-lib-external-provisioner: `controller/controller.go`).
const PROVISIONER: &str = "external-provisioner.volume.kubernetes.io/finalizer";

/// Adds the users of the target, and the consequences for volumes.
pub(super) fn look<'s>(
    target: &Target<'s>,
    content: &[Seen<'s>],
    going: &Going<'_>,
    facts: &Facts<'s>,
    out: &mut Outlook,
) -> Known {
    let used = in_use(target, facts, out);
    let volumes = volumes(target, content, going, facts, out);
    used.and(volumes)
}

/// Adds the users of a single object. In a namespace, the users are deleted with it.
fn in_use(target: &Target<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let kept = ["persistentvolumeclaims", "persistentvolumes", "resourceclaims"];
    if !kept.contains(&target.seen.resource.id.plural.as_str()) {
        return Ok(());
    }
    let mut object = target.object().clone();
    object.metadata.deletion_timestamp = facts.now().checked_sub(SETTLE * 2).ok();
    let deleted = Target { seen: Seen { resource: target.seen.resource, object: &object } };
    let is_claim = is_claim(target.seen.resource);
    let loss = if is_claim { Loss::of_claims(&[target.seen], facts) } else { Ok(Loss::default()) };
    // The rules about objects in use are asked as if the object were being deleted.
    for (rule, explains) in RULES.iter().flat_map(Rule::explained) {
        let Explains::Unused(explain) = explains else { continue };
        let mut found = Findings::default();
        explain(&deleted, facts, &mut found)?;
        let loss = loss.as_ref().map_err(Clone::clone)?;
        // Without users, its controller removes the finalizer at once.
        for draft in found.drafts.into_iter().filter(|draft| draft.finding.waits_for.is_some()) {
            let named = target.reference();
            let user = draft.finding.waits_for.clone().unwrap_or_default();
            let summary = format!("{named} would be kept while {user} uses it");
            let mut draft = loss.told_by(draft).says(summary).likely().without("metadata.deletionTimestamp");
            draft.finding.root = true;
            draft.finding.rule = rule;
            // Warnings for after a deletion need no action before it.
            draft.remedies.retain(|remedy| !remedy.warns);
            if let Some(finalizer) = draft.finding.finalizer.clone() {
                draft = draft.without("metadata.finalizers").evidence_first(
                    format!("finalizer {finalizer}"),
                    &named,
                    "metadata.finalizers",
                );
            }
            out.hangs(draft);
        }
    }
    Ok(())
}

/// Adds the consequences for the volumes behind claims.
fn volumes<'s>(
    target: &Target<'s>,
    content: &[Seen<'s>],
    going: &Going<'_>,
    facts: &Facts<'s>,
    out: &mut Outlook,
) -> Known {
    let claims = content.iter().chain([&target.seen]).filter(|seen| is_claim(seen.resource));
    let claims: Vec<Ref> = claims.map(|seen| (*seen).into()).collect();
    let Some(kind) = facts.preferred("", "persistentvolumes").filter(|_| !claims.is_empty()) else {
        return Ok(());
    };
    let all = facts.list(&kind.id, None, Form::Whole)?;
    let mut provisioned = Vec::new();
    let mut told = 0;
    for volume in all {
        let claim = claims.iter().find(|claim| volume.text("/spec/claimRef/uid") == Some(claim.uid.as_str()));
        let Some(claim) = claim else { continue };
        told += 1;
        if told <= MAX_VOLUMES {
            out.consequence(claim.clone(), fate(volume));
        }
        if volume.text("/spec/persistentVolumeReclaimPolicy") == Some("Delete")
            && volume.metadata.finalizers.iter().any(|key| key == PROVISIONER)
        {
            provisioned.push(Seen { resource: kind, object: volume });
        }
    }
    if told > MAX_VOLUMES {
        facts
            .note_unknown(format!("the data of {} more volumes", told - MAX_VOLUMES), "only the first ones are listed");
    }
    left_behind(&provisioned, going, facts, out)
}

fn fate(volume: &Object) -> String {
    let name = volume.name();
    let behind = external::in_words(volume);
    let behind = behind.first().map(|what| format!(" ({what})")).unwrap_or_default();
    match volume.text("/spec/persistentVolumeReclaimPolicy") {
        Some("Delete") => format!("the data is lost: PersistentVolume {name}{behind} is deleted with it"),
        Some("Retain") => format!(
            "PersistentVolume {name}{behind} stays with its data, in phase Released: nothing \
            deletes it"
        ),
        _ => format!("PersistentVolume {name}{behind}: it is not known what happens to its data"),
    }
}

/// The cost of deleting a claim or volume, by the reclaim policy.
pub(super) fn cost(seen: Seen<'_>, volumes: Option<&[Object]>) -> Option<Cost> {
    deletion::of_disk(&seen, volumes).map(|(risk, text)| Cost { object: seen.into(), risk, text })
}

/// Adds volumes whose provisioner is deleted with the target, so that the disks would stay.
fn left_behind<'s>(volumes: &[Seen<'s>], going: &Going<'_>, facts: &Facts<'s>, out: &mut Outlook) -> Known {
    if volumes.is_empty() {
        return Ok(());
    }
    let held = HeldObjects::read_whole(volumes, facts)?;
    let found = find(PROVISIONER, &held, facts)?;
    let Some(workload) = found.profile.controller.workload.clone() else { return Ok(()) };
    let down = found.why.is_absent();
    if !down && !going.takes(&workload) {
        return Ok(());
    }
    let why = if down { "is not running" } else { "is deleted with it" };
    for volume in volumes.iter().take(MAX_VOLUMES) {
        out.consequence(
            (*volume).into(),
            format!("the volume and its disk would stay: {workload}, which deletes disks, {why}"),
        );
    }
    Ok(())
}
