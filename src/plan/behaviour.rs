//! The behaviour of each kind of step, which has a file of its own in `steps`.

use super::image::Saved;
use super::reversal::{DoneStep, WayBack};
use super::shape::Shape;
use super::write::{Guard, Needs, StepVerdict, WriteRequest};
use crate::report::{Need, Ref};
use crate::survey::Object;
use serde_json::Value;

/// A property of a kind of step. A step without any releases its object, costs nothing by itself, cannot
/// be undone, and is a question of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// Its object must remain: if that is gone, the step has failed.
    KeepsItsObject,
    /// It creates an object that does not exist.
    Creates,
    /// It depends on other objects, too: a Service or a Node that may have come back since, or a dependent
    /// that was to be orphaned.
    RestsOnOtherObjects,
    /// It skips for ever some work that the finalizer's owner wanted done first.
    Leaks,
    /// It lets other writes pass that admission refused. This takes effect after a moment, and the rest of the
    /// plan is made again.
    OpensAdmission,
    /// One answer may agree to many steps that differ only in their objects.
    IsAgreedToTogether,
    /// The earlier state can be restored from the journal.
    CanBeUndone,
    /// It takes a protection away that is to be restored once the cause is fixed.
    IsForATime,
}

/// One kind of step, with its parameters; `object` is the object of the step.
pub(super) trait Behaviour {
    /// The properties of the kind.
    fn properties(&self) -> &'static [Property] {
        &[]
    }

    /// The step, in the imperative. `called` names the object, or all of its class, for a shell.
    fn title(&self, object: &Ref, called: &str) -> String;

    /// The shape of the request.
    fn shape(&self, object: &Ref) -> Shape;

    /// Compares the object that has the name `now` with the one that was shown.
    fn guard(&self, object: &Ref, now: Option<&Object>) -> Guard {
        match now {
            None if self.properties().contains(&Property::KeepsItsObject) => {
                Guard::Changed(format!("{object} is already gone"))
            }
            None => Guard::AlreadySo(format!("{object} is already gone")),
            Some(now) if now.uid() != object.uid => Guard::replaced(object),
            Some(now) => self.compare(object, now),
        }
    }

    /// Like [`Self::guard`], for the same object that was shown.
    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        Guard::while_deleted(object, now)
    }

    /// Judges by the object that has the name after the write of `request`.
    fn verify(&self, object: &Ref, after: Option<&Object>, _request: &WriteRequest) -> StepVerdict {
        match after.filter(|after| after.uid() == object.uid) {
            Some(after) => self.judge(object, after),
            None if self.properties().contains(&Property::KeepsItsObject) => {
                StepVerdict::NotYet(format!("{object} is gone"))
            }
            None => StepVerdict::Done(format!("{object} is gone")),
        }
    }

    /// Like [`Self::verify`], for the same object that was shown.
    fn judge(&self, object: &Ref, _after: &Object) -> StepVerdict {
        StepVerdict::NotYet(format!("{object} still exists"))
    }

    /// Why the write would have no effect, by the metadata in the answer to its dry run.
    fn in_vain(&self, _object: &Ref, _tried: &Object) -> Option<String> {
        None
    }

    /// The condition on the object's namespace, which is checked right before the write.
    fn needs<'o>(&self, _object: &'o Ref) -> Needs<'o> {
        Needs::Nothing
    }

    /// The need that must be met before the step is offered: once it is, the step may be needless.
    fn rests_on(&self, _object: &Ref) -> Option<Need> {
        None
    }

    /// The fields of the object that the journal keeps besides its metadata.
    fn kept(&self, _object: &Ref) -> Saved {
        Saved::Nothing
    }

    /// The part of the request's body that the journal keeps.
    fn recorded(&self, _object: &Ref, request: &WriteRequest) -> Value {
        request.body.clone()
    }

    /// The reversal of the step.
    fn undo(&self, done: DoneStep<'_>) -> WayBack;
}
