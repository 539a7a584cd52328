//! Remove one entry of a namespace's `spec.finalizers` through its `finalize`
//! subresource, the only way there is (kubernetes/kubernetes:
//! pkg/registry/core/namespace/strategy.go). Refused unless the namespace was
//! read to be empty: what is left would be stranded, beyond the reach of every
//! update.

use crate::diagnosis::Ref;
use crate::plan::step::{Guard, Step, StepKind, Verdict, WriteRequest, deleting, quote};
use crate::survey::Object;
use serde_json::Value;

/// The step that removes `finalizer` from the `spec.finalizers` of `namespace`.
#[must_use]
pub fn step(namespace: &Ref, finalizer: &str) -> Step {
    let name = quote(&namespace.name);
    let filter = quote(&format!(".spec.finalizers -= [{}]", Value::from(finalizer)));
    let command = format!(
        "kubectl get namespace {name} -o json | jq {filter} | kubectl replace --raw /api/v1/namespaces/{name}/finalize -f -"
    );
    Step {
        kind: StepKind::FinalizeNamespace,
        object: namespace.clone(),
        finalizer: Some(finalizer.into()),
        entry: None,
        command,
    }
}

/// Whether `namespace` has the entry in `spec.finalizers`.
#[must_use]
pub fn has(namespace: &Object, finalizer: &str) -> bool {
    namespace.array("/spec/finalizers").iter().any(|key| key == finalizer)
}

pub(in crate::plan) fn guard(step: &Step, now: &Object) -> Guard {
    let finalizer = step.finalizer.as_deref().unwrap_or_default();
    if !has(now, finalizer) {
        return Guard::AlreadySo(format!("{} no longer has {finalizer} in spec.finalizers", step.object));
    }
    deleting(step, now)
}

pub(in crate::plan) fn request(step: &Step, raw: &Value) -> WriteRequest {
    let finalizer = step.finalizer.as_deref().unwrap_or_default();
    // The resourceVersion in it makes the server refuse when anything changed.
    let mut body = raw.clone();
    if let Some(Value::Array(finalizers)) = body.pointer_mut("/spec/finalizers") {
        finalizers.retain(|key| key != finalizer);
    }
    WriteRequest { method: "PUT", path: format!("{}/finalize", step.path()), content_type: "application/json", body }
}

pub(in crate::plan) fn verify(step: &Step, after: &Object) -> Verdict {
    let finalizer = step.finalizer.as_deref().unwrap_or_default();
    if has(after, finalizer) {
        Verdict::NotYet(format!("{finalizer} is still in spec.finalizers"))
    } else {
        Verdict::Done(format!("{finalizer} is out of spec.finalizers of {}", step.object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_named_entry_is_taken_out() {
        let namespace = Ref {
            api_version: "v1".into(),
            kind: "Namespace".into(),
            resource: "namespaces".into(),
            name: "n".into(),
            ..Ref::default()
        };
        let raw = json!({"metadata": {"name": "n", "resourceVersion": "7"}, "spec": {"finalizers": ["kubernetes", "openshift.io/origin"]}});
        let request = request(&step(&namespace, "openshift.io/origin"), &raw);
        assert_eq!(request.path, "/api/v1/namespaces/n/finalize");
        assert_eq!(
            request.body,
            json!({"metadata": {"name": "n", "resourceVersion": "7"}, "spec": {"finalizers": ["kubernetes"]}})
        );
    }
}
