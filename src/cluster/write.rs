//! The one place from which a request goes out that changes something. What only reads must
//! not be able to reach this file: `tests/house.rs` follows the imports.

use super::http::{Answer, Api, METADATA};
use super::refusal::Refusal;
use http::{Request, header};
use kube::client::Body;

/// Sends a request that changes something. Its answer is asked for as metadata: the data of
/// a Secret is not read.
///
/// # Errors
/// When the answer is an error or none comes in time; then it is not known
/// whether the change was made.
pub(super) async fn change(
    api: &Api,
    method: &str,
    path_and_query: &str,
    content_type: &str,
    body: &[u8],
) -> Result<Answer, Refusal> {
    let request = || {
        Request::builder()
            .method(method)
            .uri(path_and_query)
            .header(header::ACCEPT, METADATA)
            .header(header::CONTENT_TYPE, content_type)
            .body(Body::from(body.to_vec()))
    };
    api.ask(request, api.limits().write).await
}
