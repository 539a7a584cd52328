//! The installer of a webhook or a policy.

use crate::survey::Metadata;

/// The installer of an object, as its labels and annotations name it.
pub(crate) fn whose(metadata: &Metadata) -> Option<String> {
    let annotation = |key: &str| metadata.annotations.get(key).map(String::as_str);
    let label = |key: &str| metadata.labels.get(key).map(String::as_str);
    if let Some(release) = annotation("meta.helm.sh/release-name") {
        let namespace = annotation("meta.helm.sh/release-namespace").unwrap_or("?");
        return Some(format!("belongs to Helm release {release} in namespace {namespace}"));
    }
    if let Some(owner) = label("olm.owner") {
        return Some(format!("belongs to {owner}, installed by the Operator Lifecycle Manager"));
    }
    let part = ["app.kubernetes.io/part-of", "app.kubernetes.io/instance", "app.kubernetes.io/name", "app"];
    part.iter().find_map(|key| label(key)).map(|product| format!("belongs to {product}"))
}
