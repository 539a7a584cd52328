//! A snapshot, its content, and a claim wait for each other: the claim from which the snapshot is made, or
//! one that is made from the snapshot (kubernetes-csi/external-snapshotter:
//! `pkg/common-controller/snapshot_controller.go`).

use crate::facts::{All, Facts, Known, Target, for_each};
use crate::findings::in_use::{kept, used_by};
use crate::kubernetes::statements::statement::brief;
use crate::kubernetes::storage::snapshots::{Wait, foreseen, waits};
use crate::needs::{Draft, Explains, Findings, Outlook, Rule, World};
use crate::plan::full_name;
use crate::reasons::driver::{self, Absence};
use crate::report::{Cause, Ref, Remedy, Sentence};
use crate::survey::Seen;

pub(super) const RULE: Rule = Rule::new(
    "snapshot-in-the-way",
    include_str!("snapshot_in_the_way.md"),
    &[Explains::Deleted(diagnose), Explains::Foreseen(foresee)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    for_each(waits(target, facts)?, |wait| {
        let used = used_by(draft(&wait), &[wait.by], target, facts, found);
        let (absent, used) = (driver::absent(&wait, facts), used).all()?;
        found.add(absent.map_or(used, |absent| absent.because_of(draft(&wait))));
        Ok(())
    })
}

fn draft(wait: &Wait<'_>) -> Draft {
    let (named, by, finalizer) = (Ref::from(wait.held), Ref::from(wait.by), wait.finalizer);
    let draft = kept(Cause::Storage, &named, finalizer, format!("{named} waits for {by}: {}", wait.because))
        .evidence(wait.because, &by, wait.field);
    quoting_error(draft, wait, &by)
}

/// Adds the error in the other object's status.
fn quoting_error(draft: Draft, wait: &Wait<'_>, by: &Ref) -> Draft {
    let error = wait.by.object.text("/status/error/message").map(brief);
    draft.with_each(error, |draft, says| {
        let says = Sentence::quoted(says, format_args!("{by} status.error.message"));
        draft.quoted(says, by, "status.error.message")
    })
}

/// Foresees waits for a snapshot that may never be finished, or for a claim that is made from one.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let content = world.content()?.iter().copied();
    let all: Vec<Seen<'_>> = std::iter::once(target.seen).chain(content).collect();
    for_each(foreseen(&all, facts)?, |(wait, lasts)| {
        // A snapshot that is deleted, too, keeps nothing. But no snapshot is deleted because its content is.
        if wait.is_bound() && world.going.takes(&wait.by.into()) {
            return Ok(());
        }
        let absent = driver::absent(&wait, facts)?;
        if lasts || absent.is_some() {
            hang(&wait, absent, out);
        }
        Ok(())
    })
}

/// Adds that this object would wait.
fn hang(wait: &Wait<'_>, absent: Option<Absence>, out: &mut Outlook) {
    let (named, by) = (Ref::from(wait.held), Ref::from(wait.by));
    let summary = Sentence::from(&named).then(" would wait for ").then(&by).then(format!(": {}", wait.because));
    let check = if wait.is_bound() {
        Sentence::from("delete ").then(&by).then(" instead, which deletes its content")
    } else {
        Sentence::from("check why ").then(&by).then(" is not finished before you delete")
    };
    let title = check.by(format_args!("kubectl describe {}", full_name(&by)));
    let draft = Draft::new(Cause::Storage, named.clone(), summary)
        .finalizer(wait.finalizer)
        .evidence(format!("finalizer {}", wait.finalizer), &named, "metadata.finalizers")
        .evidence(wait.because, &by, wait.field)
        .likely();
    let draft = match absent {
        Some(absent) => absent.because_of(draft),
        None => draft.waits_for(by.clone()).remedy(Remedy::manual(title, "checking loses nothing")),
    };
    out.hangs(quoting_error(draft, wait, &by));
}
