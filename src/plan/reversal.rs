//! What puts back what a step has changed; each kind of step says which reversal is its
//! own.

use super::write::{Guard, Needs, Verdict, WriteRequest};
use crate::report::{Ref, Risk, Step};
use crate::survey::Object;
use serde_json::Value;
use std::fmt::Debug;

/// A write that puts back what the step `of` has changed.
pub(super) trait Reversal: Debug + Send + Sync {
    /// What is done, in the imperative.
    fn title(&self, of: &Step) -> String;

    /// What may follow from it.
    fn consequence(&self) -> &'static str;

    /// What it may cost.
    fn risk(&self) -> Risk {
        Risk::Disruptive
    }

    /// The kubectl command that does the same.
    fn command(&self, of: &Step) -> String;

    /// Compares what has the object's name `now` with what the step has left.
    fn guard(&self, of: &Step, now: Option<&Object>) -> Guard;

    /// The request for the object as it was read again just now.
    fn request(&self, of: &Step, raw: &Value) -> WriteRequest;

    /// Judges by what has the object's name after the write.
    fn verify(&self, of: &Step, after: Option<&Object>) -> Verdict;

    /// Whether it puts back a setting that was changed for a while.
    fn restores_a_setting(&self) -> bool {
        false
    }

    /// Whether it makes an object that is not there.
    fn creates(&self) -> bool {
        false
    }

    /// What must be so in the object's namespace, and is looked at right before.
    fn needs(&self) -> Needs<'static> {
        Needs::Nothing
    }

    /// The owners that the object would have again.
    fn owners(&self) -> Vec<Value> {
        Vec::new()
    }

    /// Takes off it every owner but those of which `is_there` is true.
    fn keep_owners(&mut self, _is_there: &dyn Fn(&Value) -> bool) {}
}

/// What takes a step back, or the reason why nothing does.
pub(super) type WayBack = Result<Box<dyn Reversal>, NoWayBack>;

/// Why nothing takes a step back.
#[derive(Debug)]
pub(super) enum NoWayBack {
    /// There is nothing to put back.
    Nothing(String),
    /// It is for good.
    Cannot(String),
}

impl NoWayBack {
    /// Of a finalizer that is off (kubernetes/kubernetes:
    /// staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go).
    pub(super) fn finalizer_is_off(object: &Ref) -> Self {
        Self::Cannot(format!(
            "the API server accepts no new finalizer on an object that is being deleted, and {object} may be gone"
        ))
    }
}

/// The guard of what is put back in `object`: `compare` looks at it where it is the same.
pub(super) fn guard_same(object: &Ref, now: Option<&Object>, compare: impl FnOnce(&Object) -> Guard) -> Guard {
    match now {
        None => Guard::AlreadySo(format!("{object} is gone, and what was set in it")),
        Some(now) if now.uid() != object.uid => Guard::replaced(object),
        Some(now) => compare(now),
    }
}

/// The verdict on what was put back in `object`, by the comparison of its guard.
pub(super) fn verify_same(object: &Ref, after: Option<&Object>, compare: impl FnOnce(&Object) -> Guard) -> Verdict {
    match after.filter(|after| after.uid() == object.uid).map(compare) {
        None => Verdict::NotYet(format!("{object} is gone")),
        Some(Guard::AlreadySo(_)) => Verdict::Done(format!("{object} is as it was before")),
        Some(_) => Verdict::NotYet(format!("{object} is not as it was before")),
    }
}

/// The operation `op` of a JSON patch, on the field at `path` where that is given.
pub(super) fn operation<'a>(request: &'a WriteRequest, op: &str, path: Option<&Value>) -> Option<&'a Value> {
    let matches =
        |operation: &&Value| operation["op"] == op && path.is_none_or(|path| operation.get("path") == Some(path));
    request.body.as_array()?.iter().find(matches)
}
