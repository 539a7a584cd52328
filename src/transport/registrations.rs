//! Remembers for a moment which servers answer for groups and versions.

use crate::survey::{Object, ResourceId, ServedBy};
use crate::transport::throttle::lock;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

/// How long an `APIService` is remembered. The time is short, since another server may be
/// registered for any group and version at any time, but long enough that consecutive steps, and
/// the dry runs of one diagnosis, read it once.
pub(crate) const REMEMBERED_FOR: Duration = Duration::from_secs(5);

/// The servers by the names of their `APIService`s, with the time of the read.
#[derive(Clone, Default)]
pub(crate) struct Registrations(Arc<Mutex<HashMap<String, (Instant, ServedBy)>>>);

impl Registrations {
    /// The server that answers, if this was read recently.
    pub(crate) fn get(&self, name: &str) -> Option<ServedBy> {
        let (asked, served_by) = lock(&self.0).get(name).copied()?;
        (asked.elapsed() < REMEMBERED_FOR).then_some(served_by)
    }

    /// Remembers one APIService that was requested at `asked`.
    pub(crate) fn add(&self, name: String, asked: Instant, served_by: ServedBy) {
        lock(&self.0).insert(name, (asked, served_by));
    }

    /// Remembers a list of all APIServices that was requested at `asked`.
    pub(crate) fn are(&self, asked: Instant, all: &[Object]) {
        let seen = all.iter().filter_map(|one| {
            let (version, group) = one.name().split_once('.')?;
            let id = ResourceId::new(group, version, "");
            Some((id.registration(), (asked, id.served_by(Some(std::slice::from_ref(one))))))
        });
        *lock(&self.0) = seen.collect();
    }
}
