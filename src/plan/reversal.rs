//! Reversals, which undo steps; each kind of step has its own.

use super::shape::{Delete, ListEntry, Setting, Shape, creation};
use super::write::{Guard, Needs, StepVerdict, WriteRequest};
use crate::report::{Ref, Risk};
use crate::survey::Object;
use serde_json::Value;

/// A step that was done.
pub(super) struct DoneStep<'d> {
    /// Its object.
    pub(super) object: &'d Ref,
    /// The shape of its request.
    pub(super) shape: Shape,
    /// The request that it sent.
    pub(super) request: &'d WriteRequest,
    /// The object before it, as the journal keeps it.
    pub(super) before: &'d Value,
}

impl DoneStep<'_> {
    /// Restores the earlier value of the field, which `title` receives.
    pub(super) fn put_back(self, title: impl FnOnce(&str) -> String, consequence: &'static str) -> WayBack {
        let setting = if let Shape::Set(setting) = self.shape { Some(setting) } else { None };
        let (setting, command) = setting
            .and_then(|setting| setting.turned_round(self.object, self.request))
            .ok_or_else(|| NoWayBack::Cannot("the journal does not say what was there before".into()))?;
        let title = title(&short(&setting.to));
        Ok(Reversal { title, consequence, risk: Risk::Disruptive, command, back: Back::Set(setting) })
    }
}

/// A write that undoes a step.
#[derive(Debug)]
pub struct Reversal {
    /// The title, in the imperative.
    pub title: String,
    /// The possible consequence.
    pub consequence: &'static str,
    /// The risk.
    pub risk: Risk,
    /// The kubectl command that does the same.
    pub command: String,
    /// The kind of request.
    pub(super) back: Back,
}

/// The kinds of reversals.
#[derive(Debug)]
pub(super) enum Back {
    /// A field gets its earlier value again.
    Set(Setting),
    /// The taint that was added is removed.
    Untaint(ListEntry),
    /// The namespace that was created is deleted: it has this annotation.
    Unmake(&'static str),
    /// The deleted object is created again, like this.
    Create(Value),
}

/// The reversal of a step, or the reason why there is none.
pub(super) type WayBack = Result<Reversal, NoWayBack>;

/// Why a step cannot be undone.
#[derive(Debug)]
pub enum NoWayBack {
    /// There is nothing to restore.
    Nothing(String),
    /// The step is permanent.
    Cannot(String),
}

impl NoWayBack {
    /// The reason for a finalizer, which cannot be added again (kubernetes/kubernetes:
    /// staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go).
    pub(super) fn finalizer_is_off(object: &Ref) -> Self {
        Self::Cannot(format!(
            "the API server accepts no new finalizer on an object that is being deleted, and {object} may be gone"
        ))
    }
}

impl Back {
    /// Compares the object that has the name `now` with the state that the step has left.
    pub(super) fn guard(&self, object: &Ref, now: Option<&Object>) -> Guard {
        match (self, now) {
            (Self::Create(_), None) => Guard::Holds,
            (Self::Create(_), Some(now)) if now.is_deleting() => {
                Guard::Changed(format!("{object} is still being deleted: try again when it is gone"))
            }
            (Self::Create(_), Some(now)) if now.uid() == object.uid => {
                Guard::AlreadySo(format!("{object} exists: it was not deleted"))
            }
            (Self::Create(_), Some(_)) => Guard::AlreadySo(format!("{object} exists again")),
            (Self::Unmake(_), None) => Guard::AlreadySo(format!("{object} is gone again")),
            (Self::Unmake(_), Some(now)) if now.is_deleting() => {
                Guard::AlreadySo(format!("{object} is already being deleted"))
            }
            (Self::Unmake(mark), Some(now)) if now.metadata.annotations.contains_key(mark) => Guard::Holds,
            (Self::Unmake(_), Some(_)) => {
                Guard::Changed(format!("{object} was created again in the meantime; not undone"))
            }
            (_, None) => Guard::AlreadySo(format!("{object} is gone, with the changed field")),
            (_, Some(now)) if now.uid() != object.uid => Guard::replaced(object),
            (Self::Set(setting), Some(now)) => compare_setting(setting, object, now),
            (Self::Untaint(taint), Some(now)) => compare_taint(taint, object, now),
        }
    }

    /// The request for the object as it was read again just now.
    pub(super) fn request(&self, object: &Ref, raw: &Value) -> WriteRequest {
        match self {
            Self::Set(setting) => setting.request(object, raw),
            Self::Untaint(taint) => taint.removal(object, raw),
            // The step did not know the uid that the object would get, so it is the one just read.
            Self::Unmake(_) => {
                let read = raw["metadata"]["uid"].as_str().unwrap_or_default();
                Delete { as_read: true, ..Delete::BACKGROUND }.request(&object.clone().with_uid(read), raw)
            }
            Self::Create(body) => creation(object, body),
        }
    }

    /// Judges by the object that has the name after the write.
    pub(super) fn verify(&self, object: &Ref, after: Option<&Object>) -> StepVerdict {
        match (self, after) {
            (Self::Create(_), Some(after)) if after.uid() != object.uid => {
                StepVerdict::Done(format!("{object} exists again, with the new uid {}", after.uid()))
            }
            (Self::Create(_), _) => StepVerdict::NotYet(format!("{object} does not exist")),
            (Self::Unmake(_), None) => StepVerdict::Done(format!("{object} is gone")),
            (Self::Unmake(_), Some(after)) if after.is_deleting() => {
                StepVerdict::Done(format!("{object} is being deleted"))
            }
            (Self::Unmake(_), Some(_)) => StepVerdict::NotYet(format!("{object} is not being deleted")),
            (_, Some(after)) if after.uid() == object.uid => match self.guard(object, Some(after)) {
                Guard::AlreadySo(_) => StepVerdict::Done(format!("{object} is as it was before")),
                _ => StepVerdict::NotYet(format!("{object} is not as it was before")),
            },
            _ => StepVerdict::NotYet(format!("{object} is gone")),
        }
    }

    /// The condition on the object's namespace, which is checked right before the write.
    pub(super) fn needs(&self) -> Needs<'static> {
        if matches!(self, Self::Unmake(_)) { Needs::OnlyDefaultContent } else { Needs::Nothing }
    }
}

fn compare_setting(setting: &Setting, object: &Ref, now: &Object) -> Guard {
    match setting.now(now) {
        None => Guard::Changed(format!("{object} no longer has the changed field")),
        Some(value) if *value == setting.to => Guard::AlreadySo(format!("{object} is as it was before")),
        Some(value) if *value == setting.from => Guard::Holds,
        Some(value) => Guard::Changed(format!("{object} was changed to {} in the meantime; not undone", short(value))),
    }
}

fn compare_taint(taint: &ListEntry, object: &Ref, now: &Object) -> Guard {
    match now.array(taint.list).iter().find(|other| other["key"] == taint.value["key"]) {
        None => Guard::AlreadySo(format!("{object} no longer has the taint")),
        Some(other) if taint.is(other) => Guard::Holds,
        Some(_) => Guard::Changed(format!("{object} was tainted again in the meantime; not undone")),
    }
}

/// A value, short enough for a sentence.
fn short(value: &Value) -> String {
    const MAX_LENGTH: usize = 60;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if text.chars().count() <= MAX_LENGTH {
        text
    } else {
        format!("{}…", text.chars().take(MAX_LENGTH).collect::<String>())
    }
}
