//! A harmless change of an object, so that its controller looks at it again. Controllers look at an
//! object when it changes; one that has missed the right moment waits for the next change
//! (<https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes>).

use crate::plan::steps::nudge_namespace::ANNOTATION;
use crate::plan::{in_namespace, quote};
use crate::report::{Ref, Remedy, Sentence};

/// The way out that makes the controller of `object` look at it again.
pub(crate) fn wake(object: &Ref) -> Remedy {
    let title = Sentence::from(format!("annotate {object}, so that its controller checks it again")).by(format_args!(
        "kubectl annotate {}{} --overwrite {ANNOTATION}=\"$(date -u +%FT%TZ)\"",
        quote(&object.kubectl()),
        in_namespace(object)
    ));
    Remedy::manual(title, "an annotation is added")
}
