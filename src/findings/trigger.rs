//! A harmless change of an object, which triggers its controller. Controllers reconcile an object when it
//! changes; one that has missed the right moment waits for the next change
//! (<https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes>).

use crate::plan::steps::nudge_namespace::ANNOTATION;
use crate::plan::{in_namespace, quote};
use crate::report::{Ref, Remedy, Sentence};

/// The remedy that triggers the controller of `object`.
pub(crate) fn wake(object: &Ref) -> Remedy {
    let title = Sentence::from(format!("annotate {object}, so that its controller checks it again")).by(format_args!(
        "kubectl annotate {}{} --overwrite {ANNOTATION}=\"$(date -u +%FT%TZ)\"",
        quote(&object.kubectl()),
        in_namespace(object)
    ));
    Remedy::manual(title, "an annotation is added")
}
