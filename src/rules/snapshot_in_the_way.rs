//! A snapshot, its content and the claim that it is made of, or that is made of it,
//! keep each other (kubernetes-csi/external-snapshotter:
//! `pkg/common-controller/snapshot_controller.go`).

use crate::facts::{Facts, Known, Target, for_each};
use crate::findings::storage::used_by;
use crate::kubernetes::statements::statement::brief;
use crate::kubernetes::storage::snapshots::{Wait, foreseen, waits};
use crate::needs::{Draft, Explains, Findings, Outlook, Rule, World};
use crate::plan::{in_namespace, quote};
use crate::report::{Cause, Ref, Remedy, Sentence};
use crate::survey::Seen;

pub(super) const RULE: Rule = Rule::new(
    "snapshot-in-the-way",
    include_str!("snapshot_in_the_way.md"),
    &[Explains::Deleted(diagnose), Explains::Foreseen(foresee)],
);

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

/// What would be kept by a snapshot that may never be finished, or by a claim that is made of one.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let content = world.content()?.iter().copied();
    let all: Vec<Seen<'_>> = std::iter::once(target.seen).chain(content).collect();
    for wait in foreseen(&all, facts)? {
        let (named, by) = (Ref::from(wait.held), Ref::from(wait.by));
        let says = wait.by.object.text("/status/error/message").map(brief);
        let summary = Sentence::from(&named).then(" would wait for ").then(&by).then(format!(": {}", wait.because));
        let title = Sentence::from("check why ").then(&by).then(" is not finished before you delete").by(format_args!(
            "kubectl describe {}{}",
            quote(&by.kubectl()),
            in_namespace(&by)
        ));
        let draft = Draft::new(Cause::Storage, named.clone(), summary)
            .waits_for(by.clone())
            .finalizer(wait.finalizer)
            .evidence(format!("finalizer {}", wait.finalizer), &named, "metadata.finalizers")
            .evidence(wait.because, &by, wait.field)
            .likely()
            .remedy(Remedy::manual(title, "checking loses nothing"));
        out.hangs(match says {
            Some(says) => draft.evidence(&says, &by, "status.error.message").quoting(says, Some(&by)),
            None => draft,
        });
    }
    Ok(())
}
