//! The image of an object for the journal before a write: its identity, its owners and finalizers, and the
//! other fields that undo needs. Lists name the fields that are kept. All others are left out, since they
//! may contain a secret.

use crate::report::Ref;
use crate::survey::{Fields, is_kept_annotation, keep};
use serde_json::{Map, Value};

/// The replacement of a value that is not kept.
const NOT_KEPT: &str = "(not kept)";
/// The key for the note that fields outside of the lists are missing.
const MORE: &str = "more";

/// The metadata that are kept of every object.
const METADATA: &[&str] = &[
    "{name,namespace,uid,resourceVersion,generation,creationTimestamp,deletionTimestamp,deletionGracePeriodSeconds}",
    "finalizers",
    "{ownerReferences,labels}/**",
];

/// The fields of an object that are kept besides its metadata.
#[derive(Debug, Clone, Copy)]
pub(super) enum Saved {
    /// None.
    Nothing,
    /// The fields on these paths, which the step changes.
    Part(&'static [&'static str]),
    /// The whole content, on these paths: the object can be created again from it.
    Whole(&'static [&'static str]),
}

/// The image of the object of a step, which was read whole or by its metadata
/// only.
pub(super) fn of(object: &Ref, kept: Saved, raw: &Value, metadata_only: bool) -> Value {
    let Some(fields) = raw.as_object() else { return Value::Null };
    let mut image = Map::new();
    for key in ["apiVersion", "kind"] {
        image.extend(fields.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    image.insert("metadata".into(), metadata(&raw["metadata"]));
    // Fields that the server computes need not be restored.
    let content = || fields.iter().filter(|(key, _)| !["apiVersion", "kind", "metadata", "status"].contains(&&***key));
    if let Saved::Part(paths) | Saved::Whole(paths) = kept {
        let whole = Value::Object(content().map(|(key, value)| (key.clone(), value.clone())).collect());
        let part = keep(&whole, &Fields::of(paths));
        if matches!(kept, Saved::Whole(_)) && part != whole {
            image.insert(MORE.into(), NOT_KEPT.into());
        }
        image.extend(part.as_object().cloned().unwrap_or_default());
    }
    for (key, _) in content() {
        image.entry(key.as_str()).or_insert_with(|| NOT_KEPT.into());
    }
    // Data that was not read must not appear as empty.
    if metadata_only || (matches!(kept, Saved::Nothing) && object.target().resource.is_private()) {
        image.entry("data").or_insert_with(|| NOT_KEPT.into());
    }
    Value::Object(image)
}

fn metadata(raw: &Value) -> Value {
    let mut kept = keep(raw, &Fields::of(METADATA));
    let annotations = raw["annotations"].as_object().into_iter().flatten();
    let annotations: Map<String, Value> = annotations
        .map(|(key, text)| (key.clone(), if is_kept_annotation(key) { text.clone() } else { NOT_KEPT.into() }))
        .collect();
    if let (false, Some(kept)) = (annotations.is_empty(), kept.as_object_mut()) {
        kept.insert("annotations".into(), annotations.into());
    }
    kept
}

/// Removes the annotations whose values were not kept, and returns their keys.
pub(super) fn without_lost_annotations(image: &mut Value) -> Vec<String> {
    let Some(annotations) = image.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut) else {
        return Vec::new();
    };
    let lost: Vec<String> =
        annotations.iter().filter(|(_, text)| *text == NOT_KEPT).map(|(key, _)| key.clone()).collect();
    annotations.retain(|_, text| text != NOT_KEPT);
    lost
}

/// Whether a value was not kept that would be needed to create the object again.
pub(super) fn lacks_something(image: &Value) -> bool {
    match image {
        Value::Array(items) => items.iter().any(lacks_something),
        Value::Object(fields) => {
            fields.iter().filter(|(key, _)| *key != "annotations").any(|(_, field)| lacks_something(field))
        }
        Value::String(text) => text == NOT_KEPT,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Property, Write, steps};
    use crate::report::Named;
    use serde_json::json;

    const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

    fn object(api_version: &str, kind: &str, resource: &str) -> Ref {
        Ref::from(Named {
            api_version: api_version.into(),
            kind: kind.into(),
            resource: resource.into(),
            namespace: Some("shop".into()),
            name: "x".into(),
            ..Named::default()
        })
    }

    /// An object with a secret in every place.
    fn with_password() -> Value {
        json!({"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": "x", "uid": "u", "finalizers": ["a.io/x"], "labels": {"app": "x"},
                "managedFields": [{"manager": "hunter2"}],
                "annotations": {LAST_APPLIED: "hunter2", "a": "hunter2", "olm.owner": "o"}},
            "spec": {"replicas": 0, "password": "hunter2", "template": {"spec": {"containers": [
                {"name": "c", "args": ["hunter2"], "env": [{"name": "P", "value": "hunter2"}]}]}}},
            "data": {"p": "hunter2"}, "secret": "hunter2", "status": {"token": "hunter2"}})
    }

    #[test]
    fn scaling_keeps_only_metadata_and_replicas() {
        let step = steps::scale_workload::step(&object("apps/v1", "Deployment", "deployments"));
        assert_eq!(
            step.image(&with_password()),
            json!({"apiVersion": "apps/v1", "kind": "Deployment",
                "metadata": {"name": "x", "uid": "u", "finalizers": ["a.io/x"], "labels": {"app": "x"},
                    "annotations": {LAST_APPLIED: NOT_KEPT, "a": NOT_KEPT, "olm.owner": "o"}},
                "spec": {"replicas": 0}, "data": NOT_KEPT, "secret": NOT_KEPT})
        );
    }

    #[test]
    fn no_step_keeps_possible_secrets() {
        let held = ["a.io/x".to_owned()];
        let owner = k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference::default();
        for named in [
            object("acme.io/v1", "Database", "databases"),
            object("apps/v1", "Deployment", "deployments"),
            object("v1", "Secret", "secrets"),
            object("v1", "ConfigMap", "configmaps"),
            object("v1", "Pod", "pods"),
            object("v1", "Namespace", "namespaces"),
            object("v1", "Node", "nodes"),
            object("rbac.authorization.k8s.io/v1", "Role", "roles"),
        ] {
            let now = serde_json::from_value(with_password()).unwrap();
            for step in [
                steps::scale_workload::step(&named),
                steps::delete_api_service::step(&named, &named),
                steps::ignore_webhook::step(&named, 0, "a"),
                steps::delete_webhook_configuration::step(&named, &now),
                steps::relax_policy_binding::step(&named, steps::relax_policy_binding::Relax::Denial, &now),
                steps::conversion_none::step(&named, &Value::Null),
                steps::drop_owner_reference::step(&named, &owner, 0),
                steps::delete_object::step(&named),
                steps::delete_on_request::step(&named, crate::survey::Cascade::Background),
                steps::drop_garbage_collector_finalizer::step(&named, "orphan"),
                steps::force_delete_pod::step(&named),
                steps::taint_out_of_service::step(&named),
                steps::nudge_namespace::step(&named),
                steps::recreate_namespace::step("shop"),
                steps::remove_finalizer::step(&named, &held, &held[0]),
                steps::finalize_namespace::step(&named, "kubernetes"),
            ] {
                let image = step.image(&with_password());
                assert!(!image.to_string().contains("hunter2"), "{}: {image}", step.title());
                let request = step.request(&with_password(), "2026-01-01T00:00:00Z".parse().unwrap());
                let request = step.recorded(&request);
                assert!(!request.to_string().contains("hunter2"), "{}: {request}", step.title());
            }
        }
    }

    #[test]
    fn an_image_knows_whether_it_is_complete() {
        for (named, raw) in [
            (object("apps/v1", "Deployment", "deployments"), with_password()),
            (object("v1", "ConfigMap", "configmaps"), json!({"metadata": {"name": "x"}})),
            (object("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"), with_password()),
        ] {
            assert!(lacks_something(&steps::delete_object::step(&named).image(&raw)), "{named}");
        }
        let budget = json!({"apiVersion": "policy/v1", "metadata": {"name": "x", "annotations": {"a": "hunter2"}},
            "spec": {"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}}, "status": {"x": 1}});
        let step = steps::delete_object::step(&object("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"));
        let mut image = step.image(&budget);
        assert!(!lacks_something(&image), "{image}");
        assert_eq!(without_lost_annotations(&mut image), ["a"]);
        assert_eq!(image["metadata"], json!({"name": "x", "annotations": {}}));
        assert!(!step.has(Property::CanBeUndone), "no namespace of that name is the one that it was in");
    }

    #[test]
    fn omitted_values_are_found_at_any_depth_except_in_annotations() {
        assert!(lacks_something(&json!({"webhooks": [{"name": "a"}, {"rules": NOT_KEPT}]})));
        assert!(!lacks_something(&json!({"webhooks": [{"name": "a"}], "metadata": {"annotations": {"x": NOT_KEPT}}})));
    }

    #[test]
    fn data_that_was_never_read_is_not_called_empty() {
        let pod = steps::nudge_namespace::step(&object("v1", "Pod", "pods"));
        let raw = json!({"metadata": {"name": "x"}});
        assert_eq!(of(&pod.object, Saved::Nothing, &raw, true)["data"], NOT_KEPT);
        assert_eq!(of(&pod.object, Saved::Nothing, &raw, false)["data"], Value::Null);
    }
}
