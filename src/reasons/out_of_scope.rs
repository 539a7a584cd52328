//! The controller is configured to watch other objects.

use super::advice::{on_workload, stands};
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::kubernetes::ownership::scope::{Only, OutsideScope};
use crate::report::Remedy;

pub(crate) const REASON: NamedReason =
    NamedReason::new("out-of-scope", include_str!("out_of_scope.md"), Stage::Attention);

pub(super) fn found<'s>(outside: OutsideScope, sure: bool) -> FoundReason<'s> {
    REASON.found(move |case| answer(case, &outside, sure))
}

/// `sure` tells that the controller's permissions end there, too.
fn answer<'s>(case: &Case<'_, 's>, outside: &OutsideScope, sure: bool) -> WordedReason<'s> {
    let because = case.name().then(stands(case)).then(looks_at(outside));
    let mut answer = REASON.proven(case, because).proven_if(sure).can_be_mended(true);
    if let Some(workload) = case.workload() {
        let text = format!("it is configured with {}", outside.told);
        answer = answer.evidence(text, workload, "spec.template.spec.containers");
    }
    let restarted = format!("it restarts, and handles everything that it then watches; {}", case.clean_up());
    let title = on_workload(case, widen(case, outside), "edit", "");
    answer.remedies([Remedy::manual(title, restarted)])
}

fn looks_at(outside: &OutsideScope) -> String {
    match &outside.only {
        Only::In(names) if names.len() == 1 => format!("watches only namespace {}", names[0]),
        Only::In(names) => format!("watches only namespaces {}", names.join(", ")),
        Only::NotIn(name) => format!("does not watch namespace {name}"),
        Only::Labels(selector) => format!("watches only objects with labels {selector}"),
        Only::InLabelled(selector) => format!("watches only namespaces with labels {selector}"),
        Only::Marked { field, has: Some(has), .. } => {
            format!("is configured with {}, and {field} is {has}", outside.told)
        }
        Only::Marked { field, has: None, .. } => {
            format!("is configured with {}, and the object has no {field}", outside.told)
        }
    }
}

/// How to let a controller watch the object.
fn widen(case: &Case<'_, '_>, OutsideScope { told, only }: &OutsideScope) -> String {
    let (who, first) = (case.name(), case.first());
    let place = first.namespace.as_deref().unwrap_or_default();
    match only {
        Only::In(_) | Only::NotIn(_) | Only::InLabelled(_) => {
            format!(
                "let {who} also watch namespace {place} (it is configured with {told}), or run a second one for \
                this namespace"
            )
        }
        Only::Labels(_) => {
            format!("let {who} also watch {first} (it is configured with {told}), or run a second one for this object")
        }
        Only::Marked { has, .. } => {
            let own = has.as_ref().map(|has| format!(" for {has}")).unwrap_or_default();
            format!("start the controller{own} again, or change {told} of {who}, so that it handles {first}")
        }
    }
}
