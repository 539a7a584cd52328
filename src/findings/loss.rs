//! The cost of deleting the content of a namespace.

use crate::kubernetes::namespaces::is_default_content;
use crate::needs::Draft;
use crate::plan::quote;
use crate::plan::steps::delete_object;
use crate::report::{Ref, Remedy, Risk, Sentence, and_more};
use crate::survey::Seen;

/// The cost of deleting these objects.
pub(crate) fn loss(rows: &[Seen<'_>]) -> (Risk, String) {
    worst(rows.iter().map(loss_of))
}

pub(crate) fn worst(costs: impl IntoIterator<Item = (Risk, String)>) -> (Risk, String) {
    let harsher = |a: (Risk, String), b: (Risk, String)| if b.0 > a.0 { b } else { a };
    costs.into_iter().reduce(harsher).unwrap_or((Risk::Harmless, "nothing is in it".into()))
}

pub(crate) fn loss_of(seen: &Seen<'_>) -> (Risk, String) {
    let id = &seen.resource.id;
    if seen.object.is_deleting() {
        (Risk::Harmless, "its deletion was requested before".into())
    } else if is_default_content(seen) {
        (Risk::Harmless, "Kubernetes creates it in every namespace".into())
    } else if id.is_secret() {
        (Risk::LosesData, "the journal keeps no data of a Secret: it cannot be created again".into())
    } else if id.is("", "persistentvolumeclaims") {
        (Risk::LosesData, "the volume of a claim is deleted with it if its reclaim policy is Delete".into())
    } else if !delete_object::is_kept(id) {
        (
            Risk::LosesData,
            "the journal does not keep its content, so undo cannot restore it; save a copy first with kubectl get -o \
            yaml"
                .into(),
        )
    } else {
        (
            Risk::Disruptive,
            "its remaining users lose it; the journal keeps it as it was, and undo creates it again with a new uid"
                .into(),
        )
    }
}

/// A volume that is deleted with its claim, and the data with it.
pub(crate) struct DoomedVolume {
    /// The volume.
    pub(crate) volume: Ref,
    /// How many volumes of other claims share its fate.
    pub(crate) others: usize,
}

impl DoomedVolume {
    /// Adds to each way out that the data goes, and before the others the way to keep the data: all ways end in
    /// the deletion that was requested.
    pub(crate) fn told_by(self, mut draft: Draft) -> Draft {
        let (volume, more) = (&self.volume, and_more(self.others));
        for remedy in draft.remedies.iter_mut().filter(|remedy| !remedy.warns) {
            remedy.risk = remedy.risk.max(Risk::LosesData);
            let lost = format!("the data of {volume}{more} is deleted with the claim; ");
            remedy.consequence = Sentence::from(lost).then(&remedy.consequence);
        }
        if draft.remedies.is_empty() {
            return draft;
        }
        draft.remedy_first(Remedy::command(
            format!("to keep the data of {volume}{more}, which is deleted with the claim, first"),
            format_args!(
                "kubectl patch pv {} -p '{{\"spec\":{{\"persistentVolumeReclaimPolicy\":\"Retain\"}}}}'",
                quote(&volume.name)
            ),
            "nothing is lost: the volume stays, Released, until somebody deletes it",
        ))
    }
}
