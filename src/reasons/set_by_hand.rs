//! A person has set the finalizer, and perhaps no controller removes it.

use super::common::{Case, NamedReason, Stage, WordedReason};
use crate::kubernetes::finalizers::HeldObjects;
use crate::report::{Remedy, Why};

pub(crate) const REASON: NamedReason = NamedReason::new("set-by-hand", include_str!("set_by_hand.md"), Stage::There);

/// The command with which a person has set a finalizer (kubernetes/kubernetes:
/// `staging/src/k8s.io/kubectl/pkg/cmd/edit/edit.go`, `patch/patch.go`).
pub(super) fn command(finalizer: &str, held: &HeldObjects<'_>) -> Option<&'static str> {
    let setter = held.whole.iter().find_map(|object| object.finalizer_set_by(finalizer))?;
    match setter.name.as_str() {
        "kubectl-edit" => Some("kubectl edit"),
        "kubectl-patch" => Some("kubectl patch"),
        "oc" => Some("oc"),
        _ => None,
    }
}

/// What `answer` becomes if a person has set the finalizer.
pub(super) fn instead_of<'s>(answer: WordedReason<'s>, case: &Case<'_, '_>) -> WordedReason<'s> {
    let Some(command) = command(case.finalizer, case.held) else { return answer };
    let because = format!("set with {command}: perhaps no controller removes it").into();
    let title = format!("find out who set {} with {command}, and why the object was to be kept", case.finalizer);
    let ask = Remedy::manual(title, "asking loses nothing");
    WordedReason { reason: &REASON, why: Why::Likely, because, remedies: vec![ask], ..answer }
}
