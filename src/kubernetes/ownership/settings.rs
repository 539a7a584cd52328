//! Settings that a workload takes from a `ConfigMap`, whose data is never read: they may include the
//! namespaces that it watches.

use crate::survey::Object;
use serde_json::Value;

/// The `ConfigMap` from which containers take variables.
pub(crate) fn taken_from(workload: &Object) -> Option<&str> {
    let mut containers = workload.array("/spec/template/spec/containers").iter();
    containers.find_map(|container| {
        let mut sources = container.get("envFrom").and_then(Value::as_array).into_iter().flatten();
        sources.find_map(|source| source.pointer("/configMapRef/name")?.as_str())
    })
}
