//! Helm: two annotations on everything in a release's manifest (helm/helm:
//! `pkg/action/validate.go`). The manifest itself is in a Secret, which is not read; hooks and the
//! contents of a chart's `crds` folder have no marks.

use super::installer::{Installer, Mark, PLAIN, annotation};
use crate::inert::quote;
use crate::survey::{Metadata, Seen};

pub(super) const INSTALLER: Installer = Installer {
    word: "helm",
    title: "Helm release",
    mark,
    keeps,
    by_itself: "helm uninstall deletes the Deployment and its permissions at once, before the objects that need them, \
                and leaves what the chart has in its crds directory",
    forget,
    ..PLAIN
};

fn mark(seen: Seen<'_>) -> Option<Mark> {
    let metadata = &seen.object.metadata;
    let namespace = annotation(metadata, "meta.helm.sh/release-namespace");
    Some(Mark::new(namespace, annotation(metadata, "meta.helm.sh/release-name")?))
}

/// The Secrets in which helm records its release (helm/helm: `pkg/storage/driver/secrets.go`).
fn forget(release: &Mark) -> Option<String> {
    let (name, namespace) = (quote(&release.name), quote(release.namespace.as_ref()?));
    Some(format!("kubectl delete secrets -n {namespace} -l owner=helm,name={name}"))
}

/// `helm.sh/resource-policy: keep` (helm/helm: `pkg/kube/resource_policy.go`).
pub(crate) fn keeps(metadata: &Metadata) -> Option<&'static str> {
    let policy = annotation(metadata, "helm.sh/resource-policy")?;
    policy.trim().eq_ignore_ascii_case("keep").then_some("helm.sh/resource-policy: keep")
}
