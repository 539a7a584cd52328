//! The identity of a write: two writes with one identity are the same write.

use crate::report::{Parameters, Step, StepKind};
use serde::Serialize;
use serde_json::Value;

/// A kind of write and its object. The index of an entry in a list and the resourceVersion of the object are
/// not included, since they change by themselves.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct WriteIdentity {
    kind: StepKind,
    /// Whether it undoes such a step.
    takes_back: bool,
    path: String,
    /// The uid of the object; `None` if it is absent and created.
    uid: Option<String>,
    /// The finalizer or entry.
    entry: Option<String>,
    /// The old value that was shown.
    value: Option<Value>,
}

impl WriteIdentity {
    /// The identity of a step.
    pub(super) fn of(step: &Step) -> Self {
        let uid = Some(step.object.uid.clone()).filter(|uid| !uid.is_empty());
        let Parameters { finalizer, entry, value } = step.action.parameters();
        let path = step.object.target().want().path();
        Self { kind: step.kind(), takes_back: false, path, uid, entry: finalizer.or(entry), value }
    }

    /// The identity of the write that undoes `step`, for the object with this uid as it was shown: `record`
    /// names the run and the step.
    pub(super) fn taking_back(step: &Step, uid: Option<String>, record: Value) -> Self {
        Self { takes_back: true, uid, value: Some(record), ..Self::of(step) }
    }

    /// Whether it is the same write to an object of the same name: perhaps to another object, or with another
    /// old value.
    #[must_use]
    pub fn is_namesake_of(&self, other: &Self) -> bool {
        (self.kind, self.takes_back, &self.path, &self.entry)
            == (other.kind, other.takes_back, &other.path, &other.entry)
    }

    /// The URL path of the object.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The uid of the object, if it exists.
    #[must_use]
    pub fn uid(&self) -> Option<&str> {
        self.uid.as_deref()
    }
}
