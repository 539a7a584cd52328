//! kapp: a label with a number on the objects that an app created. Its name is in the labels of the
//! `ConfigMap`s in which kapp records changes (carvel-dev/kapp: `pkg/kapp/app/recorded_app_changes.go`).

use super::installer::{Installer, Mark, PLAIN, annotation, label};
use crate::survey::Seen;
use std::collections::HashMap;

pub(super) const INSTALLER: Installer = Installer {
    word: "kapp",
    title: "kapp app",
    mark,
    signed: Some(signed),
    by_itself: "kapp delete deletes everything without an ordering rule at once, the operator with the objects that need it",
    ..PLAIN
};

/// The label that holds the number of an app.
pub(super) const APP: &str = "kapp.k14s.io/app";

fn mark(seen: Seen<'_>) -> Option<Mark> {
    Some(Mark::new(None, label(&seen.object.metadata, APP)?))
}

/// Whether it has the annotation in which kapp records the identity of an object that it created.
/// On a copy it names the original, and kapp deletes no copy
/// (`pkg/kapp/resources/identity_annotation.go`).
pub(super) fn signed(seen: Seen<'_>) -> bool {
    let metadata = &seen.object.metadata;
    let mut parts = annotation(metadata, "kapp.k14s.io/identity").unwrap_or_default().split(';');
    let place = metadata.namespace.as_deref().unwrap_or_default();
    let Seen { resource, object } = seen;
    let own = format!("{place}/{}/{}/{}", resource.id.group, resource.kind, object.name());
    parts.next() == Some("v1") && parts.next() == Some(own.as_str())
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
