//! The requests that several kinds of step make. Each names the uid of the object, so
//! that the API server refuses another one of the same name.

use super::write::WriteRequest;
use crate::report::Ref;
use serde_json::{Value, json};

/// The URL path of `object`.
pub(super) fn path(object: &Ref) -> String {
    object.target().want().path()
}

/// A JSON patch that does `operations` only to the object with this uid.
pub(super) fn json_patch(object: &Ref, operations: Vec<Value>) -> WriteRequest {
    let mut body = vec![json!({"op": "test", "path": "/metadata/uid", "value": object.uid})];
    body.extend(operations);
    WriteRequest {
        method: "PATCH",
        path: path(object),
        content_type: "application/json-patch+json",
        body: Value::Array(body),
    }
}

/// A DELETE of this very object, whose dependents are dealt with as `policy` says.
pub(super) fn deletion(object: &Ref, policy: &str) -> WriteRequest {
    deletion_if(object, policy, &json!({"uid": object.uid}))
}

/// A DELETE of this very object as it was read in `raw`: one that has changed since is
/// not deleted.
pub(super) fn deletion_as_read(object: &Ref, raw: &Value) -> WriteRequest {
    let version = raw.pointer("/metadata/resourceVersion").cloned().unwrap_or_default();
    deletion_if(object, "Background", &json!({"uid": object.uid, "resourceVersion": version}))
}

/// A DELETE under these preconditions.
pub(super) fn deletion_if(object: &Ref, policy: &str, preconditions: &Value) -> WriteRequest {
    WriteRequest {
        method: "DELETE",
        path: path(object),
        content_type: "application/json",
        body: json!({"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": policy,
            "preconditions": preconditions}),
    }
}
