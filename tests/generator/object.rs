//! The names of an object in the API, in the store and in reports.

use serde_json::Value;
use std::fmt;

/// One object.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id {
    /// `group/version`, or `v1`.
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The plural resource name.
    pub plural: String,
    /// The namespace, if it has one.
    pub namespace: Option<String>,
    /// The name.
    pub name: String,
}

/// Built-in kinds that the generator uses: version, kind, plural, and folder in the store.
const BUILT_IN: &[(&str, &str, &str, &str)] = &[
    ("v1", "Namespace", "namespaces", "namespaces"),
    ("v1", "Node", "nodes", "minions"),
    ("v1", "Pod", "pods", "pods"),
    ("v1", "Service", "services", "services/specs"),
    ("v1", "ServiceAccount", "serviceaccounts", "serviceaccounts"),
    ("v1", "ConfigMap", "configmaps", "configmaps"),
    ("v1", "Secret", "secrets", "secrets"),
    ("v1", "Event", "events", "events"),
    ("v1", "ResourceQuota", "resourcequotas", "resourcequotas"),
    ("v1", "PersistentVolume", "persistentvolumes", "persistentvolumes"),
    ("v1", "PersistentVolumeClaim", "persistentvolumeclaims", "persistentvolumeclaims"),
    ("apps/v1", "Deployment", "deployments", "deployments"),
    ("apps/v1", "DaemonSet", "daemonsets", "daemonsets"),
    ("apps/v1", "ReplicaSet", "replicasets", "replicasets"),
    ("coordination.k8s.io/v1", "Lease", "leases", "leases"),
    ("storage.k8s.io/v1", "VolumeAttachment", "volumeattachments", "volumeattachments"),
    ("storage.k8s.io/v1", "StorageClass", "storageclasses", "storageclasses"),
    ("storage.k8s.io/v1", "CSIDriver", "csidrivers", "csidrivers"),
    ("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", "clusterroles"),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "clusterrolebindings", "clusterrolebindings"),
    ("rbac.authorization.k8s.io/v1", "Role", "roles", "roles"),
    ("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings", "rolebindings"),
    ("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", "endpointslices"),
    (
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        "customresourcedefinitions",
        "apiextensions.k8s.io/customresourcedefinitions",
    ),
    ("apiregistration.k8s.io/v1", "APIService", "apiservices", "apiregistration.k8s.io/apiservices"),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        "validatingwebhookconfigurations",
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicy",
        "validatingadmissionpolicies",
        "validatingadmissionpolicies",
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
        "validatingadmissionpolicybindings",
    ),
];

impl Id {
    /// An object of a built-in kind.
    pub fn of(kind: &str, namespace: Option<&str>, name: &str) -> Self {
        let known = BUILT_IN.iter().find(|known| known.1 == kind);
        let (api_version, kind, plural, _) = known.unwrap_or_else(|| panic!("{kind} is not in the list of kinds"));
        Self {
            api_version: (*api_version).into(),
            kind: (*kind).into(),
            plural: (*plural).into(),
            namespace: namespace.map(Into::into),
            name: name.into(),
        }
    }

    /// The object of a manifest; `plural` is needed for custom kinds only.
    pub fn in_manifest(manifest: &Value, plural: Option<&str>) -> Self {
        let text = |pointer: &str| manifest.pointer(pointer).and_then(Value::as_str);
        let kind = text("/kind").expect("a kind");
        let (namespace, name) = (text("/metadata/namespace"), text("/metadata/name").expect("a name"));
        match plural {
            None => Self::of(kind, namespace, name),
            Some(plural) => Self {
                api_version: text("/apiVersion").expect("a version").into(),
                kind: kind.into(),
                plural: plural.into(),
                namespace: namespace.map(Into::into),
                name: name.into(),
            },
        }
    }

    /// The object that a report names.
    pub fn in_report(reference: &Value) -> Self {
        let text = |field: &str| reference[field].as_str().unwrap_or_default().to_owned();
        Self {
            api_version: text("apiVersion"),
            kind: text("kind"),
            plural: text("resource"),
            namespace: reference["namespace"].as_str().map(Into::into),
            name: text("name"),
        }
    }

    /// Whether both are the same object, whatever the version.
    pub fn is(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.name == other.name
            && self.namespace == other.namespace
            && (self.group() == other.group() || other.api_version.is_empty())
    }

    /// The API group, empty for the core.
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }

    /// The path of its collection.
    pub fn collection(&self) -> String {
        let base = if self.api_version.contains('/') { "/apis/" } else { "/api/" };
        let namespace = self.namespace.as_ref().map_or(String::new(), |name| format!("/namespaces/{name}"));
        format!("{base}{}{namespace}/{}", self.api_version, self.plural)
    }

    /// Its path in the API.
    pub fn path(&self) -> String {
        format!("{}/{}", self.collection(), self.name)
    }

    /// Its key in the store.
    pub fn key(&self) -> String {
        let known = BUILT_IN.iter().find(|known| known.0 == self.api_version && known.1 == self.kind);
        let folder = known.map_or_else(|| format!("{}/{}", self.group(), self.plural), |known| known.3.to_owned());
        let namespace = self.namespace.as_ref().map_or(String::new(), |name| format!("{name}/"));
        format!("/registry/{folder}/{namespace}{}", self.name)
    }

    /// The words after `kubectl unstick`.
    pub fn asked(&self) -> Vec<String> {
        let resource = match self.group() {
            "" => self.plural.clone(),
            group => format!("{}.{group}", self.plural),
        };
        let mut words = vec![resource, self.name.clone()];
        if let Some(namespace) = &self.namespace {
            words.extend(["-n".to_owned(), namespace.clone()]);
        }
        words
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.namespace {
            Some(namespace) => write!(f, "{} {namespace}/{}", self.kind, self.name),
            None => write!(f, "{} {}", self.kind, self.name),
        }
    }
}
