//! Decides whether a dry run may be sent. It may only if the API server itself is known to answer:
//! a server behind it might ignore `dryRun` and carry the request out.

use crate::survey::{Object, ResourceId, ServedBy, encode};
use crate::transport::http::Api;
use tokio::time::Instant;

/// Whether the API server itself is known to answer requests to this path. No dry run may be sent
/// without this check.
pub(crate) async fn heeds_dry_runs(api: &Api, path: &str) -> bool {
    let Some(id) = group_and_version(path) else { return false };
    let served_by = match api.registrations.get(&id.registration()) {
        Some(served_by) => served_by,
        None => look(api, &id).await,
    };
    served_by == ServedBy::ApiServer
}

/// Parses `/api/VERSION/…` or `/apis/GROUP/VERSION/…`. The aggregator decides by the path, too.
fn group_and_version(path: &str) -> Option<ResourceId> {
    let parts: Vec<&str> = path.split(['/', '?']).collect();
    match parts[..] {
        ["", "api", version, ..] => Some(ResourceId::new("", version, "")),
        ["", "apis", group, version, ..] => Some(ResourceId::new(group, version, "")),
        _ => None,
    }
}

async fn look(api: &Api, id: &ResourceId) -> ServedBy {
    let asked = Instant::now();
    let name = id.registration();
    let path = format!("/apis/apiregistration.k8s.io/v1/apiservices/{}", encode(&name));
    let served_by = match api.get(&path, "application/json").await {
        Ok(answer) => match serde_json::from_slice(&answer.body).and_then(Object::single) {
            Ok(found) if found.kind == "APIService" && found.name() == name => id.served_by(Some(&[found])),
            _ => ServedBy::Unknown,
        },
        Err(refusal) if refusal.is_not_found() && refusal.names(&name) => id.served_by(Some(&[])),
        Err(_) => ServedBy::Unknown,
    };
    api.registrations.add(name, asked, served_by);
    served_by
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::http::stand_in::stand_in;
    use crate::transport::registrations::REMEMBERED_FOR;
    use serde_json::{Value, json};

    /// Whether a dry run to `path` is allowed when the server gives this answer to every request.
    async fn judged(status: u16, answer: Value, path: &str) -> bool {
        let api = stand_in(REMEMBERED_FOR, move |_, _| std::future::ready((status, answer.to_string())));
        heeds_dry_runs(&api, path).await
    }

    fn registered(name: &str, service: &Value) -> Value {
        json!({"kind": "APIService", "apiVersion": "apiregistration.k8s.io/v1", "metadata": {"name": name},
            "spec": {"service": service}})
    }

    const PODS: &str = "/api/v1/namespaces/shop/pods/a?dryRun=All";
    const THINGS: &str = "/apis/acme.io/v1/things/a";

    #[tokio::test]
    async fn no_dry_run_is_sent_unless_the_api_server_answers() {
        let behind = json!({"name": "a", "namespace": "b"});
        assert!(judged(200, registered("v1.", &Value::Null), PODS).await);
        assert!(judged(200, registered("v1.acme.io", &Value::Null), THINGS).await);
        assert!(!judged(200, registered("v1.", &behind), PODS).await);
        assert!(!judged(200, registered("v1.acme.io", &behind), THINGS).await);
        for path in [PODS, THINGS] {
            assert!(!judged(200, registered("v1.other.io", &Value::Null), path).await, "another one: {path}");
            assert!(!judged(200, json!({"kind": "List", "items": []}), path).await, "{path}");
            assert!(!judged(403, json!({"kind": "Status", "message": "no"}), path).await, "{path}");
            assert!(!judged(404, json!({"kind": "Status", "message": "not served"}), path).await, "{path}");
            assert!(!judged(500, json!({}), path).await, "{path}");
        }
        let missing = |name: &str| json!({"kind": "Status", "message": "not found", "details": {"name": name}});
        assert!(judged(404, missing("v1."), PODS).await, "nothing is passed on without one");
        assert!(!judged(404, missing("v1.acme.io"), THINGS).await);
        assert!(!judged(200, registered("v1.", &Value::Null), "/healthz").await);
    }

    #[tokio::test]
    async fn registrations_are_remembered_for_a_moment() {
        let registration = registered("v1.acme.io", &Value::Null);
        let single = Object::single(registration).unwrap();
        let api = stand_in(REMEMBERED_FOR, |_, _| std::future::ready((403, "{}".to_owned())));
        let now = Instant::now();
        api.registrations.are(now, std::slice::from_ref(&single));
        assert!(heeds_dry_runs(&api, THINGS).await);
        assert!(!heeds_dry_runs(&api, PODS).await, "it is not among them");
        let Some(earlier) = now.checked_sub(REMEMBERED_FOR) else { return };
        api.registrations.are(earlier, &[single]);
        assert!(!heeds_dry_runs(&api, THINGS).await, "it is asked again");
    }
}
