//! The server that answers for a group and version: the API server itself, or one behind it. A
//! server behind it might ignore that a request is a dry run, and carry it out.

use super::{Object, ResourceId};
use serde_json::Value;

/// The server that answers for a group and version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServedBy {
    /// The API server itself, which respects dry runs.
    ApiServer,
    /// A server behind it.
    Another,
    /// It could not be determined.
    Unknown,
}

/// The groups and versions that API servers of Kubernetes 1.28 to 1.38 serve themselves, if enabled
/// (kubernetes/kubernetes: `pkg/controlplane/instance.go`, and those of the aggregator and of
/// `CustomResourceDefinition`s). The list is closed: a group or version that is missing here proves
/// nothing, nor does a group without a dot.
const BUILT_IN: [(&str, &[&str]); 23] = [
    ("", &["v1"]),
    ("admissionregistration.k8s.io", &["v1", "v1alpha1", "v1beta1"]),
    ("apiextensions.k8s.io", &["v1"]),
    ("apiregistration.k8s.io", &["v1"]),
    ("apps", &["v1"]),
    ("authentication.k8s.io", &["v1", "v1alpha1", "v1beta1"]),
    ("authorization.k8s.io", &["v1"]),
    ("autoscaling", &["v1", "v2"]),
    ("batch", &["v1"]),
    ("certificates.k8s.io", &["v1", "v1alpha1", "v1beta1"]),
    ("coordination.k8s.io", &["v1", "v1alpha1", "v1alpha2", "v1beta1"]),
    ("discovery.k8s.io", &["v1"]),
    ("events.k8s.io", &["v1"]),
    ("flowcontrol.apiserver.k8s.io", &["v1", "v1beta2", "v1beta3"]),
    ("internal.apiserver.k8s.io", &["v1alpha1"]),
    ("networking.k8s.io", &["v1", "v1alpha1", "v1beta1"]),
    ("node.k8s.io", &["v1"]),
    ("policy", &["v1"]),
    ("rbac.authorization.k8s.io", &["v1"]),
    ("resource.k8s.io", &["v1", "v1alpha2", "v1alpha3", "v1beta1", "v1beta2"]),
    ("scheduling.k8s.io", &["v1", "v1alpha1", "v1alpha2"]),
    ("storage.k8s.io", &["v1", "v1alpha1", "v1beta1"]),
    ("storagemigration.k8s.io", &["v1alpha1", "v1beta1"]),
];

/// Whether a group is one of those that API servers serve themselves, in any version.
pub(crate) fn is_built_in_group(group: &str) -> bool {
    BUILT_IN.iter().any(|(own, _)| *own == group)
}

impl ResourceId {
    /// Whether API servers serve this group and version themselves, unless another server is
    /// registered for it.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        BUILT_IN.iter().any(|(group, versions)| self.group == *group && versions.contains(&self.version.as_str()))
    }

    /// The name of the `APIService` of this group and version; no other name is valid
    /// (kubernetes/kubernetes:
    /// `staging/src/k8s.io/kube-aggregator/pkg/apis/apiregistration/validation/validation.go`).
    #[must_use]
    pub fn registration(&self) -> String {
        format!("{}.{}", self.version, self.group)
    }

    /// The server that answers for this group and version. `registered` must contain its
    /// `APIService` if one exists; `None` means that it could not be read.
    ///
    /// Each version of each group has an `APIService`, even the API server's own groups and those
    /// of `CustomResourceDefinition`s. It names no Service if the API server answers itself; but any
    /// of them may be changed to name one (kubernetes/kubernetes:
    /// `staging/src/k8s.io/kube-aggregator/pkg/apiserver/handler_proxy.go` and
    /// `pkg/controllers/autoregister/autoregister_controller.go`). So a name alone proves nothing.
    /// Only the aggregator's own group has no `APIService`, and a built-in version may lose its own
    /// for a moment: without one, requests are not passed on.
    pub(crate) fn served_by(&self, registered: Option<&[Object]>) -> ServedBy {
        let Some(registered) = registered else { return ServedBy::Unknown };
        let name = self.registration();
        match registered.iter().find(|api| api.name() == name) {
            Some(api) if api.at("/spec/service").is_none_or(Value::is_null) => ServedBy::ApiServer,
            Some(_) => ServedBy::Another,
            None if self.is_built_in() => ServedBy::ApiServer,
            None => ServedBy::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn api(name: &str, spec: &Value) -> Object {
        let api = json!({"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": name}, "spec": spec});
        Object::single(api).unwrap()
    }

    #[test]
    fn a_group_is_served_by_the_api_server_only_if_certain() {
        let behind = || json!({"service": {"name": "a", "namespace": "b"}});
        let registered = [
            api("v1.", &json!({})),
            api("v1.apps", &json!({"service": null})),
            api("v9.apps", &behind()),
            api("v1.batch", &behind()),
            api("v1.loose", &behind()),
            api("v1.acme.io", &behind()),
            api("v2.acme.io", &json!({"group": "acme.io", "version": "v2"})),
        ];
        for (group, version, with, without) in [
            ("", "v1", ServedBy::ApiServer, ServedBy::ApiServer),
            ("apps", "v1", ServedBy::ApiServer, ServedBy::ApiServer),
            ("apps", "v9", ServedBy::Another, ServedBy::Unknown),
            ("apps", "v8", ServedBy::Unknown, ServedBy::Unknown),
            ("batch", "v1", ServedBy::Another, ServedBy::ApiServer),
            ("loose", "v1", ServedBy::Another, ServedBy::Unknown),
            ("acme.io", "v1", ServedBy::Another, ServedBy::Unknown),
            ("acme.io", "v2", ServedBy::ApiServer, ServedBy::Unknown),
            ("apiregistration.k8s.io", "v1", ServedBy::ApiServer, ServedBy::ApiServer),
            ("imagepolicy.k8s.io", "v1alpha1", ServedBy::Unknown, ServedBy::Unknown),
        ] {
            let things = ResourceId::new(group, version, "things");
            assert_eq!(things.served_by(Some(&registered)), with, "{group}/{version}");
            assert_eq!(things.served_by(Some(&[])), without, "{group}/{version}");
            assert_eq!(things.served_by(None), ServedBy::Unknown, "{group}/{version}");
        }
    }

    #[test]
    fn a_group_without_a_dot_need_not_be_built_in() {
        for (group, version) in
            [("loose", "v1"), ("apps", "v9"), ("apps", "v1beta1"), ("policy", "v1beta1"), ("", "v2")]
        {
            assert!(!ResourceId::new(group, version, "things").is_built_in(), "{group}/{version}");
        }
    }
}
