//! Volumes, and what becomes of their data.

use crate::facts::{Facts, Known};
use crate::needs::Draft;
use crate::plan::one;
use crate::report::{Ref, Remedy, Risk, Sentence, StepKind};
use crate::survey::{Form, Object, Seen};

/// The volume of a claim, and what its reclaim policy means for the data.
pub(crate) struct ClaimVolume {
    pub(crate) volume: Ref,
    /// What becomes of the data, in words.
    pub(crate) fate: &'static str,
    /// Whether the data is deleted with the claim.
    pub(crate) is_deleted: bool,
}

impl ClaimVolume {
    /// A volume, by its reclaim policy.
    pub(crate) fn of(volume: Seen<'_>) -> Self {
        let policy = volume.object.text("/spec/persistentVolumeReclaimPolicy");
        let fate = match policy {
            Some("Delete") => "reclaim policy Delete: when the claim is gone, its data is deleted",
            Some("Retain") => "reclaim policy Retain: when the claim is gone, its data stays in the volume",
            _ => "does not say what happens to the data after the claim is deleted",
        };
        Self { volume: volume.into(), fate, is_deleted: policy == Some("Delete") }
    }
}

/// The volume of a claim, of which only the metadata may have been seen; `None` if it has none. A claim may also name
/// a volume that belongs to another.
pub(crate) fn claim_volume(claim: Seen<'_>, facts: &Facts<'_>) -> Known<Option<ClaimVolume>> {
    let Some(resource) = facts.preferred("", "persistentvolumes") else { return Ok(None) };
    let whole = if claim.object.body.is_empty() { facts.whole(claim)? } else { Some(claim.object) };
    let Some(name) = whole.and_then(|whole| whole.text("/spec/volumeName")) else { return Ok(None) };
    let volume = facts.get(&resource.id, None, name, Form::Whole)?;
    let is_its = |volume: &&Object| volume.text("/spec/claimRef/uid").is_none_or(|uid| uid == claim.object.uid());
    Ok(volume.filter(is_its).map(|object| ClaimVolume::of(Seen { resource, object })))
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
        way.consequence = Sentence::from("the data is deleted with the volume; ").then(&way.consequence);
    }
    draft.remedy_first(Remedy::command(
        "set reclaim policy Retain, to keep the data",
        retain(&volume),
        "nothing is lost: the disk stays in the storage system until somebody deletes it there",
    ))
}

/// The command after which the disk of a volume stays, whatever becomes of its claim.
pub(crate) fn retain(volume: &Ref) -> String {
    let name = one("pv", &volume.name);
    format!("kubectl patch {name} -p '{{\"spec\":{{\"persistentVolumeReclaimPolicy\":\"Retain\"}}}}'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::steps::remove_finalizer;
    use crate::report::Cause;
    use crate::survey::Resource;
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
        assert!(wait.consequence.contains("the data is deleted with the volume"), "{}", wait.consequence);
    }
}
