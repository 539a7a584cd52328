//! The three formats of discovery.

use kubectl_unstick::survey::{Discovery, Resource, ResourceId};
use serde_json::{Value, json};

/// The format in which a server answers discovery.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Aggregated, since Kubernetes 1.30.
    V2,
    /// Aggregated, from 1.26 on.
    V2Beta1,
    /// A document for each group and version, from a server that supports nothing else.
    Legacy,
}

/// A document with its media type.
pub struct Document {
    pub content_type: String,
    /// `None` where the server could not look into it.
    pub body: Option<Value>,
}

/// The answer for this path; `None` if it is no path of discovery.
pub fn document(discovery: &Discovery, form: Form, path: &str) -> Option<Document> {
    let plain = |body| Some(Document { content_type: "application/json".into(), body });
    match (path, form) {
        ("/api", Form::Legacy) => {
            let versions: Vec<String> = versions(discovery, "").collect();
            plain(Some(json!({"kind": "APIVersions", "versions": versions})))
        }
        ("/apis", Form::Legacy) => plain(Some(group_list(discovery))),
        ("/api" | "/apis", _) => {
            let version = if form == Form::V2 { "v2" } else { "v2beta1" };
            let of = groups(discovery).into_iter().filter(|group| group.is_empty() == (path == "/api"));
            let items: Vec<Value> = of.map(|group| aggregated_group(discovery, &group)).collect();
            let body = json!({"kind": "APIGroupDiscoveryList", "metadata": {}, "items": items,
                "apiVersion": format!("apidiscovery.k8s.io/{version}")});
            let content_type = format!("application/json;g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList");
            Some(Document { content_type, body: Some(body) })
        }
        (path, _) => {
            let group_version = path.strip_prefix("/apis/").or_else(|| path.strip_prefix("/api/"))?;
            let is_served = groups(discovery)
                .iter()
                .any(|group| versions(discovery, group).any(|version| api_version(group, &version) == group_version));
            if !is_served {
                return None;
            }
            let is_stale = discovery.stale.iter().any(|stale| stale == group_version);
            plain((!is_stale).then(|| resource_list(discovery, group_version)))
        }
    }
}

fn api_version(group: &str, version: &str) -> String {
    ResourceId::new(group, version, "").api_version()
}

/// Each group once, in the server's order.
fn groups(discovery: &Discovery) -> Vec<String> {
    let served = discovery.resources.iter().map(|resource| resource.id.group.clone());
    let stale = discovery.stale.iter().filter_map(|stale| Some(stale.split_once('/')?.0.to_owned()));
    each_once(served.chain(stale))
}

/// The versions of a group, the preferred one first.
fn versions(discovery: &Discovery, group: &str) -> impl Iterator<Item = String> {
    let of_group = discovery.resources.iter().filter(|resource| resource.id.group == group);
    let served = of_group.map(|resource| resource.id.version.clone());
    let prefix = format!("{group}/");
    let stale = discovery.stale.iter().filter_map(|stale| Some(stale.strip_prefix(&prefix)?.to_owned()));
    each_once(served.chain(stale)).into_iter()
}

fn each_once(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut once = Vec::new();
    for name in names {
        if !once.contains(&name) {
            once.push(name);
        }
    }
    once
}

fn group_list(discovery: &Discovery) -> Value {
    let group = |group: String| {
        let version = |version: String| json!({"groupVersion": api_version(&group, &version), "version": version});
        let versions: Vec<Value> = versions(discovery, &group).map(version).collect();
        json!({"name": group, "preferredVersion": versions[0], "versions": versions})
    };
    let groups = groups(discovery).into_iter().filter(|group| !group.is_empty());
    json!({"kind": "APIGroupList", "groups": groups.map(group).collect::<Vec<_>>()})
}

fn of<'a>(discovery: &'a Discovery, group_version: &str) -> impl Iterator<Item = &'a Resource> {
    discovery.resources.iter().filter(move |resource| resource.id.api_version() == group_version)
}

fn resource_list(discovery: &Discovery, group_version: &str) -> Value {
    let resource = |resource: &Resource| {
        json!({"name": resource.id.plural, "singularName": resource.singular, "namespaced": resource.namespaced,
            "kind": resource.kind, "verbs": resource.verbs, "shortNames": resource.short_names})
    };
    let resources: Vec<Value> = of(discovery, group_version).map(resource).collect();
    json!({"kind": "APIResourceList", "groupVersion": group_version, "resources": resources})
}

fn aggregated_group(discovery: &Discovery, group: &str) -> Value {
    let resource = |resource: &Resource| {
        let scope = if resource.namespaced { "Namespaced" } else { "Cluster" };
        json!({"resource": resource.id.plural, "singularResource": resource.singular, "scope": scope,
            "responseKind": {"group": group, "version": resource.id.version, "kind": resource.kind},
            "verbs": resource.verbs, "shortNames": resource.short_names})
    };
    let version = |version: String| {
        let group_version = api_version(group, &version);
        let is_stale = discovery.stale.contains(&group_version);
        json!({"version": version, "freshness": if is_stale { "Stale" } else { "Current" },
            "resources": of(discovery, &group_version).map(resource).collect::<Vec<_>>()})
    };
    json!({"metadata": {"name": group}, "versions": versions(discovery, group).map(version).collect::<Vec<_>>()})
}
