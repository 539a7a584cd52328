//! kapp: a label with a number on the objects that an app created. Its name is in the labels of the
//! `ConfigMap`s in which kapp records changes (carvel-dev/kapp: `pkg/kapp/app/recorded_app_changes.go`).

use super::installer::{Installer, Mark, PLAIN, annotation, label};
use crate::facts::{Known, for_each};
use crate::survey::Seen;
use std::collections::{BTreeSet, HashMap};

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

/// What the records of changes say of the numbers of apps.
#[derive(Debug, Default)]
pub(super) struct Claims<'s> {
    /// The apps that have a number, by the number.
    of: HashMap<&'s str, BTreeSet<Mark>>,
}

impl<'s> Claims<'s> {
    /// Reads the records. Anybody may write one with any number, so that a record counts only in a namespace
    /// that holds objects with that number, signed ones if kapp has signed any, or where an account may delete
    /// such an object.
    ///
    /// # Errors
    /// When some of it was not surveyed yet.
    pub(super) fn read(rows: &[Seen<'s>], may_delete: impl Fn(&str, Seen<'s>) -> Known<bool>) -> Known<Self> {
        let mut holders: HashMap<&str, Vec<Seen<'s>>> = HashMap::new();
        for seen in rows {
            if let Some(number) = label(&seen.object.metadata, APP) {
                holders.entry(number).or_default().push(*seen);
            }
        }
        for holders in holders.values_mut().filter(|all| all.iter().any(|seen| signed(*seen))) {
            holders.retain(|seen| signed(*seen));
        }
        let mut claims = Self::default();
        for_each(rows.iter().filter(|seen| seen.resource.id.is_private()), |record| {
            let metadata = &record.object.metadata;
            let of = |key: &str| label(metadata, key);
            let (Some(number), Some(name), Some(place)) = (
                of("kapp.k14s.io/app-change-app-label"),
                of("kapp.k14s.io/app-change-app"),
                metadata.namespace.as_deref(),
            ) else {
                return Ok(());
            };
            let all = holders.get(number).map_or(&[][..], Vec::as_slice);
            let holds = all.iter().any(|seen| seen.object.metadata.namespace.as_deref() == Some(place));
            let other = all.first().filter(|_| !holds).map(|seen| may_delete(place, *seen)).transpose()?;
            if holds || other == Some(true) {
                claims.of.entry(number).or_default().insert(Mark::new(Some(place), name));
            }
            Ok(())
        })?;
        Ok(claims)
    }

    /// The app with this number, if one record or several alike name it.
    pub(super) fn app(&self, number: &str) -> Option<&Mark> {
        self.of.get(number).filter(|claims| claims.len() == 1)?.first()
    }

    /// The apps that claim the same number.
    pub(super) fn rivals(&self, number: &str) -> impl Iterator<Item = &Mark> {
        self.of.get(number).into_iter().flatten()
    }
}
