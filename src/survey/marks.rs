//! The labels and annotations with which installers mark their objects. The values are names and
//! never data, so they are kept even on Secrets and `ConfigMap`s.

/// Annotations with the name of a release or an application, or with its treatment of an object.
const ANNOTATIONS: [&str; 9] = [
    "argocd.argoproj.io/sync-options",
    "argocd.argoproj.io/tracking-id",
    "fleet.cattle.io/cluster-namespace",
    "helm.sh/resource-policy",
    "kapp.k14s.io/identity",
    "kustomize.toolkit.fluxcd.io/prune",
    "meta.helm.sh/release-name",
    "meta.helm.sh/release-namespace",
    "objectset.rio.cattle.io/id",
];

/// Labels with names of installed products. A label that ends with `/` stands for all with this prefix.
const LABELS: [&str; 8] = [
    "app.kubernetes.io/instance", "argocd.argoproj.io/instance", "helm.toolkit.fluxcd.io/", "kapp.k14s.io/",
    "kustomize.toolkit.fluxcd.io/", "olm.operatorframework.io/", "olm.owner", "operators.coreos.com/",
];

/// Whether an annotation is the mark of an installer.
pub(super) fn is_annotation(key: &str) -> bool {
    ANNOTATIONS.contains(&key)
}

/// Whether a label is the mark of an installer.
pub(super) fn is_label(key: &str) -> bool {
    LABELS.iter().any(|mark| key == *mark || (mark.ends_with('/') && key.starts_with(mark)))
}
