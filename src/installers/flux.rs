//! Flux: labels on the objects that a Kustomization or a `HelmRelease` created, and the inventory of
//! a Kustomization (fluxcd/kustomize-controller: `api/v1/kustomization_types.go`;
//! fluxcd/helm-controller: `internal/postrender/origin_labels.go`).

use super::helm;
use super::installer::{Installer, Mark, PLAIN, annotation, is_true, label};
use super::inventory::Inventory;
use crate::survey::{Metadata, Object, Seen};

pub(super) const INSTALLER: Installer = Installer {
    word: "flux",
    title: "Flux",
    mark,
    names,
    account: |own| own.text("/spec/serviceAccountName"),
    own: &[("kustomize.toolkit.fluxcd.io", "kustomizations"), ("helm.toolkit.fluxcd.io", "helmreleases")],
    inventory,
    keeps,
    by_itself: "Flux prunes everything in the inventory at once, the operator with the objects that need it, and \
                creates again what was deleted by hand while its own object exists",
    ..PLAIN
};

const KUSTOMIZATION: &str = "Kustomization";
const HELM_RELEASE: &str = "HelmRelease";

fn mark(seen: Seen<'_>) -> Option<Mark> {
    let metadata = &seen.object.metadata;
    let of = |group: &str| {
        Some(Mark::new(label(metadata, &format!("{group}/namespace")), label(metadata, &format!("{group}/name"))?))
    };
    let of_release = of("helm.toolkit.fluxcd.io").map(|mark| mark.of_kind(HELM_RELEASE));
    of_release.or_else(|| of("kustomize.toolkit.fluxcd.io").map(|mark| mark.of_kind(KUSTOMIZATION)))
}

#[expect(clippy::unnecessary_wraps, reason = "an installer may have own objects that name no product")]
fn names(seen: Seen<'_>) -> Option<Mark> {
    let kind = if seen.resource.id.plural == "helmreleases" { HELM_RELEASE } else { KUSTOMIZATION };
    Some(Mark::new(seen.object.metadata.namespace.as_deref(), seen.object.name()).of_kind(kind))
}

fn inventory(object: &Object) -> Inventory<'_> {
    let policy = object.text("/spec/deletionPolicy").unwrap_or("MirrorPrune");
    let prunes = object.at("/spec/prune").and_then(serde_json::Value::as_bool);
    let stays = match (policy, prunes) {
        ("Orphan", _) => Some("spec.deletionPolicy is Orphan"),
        ("MirrorPrune", Some(false)) => Some("spec.prune is false"),
        _ => is_true(object, "/spec/suspend").then_some("it is suspended (spec.suspend)"),
    };
    Inventory { stays, ..Inventory::listed(object, "/status/inventory/entries") }
}

fn keeps(metadata: &Metadata) -> Option<&'static str> {
    let key = "kustomize.toolkit.fluxcd.io/prune";
    let disabled = annotation(metadata, key).or_else(|| label(metadata, key)) == Some("disabled");
    disabled.then_some("kustomize.toolkit.fluxcd.io/prune: disabled").or_else(|| helm::keeps(metadata))
}
