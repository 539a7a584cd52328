//! Certificate requests of a node's kubelet, without which it can neither report nor renew its lease
//! (<https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/>).

use crate::facts::{Facts, Known, Readable};
use crate::report::Ref;
use crate::survey::{Form, Object};

/// A request that was not granted.
#[derive(Debug)]
pub(crate) struct CertificateRequest {
    pub(crate) request: Ref,
    /// Its signer, such as `kubernetes.io/kube-apiserver-client-kubelet`.
    pub(crate) signer: String,
    /// The refusal: `Denied` or `Failed`, with its message; `None` while the request is pending.
    pub(crate) refused: Option<String>,
}

/// The signers of kubelets' certificates.
const OF_KUBELETS: [&str; 2] = ["kubernetes.io/kube-apiserver-client-kubelet", "kubernetes.io/kubelet-serving"];

/// The latest request of the node `name` for each signer, if it was not granted.
pub(crate) fn not_granted(name: &str, facts: &Facts<'_>) -> Known<Vec<CertificateRequest>> {
    let Some(kind) = facts.preferred("certificates.k8s.io", "certificatesigningrequests") else {
        return Ok(Vec::new());
    };
    let all = facts.list(&kind.id, None, Form::Whole).if_readable()?.unwrap_or_default();
    let user = format!("system:node:{name}");
    let latest = OF_KUBELETS.iter().filter_map(|signer| {
        let of_it = |request: &&Object| {
            request.text("/spec/username") == Some(&user) && request.text("/spec/signerName") == Some(*signer)
        };
        all.iter().filter(of_it).max_by_key(|request| request.metadata.creation_timestamp)
    });
    let not_granted = latest.filter_map(|request| {
        let is = |kind: &str| request.condition(kind).filter(|condition| condition.status() != "False");
        if is("Approved").is_some() && is("Failed").is_none() {
            return None;
        }
        let refused =
            is("Denied").or(is("Failed")).map(|condition| format!("{} ({})", condition.kind(), condition.says()));
        let signer = request.text("/spec/signerName").unwrap_or_default().to_owned();
        Some(CertificateRequest { request: Ref::of(kind, request), signer, refused })
    });
    Ok(not_granted.collect())
}
