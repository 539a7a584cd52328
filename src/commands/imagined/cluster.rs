//! The imagined cluster while objects are added.

use super::status;
use crate::commands::out;
use crate::commands::words::objects_are;
use crate::inert::clean;
use crate::installers::helm_keeps;
use crate::survey::{Discovery, InMemory, Metadata, Object, Resource, TargetName};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The age of all objects.
const AGE: SignedDuration = SignedDuration::from_hours(1);
/// How many unknown kinds are named.
const MAX_NAMED: usize = 10;
/// The annotation that states when a hook runs (helm/helm: `pkg/release/v1/hook.go`).
const HOOK: &str = "helm.sh/hook";

/// A cluster while objects are added.
pub(super) struct Imagined {
    pub(super) cluster: InMemory,
    /// The number of its objects, from which each gets its own uid.
    count: usize,
}

impl Imagined {
    /// A cluster without objects.
    pub(super) fn serving(discovery: Discovery, now: Timestamp) -> Self {
        Self { cluster: InMemory::serving(now, discovery), count: 0 }
    }

    /// Adds an object of this kind, unless it exists already.
    pub(super) fn add(
        &mut self,
        resource: &Resource,
        namespace: Option<&str>,
        mut object: Value,
    ) -> Option<TargetName> {
        self.count += 1;
        object["metadata"]["uid"] = json!(format!("as-installed-{}", self.count));
        object["metadata"]["creationTimestamp"] = json!((self.cluster.now - AGE).to_string());
        if let Some(namespace) = namespace {
            object["metadata"]["namespace"] = json!(namespace);
        }
        let object = Object::single(object).ok()?;
        let target = TargetName::of(&resource.id, &object);
        let is_it = |known: &Object| TargetName::of(&resource.id, known) == target;
        if !self.cluster.of(&resource.id).any(is_it) {
            self.cluster.add(&resource.id, object);
        }
        Some(target)
    }

    /// Adds an object of a built-in kind.
    pub(super) fn add_own(&mut self, group: &str, plural: &str, namespace: Option<&str>, object: Value) {
        if let Some(resource) = self.cluster.discovery.preferred(group, plural).cloned() {
            self.add(&resource, namespace, object);
        }
    }

    /// All objects of a built-in kind.
    pub(super) fn all(&self, group: &str, plural: &str) -> Vec<Object> {
        let resource = self.cluster.discovery.preferred(group, plural);
        resource.into_iter().flat_map(|resource| self.cluster.of(&resource.id)).cloned().collect()
    }

    /// Registers each served version that no manifest registers, as the API server does for the
    /// versions that it serves itself.
    pub(super) fn register(&mut self) {
        let resources = self.cluster.discovery.resources.iter();
        let versions: BTreeSet<(String, String)> =
            resources.map(|resource| (resource.id.group.clone(), resource.id.version.clone())).collect();
        for (group, version) in versions {
            let service = json!({"kind": "APIService", "metadata": {"name": format!("{version}.{group}")},
                "spec": {"group": group, "version": version}});
            self.add_own("apiregistration.k8s.io", "apiservices", None, status::at_work(&service));
        }
    }

    /// Adds the objects of the manifests. Returns the objects that removing the manifests deletes.
    pub(super) fn install(&mut self, manifests: &[Value], namespace: &str) -> Vec<TargetName> {
        let mut targets = Vec::new();
        let mut places: BTreeSet<String> = BTreeSet::new();
        let mut unknown: BTreeMap<String, usize> = BTreeMap::new();
        for manifest in manifests {
            let text = |pointer: &str| manifest.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
            let (version, kind) = (text("/apiVersion"), text("/kind"));
            let Some(resource) = self.cluster.discovery.by_kind(version, kind).cloned() else {
                *unknown.entry(format!("{kind} ({version})")).or_default() += 1;
                continue;
            };
            let annotation = |key: &str| manifest["metadata"]["annotations"][key].as_str();
            if let Some(hook) = annotation(HOOK) {
                say_hook(hook, kind, text("/metadata/name"));
                continue;
            }
            let own = Some(text("/metadata/namespace")).filter(|own| !own.is_empty()).unwrap_or(namespace);
            let place = resource.namespaced.then_some(own);
            places.extend(place.map(ToOwned::to_owned));
            let stays = Metadata::deserialize(&manifest["metadata"]).is_ok_and(|it| helm_keeps(&it).is_some());
            targets.extend(self.add(&resource, place, status::at_work(manifest)).filter(|_| !stays));
        }
        for place in places {
            self.add_own("", "namespaces", None, namespace_called(&place));
        }
        let lines = unknown.iter().map(|(kind, count)| {
            format!("{}: {} skipped: the manifests do not define its kind", clean(kind), objects_are(*count))
        });
        out::talk_of_some(lines, MAX_NAMED, |more| format!("and {more} more kinds that are not defined"));
        let mut known = BTreeSet::new();
        targets.retain(|target| known.insert(target.clone()));
        targets
    }
}

/// Reports a hook that runs before or after the removal. Hooks are not part of a release: an
/// uninstallation leaves them.
fn say_hook(hook: &str, kind: &str, name: &str) {
    if hook.split(',').any(|phase| phase.trim().ends_with("-delete")) {
        out::talk(format!("{kind} {name} is a hook ({hook}): it is not known what it does"));
    }
}

pub(super) fn namespace_called(name: &str) -> Value {
    json!({"metadata": {"name": name, "labels": {"kubernetes.io/metadata.name": name}},
        "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}})
}
