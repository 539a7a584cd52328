//! Who answers for a group and version: the API server itself, or a server behind it. One that is
//! behind it need not heed that a request is a dry run, and then carries it out.

use super::{Object, ResourceId};
use serde_json::Value;

/// Who answers for a group and version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServedBy {
    /// The API server itself, which heeds dry runs.
    ApiServer,
    /// A server behind it.
    Another,
    /// That cannot be known.
    Unknown,
}

/// The groups and versions that an API server of Kubernetes 1.28 to 1.38 serves itself, where they
/// are switched on (kubernetes/kubernetes: `pkg/controlplane/instance.go`, and the aggregator's and
/// the definitions' own). It is closed: a group or a version that is not in it proves nothing, nor
/// does a group without a dot.
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

impl ResourceId {
    /// Whether an API server serves its group and version itself, unless something else is
    /// registered for it.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        BUILT_IN.iter().any(|(group, versions)| self.group == *group && versions.contains(&self.version.as_str()))
    }

    /// The name of the `APIService` of its group and version; no other name is valid
    /// (kubernetes/kubernetes:
    /// `staging/src/k8s.io/kube-aggregator/pkg/apis/apiregistration/validation/validation.go`).
    #[must_use]
    pub fn registration(&self) -> String {
        format!("{}.{}", self.version, self.group)
    }

    /// Who answers for its group and version, by what is `registered`: `APIService`s among which
    /// its own is if it exists; `None` where they cannot be read.
    ///
    /// Each version of each group has one, and it names no Service where the API server answers
    /// itself: also for its own groups, and for those of definitions. Any may be changed to name
    /// one, those of the API server's own versions too (kubernetes/kubernetes:
    /// `staging/src/k8s.io/kube-aggregator/pkg/apiserver/handler_proxy.go` and
    /// `pkg/controllers/autoregister/autoregister_controller.go`). So a name alone proves nothing.
    /// Only the aggregator's own group has none, and what is built in may lose its own for a
    /// moment: nothing is passed on without one.
    #[must_use]
    pub fn served_by(&self, registered: Option<&[Object]>) -> ServedBy {
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
    fn the_server_itself_answers_only_where_that_is_known() {
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
    fn a_group_without_a_dot_is_not_built_in_for_that() {
        for (group, version) in
            [("loose", "v1"), ("apps", "v9"), ("apps", "v1beta1"), ("policy", "v1beta1"), ("", "v2")]
        {
            assert!(!ResourceId::new(group, version, "things").is_built_in(), "{group}/{version}");
        }
    }
}
