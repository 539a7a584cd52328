//! The only place that sends requests that change something. Code that only reads must not be able
//! to reach this file: `tests/house.rs` follows the imports.

use crate::plan::WriteRequest;
use crate::transport::aggregated::heeds_dry_runs;
use crate::transport::http::{Answer, Api, METADATA};
use crate::transport::refusal::Refusal;
use http::{Request, header};
use kube::client::Body;
use serde_json::{Value, json};

/// Sends a request that changes something. It asks for metadata only, so that the data of a Secret
/// is never read.
///
/// # Errors
/// When the answer is an error, cannot be read, or is late; the
/// [refusal](Refusal::may_have_happened) says whether the change may have been made.
pub(crate) async fn change(api: &Api, request: &WriteRequest) -> Result<Answer, Refusal> {
    let build = || built(request, &request.path, &request.body);
    api.ask_to_change(build, api.limits().write).await
}

/// Sends the request as a dry run; `None` if no dry run may be sent.
///
/// # Errors
/// When the answer is an error, cannot be read, or is late.
pub(crate) async fn try_out(api: &Api, request: &WriteRequest) -> Result<Option<Answer>, Refusal> {
    if !heeds_dry_runs(api, &request.path).await {
        return Ok(None);
    }
    let mut body = request.body.clone();
    // The options of a DELETE are taken from its body, and then not from the
    // query (kubernetes/kubernetes:
    // staging/src/k8s.io/apiserver/pkg/endpoints/handlers/delete.go).
    if request.method == "DELETE" {
        body["dryRun"] = json!(["All"]);
    }
    let path = format!("{}?dryRun=All", request.path);
    api.ask(|| built(request, &path, &body), api.limits().write).await.map(Some)
}

fn built(request: &WriteRequest, path_and_query: &str, body: &Value) -> Result<Request<Body>, http::Error> {
    Request::builder()
        .method(request.method)
        .uri(path_and_query)
        .header(header::ACCEPT, METADATA)
        .header(header::CONTENT_TYPE, request.content_type)
        .body(Body::from(body.to_string().into_bytes()))
}
