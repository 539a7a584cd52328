//! The cost of deleting the content of a namespace.

use crate::kubernetes::namespaces::is_default_content;
use crate::plan::steps::delete_object;
use crate::report::Risk;
use crate::survey::Seen;

/// The cost of deleting these objects.
pub(crate) fn loss(rows: &[Seen<'_>]) -> (Risk, String) {
    worst(rows.iter().map(loss_of))
}

pub(crate) fn worst(costs: impl IntoIterator<Item = (Risk, String)>) -> (Risk, String) {
    let harsher = |a: (Risk, String), b: (Risk, String)| if b.0 > a.0 { b } else { a };
    costs.into_iter().reduce(harsher).unwrap_or((Risk::Harmless, "nothing is in it".into()))
}

pub(crate) fn loss_of(seen: &Seen<'_>) -> (Risk, String) {
    let id = &seen.resource.id;
    if seen.object.is_deleting() {
        (Risk::Harmless, "its deletion was requested before".into())
    } else if is_default_content(seen) {
        (Risk::Harmless, "Kubernetes creates it in every namespace".into())
    } else if id.is_secret() {
        (Risk::LosesData, "the journal keeps no data of a Secret: it cannot be created again".into())
    } else if id.is("", "persistentvolumeclaims") {
        (Risk::LosesData, "the volume of a claim is deleted with it if its reclaim policy is Delete".into())
    } else if !delete_object::is_kept(id) {
        (
            Risk::LosesData,
            "the journal does not keep its content, so undo cannot restore it; save a copy first with kubectl get -o \
            yaml"
                .into(),
        )
    } else {
        (
            Risk::Disruptive,
            "its remaining users lose it; the journal keeps it as it was, and undo creates it again with a new uid"
                .into(),
        )
    }
}
