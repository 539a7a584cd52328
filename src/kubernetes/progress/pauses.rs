//! Pauses of an object's reconciliation: a field of its spec, an annotation or a label with one of
//! the usual names, or a condition that reports it.

use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::progress::reasons::Switch;
use crate::survey::{Object, Seen, last_word};
use serde_json::Value;

/// Fields that pause an object.
const FIELDS: [(&str, &str); 4] = [
    ("paused", "/spec/paused"),
    ("pause", "/spec/pause"),
    ("suspend", "/spec/suspend"),
    ("suspended", "/spec/suspended"),
];

/// Suffixes of keys that pause, whatever the value: some controllers only check whether the key
/// exists (kubernetes-sigs/cluster-api: `util/annotations/helpers.go`).
const PAUSES: [&str; 8] = [
    "disable-reconcile",
    "pause",
    "pause-reconciliation",
    "paused",
    "reconcile-paused",
    "skip-reconcile",
    "suspend",
    "suspended",
];

/// Suffixes of keys that pause with one of the values in [`OFF`].
const SWITCHES: [&str; 3] = ["managed", "reconcile", "reconcile-policy"];

const OFF: [&str; 7] = ["detach-on-delete", "disabled", "false", "ignore", "off", "paused", "skip"];

/// The switch that pauses an object. `is_own` tells whether the domain of a key is its controller's:
/// other programs use keys of their own on the same objects.
pub(crate) fn switch(seen: Seen<'_>, is_own: impl Fn(&str) -> bool) -> Option<Switch> {
    // In built-in kinds such a field stops rollouts or pods, but no deletion.
    let fields = FIELDS.iter().filter(|_| is_custom(&seen.resource.id.group));
    let field = fields.filter_map(|(name, pointer)| {
        let value = seen.object.at(pointer).filter(|value| is_true(value))?;
        Some(Switch::Field(name, value.to_string()))
    });
    let unmanaged = seen.object.text("/spec/managementState").filter(|state| *state == "Unmanaged");
    let unmanaged = unmanaged.map(|state| Switch::Field("managementState", state.to_owned()));
    let is_off = |(key, value): &(&String, &String)| {
        let word = last_word(key);
        let value = value.to_lowercase();
        let pauses = PAUSES.contains(&word) && !["false", "disabled", "no", "0", "off"].contains(&value.as_str());
        let off = SWITCHES.contains(&word) && OFF.contains(&value.as_str());
        (pauses || off) && key.split_once('/').is_none_or(|(domain, _)| is_own(domain))
    };
    let metadata = &seen.object.metadata;
    let annotation = metadata.annotations.iter().find(is_off);
    let annotation = annotation.map(|(key, value)| Switch::Annotation(key.clone(), value.clone()));
    let label = metadata.labels.iter().find(is_off);
    let label = label.map(|(key, value)| Switch::Label(key.clone(), value.clone()));
    field.chain(unmanaged).chain(annotation).chain(label).next()
}

/// Whether a switch only suspends.
pub(crate) fn suspends(by: &Switch) -> bool {
    matches!(by, Switch::Field("suspend" | "suspended", _))
}

/// The switch that only suspends an object.
pub(crate) fn suspended(seen: Seen<'_>) -> Option<Switch> {
    switch(seen, |_| false).filter(suspends)
}

fn is_true(value: &Value) -> bool {
    value.as_bool() == Some(true) || value.as_str().is_some_and(|text| text.eq_ignore_ascii_case("true"))
}

/// The message of a condition that reports a pause, and whether it is about the reconciliation.
pub(crate) fn said(object: &Object) -> Option<(String, bool)> {
    object.conditions().find_map(|condition| {
        let (kind, status) = (condition.kind(), condition.status());
        let (reason, message) = (condition.reason(), condition.message());
        let named = ["Paused", "Suspended", "ReconciliationPaused", "ReconcilePaused"].contains(&kind);
        let says = if named { status == "True" } else { tells_of_a_pause(reason) };
        if !says {
            return None;
        }
        let of_its_work = [kind, reason, message].iter().any(|text| text.to_lowercase().contains("reconcil"));
        Some((format!("condition {kind}={status} says \"{}\"", condition.says()), of_its_work))
    })
}

/// Whether a text reports a pause.
pub(crate) fn tells_of_a_pause(words: &str) -> bool {
    let lower = words.to_lowercase();
    let stops = ["paused", "suspended", "reconciliationdisabled", "reconciliation is disabled", "reconciledisabled"];
    let not = ["notpaused", "not paused", "unpaused", "notsuspended", "not suspended"];
    stops.iter().any(|word| lower.contains(word)) && !not.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::mentions::discovery;
    use serde_json::json;

    fn paused(rest: Value) -> Option<Switch> {
        let mut value = json!({"metadata": {"name": "b"}});
        if let Value::Object(fields) = rest {
            value.as_object_mut().unwrap().extend(fields);
        }
        let object: Object = serde_json::from_value(value).unwrap();
        let discovery = discovery();
        switch(Seen { resource: &discovery.resources[1], object: &object }, |domain| domain == "acme.io")
    }

    #[test]
    fn an_object_is_paused_by_a_field_or_a_key_of_its_controller() {
        assert_eq!(paused(json!({"spec": {"paused": true}})), Some(Switch::Field("paused", "true".into())));
        assert_eq!(paused(json!({"spec": {"suspend": false, "suspended": "no"}})), None);
        let annotated =
            |key: &str, value: &str| paused(json!({"metadata": {"name": "b", "annotations": {key: value}}}));
        let is_paused = |key: &str, value: &str| annotated(key, value).is_some();
        assert!(is_paused("acme.io/paused", "") && is_paused("acme.io/reconcile", "disabled"));
        assert!(!is_paused("acme.io/paused", "false") && !is_paused("acme.io/reconcile", "enabled"));
        assert!(!is_paused("gitops.tools/reconcile", "disabled"), "another controller's switch");
        let label = paused(json!({"metadata": {"name": "b", "labels": {"acme.io/managed": "false"}}}));
        assert_eq!(label, Some(Switch::Label("acme.io/managed".into(), "false".into())));
    }

    #[test]
    fn conditions_that_report_a_pause_are_recognized() {
        let said = |kind: &str, status: &str, reason: &str, message: &str| {
            let condition = json!({"type": kind, "status": status, "reason": reason, "message": message});
            let object = json!({"metadata": {"name": "b"}, "status": {"conditions": [condition]}});
            said(&serde_json::from_value(object).unwrap()).map(|(_, of_its_work)| of_its_work)
        };
        assert_eq!(said("Synced", "False", "ReconcilePaused", "by an annotation"), Some(true));
        assert_eq!(said("Paused", "True", "Paused", "spec.paused is set"), Some(false));
        assert_eq!(said("Paused", "False", "NotPaused", ""), None);
        assert_eq!(said("Ready", "True", "Available", "it was paused once"), None);
    }
}
