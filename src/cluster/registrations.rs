//! What was seen just now of who answers for which groups and versions.

use crate::survey::{Object, ResourceId, ServedBy};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// What was seen of an `APIService` holds for so long: who may write them may put another server
/// in the place of any group and version at any time. Steps that are carried out one after the
/// other, and the dry runs of one diagnosis, look once.
pub(super) const HOLDS: Duration = Duration::from_secs(5);

/// Who was seen to answer, by the name of the `APIService`, and when that was asked.
#[derive(Clone, Default)]
pub(super) struct Registrations(Arc<Mutex<HashMap<String, (Instant, ServedBy)>>>);

impl Registrations {
    fn seen(&self) -> MutexGuard<'_, HashMap<String, (Instant, ServedBy)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who answers, where that was seen just now.
    pub(super) fn get(&self, name: &str) -> Option<ServedBy> {
        let (asked, served_by) = self.seen().get(name).copied()?;
        (asked.elapsed() < HOLDS).then_some(served_by)
    }

    /// One was asked for then.
    pub(super) fn add(&self, name: String, asked: Instant, served_by: ServedBy) {
        self.seen().insert(name, (asked, served_by));
    }

    /// The list of all was asked for then, and holds these.
    pub(super) fn are(&self, asked: Instant, all: &[Object]) {
        let seen = all.iter().filter_map(|one| {
            let (version, group) = one.name().split_once('.')?;
            let id = ResourceId::new(group, version, "");
            Some((id.registration(), (asked, id.served_by(Some(std::slice::from_ref(one))))))
        });
        *self.seen() = seen.collect();
    }
}
