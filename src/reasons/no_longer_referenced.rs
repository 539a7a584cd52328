//! No object refers to this one any more, so nothing triggers its controller.

use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::silent::SilentController;
use crate::facts::Known;
use crate::findings::trigger::wake;
use crate::kubernetes::mentions::users;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::report::Sentence;

pub(crate) const REASON: NamedReason =
    NamedReason::new("no-longer-referenced", include_str!("no_longer_referenced.md"), Stage::Use);

pub(super) fn ask<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { finalizer, held, facts, gaps, .. } = silent.inquiry;
    let kind = if silent.gives_none { users::kind_without_users(finalizer, held, facts, gaps)? } else { None };
    Ok(kind.map(|kind| FoundReason::new(&REASON, move |case| Ok(answer(case, &kind)))))
}

/// `kind` is that of the objects for which the finalizer protects this one.
fn answer<'s>(case: &Case<'_, 's>, kind: &str) -> WordedReason<'s> {
    let none = Sentence::from(format!("no {kind} refers to it any more, so that nothing may make "));
    let because = none.then(case.name()).then(" check it again");
    REASON.likely(case, because).now_only().remedies([wake(case.first())])
}
