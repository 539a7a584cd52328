//! Pauses of an object's reconciliation: a field of its spec, an annotation or a label with one of
//! the usual names, or a condition that reports it.

use crate::facts::{Known, Readable, flat_each};
use crate::kubernetes::finalizers::groups::{domain, is_custom, is_kin};
use crate::kubernetes::mentions::{Clarity, Edge, How, edges};
use crate::kubernetes::ownership::owner::{Fit, fit};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::report::Ref;
use crate::survey::{Form, Object, Seen, last_word};
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
    "disable-reconcile", "pause", "pause-reconciliation", "paused", "reconcile-paused", "skip-reconcile", "suspend",
    "suspended",
];

/// Suffixes of keys that pause with one of the values in [`OFF`].
const SWITCHES: [&str; 3] = ["managed", "reconcile", "reconcile-policy"];

const OFF: [&str; 7] = ["detach-on-delete", "disabled", "false", "ignore", "off", "paused", "skip"];

/// A pause of an object's reconciliation.
#[derive(Debug, Clone)]
pub struct Pause {
    /// The object that is paused.
    pub of: Ref,
    /// Whether that is the held object itself.
    pub own: bool,
    /// The switch; `None` if only a condition reports the pause.
    pub by: Option<Switch>,
    /// The condition that reports it.
    pub said: Option<String>,
    /// Whether the condition is about the controller's own work, and a switch agrees.
    pub sure: bool,
}

/// A setting that pauses an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Switch {
    /// A field of its spec: its name and its value.
    Field(&'static str, String),
    /// An annotation: its key and its value.
    Annotation(String, String),
    /// A label: its key and its value.
    Label(String, String),
}

impl Switch {
    /// The setting as it is written: `spec.paused: true`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Field(name, value) => format!("spec.{name}: {value}"),
            Self::Annotation(key, value) => format!("annotation {key}: {}", Value::from(value.as_str())),
            Self::Label(key, value) => format!("label {key}: {}", Value::from(value.as_str())),
        }
    }

    /// The field that contains it.
    #[must_use]
    pub fn field(&self) -> String {
        match self {
            Self::Field(name, _) => format!("spec.{name}"),
            Self::Annotation(..) => "metadata.annotations".to_owned(),
            Self::Label(..) => "metadata.labels".to_owned(),
        }
    }
}

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

/// How many objects that contain a held one are read.
const MAX_ABOVE: usize = 4;

/// The pause of all held objects, whose controller runs in `workload`: an object that is not paused waits for something
/// else. A pause that no condition reports does not count for a controller that `watches` the objects.
pub(crate) fn pause_of(workload: &Object, watches: bool, inquiry: Inquiry<'_, '_>) -> Known<Option<Pause>> {
    let held = inquiry.held;
    let above = flat_each(held.read(), |seen| Ok(Some((seen, above(seen, inquiry)?))))?;
    let is_own = |domain: &str| is_of_product(domain, workload, inquiry);
    let pauses: Option<Vec<Pause>> = above.iter().map(|(seen, above)| pause(*seen, above, is_own)).collect();
    let pauses = pauses.or(paused_with_its_namespace(inquiry, is_own)?.map(|pause| vec![pause]));
    let pause = pauses.and_then(|all| all.into_iter().next()).filter(|pause| !watches || pause.said.is_some());
    // A recurring job may be suspended. That does not affect its deletion, unless a condition says
    // so.
    let foreseen = held.objects.iter().all(|seen| !seen.object.is_deleting());
    Ok(pause.filter(|pause| !foreseen || pause.said.is_some() || !pause.by.as_ref().is_some_and(suspends)))
}

/// The pause of everything in a namespace, by a label or an annotation of the namespace in the
/// controller's own domain.
fn paused_with_its_namespace(inquiry: Inquiry<'_, '_>, is_own: impl Fn(&str) -> bool) -> Known<Option<Pause>> {
    let Inquiry { held, facts, .. } = inquiry;
    let Some(home) = held.first().object.metadata.namespace.as_deref() else { return Ok(None) };
    let Some(kind) = facts.preferred("", "namespaces") else { return Ok(None) };
    let Some(object) = facts.metadata(&kind.id, None, home).if_readable()?.flatten() else { return Ok(None) };
    let seen = Seen { resource: kind, object };
    let is_foreign = |by: &Switch| match by {
        Switch::Annotation(key, _) | Switch::Label(key, _) => !key.contains('/'),
        Switch::Field(..) => true,
    };
    let by = switch(seen, is_own).filter(|by| !is_foreign(by));
    Ok(by.map(|by| Pause { of: seen.into(), own: false, by: Some(by), said: None, sure: false }))
}

/// The pause of one object, set on the object itself or on one of the objects `above` it.
fn pause(seen: Seen<'_>, above: &[Seen<'_>], is_own: impl Fn(&str) -> bool) -> Option<Pause> {
    let (said, of_its_work) = said(seen.object).unzip();
    let of_its_work = of_its_work == Some(true);
    let switch = |seen: Seen<'_>, own: bool| Some((Ref::from(seen), own, switch(seen, &is_own)?));
    match switch(seen, true).or_else(|| above.iter().find_map(|seen| switch(*seen, false))) {
        Some((of, own, by)) => Some(Pause { of, own, by: Some(by), said, sure: of_its_work }),
        None => of_its_work.then(|| Pause { of: seen.into(), own: true, by: None, said, sure: false }),
    }
}

/// Whether a domain belongs to the finalizer, the kind or the controller.
fn is_of_product(other: &str, workload: &Object, inquiry: Inquiry<'_, '_>) -> bool {
    let Inquiry { finalizer, held, traces, .. } = inquiry;
    let own = [domain(finalizer), &held.first().resource.id.group, &traces.kind.group];
    own.iter().any(|own| is_kin(own, other)) || fit(other, workload) != Fit::Not
}

/// Fields of a spec that name the cluster or the parent of an object.
const ABOVE: [&str; 6] =
    ["spec.clusterRef", "spec.clusterName", "spec.parentRef", "spec.parentName", "spec.ownerRef", "spec.ownerName"];

/// The objects of the same product that contain a held one: its owners, and those that its labels and
/// its spec name as its cluster or parent.
fn above<'s>(seen: Seen<'s>, inquiry: Inquiry<'_, 's>) -> Known<Vec<Seen<'s>>> {
    let Inquiry { facts, gaps, .. } = inquiry;
    let is_above = |edge: &Edge<'_>| {
        let by = match edge.how {
            How::Owner => true,
            // `acme.io/cluster-name` names a Cluster of the group acme.io.
            How::Label => edge.clarity == Clarity::Explicit && edge.field.ends_with("-name]"),
            _ => ABOVE.contains(&edge.field.as_str()),
        };
        by && is_custom(&edge.resource.id.group) && is_kin(&seen.resource.id.group, &edge.resource.id.group)
    };
    let mut above: Vec<Edge<'_>> = edges(seen, facts.discovery()).into_iter().filter(is_above).collect();
    above.dedup_by_key(|edge| (&edge.resource.id, edge.name.clone()));
    flat_each(above.into_iter().take(MAX_ABOVE), |edge| Ok(gaps.pass(edge.read(Form::Whole, facts))?.flatten()))
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
