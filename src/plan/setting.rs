//! A field that a step has replaced gets the value again that it had.

use super::request::json_patch;
use super::reversal::{NoWayBack, Reversal, guard_same, operation, verify_same};
use super::shell;
use super::write::{Guard, Verdict, WriteRequest};
use crate::report::{Ref, Step};
use crate::survey::Object;
use serde_json::{Value, json};

/// A field, with the value that a step has set and the one before.
#[derive(Debug)]
pub(super) struct Setting {
    /// Where the field was when the step was done.
    pub(super) place: String,
    set: Value,
    before: Value,
}

impl Setting {
    /// The patch that tests a value and then replaces it says both values.
    pub(super) fn replaced_by(request: &WriteRequest) -> Result<Self, NoWayBack> {
        let read = || {
            let replaced = operation(request, "replace", None)?;
            let before = operation(request, "test", replaced.get("path"))?.get("value")?.clone();
            Some(Self { place: replaced["path"].as_str()?.to_owned(), set: replaced.get("value")?.clone(), before })
        };
        read().ok_or_else(|| NoWayBack::Cannot("the record does not say what was there before".into()))
    }

    /// The value before, for a sentence.
    pub(super) fn before(&self) -> String {
        short(&self.before)
    }

    /// The test and the replacement that put it back, for a field that is at `place` now.
    pub(super) fn operations(&self, place: &str) -> Vec<Value> {
        vec![
            json!({"op": "test", "path": place, "value": self.set}),
            json!({"op": "replace", "path": place, "value": self.before}),
        ]
    }

    /// Compares the field's value `now` with the one that was set.
    pub(super) fn compare(&self, object: &Ref, now: Option<&Value>) -> Guard {
        match now {
            None => Guard::Changed(format!("{object} no longer has what was changed in it")),
            Some(value) if *value == self.before => Guard::AlreadySo(format!("{object} is as it was before")),
            Some(value) if *value == self.set => Guard::Holds,
            Some(value) => {
                Guard::Changed(format!("{object} was changed since by somebody, to {}: not touched", short(value)))
            }
        }
    }

    /// Puts it back where it was: under this title, with this consequence.
    pub(super) fn put_back(self, title: String, consequence: &'static str) -> Box<dyn Reversal> {
        Box::new(PutBack { setting: self, title, consequence })
    }
}

/// A value for a sentence.
fn short(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if text.chars().count() <= 60 { text } else { format!("{}…", text.chars().take(60).collect::<String>()) }
}

/// Puts a field back that is where it was.
#[derive(Debug)]
struct PutBack {
    setting: Setting,
    title: String,
    consequence: &'static str,
}

impl PutBack {
    fn compare(&self, of: &Step, now: &Object) -> Guard {
        self.setting.compare(&of.object, now.at(&self.setting.place))
    }
}

impl Reversal for PutBack {
    fn title(&self, _: &Step) -> String {
        self.title.clone()
    }

    fn consequence(&self) -> &'static str {
        self.consequence
    }

    fn command(&self, of: &Step) -> String {
        shell::patch(&of.object, &self.request(of, &Value::Null).body)
    }

    fn guard(&self, of: &Step, now: Option<&Object>) -> Guard {
        guard_same(&of.object, now, |now| self.compare(of, now))
    }

    fn request(&self, of: &Step, _: &Value) -> WriteRequest {
        json_patch(&of.object, self.setting.operations(&self.setting.place))
    }

    fn verify(&self, of: &Step, after: Option<&Object>) -> Verdict {
        verify_same(&of.object, after, |after| self.compare(of, after))
    }

    fn restores_a_setting(&self) -> bool {
        true
    }
}
