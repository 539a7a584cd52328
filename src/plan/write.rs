//! What `cluster::apply` has to know of a write, whoever thought of it: a step of
//! a plan, or one that puts back what a step has changed.

use super::image::before_image;
use crate::plan::{Guard, Verdict, WriteRequest};
use crate::report::{Ref, Step, StepKind};
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
    fn verify(&self, after: Option<&Object>, request: &WriteRequest) -> Verdict;

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

    /// What goes on record of the write itself.
    fn record(&self) -> Value;

    /// The resource of the object.
    fn resource(&self) -> ResourceId {
        self.object().target().resource
    }

    /// The URL path of the object.
    fn path(&self) -> String {
        self.object().target().want().path()
    }
}

/// What must be so besides the object itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs<'a> {
    /// Nothing.
    Nothing,
    /// The namespace that is the object holds nothing at all.
    Empty,
    /// It holds nothing but what comes with every namespace.
    EmptyButFurniture,
    /// It holds nothing that is younger than itself.
    OnlyLeftovers,
    /// This namespace does not exist.
    Missing(&'a str),
}

impl Write for Step {
    fn object(&self) -> &Ref {
        &self.object
    }

    fn title(&self) -> String {
        self.title()
    }

    fn guard(&self, now: Option<&Object>) -> Guard {
        self.guard(now)
    }

    fn request(&self, raw: &Value, at: Timestamp) -> WriteRequest {
        self.request(raw, at)
    }

    fn verify(&self, after: Option<&Object>, request: &WriteRequest) -> Verdict {
        self.verify(after, request)
    }

    fn creates(&self) -> bool {
        self.creates()
    }

    /// What is deleted is read whole where undo creates it again: all but Secrets.
    fn reads_metadata_only(&self) -> bool {
        let resource = self.resource();
        resource.is_secret() || (resource.is_private() && self.kind != StepKind::DeleteObject)
    }

    fn needs(&self) -> Needs<'_> {
        if self.needs_empty_namespace() {
            Needs::Empty
        } else if self.needs_only_leftovers() {
            Needs::OnlyLeftovers
        } else {
            self.needs_missing_namespace().map_or(Needs::Nothing, Needs::Missing)
        }
    }

    fn image(&self, raw: &Value) -> Value {
        before_image(self, raw)
    }

    fn record(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
