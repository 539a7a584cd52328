//! The cost of deleting the content of a namespace.

use crate::needs::Draft;
use crate::plan::deletion::{self, Circumstance};
use crate::plan::quote;
use crate::report::{Ref, Remedy, Risk, Sentence, and_more};
use crate::survey::Seen;

/// The cost of deleting these objects, which nobody creates again.
pub(crate) fn loss(rows: &[Seen<'_>]) -> (Risk, String) {
    deletion::worst(rows.iter().map(loss_of)).unwrap_or((Risk::Harmless, "nothing is in it".into()))
}

/// The cost of deleting one of these.
pub(crate) fn loss_of(seen: &Seen<'_>) -> (Risk, String) {
    deletion::cost(seen, Circumstance::Stranded)
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
