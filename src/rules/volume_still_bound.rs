//! A volume is kept while a claim is bound to it (kubernetes/kubernetes:
//! `pkg/controller/volume/pvprotection/pv_protection_controller.go`). If it was deleted by accident, its
//! data is safe as long as the claim exists.

use crate::facts::{Facts, Known, OwnedFinalizer, Readable, Target, for_each};
use crate::findings::controller_manager::{controller_manager, see_to_the_controller_manager};
use crate::findings::storage;
use crate::kubernetes::finalizers::late::waiting;
use crate::kubernetes::storage::{Claim, VOLUME_BOUND, claim_of, has, is_volume};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::quote;
use crate::report::{Cause, Ref, Remedy, Verb};
use crate::survey::{Object, Seen, TargetName};

pub(super) const RULE: Rule =
    Rule::new("volume-still-bound", include_str!("volume_still_bound.md"), &[Explains::Unused(diagnose)])
        .owns(&[OwnedFinalizer::new("persistentvolumes", VOLUME_BOUND)]);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    for_each(waiting(target, facts)?.into_iter().filter(|seen| is_volume(seen.resource)), |volume| {
        if !has(volume, VOLUME_BOUND) {
            return Ok(());
        }
        let draft = match claim_of(volume.object, facts).or_note(facts)? {
            Some(claim) => kept(volume, claim, facts, found)?,
            None => begin(volume, "could not read whether its claim is in use")
                .needs_accepted(Verb::Update)
                .likely()
                .remedy(do_not(&volume.into())),
        };
        found.add(draft);
        Ok(())
    })
}

fn begin(volume: Seen<'_>, because: &str) -> Draft {
    let named = Ref::from(volume);
    storage::kept(Cause::Storage, &named, VOLUME_BOUND, format!("{named}: {because}"))
}

fn kept(volume: Seen<'_>, claim: Claim<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known<Draft> {
    let named = Ref::from(volume);
    let policy = volume.object.text("/spec/persistentVolumeReclaimPolicy").unwrap_or("unknown");
    let phase = volume.object.text("/status/phase").unwrap_or("unknown");
    match claim.there.filter(|_| claim.bound) {
        Some(claim) if claim.object.is_deleting() => {
            found.follow(claim);
            Ok(begin(volume, &format!("still bound to {}, which is being deleted", Ref::from(claim)))
                .underway()
                .waits_for(Ref::from(claim))
                .evidence("phase Bound", &named, "status.phase")
                .in_summary()
                .evidence(after_the_claim(policy), &named, "spec.persistentVolumeReclaimPolicy"))
        }
        Some(claim) => Ok(accident(volume, &claim.into(), policy)),
        None => {
            let claim = missing_claim(volume.object, facts);
            let why = if phase == "Bound" { "its claim is gone" } else { "no claim is bound to it any more" };
            let draft = begin(volume, &format!("{why}, but its protection finalizer was not removed"))
                .needs_accepted(Verb::Update)
                .likely()
                .evidence(format!("phase {phase}"), &named, "status.phase")
                .remark("the controllers that do this are part of kube-controller-manager; a webhook or policy may refuse their updates");
            let claim = claim.filter(|_| phase == "Bound");
            let draft = draft.with_each(claim, |draft, claim| draft.evidence("not found", &claim, ""));
            let draft = controller_manager(draft, facts)?.remedy(see_to_the_controller_manager());
            Ok(storage::with_deleted_disk(draft, volume))
        }
    }
}

fn missing_claim(volume: &Object, facts: &Facts<'_>) -> Option<Ref> {
    let claims = facts.preferred("", "persistentvolumeclaims")?;
    let name = TargetName {
        resource: claims.id.clone(),
        namespace: Some(volume.text("/spec/claimRef/namespace")?.to_owned()),
        name: volume.text("/spec/claimRef/name")?.to_owned(),
    };
    Some(Ref::named(claims, &name).missing())
}

fn after_the_claim(policy: &str) -> &'static str {
    match policy {
        "Delete" => "reclaim policy Delete: the data is deleted with the claim",
        "Retain" => "reclaim policy Retain: this object is deleted with the claim; the data stays",
        _ => "reclaim policy unknown",
    }
}

/// The finding for a volume that was deleted while a claim uses it: nothing has to be released.
fn accident(volume: Seen<'_>, claim: &Ref, policy: &str) -> Draft {
    let named = Ref::from(volume);
    let name = quote(&named.name);
    let draft = begin(
        volume,
        &format!("bound to {claim}, which is not being deleted: the data is safe as long as the claim exists"),
    )
    .waits_for(claim.clone())
    .evidence("phase Bound", &named, "status.phase")
    .in_summary()
    .evidence("is not being deleted", claim, "metadata.deletionTimestamp")
    .evidence(after_the_claim(policy), &named, "spec.persistentVolumeReclaimPolicy")
    .remark("a deletion cannot be cancelled: this object is deleted with the claim");
    let draft = if policy == "Retain" {
        draft
    } else {
        draft.remedy(Remedy::command(
            "keep the data in any case",
            format_args!("kubectl patch pv {name} -p '{{\"spec\":{{\"persistentVolumeReclaimPolicy\":\"Retain\"}}}}'"),
            "nothing is lost",
        ))
    };
    draft
        .remedy(Remedy::manual(
            format!("keep {claim} and its pods, back up the data, and move it to a new claim later"),
            "nothing is lost: what runs keeps running",
        ))
        .remedy(do_not(&named))
}

fn do_not(volume: &Ref) -> Remedy {
    Remedy::warning(
        format!("do not remove finalizer {VOLUME_BOUND} from {volume}, and do not delete the claim to get rid of it"),
        "the claim would be Lost, and its data unreachable",
    )
}
