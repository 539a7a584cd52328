//! The parts of the facts that a survey file keeps: those that rules ask for, and nothing else.
//! Files are sent to strangers, and an object may contain a password anywhere: in the spec of a
//! custom resource, in an argument, in an annotation. So the lists here state what is kept, not
//! what is removed.
//!
//! `tests/house.rs` compares these lists with the fields that rules name.

mod addresses;
mod fields;
mod left_out;
mod limits;
mod lists;
mod merge;
mod pods;
mod references;

pub use addresses::CalledService;
pub(crate) use addresses::{called_services, service_of_host};
pub use fields::{Fields, keep};
pub use left_out::LeftOut;
pub use limits::{Limit, LimitedTo, arguments, variables};
pub use lists::keeps;
pub(crate) use lists::{is_kept_annotation, last_word, tells_of_attempts};
pub use references::is_name;
pub(crate) use references::{
    counts_users, is_key, is_label_value, is_of_an_id, may_be_secret, stem_in_lower_case, stem_of_name,
    stem_of_reference,
};

use super::object::Object;
use super::{Expression, Fact, Probed, ResourceId, Survey, Want};
use crate::inert::change_texts;
pub(crate) use pods::each_text;
use pods::{Drivers, Finalizers, NamedBySpec};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The key for what the expressions of an admission policy depend on.
const LOOKS_AT: &str = "looksAt";

/// Facts about the whole survey that are needed to reduce its objects.
pub(super) struct Keeper<'s> {
    survey: &'s Survey,
    drivers: Drivers,
    finalizers: Finalizers,
    /// The names of the targets, of objects that are being deleted, and of workloads.
    held: BTreeSet<String>,
    /// The number of values left out so far.
    pub(super) left_out: LeftOut,
}

impl<'s> Keeper<'s> {
    pub(super) fn of(survey: &'s Survey) -> Self {
        let (drivers, finalizers) = (Drivers::of(survey), Finalizers::of(survey));
        Self { survey, drivers, finalizers, held: held(survey), left_out: LeftOut::default() }
    }

    /// The part of a fact that is written to a file.
    pub(super) fn fact(&mut self, want: &Want, fact: &Fact) -> Fact {
        let mut fact = fact.clone();
        match &mut fact {
            Fact::Listed(items) => items.iter_mut().for_each(|object| self.object(&want.resource, object)),
            Fact::Found(object) => self.object(&want.resource, object),
            Fact::Logged(log) => {
                let texts = log.lines.iter_mut().flat_map(|line| [Some(&mut line.text), line.message.as_mut()]);
                texts.flatten().for_each(|text| self.left_out.masked(text));
            }
            Fact::Probed(Probed::Refused(refused)) => self.left_out.masked(&mut refused.message),
            Fact::Unread(unread) => self.left_out.masked(&mut unread.message),
            Fact::Probed(Probed::Passed | Probed::PutBack) | Fact::Missing => {}
        }
        fact
    }

    fn object(&mut self, resource: &ResourceId, object: &mut Object) {
        let place = lists::pod_spec(resource).filter(|_| !object.body.is_empty());
        let finalizers = place.map(|_| self.finalizers.named_by(object)).unwrap_or_default();
        let named = NamedBySpec { drivers: self.drivers.named_by(object), finalizers };
        let resources = &self.survey.discovery.resources;
        let is_kind = |key: &str| resources.iter().any(|kind| kind.kind.eq_ignore_ascii_case(last_part(key)));
        let keeps = |key: &str| lists::is_kept_annotation(key) || is_kind(key);
        self.left_out.annotations += object.metadata.keep_annotations(keeps);
        object.metadata.annotation_texts().for_each(|text| self.left_out.masked(text));
        if object.body.is_empty() {
            return;
        }
        let before = Value::Object(std::mem::take(&mut object.body));
        let listed = lists::of(resource);
        let mut after = keep(&before, listed.unwrap_or_else(|| lists::of_others()));
        if listed.is_none() {
            references::add(&before, &mut after, &self.survey.discovery, &self.held);
        }
        if let Some(place) = place {
            pods::add(&before, &mut after, place, &named);
        }
        expressions(&before, &mut after);
        self.left_out.fields += fields::leaves(&before).saturating_sub(fields::leaves(&after));
        change_texts(&mut after, &mut |text| self.left_out.masked(text));
        if let Value::Object(body) = after {
            object.body = body;
        }
    }
}

/// The names of the targets, of objects that are being deleted, and of workloads.
fn held(survey: &Survey) -> BTreeSet<String> {
    let named = survey.facts_unsorted().flat_map(|(want, fact)| {
        let runs = lists::pod_spec(&want.resource).is_some();
        let held = fact.objects().iter().filter(move |object| runs || object.is_deleting());
        held.map(|object| object.name().to_owned())
    });
    survey.targets.iter().map(|target| target.name.clone()).chain(named).collect()
}

/// The part behind the domain in the key of an annotation: `acme.io/Host` names a Host.
fn last_part(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}

/// Reduces expressions to their tests of the user. For a policy, also keeps whether they depend on
/// the user at all.
fn expressions(before: &Value, after: &mut Value) {
    if let Some(Value::Array(webhooks)) = after.get_mut("webhooks") {
        webhooks.iter_mut().for_each(without_expressions);
    }
    if let Some(spec) = after.get_mut("spec") {
        without_expressions(spec);
        for list in ["validations", "variables"] {
            without_those_of(list, spec);
        }
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

/// Keeps a list of expressions only if one of them tests the user.
fn without_those_of(list: &str, spec: &mut Value) {
    let Some(all) = spec.get_mut(list).and_then(Value::as_array_mut) else { return };
    let mut tells = false;
    for expression in all.iter_mut().filter_map(|one| one.get_mut("expression")) {
        let read = read(expression);
        tells |= read.tells();
        *expression = read.to_string().into();
    }
    if let (false, Some(spec)) = (tells, spec.as_object_mut()) {
        spec.remove(list);
    }
}

fn without_expressions(entry: &mut Value) {
    let conditions = entry.get_mut("matchConditions").and_then(Value::as_array_mut);
    for expression in conditions.into_iter().flatten().filter_map(|condition| condition.get_mut("expression")) {
        *expression = read(expression).to_string().into();
    }
}

fn read(expression: &Value) -> Expression {
    expression.as_str().map_or(Expression::NotRead, Expression::read).without_names()
}

#[cfg(test)]
mod tests;
