//! The controller waits for an object that does not exist any more.

use super::advice::ask_it;
use super::common::{Case, FoundReason, NamedReason, Spoken, Stage, WordedReason};
use crate::facts::Known;
use crate::kubernetes::mentions::bare_names::GoneObject;
use crate::kubernetes::messages::admission::INVALID;
use crate::report::Sentence;

pub(crate) const REASON: NamedReason =
    NamedReason::new("waits-for-what-is-gone", include_str!("waits_for_what_is_gone.md"), Stage::Stated);

/// An object that messages about trouble name without its kind, and that exists in none of the kinds.
pub(super) fn ask<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let place = spoken.place_of_trouble(|message| !message.contains(INVALID));
    Ok(spoken.named_without_kind()?.absent.map(|what| spoken.says(found(what), place)))
}

fn found<'s>(what: GoneObject) -> FoundReason<'s> {
    REASON.found(move |case| answer(case, &what))
}

fn answer<'s>(case: &Case<'_, 's>, what: &GoneObject) -> WordedReason<'s> {
    let waits = Sentence::from("its controller waits for ");
    let answer = match what {
        GoneObject::OfKind(what) => {
            REASON.likely(case, waits.then(what).then(", which does not exist")).waits_for(what.clone())
        }
        GoneObject::Called(name) => {
            let group = &case.objects[0].resource.id.group;
            let nothing = format!("{name}, and no object of {group} that it could mean has that name");
            REASON.likely(case, waits.then(nothing))
        }
    };
    answer.now_only().remedies(ask_it(case))
}
