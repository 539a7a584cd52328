//! kapp: a label with a number on the objects that an app created. Its name is in the labels of the
//! `ConfigMap`s in which kapp records changes (carvel-dev/kapp: `pkg/kapp/app/recorded_app_changes.go`).

use super::installer::{Installer, Mark, Naming, PLAIN, annotation, label};
use crate::facts::{Known, for_each};
use crate::survey::{Metadata, Seen};
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

pub(super) const INSTALLER: Installer = Installer {
    word: "kapp",
    title: "kapp app",
    mark,
    naming: Naming::Number,
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

/// How far the time in an app's number and the time of its records may be apart: the clock of the program that runs
/// kapp, and the seconds until the API server has created them.
const TOLERANCE: Duration = Duration::from_mins(1);

/// What the records of changes say of one number.
#[derive(Debug, Default)]
struct ClaimedNumber {
    apps: BTreeSet<Mark>,
    is_proven: bool,
}

/// What the records of changes say of the numbers of apps.
///
/// kapp makes the number of an app from the clock when it creates the app (`pkg/kapp/app/recorded_app.go`), and the API
/// server sets the time at which an object is created. A record is proven if it, or the app's own record beside it, was
/// created within a minute of the time in the number: nobody can write such a record later. Whoever already had a
/// `ConfigMap` of that minute can still change its labels. So two apps with proven records are refused, and an app whose
/// own records are gone is proven by nothing of its own.
#[derive(Debug, Default)]
pub(super) struct Claims<'s> {
    /// The apps that have a number, by the number.
    of: HashMap<&'s str, ClaimedNumber>,
}

/// A record of a change of an app.
struct ChangeRecord<'s> {
    number: &'s str,
    app: &'s str,
    place: &'s str,
    metadata: &'s Metadata,
}

impl<'s> ChangeRecord<'s> {
    fn of(seen: Seen<'s>) -> Option<Self> {
        let metadata = &seen.object.metadata;
        Some(Self {
            number: label(metadata, "kapp.k14s.io/app-change-app-label")?,
            app: label(metadata, "kapp.k14s.io/app-change-app")?,
            place: metadata.namespace.as_deref().filter(|_| seen.resource.id.is_private())?,
            metadata,
        })
    }

    fn mark(&self) -> Mark {
        Mark::new(Some(self.place), self.app)
    }

    /// Whether it, or the app's own record, was created when the number was made. `apps` has the own records of all
    /// apps, by namespace and name.
    fn is_proven(&self, apps: &HashMap<(&str, &str), &Metadata>) -> bool {
        // Newer versions of kapp add a suffix to the name of the app's own record.
        let names = [self.app.to_owned(), format!("{}.apps.k14s.io", self.app)];
        let own = names.iter().filter_map(|name| apps.get(&(self.place, name.as_str())).copied());
        own.chain([self.metadata]).any(|metadata| is_of_that_time(self.number, metadata))
    }
}

/// Whether an object was created at the time in the number of an app, which is in nanoseconds.
fn is_of_that_time(number: &str, metadata: &Metadata) -> bool {
    let made = number.parse().ok().and_then(|nanoseconds| Timestamp::from_nanosecond(nanoseconds).ok());
    let times = made.zip(metadata.creation_timestamp);
    times.is_some_and(|(made, created)| created.duration_since(made).unsigned_abs() <= TOLERANCE)
}

/// The own records of all apps, by namespace and name.
fn own_records<'s>(rows: &[Seen<'s>]) -> HashMap<(&'s str, &'s str), &'s Metadata> {
    let own = rows.iter().filter(|seen| {
        seen.resource.id.is_private() && seen.object.metadata.labels.contains_key("kapp.k14s.io/is-app")
    });
    own.filter_map(|seen| {
        Some(((seen.object.metadata.namespace.as_deref()?, seen.object.name()), &seen.object.metadata))
    })
    .collect()
}

/// The objects with each number: the signed ones, if kapp has signed any.
fn holders<'s>(rows: &[Seen<'s>]) -> HashMap<&'s str, Vec<Seen<'s>>> {
    let mut holders: HashMap<&str, Vec<Seen<'s>>> = HashMap::new();
    for seen in rows {
        if let Some(number) = label(&seen.object.metadata, APP) {
            holders.entry(number).or_default().push(*seen);
        }
    }
    for holders in holders.values_mut().filter(|all| all.iter().any(|seen| signed(*seen))) {
        holders.retain(|seen| signed(*seen));
    }
    holders
}

impl<'s> Claims<'s> {
    /// Reads the records. Anybody may write one with any number. If none for a number is proven, one counts only in
    /// a namespace that holds objects with that number, signed ones if kapp has signed any, or where an account may
    /// delete such an object.
    pub(super) fn read(rows: &[Seen<'s>], may_delete: impl Fn(&str, Seen<'s>) -> Known<bool>) -> Known<Self> {
        let (holders, apps) = (holders(rows), own_records(rows));
        let records: Vec<ChangeRecord<'s>> = rows.iter().filter_map(|seen| ChangeRecord::of(*seen)).collect();
        let mut claims = Self::default();
        for record in records.iter().filter(|record| record.is_proven(&apps)) {
            let claimed = claims.of.entry(record.number).or_default();
            claimed.is_proven = true;
            claimed.apps.insert(record.mark());
        }
        for_each(records, |record| {
            if claims.of.get(record.number).is_some_and(|claimed| claimed.is_proven) {
                return Ok(());
            }
            let all = holders.get(record.number).map_or(&[][..], Vec::as_slice);
            let holds = all.iter().any(|seen| seen.object.metadata.namespace.as_deref() == Some(record.place));
            let other = all.first().filter(|_| !holds).map(|seen| may_delete(record.place, *seen)).transpose()?;
            if holds || other == Some(true) {
                claims.of.entry(record.number).or_default().apps.insert(record.mark());
            }
            Ok(())
        })?;
        Ok(claims)
    }

    /// The app with this number, if one record or several alike name it.
    pub(super) fn app(&self, number: &str) -> Option<&Mark> {
        self.of.get(number).map(|claimed| &claimed.apps).filter(|apps| apps.len() == 1)?.first()
    }

    /// Whether an object belongs to the app with this number wherever it is: a record proves which app that is, and
    /// kapp has signed the object.
    pub(super) fn prove(&self, number: &str, seen: Seen<'_>) -> bool {
        self.of.get(number).is_some_and(|claimed| claimed.is_proven && claimed.apps.len() == 1) && signed(seen)
    }

    /// The apps that claim the same number.
    pub(super) fn rivals(&self, number: &str) -> impl Iterator<Item = &Mark> {
        self.of.get(number).into_iter().flat_map(|claimed| &claimed.apps)
    }
}
