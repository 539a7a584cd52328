//! The object has the class of another controller.

use super::advice::stands;
use super::common::{AskedController, Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::facts::Known;
use crate::kubernetes::progress::classes::{self, OtherClass};
use crate::plan::full_name;
use crate::report::{ControllerState, Remedy};

pub(crate) const REASON: NamedReason =
    NamedReason::new("of-another-class", include_str!("of_another_class.md"), Stage::Attention);

pub(super) fn ask<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let class = if asked.watches { None } else { classes::of_another(asked.best, asked.inquiry)? };
    Ok(class.map(|class| REASON.found(move |case| answer(case, &class)).state(ControllerState::Alive)))
}

fn answer<'s>(case: &Case<'_, 's>, OtherClass { class, field, controller }: &OtherClass) -> WordedReason<'s> {
    let names = case.name().then(format!("{}{field} names ", stands(case)));
    let because = names.then(class).then(format!(", whose controller is {controller}"));
    let first = case.first();
    let title = format!("set {field} of {first} to the class of {}, so that this controller can finish", case.name());
    let edit = Remedy::command(title, format_args!("kubectl edit {}", full_name(first)), case.clean_up());
    let answer = REASON.likely(case, because).waits_for(class.clone()).can_be_mended(true).obeys();
    answer.evidence(format!("names {controller}"), class, "spec").remedies([edit])
}
