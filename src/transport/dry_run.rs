//! Dry runs as requests: they ask for the server's answer to a write.

use crate::survey::{Probe, ProbeOf, Want};
use http::{Request, header};
use kube::client::Body;
use serde_json::{Value, json};

/// A request that changes nothing. Only [`request`] can make one.
#[derive(Debug, Clone, PartialEq)]
pub struct DryRunRequest {
    method: &'static str,
    path_and_query: String,
    content_type: &'static str,
    user: Option<String>,
    body: Value,
}

impl DryRunRequest {
    /// The request as it is sent; `accept` are the requested media types.
    pub(crate) fn to_http(&self, accept: &str) -> Result<Request<Body>, http::Error> {
        let request = Request::builder()
            .method(self.method)
            .uri(&self.path_and_query)
            .header(header::ACCEPT, accept)
            .header(header::CONTENT_TYPE, self.content_type);
        let request = match &self.user {
            Some(user) => request.header("Impersonate-User", user),
            None => request,
        };
        request.body(Body::from(self.body.to_string().into_bytes()))
    }
}

/// The dry run for `of`. The options of a DELETE are taken from its body, and then not from the
/// query (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/endpoints/handlers/delete.go`).
#[must_use]
pub fn request(want: &Want, of: &ProbeOf) -> DryRunRequest {
    let path_and_query = format!("{}?dryRun=All", want.path());
    match &of.what {
        Probe::Delete => DryRunRequest {
            method: "DELETE",
            path_and_query,
            content_type: "application/json",
            user: of.user.clone(),
            body: delete_options(want, of),
        },
        Probe::RemoveFinalizer(finalizer) => {
            let place = format!("/metadata/finalizers/{}", of.at);
            DryRunRequest {
                method: "PATCH",
                path_and_query,
                content_type: "application/json-patch+json",
                user: of.user.clone(),
                body: json!([{"op": "test", "path": "/metadata/uid", "value": of.uid},
                    {"op": "test", "path": place, "value": finalizer},
                    {"op": "remove", "path": place}]),
            }
        }
    }
}

/// The kubelet or the pod garbage collector deletes a terminating pod once more, without grace. A
/// DELETE with grace would then pass no admission (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go`).
fn delete_options(want: &Want, of: &ProbeOf) -> Value {
    let mut options = json!({"apiVersion": "v1", "kind": "DeleteOptions", "dryRun": ["All"],
        "propagationPolicy": "Background", "preconditions": {"uid": of.uid}});
    if want.resource.is("", "pods") {
        options["gracePeriodSeconds"] = json!(0);
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{Form, ResourceId};

    fn want(plural: &str, probe: Probe) -> Want {
        let of = ProbeOf { what: probe, uid: "u1".into(), at: 1, user: None };
        Want {
            probe: Some(Box::new(of)),
            ..Want::get(&ResourceId::new("", "v1", plural), Some("shop"), "a", Form::Metadata)
        }
    }

    fn dry_run(plural: &str, probe: Probe) -> DryRunRequest {
        let want = want(plural, probe);
        request(&want, want.probe.as_ref().unwrap())
    }

    #[test]
    fn every_probe_is_a_dry_run_bound_to_one_uid() {
        for probe in [Probe::Delete, Probe::RemoveFinalizer("acme.io/x".into())] {
            let dry_run = dry_run("configmaps", probe);
            assert_eq!(dry_run.path_and_query, "/api/v1/namespaces/shop/configmaps/a?dryRun=All");
            assert!(dry_run.body.to_string().contains("\"u1\""), "{}", dry_run.body);
            // The server ignores the query of a DELETE with a body.
            assert!(dry_run.method == "PATCH" || dry_run.body["dryRun"] == json!(["All"]), "{}", dry_run.body);
        }
    }

    #[test]
    fn a_pods_trial_deletion_has_no_grace_period() {
        assert_eq!(dry_run("pods", Probe::Delete).body["gracePeriodSeconds"], 0);
        assert_eq!(dry_run("configmaps", Probe::Delete).body["gracePeriodSeconds"], Value::Null);
    }
}
