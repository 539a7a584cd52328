//! A controller that needs an object of a kind which the server does not serve.

use crate::kubernetes::progress::UnservedKind;
use crate::report::Sentence;

/// Why `controller` does not get on.
pub(crate) fn needed(controller: Sentence, needed: &UnservedKind) -> Sentence {
    let named = needed.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    controller.then(format!(
        " runs, and {} names {}{named}: no definition serves that kind",
        needed.field,
        needed.full()
    ))
}

/// The way out.
pub(crate) fn install(needed: &UnservedKind) -> String {
    format!(
        "install the CustomResourceDefinition of {} again, from the chart or the manifests of its product, so that its controller can read what it has to clean up",
        needed.full()
    )
}
