//! What each kind of step says for itself, in a file of its own in `steps`.

use super::image::Kept;
use super::reversal::WayBack;
use super::write::{Guard, Needs, Verdict, WriteRequest};
use crate::report::{Need, Ref, Risk, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::Value;

/// One kind of step. The defaults are those of a step for letting its object go, which is
/// done only to what is being deleted, cannot be taken back and is a question of its own.
pub(super) trait Action: Sync {
    /// Which kind it is.
    fn kind(&self) -> StepKind;

    /// A step of this kind, before it says more than its object.
    fn step(&self, object: &Ref) -> Step {
        let (object, command) = (object.clone(), String::new());
        Step { kind: self.kind(), object, finalizer: None, entry: None, value: None, command, place: None }
    }

    /// What is done, in the imperative.
    fn title(&self, step: &Step) -> String;

    /// The command of a step that takes an entry off a list, for when the entry is at `place`.
    fn command_at(&self, _step: &Step, _place: usize) -> Option<String> {
        None
    }

    /// Compares what has the object's name `now` with what was shown.
    fn guard(&self, step: &Step, now: Option<&Object>) -> Guard {
        let Some(now) = now else {
            let text = format!("{} is gone already", step.object);
            return if self.takes_away() { Guard::AlreadySo(text) } else { Guard::Changed(text) };
        };
        if now.uid() != step.object.uid {
            return Guard::replaced(&step.object);
        }
        self.compare(step, now)
    }

    /// The same, of the very object that was shown.
    fn compare(&self, step: &Step, now: &Object) -> Guard {
        Guard::while_deleted(&step.object, now)
    }

    /// The request, made for the object as it was read again just now: `raw` is its JSON,
    /// `at` the server's time.
    fn request(&self, step: &Step, raw: &Value, at: Timestamp) -> WriteRequest;

    /// Judges by what has the object's name after the write of `request`.
    fn verify(&self, step: &Step, after: Option<&Object>, request: &WriteRequest) -> Verdict {
        let Some(after) = after.filter(|after| after.uid() == step.object.uid) else {
            let text = format!("{} is gone", step.object);
            return if self.takes_away() { Verdict::Done(text) } else { Verdict::NotYet(text) };
        };
        self.judge(step, after, request)
    }

    /// The same, of the very object that was shown.
    fn judge(&self, step: &Step, _after: &Object, _request: &WriteRequest) -> Verdict {
        Verdict::NotYet(format!("{} is still there", step.object))
    }

    /// Why the write would be in vain, by the metadata in the answer to its dry run.
    fn in_vain(&self, _step: &Step, _tried: &Object) -> Option<String> {
        None
    }

    /// Whether the step is for letting its object go: then its absence is success.
    fn takes_away(&self) -> bool {
        true
    }

    /// Whether it makes an object that is not there.
    fn creates(&self) -> bool {
        false
    }

    /// What must be so in the object's namespace, and is looked at right before.
    fn needs<'a>(&self, _step: &'a Step) -> Needs<'a> {
        Needs::Nothing
    }

    /// What goes on record of the object besides its metadata.
    fn kept(&self, _step: &Step) -> Kept {
        Kept::Nothing
    }

    /// What goes on record of the body of its request.
    fn recorded(&self, _step: &Step, request: &WriteRequest) -> Value {
        request.body.clone()
    }

    /// Whether what makes it right is not in the object alone, but in a Service or a Node
    /// that may have come back since, or in a dependent that was to be orphaned.
    fn rests_on_other_objects(&self, _step: &Step) -> bool {
        false
    }

    /// What it costs at least, whatever is known of its object.
    fn least_risk(&self) -> Risk {
        Risk::Harmless
    }

    /// What must be met before it is worth an offer: once it is, the step may be needless.
    fn rests_on(&self, _step: &Step) -> Option<Need> {
        None
    }

    /// Whether it lets other writes pass that admission refused.
    fn opens_admission(&self) -> bool {
        false
    }

    /// Whether one answer may agree to many steps that differ in their object alone.
    fn is_agreed_to_together(&self) -> bool {
        false
    }

    /// Whether the state before can be restored from what is on record.
    fn can_be_undone(&self, _step: &Step) -> bool {
        false
    }

    /// What takes back `step`, which sent `request` when the object was like `before`.
    fn undo(&self, step: &Step, request: &WriteRequest, before: &Value) -> WayBack;
}
