//! No object refers to this one any more, or what selected its namespace no longer does, so nothing triggers its
//! controller.

use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::silent::SilentController;
use crate::facts::{All, Known};
use crate::findings::trigger::wake;
use crate::kubernetes::mentions::selection::no_longer_selected;
use crate::kubernetes::mentions::users;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::plan::full_name;
use crate::report::{Ref, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("no-longer-referenced", include_str!("no_longer_referenced.md"), Stage::Use);

pub(super) fn ask<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { finalizer, held, facts, gaps, .. } = silent.inquiry;
    if !silent.gives_none {
        return Ok(None);
    }
    let kind = users::kind_without_users(finalizer, held, facts, gaps);
    let (kind, unselected) = (kind, no_longer_selected(finalizer, held, facts, gaps)).all()?;
    Ok(match (unselected, kind) {
        (Some(it), _) => {
            let (by, namespace) = (Ref::from(it.by), Ref::from(it.namespace));
            Some(REASON.found(move |case| unselected_answer(case, &by, &namespace)))
        }
        (None, Some(kind)) => Some(REASON.found(move |case| answer(case, &kind))),
        (None, None) => None,
    })
}

/// `kind` is that of the objects for which the finalizer protects this one.
fn answer<'s>(case: &Case<'_, 's>, kind: &str) -> WordedReason<'s> {
    let none = Sentence::from(format!("no {kind} refers to it any more, so perhaps nothing makes "));
    let because = none.then(case.name()).then(" check it again");
    REASON.likely(case, because).now_only().remedies([wake(case.first())])
}

/// `by` works in the namespaces that it selects, and `namespace` is none of them.
fn unselected_answer<'s>(case: &Case<'_, 's>, by: &Ref, namespace: &Ref) -> WordedReason<'s> {
    let no_longer = Sentence::from(by).then(" does not select ").then(namespace);
    let because = no_longer.then(" any more, so ").then(case.name()).then(" may no longer check that namespace");
    let title = format!("label {namespace} so that {by} selects it again, until the finalizer is removed");
    let look = format!("kubectl get {} -o yaml", full_name(by));
    let way = case.by_hand(Sentence::from(title).by(look));
    REASON.likely(case, because).waits_for(by.clone()).can_be_mended(true).now_only().remedies([way])
}
