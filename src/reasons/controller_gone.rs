//! No controller for the finalizer was found in this cluster.

use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::set_by_hand;
use crate::knowledge::catalogue::CatalogueEntry;
use crate::report::ControllerState;

pub(crate) const REASON: NamedReason =
    NamedReason::new("controller-gone", include_str!("controller_gone.md"), Stage::There);

/// A namespace that is being deleted, in which no controller can be installed.
#[derive(Debug)]
pub(super) struct ClosedNamespace {
    /// Its name.
    pub(super) name: String,
    /// Whether the controller lived in it. Otherwise nothing tells where it lived.
    pub(super) is_home: bool,
}

pub(super) fn found<'s>(installed: bool, closed: Option<ClosedNamespace>) -> FoundReason<'s> {
    let found = REASON.found(move |case| answer(case, installed, closed.as_ref()));
    found.state(ControllerState::Gone)
}

/// `closed` is the namespace in which the controller cannot come back, and `installed` tells whether the kind's
/// definition still exists.
fn answer<'s>(case: &Case<'_, 's>, installed: bool, closed: Option<&ClosedNamespace>) -> WordedReason<'s> {
    let because = "no controller for it was found in this cluster";
    if case.is_foreseen() {
        let title = format!("install its controller again before you delete{}", case.own_way());
        return REASON.proven(case, because).remedies([case.by_hand(title)]);
    }
    let title = if installed || closed.is_some_and(|closed| closed.is_home) {
        install_again(closed) + &case.own_way()
    } else {
        bring_back_whoever(case)
    };
    // A search that found nothing may have looked in the wrong places.
    let answer = REASON.likely(case, because).remedies([case.by_hand(title)]);
    set_by_hand::instead_of(answer.looked_at(case.looked_at("".into())), case)
}

fn install_again(closed: Option<&ClosedNamespace>) -> String {
    match closed {
        Some(ClosedNamespace { name, is_home: true }) => {
            format!("run its controller in another namespace, with the same permissions, because {name} is terminating")
        }
        Some(ClosedNamespace { name, .. }) => format!(
            "install its controller again, in another namespace because {name} is terminating: its \
            CustomResourceDefinition still exists"
        ),
        None => "install its controller again: its CustomResourceDefinition still exists".to_owned(),
    }
}

/// The advice if the owner of the finalizer is unknown or gone. A product that has left no traces may never
/// have been here, and need not be started.
pub(super) fn bring_back_whoever(case: &Case<'_, '_>) -> String {
    let finalizer = case.finalizer;
    match case.entry {
        Some(CatalogueEntry { product, .. }) if !case.found.has_traces => {
            format!("find out who set {finalizer} and who removes it: nothing of {product} was found in this cluster")
        }
        Some(entry) => format!("let {} release it: {}", entry.controller, entry.way_out),
        None => format!("repair or bring back the controller that owns {finalizer}"),
    }
}
