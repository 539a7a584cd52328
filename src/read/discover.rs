//! Discovers the resources that the server serves: two requests with aggregated discovery,
//! otherwise a request for each group and version.

use crate::survey::{Discovery, Resource, ResourceId, is_short};
use crate::transport::http::{Answer, Api};
use crate::transport::in_flight::bounded;
use crate::transport::refusal::Refusal;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{APIGroupList, APIResourceList, APIVersions};
use kube::client::{APIGroupDiscoveryList, APIResourceDiscovery};

/// v2 is served since Kubernetes 1.30, v2beta1 before; other servers answer in the old form
/// (kubernetes/kubernetes: staging/src/k8s.io/client-go/discovery/discovery_client.go).
const ACCEPT: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
    application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/// One of the two roots, `/api` and `/apis`.
pub(crate) enum Root {
    Aggregated(APIGroupDiscoveryList),
    Legacy(Vec<(String, String)>),
}

/// Discovers the served resources.
///
/// # Errors
/// When the server does not answer like a Kubernetes API server.
pub(crate) async fn discover(api: &Api) -> Result<Discovery, Refusal> {
    let (core, groups) = tokio::try_join!(api.get_kept("/api", ACCEPT), api.get_kept("/apis", ACCEPT))?;
    let mut discovery = Discovery::default();
    for root in [root(&core, true)?, root(&groups, false)?] {
        match root {
            Root::Aggregated(list) => add_aggregated(&mut discovery, list),
            Root::Legacy(versions) => add_legacy(&mut discovery, api, versions).await,
        }
    }
    let names = discovery.resources.iter().flat_map(|found| [&*found.id.plural, &*found.id.group, &*found.kind]);
    names.chain(discovery.stale.iter().map(String::as_str)).try_for_each(is_short).map_err(|why| too_long(&why))?;
    Ok(discovery)
}

fn too_long(why: &str) -> Refusal {
    Refusal::garbled(&format!("invalid discovery document: {why}"))
}

pub(crate) fn root(answer: &Answer, core: bool) -> Result<Root, Refusal> {
    if answer.content_type.contains("as=APIGroupDiscoveryList") {
        return parse(answer).map(Root::Aggregated);
    }
    let pairs: Vec<(String, String)> = if core {
        parse::<APIVersions>(answer)?.versions.into_iter().map(|version| (String::new(), version)).collect()
    } else {
        let groups = parse::<APIGroupList>(answer)?.groups;
        groups
            .into_iter()
            .flat_map(|group| {
                let preferred = group.preferred_version.map(|preferred| preferred.version);
                let mut versions: Vec<String> = group.versions.into_iter().map(|served| served.version).collect();
                versions.sort_by_key(|version| Some(version) != preferred.as_ref());
                versions.into_iter().map(move |version| (group.name.clone(), version))
            })
            .collect()
    };
    pairs
        .iter()
        .try_for_each(|(group, version)| is_short(group).and(is_short(version)))
        .map_err(|why| too_long(&why))?;
    Ok(Root::Legacy(pairs))
}

pub(crate) fn parse<T: serde::de::DeserializeOwned>(answer: &Answer) -> Result<T, Refusal> {
    serde_json::from_slice(&answer.body)
        .map_err(|error| Refusal::garbled(&format!("invalid discovery document: {error}")))
}

pub(crate) fn add_aggregated(discovery: &mut Discovery, list: APIGroupDiscoveryList) {
    for group in list.items {
        let name = group.metadata.and_then(|metadata| metadata.name).unwrap_or_default();
        for version in group.versions {
            let number = version.version.unwrap_or_default();
            if version.freshness.as_deref() == Some("Stale") {
                discovery.stale.push(ResourceId::new(&name, &number, "").api_version());
            }
            discovery
                .resources
                .extend(version.resources.into_iter().filter_map(|found| resource(&name, &number, found)));
        }
    }
}

fn resource(group: &str, version: &str, found: APIResourceDiscovery) -> Option<Resource> {
    Some(Resource {
        id: ResourceId::new(group, version, &found.resource?),
        kind: found.response_kind.and_then(|kind| kind.kind).unwrap_or_default(),
        namespaced: found.scope.as_deref() == Some("Namespaced"),
        singular: found.singular_resource.unwrap_or_default(),
        short_names: found.short_names,
        verbs: found.verbs,
    })
}

async fn add_legacy(discovery: &mut Discovery, api: &Api, versions: Vec<(String, String)>) {
    let requests = versions.into_iter().enumerate().map(|(place, (group, version))| {
        let api = api.clone();
        async move {
            let prefix = if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
            let answer = api.get(&prefix, "application/json").await;
            let list = answer.and_then(|answer| parse::<APIResourceList>(&answer));
            (place, group, version, list)
        }
    });
    let mut answers = bounded(|| api.in_flight(), requests, &|| {}).await;
    answers.sort_by_key(|(place, ..)| *place);
    for (_, group, version, list) in answers {
        match list {
            Err(_) => discovery.stale.push(ResourceId::new(&group, &version, "").api_version()),
            Ok(list) => discovery.resources.extend(
                list.resources.into_iter().filter(|found| !found.name.contains('/')).map(|found| Resource {
                    id: ResourceId::new(&group, &version, &found.name),
                    kind: found.kind,
                    namespaced: found.namespaced,
                    singular: found.singular_name,
                    short_names: found.short_names.unwrap_or_default(),
                    verbs: found.verbs,
                }),
            ),
        }
    }
}
