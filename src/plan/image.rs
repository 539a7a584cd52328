//! An object as it goes on record before a write: what tells a person what it
//! was, and what undo needs; never what may be secret.

use serde_json::Value;

/// In the place of a value that is not kept.
const NOT_KEPT: &str = "(not kept)";
/// `kubectl apply` keeps the whole object in it, the data of a Secret included.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The part of an object that is kept, without what may be secret; `forgets_data` where
/// the data of its kind is.
pub(super) fn without_secrets(mut image: Value, forgets_data: bool) -> Value {
    if let Some(metadata) = image.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
    }
    if forgets_data {
        forget_data(&mut image);
    }
    if forget_environment(&mut image) {
        forget_last_applied(&mut image);
    }
    image
}

/// Several tools keep a whole object in an annotation of their own.
fn forget_data(image: &mut Value) {
    if let Some(image) = image.as_object_mut() {
        for field in ["data", "binaryData", "stringData"] {
            image.remove(field);
        }
    }
    if let Some(annotations) = image.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut) {
        annotations.values_mut().for_each(|value| *value = NOT_KEPT.into());
    }
}

/// For an object that is kept in part: the annotation holds it whole.
pub(super) fn forget_last_applied(image: &mut Value) {
    if let Some(annotations) = image.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut) {
        annotations.remove(LAST_APPLIED);
    }
}

/// Takes the values out of every `env`; whether there were any.
fn forget_environment(value: &mut Value) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().fold(false, |any, item| forget_environment(item) | any),
        Value::Object(fields) => fields.iter_mut().fold(false, |any, (name, below)| {
            let here = name == "env" && forget_values(below);
            here | forget_environment(below) | any
        }),
        _ => false,
    }
}

fn forget_values(env: &mut Value) -> bool {
    let mut any = false;
    for variable in env.as_array_mut().into_iter().flatten() {
        if let Some(value) = variable.get_mut("value").filter(|value| !value.is_null()) {
            *value = NOT_KEPT.into();
            any = true;
        }
    }
    any
}

/// Whether something was not kept without which it cannot be created again.
pub(super) fn lacks_something(image: &Value) -> bool {
    match image {
        Value::Array(items) => items.iter().any(lacks_something),
        Value::Object(fields) => fields.values().any(lacks_something),
        Value::String(text) => text == NOT_KEPT,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Write, steps};
    use crate::report::Ref;
    use serde_json::json;

    fn object(api_version: &str, kind: &str, resource: &str) -> Ref {
        Ref {
            api_version: api_version.into(),
            kind: kind.into(),
            resource: resource.into(),
            namespace: Some("shop".into()),
            name: "x".into(),
            ..Ref::default()
        }
    }

    fn with_password() -> Value {
        json!({"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": "x", "managedFields": [{}], "annotations": {LAST_APPLIED: "hunter2", "a": "b"}},
            "spec": {"replicas": 0, "template": {"spec": {"containers": [
                {"name": "c", "env": [{"name": "P", "value": "hunter2"}, {"name": "Q", "valueFrom": {}}]}]}}}})
    }

    #[test]
    fn of_a_workload_to_scale_only_its_metadata_and_replicas_are_kept() {
        let step = steps::scale_workload::step(&object("apps/v1", "Deployment", "deployments"));
        assert_eq!(
            step.image(&with_password()),
            json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "x", "annotations": {"a": "b"}},
                "spec": {"replicas": 0}})
        );
    }

    #[test]
    fn values_of_environment_variables_are_never_kept() {
        let step = steps::delete_object::step(&object("apps/v1", "Deployment", "deployments"));
        let image = step.image(&with_password());
        assert!(!image.to_string().contains("hunter2"), "{image}");
        assert!(lacks_something(&image));
        assert_eq!(image["spec"]["template"]["spec"]["containers"][0]["env"][1], json!({"name": "Q", "valueFrom": {}}));
    }

    #[test]
    fn data_is_kept_only_of_a_config_map_that_is_deleted() {
        let raw =
            json!({"metadata": {"name": "x", "annotations": {LAST_APPLIED: "hunter2"}}, "data": {"p": "hunter2"}});
        let secret = steps::delete_object::step(&object("v1", "Secret", "secrets"));
        let map = object("v1", "ConfigMap", "configmaps");
        let held = steps::remove_finalizer::step(&map, &["a.io/x".into()], "a.io/x");
        for step in [secret, held] {
            let image = step.image(&raw);
            assert!(!image.to_string().contains("hunter2"), "{image}");
        }
        assert_eq!(steps::delete_object::step(&map).image(&raw), raw);
    }
}
