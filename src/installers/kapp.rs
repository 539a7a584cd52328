//! kapp: a label with a number on what an app has made. Its name is in the labels of the
//! `ConfigMap`s in which kapp records changes (carvel-dev/kapp: `pkg/kapp/app/recorded_app_changes.go`).

use super::installer::{Installer, Mark, keeps_nothing, label, leaves_nothing, no_inventory, removes};
use crate::survey::Seen;
use std::collections::HashMap;

pub(super) const INSTALLER: Installer = Installer {
    word: "kapp",
    title: "kapp app",
    mark,
    own: &[],
    role: removes,
    inventory: no_inventory,
    keeps: keeps_nothing,
    leaves: leaves_nothing,
    is_sure: true,
    by_itself: "kapp delete deletes everything without an ordering rule at once, the operator with the objects that need it",
};

/// The label that holds the number of an app.
pub(super) const APP: &str = "kapp.k14s.io/app";

fn mark(seen: Seen<'_>) -> Option<Mark> {
    Some(Mark::new(None, label(&seen.object.metadata, APP)?))
}

/// The namespaces and names of apps by their numbers.
pub(super) fn names<'s>(rows: &[Seen<'s>]) -> HashMap<&'s str, (Option<&'s str>, &'s str)> {
    let changes = rows.iter().filter(|seen| seen.resource.id.is_private()).filter_map(|seen| {
        let metadata = &seen.object.metadata;
        let number = label(metadata, "kapp.k14s.io/app-change-app-label")?;
        Some((number, (metadata.namespace.as_deref(), label(metadata, "kapp.k14s.io/app-change-app")?)))
    });
    changes.collect()
}
