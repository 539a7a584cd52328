//! A label that many charts and people put on objects that belong together. It proves nothing.

use super::installer::{Installer, Mark, keeps_nothing, label, leaves_nothing, no_inventory, removes};
use crate::survey::Seen;

pub(super) const INSTALLER: Installer = Installer {
    word: "instance",
    title: "objects labelled app.kubernetes.io/instance",
    mark,
    own: &[],
    role: removes,
    inventory: no_inventory,
    signed: None,
    keeps: keeps_nothing,
    leaves: leaves_nothing,
    is_sure: false,
    by_itself: "kubectl delete -l deletes kind by kind, and the Deployment with the objects that need it",
};

fn mark(seen: Seen<'_>) -> Option<Mark> {
    let metadata = &seen.object.metadata;
    Some(Mark::new(metadata.namespace.as_deref(), label(metadata, "app.kubernetes.io/instance")?))
}
