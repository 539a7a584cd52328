//! A harmless change of an object, which triggers its controller. Controllers reconcile an object when it
//! changes; a controller that has missed the right moment waits for the next change
//! (<https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes>).

use crate::plan::full_name;
use crate::plan::steps::nudge_namespace::ANNOTATION;
use crate::report::{Ref, Remedy};

/// The remedy that triggers the controller of `object`.
pub(crate) fn wake(object: &Ref) -> Remedy {
    Remedy::command(
        format!("annotate {object}, so that its controller checks it again"),
        format_args!("kubectl annotate {} --overwrite {ANNOTATION}=\"$(date -u +%FT%TZ)\"", full_name(object)),
        "an annotation is added",
    )
}
