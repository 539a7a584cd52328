//! Whether a server behind the API server answers for a group: such a one may not heed that
//! a request is a dry run.

use super::http::Api;
use crate::survey::ResourceId;
use serde_json::Value;
use std::sync::PoisonError;

/// Whether a dry run of a write to `resource` might be carried out. The API server has an
/// `APIService` for each version of each group, also for its own and those of definitions,
/// which then name no Service (kubernetes/kubernetes:
/// `staging/src/k8s.io/kube-aggregator/pkg/controllers/autoregister/autoregister_controller.go`).
/// Where that cannot be read, it is assumed: that there is a definition does not tell, since an
/// `APIService` of its group and version may name a Service all the same.
pub(super) async fn may_be(api: &Api, resource: &ResourceId) -> bool {
    if resource.is_built_in() {
        return false;
    }
    let known = api.aggregated.lock().unwrap_or_else(PoisonError::into_inner).get(resource).copied();
    if let Some(known) = known {
        return known;
    }
    let found = look(api, resource).await;
    api.aggregated.lock().unwrap_or_else(PoisonError::into_inner).insert(resource.clone(), found);
    found
}

async fn look(api: &Api, resource: &ResourceId) -> bool {
    let (group, version) = (&resource.group, &resource.version);
    let registration = format!("/apis/apiregistration.k8s.io/v1/apiservices/{version}.{group}");
    match api.get(&registration, "application/json").await {
        Ok(answer) => serde_json::from_slice::<Value>(&answer.body)
            .map_or(true, |found| found.pointer("/spec/service").is_some_and(|service| !service.is_null())),
        Err(refusal) => !refusal.is_not_found(),
    }
}
