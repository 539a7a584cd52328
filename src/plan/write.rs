//! The interface of a write for `write::apply`: a step of a plan, or a write that undoes a
//! step.

use super::identity::WriteIdentity;
use crate::report::Ref;
use crate::survey::{Object, ResourceId};
use jiff::Timestamp;
use serde_json::Value;

/// One write: its request, its guard and its verification.
pub trait Write: Sync {
    /// The object that is written.
    fn object(&self) -> &Ref;

    /// The title, in the imperative.
    fn title(&self) -> String;

    /// Compares the object as it is `now` with what was shown.
    fn guard(&self, now: Option<&Object>) -> Guard;

    /// The request for the object as it was read again just now.
    fn request(&self, raw: &Value, at: Timestamp) -> WriteRequest;

    /// Judges by the object as it is after the write of `request`.
    fn verify(&self, after: Option<&Object>, request: &WriteRequest) -> StepVerdict;

    /// Why the write would have no effect, if the answer to its dry run shows that. The answer contains
    /// only the metadata of the object.
    fn in_vain(&self, _tried: &Object) -> Option<String> {
        None
    }

    /// Whether it creates an object that does not exist.
    fn creates(&self) -> bool;

    /// Whether only the metadata of the object are read.
    fn reads_metadata_only(&self) -> bool {
        self.resource().is_private()
    }

    /// The condition on the object's namespace, which is checked right before the write.
    fn needs(&self) -> Needs<'_>;

    /// The image of the object before the write, for the journal.
    fn image(&self, raw: &Value) -> Value;

    /// The part of the request's body that the journal keeps.
    fn recorded(&self, request: &WriteRequest) -> Value {
        request.body.clone()
    }

    /// The journal's record of the write itself.
    fn record(&self) -> Value;

    /// Its identity in an approval.
    fn identity(&self) -> WriteIdentity;

    /// The resource of the object.
    fn resource(&self) -> ResourceId {
        self.object().target().resource
    }

    /// The URL path of the object.
    fn path(&self) -> String {
        self.object().target().want().path()
    }
}

/// The state of the object when it was read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// The same as when it was shown: continue.
    Holds,
    /// The result of the step exists already.
    AlreadySo(String),
    /// Different from what was shown: the step must not be done.
    Changed(String),
}

impl Guard {
    /// Holds for an object that is being deleted, and for no other.
    pub(super) fn while_deleted(object: &Ref, now: &Object) -> Self {
        if now.is_deleting() { Self::Holds } else { Self::Changed(format!("{object} is not being deleted")) }
    }

    /// The guard for an object that shares only its name with the one that was shown.
    pub(super) fn replaced(object: &Ref) -> Self {
        Self::Changed(format!("{object} is another object now: it was deleted and created again"))
    }
}

/// The state of the object after the write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepVerdict {
    /// The step has taken effect, in these words.
    Done(String),
    /// The step has not taken effect, or not yet.
    NotYet(String),
}

/// A condition besides the object itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs<'a> {
    /// No condition.
    Nothing,
    /// The namespace, which is the object, contains nothing at all.
    Empty,
    /// The namespace contains only the default content of every namespace.
    OnlyDefaultContent,
    /// The namespace contains nothing younger than itself: nothing is deleted that was not shown.
    OnlyLeftovers,
    /// This namespace does not exist: the deleted object must be stranded.
    Missing(&'a str),
}

impl StepVerdict {
    /// Done, in these words; if finalizers are left on the object, `held` introduces them.
    pub(super) fn done(text: String, held: &str, after: &Object) -> Self {
        let left = after.metadata.finalizers.join(", ");
        Self::Done(if left.is_empty() { text } else { format!("{text}; {held} {left}") })
    }
}

/// A request that changes something.
#[derive(Debug, Clone, PartialEq)]
pub struct WriteRequest {
    /// `PATCH`, `DELETE`, `PUT` or `POST`.
    pub method: &'static str,
    /// The URL path, without query.
    pub path: String,
    /// The media type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: Value,
}

impl WriteRequest {
    pub(super) fn json(method: &'static str, path: String, body: Value) -> Self {
        Self { method, path, content_type: "application/json", body }
    }
}
