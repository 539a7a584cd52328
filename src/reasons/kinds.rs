//! A controller that needs an object of a kind that the server does not serve.

use crate::kubernetes::mentions::UnservedKind;
use crate::report::{Ref, Sentence};

/// The text why `controller` does not finish.
pub(crate) fn needed(controller: Sentence, needed: &UnservedKind) -> Sentence {
    let named = needed.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    controller.then(format!(
        " runs, but {} names {}{named}, and no definition serves that kind",
        needed.field,
        needed.full()
    ))
}

/// The remedy if `workload` does not start without the kind.
pub(crate) fn install_for(needed: &UnservedKind, workload: &Ref) -> String {
    format!(
        "install the CustomResourceDefinition of {} again, from the chart or manifests of its product: {workload} does \
        not start without it",
        needed.full()
    )
}

/// The remedy if the clean-up needs the kind.
pub(crate) fn install(needed: &UnservedKind) -> String {
    format!(
        "install the CustomResourceDefinition of {} again, from the chart or manifests of its product: its controller \
        needs it for the clean-up",
        needed.full()
    )
}
