//! `meta/v1.PartialObjectMetadata`: the metadata of one object.

use super::fields::{MessageFields, Value, find};
use crate::survey::Metadata;
use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use serde_json::{Map, json};

type Parsed<T> = Result<T, String>;

/// The fields that decide whether an item is kept.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct MetadataGlance<'i> {
    pub name: &'i str,
    pub namespace: &'i str,
    pub is_owned: bool,
    pub is_deleting: bool,
}

/// Parses only the fields of an item that decide whether it is kept.
///
/// # Errors
/// When it is not an object.
pub(crate) fn glance(item: &[u8]) -> Parsed<MetadataGlance<'_>> {
    let mut glance = MetadataGlance::default();
    for field in MessageFields(object_meta(item)?) {
        match field? {
            (1, name) => glance.name = name.text()?,
            (3, namespace) => glance.namespace = namespace.text()?,
            (9, _) => glance.is_deleting = true,
            (13, _) => glance.is_owned = true,
            _ => {}
        }
    }
    Ok(glance)
}

/// Parses the metadata of an item, optionally with its managedFields.
///
/// # Errors
/// When it is not an object.
pub(crate) fn metadata(item: &[u8], with_managers: bool) -> Parsed<Metadata> {
    let mut metadata = Metadata::default();
    let mut managers = Vec::new();
    for field in MessageFields(object_meta(item)?) {
        match field? {
            (17, entry) if with_managers => managers.push(manager(entry.bytes()?)?),
            (number, value) => take(&mut metadata, number, value)?,
        }
    }
    if !managers.is_empty() {
        metadata.managed_fields = managers.into();
    }
    Ok(metadata)
}

fn object_meta(item: &[u8]) -> Parsed<&[u8]> {
    find(item, 1)?.ok_or("missing field `metadata`")?.bytes()
}

/// Takes a field. The API server also writes numbers, texts and times that are not set.
fn take(metadata: &mut Metadata, number: u64, value: Value<'_>) -> Parsed<()> {
    match number {
        1 => metadata.name = value.text()?.into(),
        3 => metadata.namespace = Some(value.text()?).filter(|text| !text.is_empty()).map(Into::into),
        5 => metadata.uid = value.text()?.into(),
        6 => metadata.resource_version = Some(value.text()?).filter(|text| !text.is_empty()).map(Into::into),
        7 => {
            if let generation @ 1.. = value.number()? {
                metadata.generation = Some(generation);
            }
        }
        8 => metadata.creation_timestamp = time(value.bytes()?)?,
        9 => metadata.deletion_timestamp = time(value.bytes()?)?,
        10 => metadata.deletion_grace_period_seconds = Some(value.number()?),
        11 => {
            let (key, text) = entry(value.bytes()?)?;
            metadata.labels.insert(key, text);
        }
        12 => {
            let (key, text) = entry(value.bytes()?)?;
            metadata.annotations.insert(key, text);
        }
        13 => metadata.owner_references.push(owner(value.bytes()?)?),
        14 => metadata.finalizers.push(value.text()?.to_owned()),
        _ => {}
    }
    Ok(())
}

/// `meta/v1.Time`, in seconds and nanoseconds. A time that is not set is zero.
fn time(message: &[u8]) -> Parsed<Option<Timestamp>> {
    match find(message, 1)?.map_or(Ok(0), Value::number)? {
        0 => Ok(None),
        seconds => Timestamp::from_second(seconds).map(Some).map_err(|error| error.to_string()),
    }
}

/// A label or an annotation.
fn entry(message: &[u8]) -> Parsed<(String, String)> {
    let mut entry = (String::new(), String::new());
    for field in MessageFields(message) {
        match field? {
            (1, key) => entry.0 = key.text()?.into(),
            (2, text) => entry.1 = text.text()?.into(),
            _ => {}
        }
    }
    Ok(entry)
}

fn owner(message: &[u8]) -> Parsed<OwnerReference> {
    let mut owner = OwnerReference::default();
    for field in MessageFields(message) {
        match field? {
            (1, kind) => owner.kind = kind.text()?.into(),
            (3, name) => owner.name = name.text()?.into(),
            (4, uid) => owner.uid = uid.text()?.into(),
            (5, version) => owner.api_version = version.text()?.into(),
            (6, truth) => owner.controller = Some(truth.number()? != 0),
            (7, truth) => owner.block_owner_deletion = Some(truth.number()? != 0),
            _ => {}
        }
    }
    Ok(owner)
}

/// An entry of managedFields as in JSON, which omits empty texts.
fn manager(message: &[u8]) -> Parsed<serde_json::Value> {
    let mut manager = Map::new();
    for field in MessageFields(message) {
        let (key, value) = match field? {
            (1, text) => ("manager", json!(text.text()?)),
            (2, text) => ("operation", json!(text.text()?)),
            (3, text) => ("apiVersion", json!(text.text()?)),
            (4, at) => ("time", json!(time(at.bytes()?)?)),
            (6, text) => ("fieldsType", json!(text.text()?)),
            (7, fields) => ("fieldsV1", fields_v1(fields.bytes()?)?),
            (8, text) => ("subresource", json!(text.text()?)),
            _ => continue,
        };
        if !value.is_null() && value != "" {
            manager.insert(key.into(), value);
        }
    }
    Ok(manager.into())
}

/// Parses `FieldsV1`, whose only field is JSON.
fn fields_v1(message: &[u8]) -> Parsed<serde_json::Value> {
    let Some(raw) = find(message, 1)? else { return Ok(serde_json::Value::Null) };
    serde_json::from_slice(raw.bytes()?).map_err(|error| error.to_string())
}
