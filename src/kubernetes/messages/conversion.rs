//! What the API server says of a conversion that failed (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go`).

use crate::facts::Facts;
use crate::survey::Resource;

const FAILED: &str = "conversion webhook for ";

/// Whether a text tells of one by a webhook.
pub(crate) fn is_about_a_conversion(text: &str) -> bool {
    text.contains(FAILED)
}

/// The kind of a failed conversion: `conv.example/v1, Kind=Gadget` in `conversion webhook for
/// … failed`.
pub(crate) fn named_kind<'s>(message: &str, facts: &Facts<'s>) -> Option<&'s Resource> {
    let named = message.split_once(FAILED)?.1.split_once(" failed")?.0;
    let (version, kind) = named.split_once(", Kind=")?;
    let group = version.split_once('/').map_or("", |(group, _)| group);
    // The version of the rows need not be served.
    let in_any = |kind: &str| {
        let mut all = facts.discovery().resources.iter();
        all.find(|resource| resource.id.group == group && resource.kind == kind)
    };
    // A list is named by its own kind.
    let of = |kind: &str| facts.discovery().by_kind(version, kind).or_else(|| in_any(kind));
    of(kind).or_else(|| of(kind.strip_suffix("List")?))
}
