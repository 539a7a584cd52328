//! The labels and annotations by which installers know what they have made. Their texts are names
//! and never data, so that they are kept also of Secrets and `ConfigMap`s.

/// Annotations that hold the name of a release or an application, or how it deals with an object.
const ANNOTATIONS: [&str; 8] = [
    "argocd.argoproj.io/sync-options",
    "argocd.argoproj.io/tracking-id",
    "helm.sh/resource-policy",
    "kapp.k14s.io/identity",
    "kustomize.toolkit.fluxcd.io/prune",
    "meta.helm.sh/release-name",
    "meta.helm.sh/release-namespace",
    "objectset.rio.cattle.io/id",
];

/// Labels with names of installed products; one that ends with `/` stands for all that begin
/// with it.
const LABELS: [&str; 8] = [
    "app.kubernetes.io/instance",
    "argocd.argoproj.io/instance",
    "helm.toolkit.fluxcd.io/",
    "kapp.k14s.io/",
    "kustomize.toolkit.fluxcd.io/",
    "olm.operatorframework.io/",
    "olm.owner",
    "operators.coreos.com/",
];

/// Whether an annotation is the mark of an installer.
pub(super) fn is_annotation(key: &str) -> bool {
    ANNOTATIONS.contains(&key)
}

/// Whether a label is the mark of an installer.
pub(super) fn is_label(key: &str) -> bool {
    LABELS.iter().any(|mark| key == *mark || (mark.ends_with('/') && key.starts_with(mark)))
}
