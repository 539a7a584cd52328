//! Which parts of the facts a survey file keeps: those that rules ask for, and nothing else. Files
//! are sent to strangers, and an object may contain a password anywhere: in the spec of a custom
//! resource, in an argument, in an annotation. So the lists here say what stays, not what is
//! removed.
//!
//! `tests/house.rs` compares these lists with the fields that rules name.

mod fields;
mod left_out;
mod limits;
mod lists;
mod mask;
mod merge;
mod named;
mod pods;
mod references;

pub use fields::{Fields, keep};
pub use left_out::LeftOut;
pub use limits::{Limit, LimitedTo, arguments, variables};
pub use lists::{is_kept_annotation, keeps, last_word};
pub use mask::mask;
pub use references::{is_name, may_be_secret};

use super::object::Object;
use super::{Fact, Probed, ResourceId, Survey, Want};
use pods::Drivers;
pub use pods::strings;
use serde_json::{Value, json};

/// Replaces an expression, which only the API server evaluates.
const NOT_KEPT: &str = "(not kept)";
/// The key that says what the expressions of an admission policy look at.
const LOOKS_AT: &str = "looksAt";

/// What is known about the whole survey while its objects are reduced.
pub(super) struct Keeper<'s> {
    survey: &'s Survey,
    drivers: Drivers,
    /// What was left out so far.
    pub(super) left_out: LeftOut,
}

impl<'s> Keeper<'s> {
    pub(super) fn of(survey: &'s Survey) -> Self {
        Self { survey, drivers: Drivers::of(survey), left_out: LeftOut::default() }
    }

    /// The part of a fact that is written to a file.
    pub(super) fn fact(&mut self, want: &Want, fact: &Fact) -> Fact {
        let mut fact = fact.clone();
        match &mut fact {
            Fact::Listed(items) => items.iter_mut().for_each(|object| self.object(&want.resource, object)),
            Fact::Found(object) => self.object(&want.resource, object),
            Fact::Logged(lines) => lines.iter_mut().for_each(|line| self.left_out.masked(&mut line.text)),
            Fact::Probed(Probed::Refused(refused)) => self.left_out.masked(&mut refused.message),
            Fact::Unread(unread) => self.left_out.masked(&mut unread.message),
            Fact::Probed(Probed::Passed | Probed::PutBack) | Fact::Missing => {}
        }
        fact
    }

    fn object(&mut self, resource: &ResourceId, object: &mut Object) {
        let named = self.drivers.named_by(object);
        self.left_out.annotations += object.metadata.keep_annotations(lists::is_kept_annotation);
        if !object.metadata.managed_fields.is_null() {
            object.metadata.managed_fields = managers(&object.metadata.managed_fields);
        }
        object.metadata.annotation_texts().for_each(|text| self.left_out.masked(text));
        if object.body.is_empty() {
            return;
        }
        let before = Value::Object(std::mem::take(&mut object.body));
        let listed = lists::of(resource);
        let mut after = keep(&before, listed.unwrap_or_else(|| lists::of_others()));
        if listed.is_none() {
            references::add(&before, &mut after, &self.survey.discovery);
        }
        if let Some(place) = lists::pod_spec(resource) {
            pods::add(&before, &mut after, place, &named);
        }
        expressions(&before, &mut after);
        self.left_out.fields += fields::leaves(&before).saturating_sub(fields::leaves(&after));
        self.left_out.mask_all(&mut after);
        if let Value::Object(body) = after {
            object.body = body;
        }
    }
}

/// Who wrote and when. Of the written fields, keeps finalizers and those whose time of writing
/// rules ask for; the other keys contain values and names.
fn managers(fields: &Value) -> Value {
    static KEPT: std::sync::LazyLock<Fields> = std::sync::LazyLock::new(|| {
        Fields::of(&[
            "*/{manager,operation,time,apiVersion,subresource}",
            "*/fieldsV1/f:metadata/f:finalizers/**",
            "*/fieldsV1/{f:spec,f:status}/?",
            "*/fieldsV1/f:spec/f:conversion/?",
            "*/fieldsV1/f:status/f:conditions/?",
        ])
    });
    keep(fields, &KEPT)
}

/// Reduces expressions to whether they are constant; for those of a policy, whether they look at
/// the user.
fn expressions(before: &Value, after: &mut Value) {
    if let Some(Value::Array(webhooks)) = after.get_mut("webhooks") {
        webhooks.iter_mut().for_each(without_expressions);
    }
    if let Some(spec) = after.get_mut("spec") {
        without_expressions(spec);
    }
    let Some(spec) = before.get("spec").filter(|spec| spec.get("validations").or(spec.get("mutations")).is_some())
    else {
        return;
    };
    let text = spec.to_string();
    let seen: Vec<&str> = ["userInfo", "authorizer"].into_iter().filter(|word| text.contains(word)).collect();
    if let (Some(kept), false) = (after.get_mut("spec").and_then(Value::as_object_mut), seen.is_empty()) {
        kept.insert(LOOKS_AT.into(), json!(seen));
    }
}

fn without_expressions(entry: &mut Value) {
    let conditions = entry.get_mut("matchConditions").and_then(Value::as_array_mut);
    for expression in conditions.into_iter().flatten().filter_map(|condition| condition.get_mut("expression")) {
        let is_plain = expression.as_str().is_some_and(|text| ["true", "false"].contains(&text.trim()));
        if !is_plain {
            *expression = NOT_KEPT.into();
        }
    }
}

#[cfg(test)]
mod tests;
