//! The cost of deleting the content of a namespace, and what is destroyed at the end of deletions that were requested.

use crate::facts::{Facts, Gap, Known, Readable, each};
use crate::findings::storage::{ClaimVolume, claim_volume, retain};
use crate::kubernetes::storage::ends;
use crate::needs::Draft;
use crate::plan::deletion::{self, Circumstance};
use crate::plan::one;
use crate::report::{Cause, Finding, Ref, Remedy, Risk, Sentence, StepKind, and_more};
use crate::survey::{Form, Object, Seen};
use std::collections::HashMap;

/// The cost of deleting these objects, which nobody creates again.
pub(crate) fn loss(rows: &[Seen<'_>]) -> (Risk, String) {
    deletion::worst(rows.iter().map(loss_of)).unwrap_or((Risk::Harmless, "nothing is in it".into()))
}

/// The cost of deleting one of these.
pub(crate) fn loss_of(seen: &Seen<'_>) -> (Risk, String) {
    deletion::cost(seen, Circumstance::Stranded)
}

/// What is destroyed at the end of deletions that were requested.
#[derive(Debug, Default)]
pub(crate) struct Loss {
    /// Volumes that are deleted with their claims.
    volumes: Vec<Ref>,
    /// Contents whose snapshots are deleted at the storage system.
    contents: Vec<Ref>,
    /// Claims whose volumes could not be read.
    unread: Vec<Ref>,
}

/// How many claims are read one by one; for more, all volumes are read at once.
const FEW: usize = 10;
/// How many volumes or contents are named in commands.
const MAX_NAMED: usize = 10;

impl Loss {
    /// What is destroyed at the end of the deletions of these claims.
    pub(crate) fn of_claims(claims: &[Seen<'_>], facts: &Facts<'_>) -> Known<Self> {
        let mut loss = Self::default();
        let read = if claims.len() > FEW { among_all(claims, facts)? } else { one_by_one(claims, facts)? };
        for (claim, read) in claims.iter().zip(read) {
            match read {
                Ok(own) => loss.volumes.extend(own.filter(|own| own.is_deleted).map(|own| own.volume)),
                Err(Gap { what, why }) => {
                    facts.note_unread(what, &why);
                    loss.unread.push((*claim).into());
                }
            }
        }
        Ok(loss)
    }

    /// What is destroyed when the deletions end that wait for this cause.
    fn at_the_end_of(draft: &Draft, facts: &Facts<'_>) -> Known<Self> {
        let Finding { cause, finalizer, blocks, objects, .. } = &draft.finding;
        if matches!(cause, Cause::NotDeleting | Cause::Stranded) {
            return Ok(Self::default());
        }
        // A finalizer of one object in a namespace keeps nothing else there, except that pods are deleted first.
        let holds_up_the_rest = |object: &Ref| object.is_namespace() || object.resource == "pods";
        let is_emptied = finalizer.is_none() || objects.iter().any(holds_up_the_rest);
        let stored = ends::stored(blocks, objects, is_emptied, facts)?;
        let is_deleted = |content: &&Seen<'_>| content.object.text("/spec/deletionPolicy") == Some("Delete");
        let contents = stored.contents.iter().filter(is_deleted).map(|content| (*content).into()).collect();
        Ok(Self { contents, ..Self::of_claims(&stored.claims, facts)? })
    }

    /// The volumes and snapshots that a remedy destroys, in words. A remedy that only removes a finalizer keeps the
    /// snapshot.
    fn by(&self, remedy: &Remedy) -> Vec<String> {
        let removes = remedy.steps.iter().any(|step| step.kind() == StepKind::RemoveFinalizer);
        let volumes = named(&self.volumes).map(|volumes| {
            let claims = if self.volumes.len() == 1 { "claim" } else { "claims" };
            format!("the data of {volumes} is deleted with the {claims}")
        });
        let contents = named(&self.contents).filter(|_| !removes);
        let contents = contents.map(|contents| format!("the snapshot of {contents} is deleted at the storage system"));
        let unread = named(&self.unread);
        let unread = unread.map(|claims| format!("could not read whether deleting {claims} also deletes the data"));
        [volumes, contents, unread].into_iter().flatten().collect()
    }

    /// Adds to each way out what it destroys, and before the others the ways to keep that: all ways end in the
    /// deletions that were requested.
    pub(crate) fn told_by(&self, mut draft: Draft) -> Draft {
        let mut is_told = false;
        for remedy in draft.remedies.iter_mut().filter(|remedy| !remedy.warns) {
            let lost = self.by(remedy).join("; ");
            if !lost.is_empty() {
                is_told = true;
                remedy.risk = remedy.risk.max(Risk::LosesData);
                remedy.consequence = Sentence::from(lost + "; apart from that, ").then(&remedy.consequence);
            }
        }
        if !is_told {
            return draft;
        }
        let ways = [self.look_first(), self.keep_snapshots(), self.keep_volumes()];
        draft.with_each(ways.into_iter().flatten(), Draft::remedy_first)
    }

    fn keep_volumes(&self) -> Option<Remedy> {
        let volumes = named(&self.volumes)?;
        let with = if self.volumes.len() == 1 { "which is deleted with the claim" } else { "deleted with the claims" };
        let keep = Sentence::from(format!("to keep the data of {volumes}, {with}, first"));
        let keep = self.volumes.iter().take(MAX_NAMED).fold(keep, |keep, volume| keep.by(retain(volume)));
        Some(Remedy::manual(keep, "nothing is lost: the volume stays, Released, until somebody deletes it"))
    }

    fn keep_snapshots(&self) -> Option<Remedy> {
        let contents = named(&self.contents)?;
        let keep = Sentence::from(format!("to keep the snapshot of {contents} at the storage system, first"));
        let keep = self.contents.iter().take(MAX_NAMED).fold(keep, |keep, content| {
            keep.by(format_args!(
                "kubectl patch {} --type merge -p '{{\"spec\":{{\"deletionPolicy\":\"Retain\"}}}}'",
                one("volumesnapshotcontent", &content.name)
            ))
        });
        Some(Remedy::manual(keep, "nothing is lost: the snapshot stays until somebody deletes it there"))
    }

    fn look_first(&self) -> Option<Remedy> {
        let claims = named(&self.unread)?;
        Some(Remedy::command(
            format!("check first which reclaim policy the volume of {claims} has"),
            "kubectl get pv",
            "checking loses nothing; with the policy Delete, the data is deleted with the claim",
        ))
    }
}

/// What is destroyed at the end of each of these findings. What has to be read for that becomes a want.
pub(crate) fn of_each(drafts: &[Draft], facts: &Facts<'_>) -> Vec<Loss> {
    drafts.iter().map(|draft| Loss::at_the_end_of(draft, facts).ok_or_note(facts).unwrap_or_default()).collect()
}

/// Has each finding say what is destroyed at its end.
pub(crate) fn tell(drafts: Vec<Draft>, losses: &[Loss]) -> Vec<Draft> {
    drafts.into_iter().zip(losses).map(|(draft, loss)| loss.told_by(draft)).collect()
}

/// The volumes of claims, or why they cannot be read.
type Volumes = Vec<Result<Option<ClaimVolume>, Gap>>;

fn one_by_one(claims: &[Seen<'_>], facts: &Facts<'_>) -> Known<Volumes> {
    each(claims, |claim| claim_volume(*claim, facts).surveyed())
}

fn among_all(claims: &[Seen<'_>], facts: &Facts<'_>) -> Known<Volumes> {
    let Some(kind) = facts.preferred("", "persistentvolumes") else { return Ok(Vec::new()) };
    let all = facts.list(&kind.id, None, Form::Whole).surveyed()?;
    let by_claim: Result<HashMap<&str, &Object>, Gap> =
        all.map(|all| all.iter().filter_map(|volume| Some((volume.text("/spec/claimRef/uid")?, volume))).collect());
    let own = |claim: &Seen<'_>, volumes: &HashMap<&str, &Object>| {
        let volume = volumes.get(claim.object.uid());
        volume.map(|object| ClaimVolume::of(Seen { resource: kind, object }))
    };
    Ok(claims.iter().map(|claim| by_claim.as_ref().map(|all| own(claim, all)).map_err(Clone::clone)).collect())
}

/// The first of these objects, and how many more there are; `None` if there are none.
fn named(objects: &[Ref]) -> Option<String> {
    let first = objects.first()?;
    Some(format!("{first}{}", and_more(objects.len() - 1)))
}
