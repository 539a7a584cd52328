//! The kinds that the API server serves, and how a TYPE on the command line is resolved to one.

use super::near::near;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A resource, identified by the three parts of its URL. Reads of many namespaces use the same few
/// hundred resources, so copies share the texts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ResourceId(Arc<ResourceWords>);

/// The parts of a [`ResourceId`], accessible as its fields.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceWords {
    /// The API group; empty for the core group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The plural name.
    pub plural: String,
}

impl Deref for ResourceId {
    type Target = ResourceWords;

    fn deref(&self) -> &ResourceWords {
        &self.0
    }
}

impl ResourceId {
    /// A resource from its group, version and plural name.
    #[must_use]
    pub fn new(group: &str, version: &str, plural: &str) -> Self {
        Self(Arc::new(ResourceWords { group: group.into(), version: version.into(), plural: plural.into() }))
    }

    /// `group/version`, or `version` for the core group.
    #[must_use]
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }

    /// The name that kubectl prints and takes: `pods`, `widgets.acme.io`.
    #[must_use]
    pub fn short(&self) -> String {
        if self.group.is_empty() { self.plural.clone() } else { format!("{}.{}", self.plural, self.group) }
    }

    /// The URL path of the collection, or of one object in it.
    #[must_use]
    pub fn path(&self, namespace: Option<&str>, name: Option<&str>) -> String {
        let root = if self.group.is_empty() { "api" } else { "apis" };
        let mut path = format!("/{root}/{}", self.api_version());
        let namespace = namespace.map(|namespace| ["namespaces", namespace]);
        for part in namespace.into_iter().flatten().chain([self.plural.as_str()]).chain(name) {
            path.push('/');
            path.push_str(&encode(part));
        }
        path
    }

    /// Whether this is the resource of this group and plural name, in any version.
    #[must_use]
    pub fn is(&self, group: &str, plural: &str) -> bool {
        self.group == group && self.plural == plural
    }

    /// Whether this is Secrets, whose data is never read.
    pub(crate) fn is_secret(&self) -> bool {
        self.is("", "secrets")
    }

    /// Whether objects of this resource contain data that no survey may contain.
    pub(crate) fn is_private(&self) -> bool {
        self.is_secret() || self.is("", "configmaps")
    }
}

/// Whether an object can have this name: it is one segment of a path (kubernetes/kubernetes:
/// `staging/src/k8s.io/apimachinery/pkg/api/validation/path/name.go`).
pub(crate) fn is_path_segment(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '%'])
}

/// Whether a namespace can have this name: a DNS label (RFC 1123; kubernetes/kubernetes:
/// `staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go`).
pub(crate) fn is_label(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=63).contains(&name.len()) && name.bytes().all(is_plain) && !name.starts_with('-') && !name.ends_with('-')
}

/// Percent-encodes a part of a URL. A name in an ownerReference may be any text and must not
/// redirect a request.
pub(crate) fn encode(part: &str) -> String {
    let dots = part.bytes().all(|byte| byte == b'.');
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:~".contains(byte) || (*byte == b'.' && !dots);
    part.bytes().map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())
    }
}

impl From<ResourceId> for String {
    fn from(id: ResourceId) -> Self {
        format!("{}/{}", id.api_version(), id.plural)
    }
}

impl TryFrom<String> for ResourceId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').collect();
        match parts[..] {
            [version, plural] => Ok(Self::new("", version, plural)),
            [group, version, plural] => Ok(Self::new(group, version, plural)),
            _ => Err(format!("{text:?} is not VERSION/RESOURCE or GROUP/VERSION/RESOURCE")),
        }
    }
}

/// kubectl's name for one object of a kind: `pod`, `widget.acme.io`.
pub(crate) fn one_of(kind: &str, group: &str) -> String {
    let one = kind.to_lowercase();
    if group.is_empty() { one } else { format!("{one}.{group}") }
}

/// A kind that the server serves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// The resource.
    #[serde(rename = "resource")]
    pub id: ResourceId,
    /// The kind of its objects.
    pub kind: String,
    /// Whether its objects live in namespaces.
    #[serde(default)]
    pub namespaced: bool,
    /// The singular name; often empty for built-ins in old discovery.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub singular: String,
    /// The short names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub short_names: Vec<String>,
    /// The supported verbs: `list`, `delete`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verbs: Vec<String>,
}

impl Resource {
    /// kubectl's name for one of its objects: `pod`, `widget.acme.io`.
    #[must_use]
    pub fn one(&self) -> String {
        one_of(&self.kind, &self.id.group)
    }

    /// A kind in version `v1`, with the verbs that most kinds have.
    #[cfg(test)]
    pub(crate) fn tested(group: &str, plural: &str, kind: &str, namespaced: bool) -> Self {
        Self {
            id: ResourceId::new(group, "v1", plural),
            kind: kind.into(),
            namespaced,
            singular: String::new(),
            short_names: Vec::new(),
            verbs: ["get", "list", "watch", "delete", "patch"].map(Into::into).to_vec(),
        }
    }

    /// Whether `verb` is served.
    #[must_use]
    pub fn can(&self, verb: &str) -> bool {
        self.verbs.iter().any(|served| served == verb)
    }

    /// Whether a word without group and version names this resource by kubectl's rules: plural,
    /// singular and kind in any case, short names exactly.
    fn is_called(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        self.id.plural == lower
            || self.kind.to_lowercase() == lower
            || (!self.singular.is_empty() && self.singular == lower)
            || self.short_names.iter().any(|short| short == word)
    }
}

/// The resources that the server serves, most preferred first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Discovery {
    /// Every resource in every served version, in the server's order.
    pub resources: Vec<Resource>,
    /// The `group/version`s that the server could not discover.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
}

impl Discovery {
    /// The resource with this group and plural name in its preferred version.
    #[must_use]
    pub fn preferred(&self, group: &str, plural: &str) -> Option<&Resource> {
        self.resources.iter().find(|resource| resource.id.is(group, plural))
    }

    /// The resource of the kind in an ownerReference.
    #[must_use]
    pub fn by_kind(&self, api_version: &str, kind: &str) -> Option<&Resource> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let of_kind = |resource: &&Resource| resource.id.group == group && resource.kind == kind;
        self.resources
            .iter()
            .filter(of_kind)
            .find(|resource| resource.id.version == version)
            .or_else(|| self.resources.iter().find(of_kind))
    }

    /// Like [`Self::by_kind`], but in exactly this version: the garbage collector looks for an
    /// owner in no other version (kubernetes/kubernetes:
    /// `staging/src/k8s.io/apimachinery/pkg/api/meta/restmapper.go`, `RESTMappings`).
    #[must_use]
    pub fn served(&self, api_version: &str, kind: &str) -> Option<&Resource> {
        let (_, version) = api_version.split_once('/').unwrap_or(("", api_version));
        self.by_kind(api_version, kind).filter(|resource| resource.id.version == version)
    }

    /// Every resource that can be listed, each in its preferred version, like the namespace
    /// controller and the garbage collector (kubernetes/kubernetes:
    /// cmd/kube-controller-manager/app/core.go).
    pub fn listable(&self) -> impl Iterator<Item = &Resource> {
        let mut seen = std::collections::BTreeSet::new();
        self.resources
            .iter()
            .filter(move |resource| seen.insert((&resource.id.group, &resource.id.plural)))
            .filter(|resource| resource.can("list"))
    }

    /// The namespaced ones among [`Self::listable`].
    pub(crate) fn listable_namespaced(&self) -> impl Iterator<Item = &Resource> {
        self.listable().filter(|resource| resource.namespaced)
    }

    /// Resolves a TYPE: `pods`, `Pod`, `po`, `deployments.apps`, `deployments.v1.apps`.
    pub(crate) fn resolve(&self, word: &str) -> Option<&Resource> {
        let mut parts = word.splitn(3, '.');
        let (name, second, third) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
        let rest = word.split_once('.').map(|(_, rest)| rest);
        let called = |resource: &&Resource| resource.is_called(name);
        let versioned = second.and_then(|version| {
            let group = third.unwrap_or_default();
            self.resources.iter().filter(called).find(|r| r.id.version == version && r.id.group == group)
        });
        let grouped =
            || self.resources.iter().filter(called).find(|r| rest.is_none_or(|group| in_group(&r.id.group, group)));
        versioned.or_else(grouped)
    }

    /// Names similar to an unknown TYPE, best first.
    pub(crate) fn near(&self, word: &str) -> Vec<String> {
        let name = word.split('.').next().unwrap_or_default().to_lowercase();
        let mut near: Vec<(usize, String)> = self
            .resources
            .iter()
            .filter_map(|resource| {
                let names = [resource.id.plural.clone(), resource.kind.to_lowercase()];
                let best = names.iter().filter_map(|known| near(&name, known)).min();
                // One more letter makes a different short name, unless the name is long.
                let is_short = |short: &String| {
                    let is_longer = name.starts_with(short.as_str()) && name.len() == short.len() + 1;
                    is_longer || (short.len() > 3 && strsim::damerau_levenshtein(short, &name) <= 1)
                };
                let short = resource.short_names.iter().any(is_short).then_some(1);
                best.into_iter().chain(short).min().map(|distance| (distance, resource.id.short()))
            })
            .collect();
        near.sort();
        near.dedup();
        near.into_iter().map(|(_, name)| name).take(3).collect()
    }
}

/// Whether `wanted` names `group`. kubectl also accepts a prefix (`deployments.apps`,
/// `ingresses.networking`).
fn in_group(group: &str, wanted: &str) -> bool {
    group == wanted || group.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(group: &str, version: &str, plural: &str, kind: &str, short: &[&str]) -> Resource {
        Resource {
            id: ResourceId::new(group, version, plural),
            kind: kind.into(),
            namespaced: true,
            singular: kind.to_lowercase(),
            short_names: short.iter().map(ToString::to_string).collect(),
            verbs: vec!["list".into()],
        }
    }

    fn discovery() -> Discovery {
        Discovery {
            resources: vec![
                resource("", "v1", "pods", "Pod", &["po"]),
                resource("", "v1", "events", "Event", &["ev"]),
                resource("apps", "v1", "deployments", "Deployment", &["deploy"]),
                resource("events.k8s.io", "v1", "events", "Event", &["ev"]),
                resource("acme.io", "v2", "widgets", "Widget", &["wi"]),
                resource("acme.io", "v1", "widgets", "Widget", &["wi"]),
            ],
            stale: vec![],
        }
    }

    fn resolved(word: &str) -> Option<String> {
        discovery().resolve(word).map(|resource| String::from(resource.id.clone()))
    }

    #[test]
    fn types_resolve_as_kubectl_resolves_them() {
        for (word, id) in [
            ("pods", "v1/pods"),
            ("pod", "v1/pods"),
            ("Pod", "v1/pods"),
            ("PODS", "v1/pods"),
            ("po", "v1/pods"),
            ("events", "v1/events"),
            ("events.events.k8s.io", "events.k8s.io/v1/events"),
            ("deployments.apps", "apps/v1/deployments"),
            ("deploy.v1.apps", "apps/v1/deployments"),
            ("pods.v1.", "v1/pods"),
            ("widgets", "acme.io/v2/widgets"),
            ("widgets.acme.io", "acme.io/v2/widgets"),
            ("widgets.v1.acme.io", "acme.io/v1/widgets"),
            ("widgets.acme", "acme.io/v2/widgets"),
        ] {
            assert_eq!(resolved(word).as_deref(), Some(id), "{word}");
        }
    }

    #[test]
    fn types_that_kubectl_refuses_are_not_found() {
        for word in ["PO", "podz", "widgets.other.io", "widgets.v3.acme.io", ""] {
            assert_eq!(resolved(word), None, "{word}");
        }
    }

    #[test]
    fn near_misses_are_suggested() {
        assert_eq!(discovery().near("wigdet"), ["widgets.acme.io"]);
        assert_eq!(discovery().near("deploymnets")[0], "deployments.apps");
        assert!(discovery().near("zzzzzzzz").is_empty());
    }

    #[test]
    fn one_version_of_each_resource_is_swept() {
        let discovery = discovery();
        let swept: Vec<String> = discovery.listable_namespaced().map(|r| String::from(r.id.clone())).collect();
        assert!(swept.contains(&"acme.io/v2/widgets".into()) && !swept.contains(&"acme.io/v1/widgets".into()));
    }

    #[test]
    fn paths_are_those_of_the_api() {
        let widgets = ResourceId::new("acme.io", "v1", "widgets");
        assert_eq!(widgets.path(Some("shop"), Some("w")), "/apis/acme.io/v1/namespaces/shop/widgets/w");
        assert_eq!(ResourceId::new("", "v1", "nodes").path(None, None), "/api/v1/nodes");
        let pods = ResourceId::new("", "v1", "pods");
        assert_eq!(pods.path(Some("a"), Some("x/proxy?b")), "/api/v1/namespaces/a/pods/x%2Fproxy%3Fb");
        assert_eq!(pods.path(Some("a"), Some("..")), "/api/v1/namespaces/a/pods/%2E%2E");
    }
}
