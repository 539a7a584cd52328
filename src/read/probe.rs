//! The meaning of the server's answer to a dry run: a verdict on the write, or none.

use crate::survey::{Fact, Object, Probe, ProbeOf, Probed, Reason, Refused, Unread, Want};
use crate::transport::aggregated::heeds_dry_runs;
use crate::transport::dry_run::request;
use crate::transport::http::Api;
use crate::transport::refusal::Refusal;
use http::StatusCode;

/// Sends the dry run, if the API server itself is known to answer. This is checked again here,
/// since the diagnosis may have checked it long ago.
pub(crate) async fn ask(api: &Api, want: &Want, of: &ProbeOf) -> Fact {
    if !heeds_dry_runs(api, &want.path()).await {
        let message = "not sent: an aggregated API server serves it, or may serve it".into();
        return Fact::Unread(Unread { reason: Reason::Rejected, message });
    }
    // A request acts for one user alone, and whoever limits the program by `--as` means that one.
    if of.user.is_some() && api.is_impersonating {
        let message = "not sent: the program already acts for another user".into();
        return Fact::Unread(Unread { reason: Reason::Rejected, message });
    }
    match api.try_out(&request(want, of)).await {
        Ok(answer) if puts_back(&answer.body, of) => Fact::Probed(Probed::PutBack),
        Ok(_) => Fact::Probed(Probed::Passed),
        Err(refusal) => judge(want.name.as_deref().unwrap_or_default(), &refusal),
    }
}

/// Whether the object still has the finalizer after its removal: a mutating webhook or policy has
/// added it again.
fn puts_back(answer: &[u8], of: &ProbeOf) -> bool {
    let Probe::RemoveFinalizer(finalizer) = &of.what else { return false };
    let object = serde_json::from_slice(answer).and_then(Object::single);
    object.is_ok_and(|object| object.metadata.finalizers.contains(finalizer))
}

/// The meaning of an error: the write was refused, or nothing about it is known. If the `test` of a
/// JSON patch fails, the answer is a general 422: the object has changed (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go`). A missing permission says nothing
/// about the write, also if that of a controller was tried: it may use another verb.
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
    use serde_json::json;

    fn answer(code: u16, message: &str, name: &str) -> Fact {
        let body = json!({"kind": "Status", "message": message, "reason": "X", "details": {"name": name}});
        judge("a", &Refusal::from_answer(StatusCode::from_u16(code).unwrap(), body.to_string().as_bytes(), None))
    }

    #[test]
    fn a_finalizer_left_after_its_trial_removal_was_put_back() {
        let of = |what| ProbeOf { what, uid: "u".into(), at: 0, user: None };
        let removal = of(Probe::RemoveFinalizer("a.io/x".into()));
        let answer = |finalizers: &[&str]| json!({"metadata": {"name": "a", "finalizers": finalizers}}).to_string();
        assert!(puts_back(answer(&["b.io/y", "a.io/x"]).as_bytes(), &removal));
        assert!(!puts_back(answer(&["b.io/y"]).as_bytes(), &removal));
        assert!(!puts_back(answer(&["a.io/x"]).as_bytes(), &of(Probe::Delete)));
        assert!(!puts_back(b"no object", &removal));
    }

    #[test]
    fn a_refusal_differs_from_a_missing_right_and_from_no_verdict() {
        let refused = |fact: &Fact| matches!(fact, Fact::Probed(Probed::Refused(_)));
        assert!(refused(&answer(500, "Internal error occurred: failed calling webhook \"w\": x", "")));
        assert!(refused(&answer(403, "admission webhook \"w\" denied the request: no", "")));
        assert!(refused(&answer(422, "The Pod \"a\" is invalid: spec: Forbidden", "a")));
        assert!(refused(&answer(404, "namespaces \"shop\" not found", "shop")));
        assert_eq!(answer(404, "configmaps \"a\" not found", "a"), Fact::Missing);
        for (code, message) in [
            (403, "configmaps \"a\" is forbidden: User \"u\" cannot patch resource \"configmaps\""),
            (403, "serviceaccounts \"acme\" is forbidden: User \"u\" cannot impersonate resource \"serviceaccounts\""),
            (403, "pods \"a\" is forbidden: User \"system:serviceaccount:ops:acme\" cannot patch resource \"pods\""),
            (409, "the object has been modified"),
            (422, "the server rejected our request due to an error in our request"),
            (429, "storage is (re)initializing"),
            (504, "Timeout: request did not complete within requested timeout"),
        ] {
            assert!(matches!(answer(code, message, "a"), Fact::Unread(_)), "{message}");
        }
    }
}
