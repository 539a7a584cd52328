//! A snapshot, its content and the claim that it is made of, or that is made of it,
//! keep each other (kubernetes-csi/external-snapshotter:
//! `pkg/common-controller/snapshot_controller.go`).

use crate::facts::{Facts, Known, Target, for_each};
use crate::findings::storage::used_by;
use crate::kubernetes::storage::snapshots::{Wait, waits};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref};

pub(super) const RULE: Rule =
    Rule::new("snapshot-in-the-way", include_str!("snapshot_in_the_way.md"), &[Explains::Deleted(diagnose)]);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    for_each(waits(target, facts)?, |wait| {
        let draft = used_by(draft(&wait), &[wait.by], target, facts, found)?;
        found.add(draft);
        Ok(())
    })
}

fn draft(wait: &Wait<'_>) -> Draft {
    let (named, by, finalizer) = (Ref::from(wait.held), Ref::from(wait.by), wait.finalizer);
    Draft::new(Cause::Storage, named.clone(), format!("{named} waits for {by}: {}", wait.because))
        .finalizer(finalizer)
        .evidence(format!("is being deleted and has finalizer {finalizer}"), &named, "metadata.finalizers")
        .evidence(wait.because, &by, wait.field)
}
