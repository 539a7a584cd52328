//! What `write::apply` needs to know of a write: a step of a plan, or one that puts back what a
//! step has changed.

use super::identity::WriteIdentity;
use crate::report::Ref;
use crate::survey::{Object, ResourceId};
use jiff::Timestamp;
use serde_json::Value;

/// One write: the request it is, what must hold before it and after it.
pub trait Write: Sync {
    /// The object that is written.
    fn object(&self) -> &Ref;

    /// What is done, in the imperative.
    fn title(&self) -> String;

    /// Compares the object as it is `now` with what was shown.
    fn guard(&self, now: Option<&Object>) -> Guard;

    /// The request for the object as it was read again just now.
    fn request(&self, raw: &Value, at: Timestamp) -> WriteRequest;

    /// Judges by the object as it is after the write of `request`.
    fn verify(&self, after: Option<&Object>, request: &WriteRequest) -> StepVerdict;

    /// Why the write would be in vain, as far as the answer to its dry run shows it, which has
    /// the metadata of the object alone.
    fn in_vain(&self, _tried: &Object) -> Option<String> {
        None
    }

    /// Whether it makes an object that is not there.
    fn creates(&self) -> bool;

    /// Whether the object is read by its metadata alone.
    fn reads_metadata_only(&self) -> bool {
        self.resource().is_private()
    }

    /// What must be so in the object's namespace, and is looked at right before.
    fn needs(&self) -> Needs<'_>;

    /// What goes on record of the object as it was before.
    fn image(&self, raw: &Value) -> Value;

    /// What goes on record of the body of its request.
    fn recorded(&self, request: &WriteRequest) -> Value {
        request.body.clone()
    }

    /// What goes on record of the write itself.
    fn record(&self) -> Value;

    /// Identifies it in an approval.
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

/// What the object looked like when it was read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// As it was shown: go on.
    Holds,
    /// What the step would bring about is so already.
    AlreadySo(String),
    /// Not what was shown: the step must not be done.
    Changed(String),
}

impl Guard {
    /// Holds for an object that is being deleted, and for no other.
    pub(super) fn while_deleted(object: &Ref, now: &Object) -> Self {
        if now.is_deleting() { Self::Holds } else { Self::Changed(format!("{object} is not being deleted")) }
    }

    /// For an object that shares only its name with the one that was shown.
    pub(super) fn replaced(object: &Ref) -> Self {
        Self::Changed(format!("{object} is another object now: it was deleted and created again"))
    }
}

/// What the object looks like after the write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepVerdict {
    /// The step took effect, in these words.
    Done(String),
    /// It did not, or not yet.
    NotYet(String),
}

/// What must be so besides the object itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs<'a> {
    /// Nothing.
    Nothing,
    /// The namespace that is the object holds nothing at all.
    Empty,
    /// It holds nothing but what comes with every namespace.
    OnlyDefaultContent,
    /// It holds nothing that is younger than itself: nobody deletes what was not shown.
    OnlyLeftovers,
    /// This namespace does not exist: what is deleted must be stranded.
    Missing(&'a str),
}

impl StepVerdict {
    /// Done, in these words; where finalizers are left on the object, `held` says so of them.
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
