//! The kept parts of containers' arguments and variables: the program's name, its limits, and the
//! names of storage drivers. The rest may be anything.

use super::addresses::called_service;
use super::limits::{arguments, variable};
use super::merge::{below, merge};
use crate::survey::{Object, Survey};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The key for drivers that a pod's spec names anywhere.
const DRIVERS_NAMED: &str = "driversNamed";
/// The key for finalizers, and their domains, in arguments and variables of a pod's containers.
const FINALIZERS_NAMED: &str = "finalizersNamed";
/// The fields in which objects name their driver.
const FIELDS: [&str; 3] = ["/spec/csi/driver", "/spec/attacher", "/spec/driver"];
const ANNOTATIONS: [&str; 2] = ["pv.kubernetes.io/provisioned-by", "volume.kubernetes.io/storage-provisioner"];

/// The storage drivers in the survey, and the words of their names.
#[derive(Debug, Default)]
pub(super) struct Drivers(BTreeSet<String>);

impl Drivers {
    pub(super) fn of(survey: &Survey) -> Self {
        let mut names = BTreeSet::new();
        for (want, fact) in survey.facts_unsorted() {
            if want.resource.plural == "csidrivers" {
                names.extend(want.name.clone());
            }
            for object in fact.objects() {
                names.extend(FIELDS.iter().filter_map(|field| object.text(field)).map(ToOwned::to_owned));
                let noted = ANNOTATIONS.iter().filter_map(|key| object.metadata.annotations.get(key));
                names.extend(noted.cloned());
            }
        }
        let words = names.iter().flat_map(|name| name.split(|c: char| !c.is_ascii_alphanumeric()));
        let words: Vec<String> = words.filter(|word| word.len() > 2).map(str::to_owned).collect();
        names.extend(words);
        Self(names)
    }

    /// The drivers that an object names in the parts that are not kept.
    pub(super) fn named_by(&self, object: &Object) -> Vec<&str> {
        if self.0.is_empty() || object.body.is_empty() {
            return Vec::new();
        }
        let mut texts: Vec<&str> = object.metadata.annotations.values().map(String::as_str).collect();
        let spec = object.at("/spec/template/spec").or_else(|| object.at("/spec"));
        if let Some(spec) = spec {
            each_text(spec, &mut |text| texts.push(text));
        }
        self.0.iter().map(String::as_str).filter(|name| texts.iter().any(|text| text.contains(name))).collect()
    }
}

/// The finalizers of objects in the survey that are being deleted, and their domains.
#[derive(Debug, Default)]
pub(super) struct Finalizers(BTreeSet<String>);

impl Finalizers {
    pub(super) fn of(survey: &Survey) -> Self {
        let mut names = BTreeSet::new();
        let objects = survey.facts_unsorted().flat_map(|(_, fact)| fact.objects());
        for finalizer in objects.filter(|object| object.is_deleting()).flat_map(|object| &object.metadata.finalizers) {
            names.insert(finalizer.clone());
            names.extend(finalizer.split_once('/').map(|(domain, _)| domain.to_owned()));
        }
        Self(names)
    }

    /// The finalizers and domains in the arguments and variables of a pod's containers.
    pub(super) fn named_by(&self, object: &Object) -> Vec<&str> {
        let containers =
            object.at("/spec/template/spec").and_then(|spec| spec.get("containers")?.as_array()).into_iter().flatten();
        let told = containers.flat_map(|it| ["command", "args", "env"].into_iter().filter_map(|field| it.get(field)));
        let mut texts = Vec::new();
        told.for_each(|value| each_text(value, &mut |text| texts.push(text)));
        self.0.iter().map(String::as_str).filter(|name| texts.iter().any(|text| text.contains(name))).collect()
    }
}

/// Visits every text in a value, except the names of fields.
pub(crate) fn each_text<'v>(value: &'v Value, heed: &mut impl FnMut(&'v str)) {
    match value {
        Value::String(text) => heed(text),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, heed)),
        Value::Object(fields) => fields.values().for_each(|field| each_text(field, heed)),
        _ => {}
    }
}

/// The names in the parts of a pod's spec that are not kept.
#[derive(Debug, Default)]
pub(super) struct NamedBySpec<'n> {
    pub(super) drivers: Vec<&'n str>,
    pub(super) finalizers: Vec<&'n str>,
}

/// Adds the kept parts of the containers of a pod or workload, and `named`. `place` is the JSON
/// pointer to the pod's spec.
pub(super) fn add(before: &Value, after: &mut Value, place: &str, named: &NamedBySpec<'_>) {
    let containers = before.pointer(place).and_then(|spec| spec.get("containers")?.as_array());
    let told: Vec<Value> = containers.into_iter().flatten().map(told).collect();
    if !told.is_empty() {
        merge(after, below(place, json!({ "containers": told })));
    }
    for (key, names) in [(DRIVERS_NAMED, &named.drivers), (FINALIZERS_NAMED, &named.finalizers)] {
        if !names.is_empty() {
            merge(after, below(place, json!({ key: names })));
        }
    }
}

/// The kept parts of one container's arguments and variables.
fn told(container: &Value) -> Value {
    let program = container.pointer("/command/0").and_then(Value::as_str).filter(|word| is_program(word));
    let command: Vec<&str> = program.into_iter().collect();
    let limits: Vec<String> = arguments(container).into_iter().map(|limit| limit.text).collect();
    let variables = container.get("env").and_then(Value::as_array).into_iter().flatten();
    let variables: Vec<Value> = variables.filter_map(scope).collect();
    let mut kept = Map::new();
    for (field, list) in [("command", json!(command)), ("args", json!(limits)), ("env", json!(variables))] {
        if list != json!([]) {
            kept.insert(field.into(), list);
        }
    }
    Value::Object(kept)
}

/// Whether a word is the path of a program and nothing more.
fn is_program(word: &str) -> bool {
    word.len() <= 200 && word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+".contains(c))
}

/// The kept part of a variable that limits the program, or names a Service that it calls.
fn scope(one: &Value) -> Option<Value> {
    let name = one.get("name")?.as_str()?;
    if let Some(called) = called_service(one) {
        return Some(json!({"name": name, "value": called.address}));
    }
    let limit = variable(one);
    if limit.is_none() && !(name.contains("WATCH") && name.contains("NAMESPACE")) {
        return None;
    }
    let mut kept = json!({ "name": name });
    if let Some(value) = one.get("value").filter(|_| limit.is_some()) {
        kept["value"] = value.clone();
    }
    if let Some(field) = one.pointer("/valueFrom/fieldRef/fieldPath") {
        kept["valueFrom"] = json!({"fieldRef": {"fieldPath": field}});
    }
    Some(kept)
}
