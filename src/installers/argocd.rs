//! Argo CD: a tracking annotation or label on the objects that an Application created, and
//! `status.resources` (<https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/>).

use super::helm;
use super::installer::{Installer, Mark, PLAIN, annotation, is_definition, label};
use super::inventory::Inventory;
use crate::survey::{Metadata, Object, Seen};

pub(super) const INSTALLER: Installer = Installer {
    word: "argocd",
    title: "Argo CD application",
    mark,
    also,
    own: &[("argoproj.io", "applications")],
    inventory,
    keeps,
    fails_to_keep,
    leaves: is_definition,
    by_itself: "Argo CD deletes everything that it tracks at once, except CustomResourceDefinitions. For that it \
        needs the finalizer on the Application, and its project. With selfHeal, it creates again what was deleted by \
        hand",
    ..PLAIN
};

/// The prefix of the finalizers with which an Application deletes the objects that it created.
const CASCADES: &str = "resources-finalizer.argocd.argoproj.io";

fn mark(seen: Seen<'_>) -> Option<Mark> {
    let metadata = &seen.object.metadata;
    // `app:group/kind:namespace/name`.
    let tracked = annotation(metadata, "argocd.argoproj.io/tracking-id").and_then(|id| id.split_once(':'));
    tracked.map(|(app, _)| app).or_else(|| label(metadata, "argocd.argoproj.io/instance")).map(application)
}

/// The label in which older versions track objects (argoproj/argo-cd: `common/common.go`, `LabelKeyAppInstance`).
fn also(metadata: &Metadata) -> Option<Mark> {
    label(metadata, "app.kubernetes.io/instance").map(application)
}

/// An Application by its name in marks, which is `namespace_app` if it is not in the controller's own namespace
/// (argoproj/argo-cd: `pkg/apis/application/v1alpha1/types.go`, `InstanceName`).
fn application(app: &str) -> Mark {
    let (namespace, name) = app.split_once('_').map_or((None, app), |(namespace, name)| (Some(namespace), name));
    Mark::new(namespace, name)
}

fn inventory(object: &Object) -> Inventory<'_> {
    let cascades = object.metadata.finalizers.iter().any(|key| key.starts_with(CASCADES));
    let stays = (!cascades).then_some("it has no finalizer resources-finalizer.argocd.argoproj.io");
    Inventory { stays, ..Inventory::listed(object, "/status/resources") }
}

/// The cascade leaves definitions and these (argoproj/argo-cd: `controller/appcontroller.go`,
/// `shouldBeDeleted`).
fn keeps(metadata: &Metadata) -> Option<&'static str> {
    has_option(metadata, "Delete=false")
        .then_some("argocd.argoproj.io/sync-options: Delete=false")
        .or_else(|| helm::keeps(metadata))
}

fn fails_to_keep(metadata: &Metadata) -> Option<&'static str> {
    has_option(metadata, "Prune=false").then_some(
        "argocd.argoproj.io/sync-options: Prune=false keeps it in a sync, but not when its Application is deleted",
    )
}

fn has_option(metadata: &Metadata, option: &str) -> bool {
    let options = annotation(metadata, "argocd.argoproj.io/sync-options").unwrap_or_default();
    options.split(',').any(|it| it.trim() == option)
}
