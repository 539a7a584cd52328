//! Deletion was asked for a moment ago, and nobody is late yet.

use crate::facts::{Facts, Known, SETTLE, Target, ago, clock, is_late, is_pod};
use crate::kubernetes::kubelet::pods::kubelet_is_done;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref, Remedy};
use crate::survey::Object;
use jiff::{SignedDuration, Timestamp};

pub(super) const RULE: Rule =
    Rule::new("deletion-in-progress", include_str!("deletion_in_progress.md"), &[Explains::Deleted(diagnose)]);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    // Beside what is stuck, what is merely on its way is no news.
    if !target.is_deleting() || found.any_trouble() {
        return Ok(());
    }
    let mut going: Vec<(Ref, Timestamp)> = Vec::new();
    if !target.is_settled(facts) {
        let allowance = if target.is_namespace() { SETTLE * 3 } else { SETTLE };
        going.extend(due(target.object(), allowance).map(|due| (target.reference(), due)));
    }
    for seen in target.deleting(facts)? {
        let pod_after_grace = is_pod(seen.resource)
            && !kubelet_is_done(seen.object)
            && seen.object.metadata.deletion_timestamp.is_some_and(|end| end <= facts.now());
        let allowance = if pod_after_grace { grace(seen.object) + SETTLE * 2 } else { SETTLE };
        if !is_late(seen.object, facts, allowance) {
            going.extend(due(seen.object, allowance).map(|due| (seen.into(), due)));
        }
    }
    let Some((first, _)) = going.first().cloned() else { return Ok(()) };
    let Some(until) = going.iter().map(|(_, due)| *due).max() else { return Ok(()) };
    let asked = target.object().deletion_asked().map(|asked| ago(asked, facts)).unwrap_or_default();
    let objects: Vec<Ref> = going.into_iter().map(|(object, _)| object).collect();
    found.add(
        Draft::new(
            Cause::Progressing,
            first.clone(),
            format!("deletion of {} was asked for {asked} ago: nothing is late yet", target.reference()),
        )
        .on_time()
        .evidence(format!("asked for {asked} ago"), &first, "metadata.deletionTimestamp")
        .in_summary()
        .remedy(Remedy::manual(format!("wait, and look again after {}", clock(until)), "nothing is lost"))
        .objects(objects),
    );
    Ok(())
}

fn grace(pod: &Object) -> SignedDuration {
    SignedDuration::from_secs(
        pod.metadata.deletion_grace_period_seconds.unwrap_or_default().clamp(0, i64::from(i32::MAX)),
    )
}

/// When it would be late.
fn due(object: &Object, allowance: SignedDuration) -> Option<Timestamp> {
    object.deletion_asked()?.checked_add(allowance).ok()
}
