//! The controller waits until somebody confirms the deletion.

use super::advice::look_at;
use super::common::{AskedController, Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::facts::Known;
use crate::kubernetes::progress::confirmation::{self, Confirmation};
use crate::plan::full_name;
use crate::report::{ControllerState, Ref, Remedy, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("awaits-confirmation", include_str!("awaits_confirmation.md"), Stage::Attention);

pub(super) fn ask<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let mut needed = asked.inquiry.held.read().filter_map(|seen| Some((Ref::from(seen), confirmation::needed(seen)?)));
    let needed = needed.next();
    Ok(needed.map(|(of, needed)| REASON.found(move |case| answer(case, &of, &needed)).state(ControllerState::Alive)))
}

fn answer<'s>(case: &Case<'_, 's>, of: &Ref, confirmation: &Confirmation) -> WordedReason<'s> {
    let part = confirmation.part.as_ref().map(|part| format!(" of {part}")).unwrap_or_default();
    let because = case.name().then(format!(" waits until somebody confirms the deletion{part}"));
    let answer = REASON.likely(case, because).waits_for(of.clone()).can_be_mended(true);
    let answer = answer.evidence("is true", of, &confirmation.field);
    answer.remedies([confirm(of, confirmation, &case.clean_up())])
}

/// The remedy to confirm a deletion, with a time that is no earlier than the deletion.
fn confirm(of: &Ref, confirmation: &Confirmation, clean_up: &str) -> Remedy {
    let Confirmation { part, annotation, asked, .. } = confirmation;
    let what = part.as_deref().unwrap_or("it");
    let title = match (annotation, asked) {
        (Some(key), Some(asked)) => Sentence::from(format!("confirm that {what} may be deleted"))
            .by(format_args!("kubectl annotate {} {key}={asked}", full_name(of))),
        (Some(key), None) => format!(
            "once you have deleted it, confirm that {what} may be deleted: set annotation {key} to its deletionTimestamp"
        )
        .into(),
        (None, _) => Sentence::from(format!("find out how to confirm that {what} may be deleted")).by(look_at(of)),
    };
    Remedy::manual(title, clean_up)
}
