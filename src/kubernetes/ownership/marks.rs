//! The marks of installers on the objects of one installation: labels and annotations.

use crate::kubernetes::finalizers::names::Weight;
use crate::survey::Object;

pub(super) const HELM_RELEASE: &str = "meta.helm.sh/release-name";

pub(super) const HELM_NAMESPACE: &str = "meta.helm.sh/release-namespace";

/// Marks that installers write on everything of one installation, and their weight as evidence when
/// a workload has the same.
const MARKS: [(&str, Weight); 10] = [
    (HELM_RELEASE, 2),
    (HELM_NAMESPACE, 1),
    ("app.kubernetes.io/instance", 1),
    ("app.kubernetes.io/name", 2),
    ("app.kubernetes.io/part-of", 1),
    ("olm.owner", 3),
    ("helm.toolkit.fluxcd.io/name", 2),
    ("argocd.argoproj.io/instance", 1),
    (ARGO_CD_TRACKING, 1),
    ("kustomize.toolkit.fluxcd.io/name", 1),
];

const ARGO_CD_TRACKING: &str = "argocd.argoproj.io/tracking-id";

/// The part of a mark that identifies the installation. Argo CD's begins with the application:
/// `app:group/kind:namespace/name`
/// (<https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/>).
fn installation<'v>(key: &str, value: &'v str) -> &'v str {
    if key == ARGO_CD_TRACKING { value.split(':').next().unwrap_or(value) } else { value }
}

/// The installation that a mark of an object identifies.
fn installation_of<'o>(object: &'o Object, key: &str) -> Option<&'o str> {
    mark(object, key).map(|value| installation(key, value))
}

/// The namespace into which Helm installed an object.
pub(crate) fn installed_in(object: &Object) -> Option<&str> {
    installation_of(object, HELM_NAMESPACE)
}

/// Whether an installer's mark shows that both objects belong to one installation. Everything that is
/// installed into a namespace has Helm's mark for the namespace, which does not show that.
pub(crate) fn share_a_mark(one: &Object, other: &Object) -> bool {
    let same = |key: &str| installation_of(one, key).is_some_and(|own| installation_of(other, key) == Some(own));
    MARKS.iter().any(|(key, _)| *key != HELM_NAMESPACE && same(key))
}

/// Marks that name the namespace of an installation.
pub(super) const NAMESPACES: [&str; 3] = [HELM_NAMESPACE, "olm.owner.namespace", "helm.toolkit.fluxcd.io/namespace"];

/// A label or annotation that the kind's definition shares with objects of the same installation.
#[derive(Debug)]
pub(crate) struct SharedMark {
    pub(super) key: &'static str,
    pub(super) value: String,
    weight: Weight,
    pub(crate) text: String,
}

impl SharedMark {
    /// Whether a workload has the same mark.
    pub(super) fn is_on(&self, workload: &Object) -> bool {
        installation_of(workload, self.key) == Some(installation(self.key, &self.value))
    }
}

/// The weight of those of `marks` that are on a workload.
pub(super) fn weight_on(workload: &Object, marks: &[SharedMark]) -> i64 {
    marks.iter().filter(|mark| mark.is_on(workload)).map(|mark| i64::from(mark.weight)).sum()
}

/// The value of a mark: an annotation or a label.
pub(super) fn mark<'o>(object: &'o Object, key: &str) -> Option<&'o String> {
    object.metadata.annotations.get(key).or_else(|| object.metadata.labels.get(key))
}

/// The marks of an installer on an object.
pub(super) fn marks_of(kind: &str, object: &Object) -> Vec<SharedMark> {
    let found = MARKS.into_iter().filter_map(|(key, weight)| {
        let value = mark(object, key)?;
        let text = format!("{kind} {} has {key}={value}", object.name());
        Some(SharedMark { key, value: value.clone(), weight, text })
    });
    found.collect()
}
