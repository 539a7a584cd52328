//! A label that many charts and people put on objects that belong together. It proves nothing.

use super::installer::{Installer, Mark, PLAIN, label};
use crate::survey::Seen;

pub(super) const INSTALLER: Installer = Installer {
    word: "instance",
    title: "objects labelled app.kubernetes.io/instance",
    mark,
    is_sure: false,
    by_itself: "kubectl delete -l deletes kind by kind, and the Deployment with the objects that need it",
    ..PLAIN
};

fn mark(seen: Seen<'_>) -> Option<Mark> {
    let metadata = &seen.object.metadata;
    Some(Mark::new(metadata.namespace.as_deref(), label(metadata, "app.kubernetes.io/instance")?))
}
