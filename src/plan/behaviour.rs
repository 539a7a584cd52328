//! What each kind of step says for itself, in a file of its own in `steps`.

use super::image::Saved;
use super::reversal::{DoneStep, WayBack};
use super::shape::Shape;
use super::write::{Guard, Needs, StepVerdict, WriteRequest};
use crate::report::{Need, Ref};
use crate::survey::Object;
use serde_json::Value;

/// What holds of a kind of step. Without any of these a step is for letting its object go, costs
/// nothing by itself, cannot be taken back, and is a question of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// Its object is to stay: that it is gone is no success.
    KeepsItsObject,
    /// It makes an object that is not there.
    Creates,
    /// What makes it right is not in the object alone, but in a Service or a Node that may have come
    /// back since, or in a dependent that was to be orphaned.
    RestsOnOtherObjects,
    /// It skips for good what somebody wanted done first.
    Leaks,
    /// It lets other writes pass that admission refused: a moment later, and what comes after it is
    /// planned anew.
    OpensAdmission,
    /// One answer may agree to many steps that differ in their object alone.
    IsAgreedToTogether,
    /// The state before can be restored from what is on record.
    CanBeUndone,
}

/// One kind of step, with its parameters; `object` is the one that it is done to.
pub(super) trait Behaviour {
    /// What holds of it.
    fn properties(&self) -> &'static [Property] {
        &[]
    }

    /// What is done, in the imperative. A shell finds the object, or all of its class, as `called`.
    fn title(&self, object: &Ref, called: &str) -> String;

    /// What is asked of the API server.
    fn shape(&self, object: &Ref) -> Shape;

    /// Compares what has the object's name `now` with what was shown.
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

    /// The same, of the very object that was shown.
    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        Guard::while_deleted(object, now)
    }

    /// Judges by what has the object's name after the write of `request`.
    fn verify(&self, object: &Ref, after: Option<&Object>, _request: &WriteRequest) -> StepVerdict {
        match after.filter(|after| after.uid() == object.uid) {
            Some(after) => self.judge(object, after),
            None if self.properties().contains(&Property::KeepsItsObject) => {
                StepVerdict::NotYet(format!("{object} is gone"))
            }
            None => StepVerdict::Done(format!("{object} is gone")),
        }
    }

    /// The same, of the very object that was shown.
    fn judge(&self, object: &Ref, _after: &Object) -> StepVerdict {
        StepVerdict::NotYet(format!("{object} still exists"))
    }

    /// Why the write would be in vain, by the metadata in the answer to its dry run.
    fn in_vain(&self, _object: &Ref, _tried: &Object) -> Option<String> {
        None
    }

    /// What must be so in the object's namespace, and is looked at right before.
    fn needs<'o>(&self, _object: &'o Ref) -> Needs<'o> {
        Needs::Nothing
    }

    /// What must be met before it is worth an offer: once it is, the step may be needless.
    fn rests_on(&self, _object: &Ref) -> Option<Need> {
        None
    }

    /// What goes on record of the object besides its metadata.
    fn kept(&self, _object: &Ref) -> Saved {
        Saved::Nothing
    }

    /// What goes on record of the body of its request.
    fn recorded(&self, _object: &Ref, request: &WriteRequest) -> Value {
        request.body.clone()
    }

    /// What takes it back.
    fn undo(&self, done: DoneStep<'_>) -> WayBack;
}
