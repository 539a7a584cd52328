//! A person has set the finalizer, and perhaps no controller removes it.

use super::common::{Case, NamedReason, Stage, WordedReason};
use crate::report::{Remedy, Why};

pub(crate) const REASON: NamedReason = NamedReason::new("set-by-hand", include_str!("set_by_hand.md"), Stage::There);

/// What `answer` becomes if a person has set the finalizer with kubectl (kubernetes/kubernetes:
/// `staging/src/k8s.io/kubectl/pkg/cmd/edit/edit.go`, `patch/patch.go`).
pub(super) fn instead_of<'s>(answer: WordedReason<'s>, case: &Case<'_, '_>) -> WordedReason<'s> {
    let setter = case.held.whole.iter().find_map(|object| object.finalizer_set_by(case.finalizer));
    let command = match setter.as_ref().map(|setter| setter.name.as_str()) {
        Some("kubectl-edit") => "kubectl edit",
        Some("kubectl-patch") => "kubectl patch",
        Some("oc") => "oc",
        _ => return answer,
    };
    let because = format!("set with {command}: perhaps no controller removes it").into();
    let title = format!("find out who set {} with {command}, and why the object was to be kept", case.finalizer);
    let ask = Remedy::manual(title, "asking loses nothing");
    WordedReason { reason: &REASON, why: Why::Likely, because, remedies: vec![ask], ..answer }
}
