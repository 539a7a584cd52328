//! Dry runs: what the server would say to a write, without one.

use super::http::{Api, Refusal};
use crate::survey::{Fact, Probe, ProbeOf, Probed, Reason, Refused, Unread, Want};
use http::StatusCode;
use serde_json::{Value, json};

/// A request that changes nothing. It can be made by [`request`] alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    method: &'static str,
    path_and_query: String,
    content_type: &'static str,
    body: Value,
}

impl Trial {
    pub(super) fn method(&self) -> &'static str {
        self.method
    }

    pub(super) fn path_and_query(&self) -> &str {
        &self.path_and_query
    }

    pub(super) fn content_type(&self) -> &'static str {
        self.content_type
    }

    pub(super) fn body(&self) -> &Value {
        &self.body
    }
}

/// The dry run that `of` asks for. The options of a DELETE are taken from its
/// body, and then not from the query (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/endpoints/handlers/delete.go`).
#[must_use]
pub fn request(want: &Want, of: &ProbeOf) -> Trial {
    let path_and_query = format!("{}?dryRun=All", want.path());
    match &of.what {
        Probe::Delete => {
            Trial { method: "DELETE", path_and_query, content_type: "application/json", body: delete_options(want, of) }
        }
        Probe::RemoveFinalizer(finalizer) => {
            let place = format!("/metadata/finalizers/{}", of.at);
            Trial {
                method: "PATCH",
                path_and_query,
                content_type: "application/json-patch+json",
                body: json!([{"op": "test", "path": "/metadata/uid", "value": of.uid},
                    {"op": "test", "path": place, "value": finalizer},
                    {"op": "remove", "path": place}]),
            }
        }
    }
}

/// A pod that is being deleted is deleted once more, without grace, by its kubelet
/// or by the pod garbage collector; a DELETE with grace passes no admission then
/// (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go`).
fn delete_options(want: &Want, of: &ProbeOf) -> Value {
    let mut options = json!({"apiVersion": "v1", "kind": "DeleteOptions", "dryRun": ["All"],
        "propagationPolicy": "Background", "preconditions": {"uid": of.uid}});
    if want.resource.group.is_empty() && want.resource.plural == "pods" {
        options["gracePeriodSeconds"] = json!(0);
    }
    options
}

/// Sends the dry run.
pub(super) async fn ask(api: &Api, want: &Want, of: &ProbeOf) -> Fact {
    match api.try_out(&request(want, of)).await {
        Ok(_) => Fact::Probed(Probed::Passed),
        Err(refusal) => judge(want.name.as_deref().unwrap_or_default(), &refusal),
    }
}

/// What an error says: a refusal of what was tried, or nothing about it. That a
/// `test` of a JSON patch fails is a 422 in general words: the object has changed
/// (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go`).
fn judge(name: &str, refusal: &Refusal) -> Fact {
    let unread = refusal.unread();
    let status = refusal.status.unwrap_or_default();
    let about_it = refusal.is_not_found() && refusal.names(name);
    let changed = status == StatusCode::CONFLICT
        || (status == StatusCode::UNPROCESSABLE_ENTITY && refusal.message.contains("due to an error in our request"));
    let no_verdict = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE, StatusCode::GATEWAY_TIMEOUT];
    let own = matches!(unread.reason, Reason::Refused | Reason::ServerError | Reason::Rejected | Reason::NotServed);
    if about_it {
        Fact::Missing
    } else if changed {
        Fact::Unread(Unread { reason: Reason::Rejected, message: "it has changed since it was read".into() })
    } else if own && refusal.is_status() && !no_verdict.contains(&status) {
        let (code, reason) = (status.as_u16(), refusal.reason.clone());
        Fact::Probed(Probed::Refused(Refused { code, reason, message: refusal.message.clone() }))
    } else {
        Fact::Unread(unread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{Form, ResourceId};

    fn want(plural: &str, probe: Probe) -> Want {
        let of = ProbeOf { what: probe, uid: "u1".into(), at: 1 };
        Want { probe: Some(of), ..Want::get(&ResourceId::new("", "v1", plural), Some("shop"), "a", Form::Metadata) }
    }

    fn trial(plural: &str, probe: Probe) -> Trial {
        let want = want(plural, probe);
        request(&want, want.probe.as_ref().unwrap())
    }

    #[test]
    fn every_probe_is_a_dry_run_of_one_very_object() {
        for probe in [Probe::Delete, Probe::RemoveFinalizer("acme.io/x".into())] {
            let trial = trial("configmaps", probe);
            assert_eq!(trial.path_and_query(), "/api/v1/namespaces/shop/configmaps/a?dryRun=All");
            assert!(trial.body().to_string().contains("\"u1\""), "{}", trial.body());
            // Of a DELETE with a body the query is not read.
            assert!(trial.method() == "PATCH" || trial.body()["dryRun"] == json!(["All"]), "{}", trial.body());
        }
    }

    #[test]
    fn a_pods_last_delete_has_no_grace() {
        assert_eq!(trial("pods", Probe::Delete).body()["gracePeriodSeconds"], 0);
        assert_eq!(trial("configmaps", Probe::Delete).body()["gracePeriodSeconds"], Value::Null);
    }

    fn answer(code: u16, message: &str, name: &str) -> Fact {
        let body = json!({"kind": "Status", "message": message, "reason": "X", "details": {"name": name}});
        judge("a", &Refusal::from_answer(StatusCode::from_u16(code).unwrap(), body.to_string().as_bytes(), None))
    }

    #[test]
    fn a_refusal_is_told_from_a_missing_right_and_from_no_verdict() {
        let refused = |fact: &Fact| matches!(fact, Fact::Probed(Probed::Refused(_)));
        assert!(refused(&answer(500, "Internal error occurred: failed calling webhook \"w\": x", "")));
        assert!(refused(&answer(403, "admission webhook \"w\" denied the request: no", "")));
        assert!(refused(&answer(422, "The Pod \"a\" is invalid: spec: Forbidden", "a")));
        assert!(refused(&answer(404, "namespaces \"shop\" not found", "shop")));
        assert_eq!(answer(404, "configmaps \"a\" not found", "a"), Fact::Missing);
        for (code, message) in [
            (403, "configmaps \"a\" is forbidden: User \"u\" cannot patch resource \"configmaps\""),
            (409, "the object has been modified"),
            (422, "the server rejected our request due to an error in our request"),
            (429, "storage is (re)initializing"),
            (504, "Timeout: request did not complete within requested timeout"),
        ] {
            assert!(matches!(answer(code, message, "a"), Fact::Unread(_)), "{message}");
        }
    }
}
