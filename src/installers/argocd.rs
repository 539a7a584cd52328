//! Argo CD: a tracking annotation or label on the objects that an Application created, and
//! `status.resources` (<https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/>).

use super::helm;
use super::installer::{Installer, Mark, annotation, label, leaves_nothing, removes};
use super::inventory::{Entry, Inventory};
use crate::survey::{Metadata, Object, Seen};

pub(super) const INSTALLER: Installer = Installer {
    word: "argocd",
    title: "Argo CD application",
    mark,
    own: &[("argoproj.io", "applications")],
    role: removes,
    inventory,
    signed: None,
    keeps,
    leaves: leaves_nothing,
    is_sure: true,
    by_itself: "Argo CD deletes everything that it tracks at once, needs the finalizer on the Application and its \
                project for that, and with selfHeal creates again what was deleted by hand",
};

/// The prefix of the finalizers with which an Application deletes the objects that it created.
const CASCADES: &str = "resources-finalizer.argocd.argoproj.io";

fn mark(seen: Seen<'_>) -> Option<Mark> {
    let metadata = &seen.object.metadata;
    if INSTALLER.is_own(seen) {
        return Some(Mark::new(None, seen.object.name()));
    }
    // `app:group/kind:namespace/name`; the id of an Application in another namespace is
    // `namespace_app`.
    let id = annotation(metadata, "argocd.argoproj.io/tracking-id").and_then(|id| id.split_once(':'));
    let tracked = id.map(|(app, _)| app.rsplit_once('_').map_or(app, |(_, app)| app));
    Some(Mark::new(None, tracked.or_else(|| label(metadata, "argocd.argoproj.io/instance"))?))
}

fn inventory(object: &Object) -> Inventory<'_> {
    let entries = object.array("/status/resources").iter().filter_map(Entry::of_fields).collect();
    let cascades = object.metadata.finalizers.iter().any(|key| key.starts_with(CASCADES));
    let stays = (!cascades).then_some("it has no finalizer resources-finalizer.argocd.argoproj.io");
    Inventory { entries, stays, ..Inventory::default() }
}

fn keeps(metadata: &Metadata) -> Option<&'static str> {
    let options = annotation(metadata, "argocd.argoproj.io/sync-options").unwrap_or_default();
    let has = |option: &str| options.split(',').any(|it| it.trim() == option);
    if has("Delete=false") {
        return Some("argocd.argoproj.io/sync-options: Delete=false");
    }
    has("Prune=false").then_some("argocd.argoproj.io/sync-options: Prune=false").or_else(|| helm::keeps(metadata))
}
