//! A volume is kept while a claim is bound to it (kubernetes/kubernetes:
//! `pkg/controller/volume/pvprotection/pv_protection_controller.go`). If it was deleted by accident, its
//! data is safe as long as the claim exists.

use crate::facts::{Facts, Known, Readable, Target};
use crate::findings::controller_manager::{controller_manager, see_to_the_controller_manager};
use crate::findings::in_use::{InUseFinalizer, Use};
use crate::findings::storage::{retain, with_deleted_disk};
use crate::kubernetes::faults::VOLUME_LEFT_BOUND;
use crate::kubernetes::storage::claim_of;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Ref, Remedy, Verb};
use crate::survey::{Object, Seen, TargetName};

pub(super) const RULE: Rule =
    Rule::new("volume-still-bound", include_str!("volume_still_bound.md"), &[Explains::Unused(diagnose)])
        .owns(&[FINALIZER.owned]);

const FINALIZER: InUseFinalizer = InUseFinalizer::new("persistentvolumes", "kubernetes.io/pv-protection");

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    FINALIZER.diagnose(target, facts, found, use_of)
}

fn use_of<'s>(volume: Seen<'s>, facts: &Facts<'s>) -> Known<Use<'s>> {
    let named = Ref::from(volume);
    let Some(claim) = claim_of(volume.object, facts).or_note(facts)? else {
        let draft = FINALIZER.keeps(&named, format!("{named}: could not read whether its claim is in use"));
        return Ok(Use::Unread(draft.needs_accepted(Verb::Update).remedy(do_not(&named))));
    };
    let policy = volume.object.text("/spec/persistentVolumeReclaimPolicy").unwrap_or("unknown");
    match claim.there.filter(|_| claim.bound) {
        Some(claim) if claim.object.is_deleting() => {
            let says = format!("{named}: still bound to {}, which is being deleted", Ref::from(claim));
            let draft = FINALIZER
                .keeps(&named, says)
                .evidence("phase Bound", &named, "status.phase")
                .in_summary()
                .evidence(after_the_claim(policy), &named, "spec.persistentVolumeReclaimPolicy");
            Ok(Use::By(vec![claim], draft))
        }
        Some(claim) => Ok(Use::Told(accident(&named, &claim.into(), policy))),
        None => unbound(volume, facts).map(Use::Told),
    }
}

/// The finding for a volume that no claim is bound to any more.
fn unbound(volume: Seen<'_>, facts: &Facts<'_>) -> Known<Draft> {
    let named = Ref::from(volume);
    let phase = volume.object.text("/status/phase").unwrap_or("unknown");
    let why = if phase == "Bound" { "its claim is gone" } else { "no claim is bound to it any more" };
    let claim = missing_claim(volume.object, facts).filter(|_| phase == "Bound");
    let draft = FINALIZER
        .keeps(&named, format!("{named}: {why}, but its protection finalizer was not removed"))
        .needs_accepted(Verb::Update)
        .likely()
        .evidence(format!("phase {phase}"), &named, "status.phase")
        .remark("the controllers that do this are part of kube-controller-manager; a webhook or policy may refuse their updates")
        .with_each(claim, |draft, claim| {
            let draft = draft.evidence("not found", &claim, "");
            draft.with_each(VOLUME_LEFT_BOUND.words(facts), Draft::remark)
        });
    let draft = controller_manager(draft, facts)?.remedy(see_to_the_controller_manager());
    Ok(with_deleted_disk(draft, volume))
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
fn accident(volume: &Ref, claim: &Ref, policy: &str) -> Draft {
    let says =
        format!("{volume}: bound to {claim}, which is not being deleted: the data is safe as long as the claim exists");
    let draft = FINALIZER
        .keeps(volume, says)
        .waits_for(claim.clone())
        .evidence("phase Bound", volume, "status.phase")
        .in_summary()
        .evidence("is not being deleted", claim, "metadata.deletionTimestamp")
        .evidence(after_the_claim(policy), volume, "spec.persistentVolumeReclaimPolicy")
        .remark("a deletion cannot be cancelled: this object is deleted with the claim");
    let draft = if policy == "Retain" {
        draft
    } else {
        draft.remedy(Remedy::command(
            "set the reclaim policy of the volume to Retain: the data then stays in any case",
            retain(volume),
            "nothing is lost",
        ))
    };
    draft
        .remedy(Remedy::manual(
            format!("keep {claim} and its pods, back up the data, and move it to a new claim later"),
            "nothing is lost: what runs keeps running",
        ))
        .remedy(do_not(volume))
}

fn do_not(volume: &Ref) -> Remedy {
    let finalizer = FINALIZER.owned.name();
    Remedy::warning(
        format!("do not remove finalizer {finalizer} from {volume}, and do not delete the claim to get rid of it"),
        "the claim would be Lost, and its data unreachable",
    )
}
