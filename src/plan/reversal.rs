//! What puts back what a step has changed; each kind of step says which reversal is its own.

use super::shape::{Delete, ListEntry, Setting, Shape, creation};
use super::write::{Guard, Needs, StepVerdict, WriteRequest};
use crate::report::{Ref, Risk};
use crate::survey::Object;
use serde_json::Value;

/// A step that was done.
pub(super) struct DoneStep<'d> {
    /// What it was done to.
    pub(super) object: &'d Ref,
    /// What it asked of the API server.
    pub(super) shape: Shape,
    /// The request that it sent.
    pub(super) request: &'d WriteRequest,
    /// The object before it, as it is on record.
    pub(super) before: &'d Value,
}

impl DoneStep<'_> {
    /// Gives the field its earlier value again, which `title` gets.
    pub(super) fn put_back(self, title: impl FnOnce(&str) -> String, consequence: &'static str) -> WayBack {
        let setting = if let Shape::Set(setting) = self.shape { Some(setting) } else { None };
        let (setting, command) = setting
            .and_then(|setting| setting.turned_round(self.object, self.request))
            .ok_or_else(|| NoWayBack::Cannot("the journal does not say what was there before".into()))?;
        let title = title(&short(&setting.to));
        Ok(Reversal { title, consequence, risk: Risk::Disruptive, command, back: Back::Set(setting) })
    }
}

/// A write that puts back what a step has changed.
#[derive(Debug)]
pub struct Reversal {
    /// What is done, in the imperative.
    pub title: String,
    /// What may follow from it.
    pub consequence: &'static str,
    /// What it may cost.
    pub risk: Risk,
    /// The kubectl command that does the same.
    pub command: String,
    /// What is asked of the API server.
    pub(super) back: Back,
}

/// The ways back.
#[derive(Debug)]
pub(super) enum Back {
    /// A field gets its earlier value again.
    Set(Setting),
    /// The taint that was added comes off again.
    Untaint(ListEntry),
    /// The namespace that was made is deleted: it has this annotation.
    Unmake(&'static str),
    /// What was deleted is created again, like this.
    Create(Value),
}

/// What takes a step back, or the reason why nothing does.
pub(super) type WayBack = Result<Reversal, NoWayBack>;

/// Why nothing takes a step back.
#[derive(Debug)]
pub enum NoWayBack {
    /// There is nothing to put back.
    Nothing(String),
    /// It is for good.
    Cannot(String),
}

impl NoWayBack {
    /// A finalizer that is off cannot be put back (kubernetes/kubernetes:
    /// staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go).
    pub(super) fn finalizer_is_off(object: &Ref) -> Self {
        Self::Cannot(format!(
            "the API server accepts no new finalizer on an object that is being deleted, and {object} may be gone"
        ))
    }
}

impl Back {
    /// Compares what has the object's name `now` with what the step has left.
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
            // The step did not know the uid that the object would get: it is the one just read.
            Self::Unmake(_) => {
                let read = raw["metadata"]["uid"].as_str().unwrap_or_default();
                Delete { as_read: true, ..Delete::BACKGROUND }.request(&object.clone().with_uid(read), raw)
            }
            Self::Create(body) => creation(object, body),
        }
    }

    /// Judges by what has the object's name after the write.
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

    /// What must be so in the object's namespace, and is looked at right before.
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

/// A value for a sentence.
fn short(value: &Value) -> String {
    const MAX_LENGTH: usize = 60;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if text.chars().count() <= MAX_LENGTH {
        text
    } else {
        format!("{}…", text.chars().take(MAX_LENGTH).collect::<String>())
    }
}
