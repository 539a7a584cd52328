//! The raw limit: connects, discovers, lists the types or sends given requests, with a fixed number
//! in flight, and discards the answers. It shares only libraries with the program: it is a plain
//! HTTP/2 client with the credentials of the kubeconfig.

use crate::support::control_plane::ControlPlane;
use http::StatusCode;
use http_body_util::BodyExt;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HttpClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kube::client::{Body, ConfigExt};
use kube::config::KubeConfigOptions;
use serde_json::Value;
use std::collections::HashSet;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// The name under which this program is the raw client.
pub const RAW_CLIENT: &str = "raw-client";
/// The name under which this program removes finalizers as fast as it can be done safely.
pub const REMOVALS: &str = "raw-removals";
/// Replaces a namespace: all of them at once.
const ALL: &str = "--all-namespaces";
/// The number of requests in flight. More would not be faster on a fast link.
const IN_FLIGHT: usize = 24;

type Https = HttpClient<HttpsConnector<HttpConnector>, Body>;

/// The raw client for one namespace.
pub fn of_namespace(plane: &ControlPlane, namespace: &str) -> Command {
    let mut command = plane.command(std::env::current_exe().expect("this program"));
    command.args([RAW_CLIENT, namespace]);
    command
}

/// The raw client for all namespaces at once.
pub fn of_cluster(plane: &ControlPlane) -> Command {
    of_namespace(plane, ALL)
}

/// The raw client for these requests, given as paths with queries, instead of the types' lists.
pub fn of_requests(plane: &ControlPlane, requests: &[String]) -> Command {
    let mut command = of_namespace(plane, ALL);
    command.args(requests);
    command
}

/// The raw limit of removals.
pub fn of_removals(plane: &ControlPlane, namespace: &str) -> Command {
    let mut command = plane.command(std::env::current_exe().expect("this program"));
    command.args([REMOVALS, namespace]);
    command
}

/// Runs the raw client, for a place or, if there are any, for requests.
pub fn run(namespace: &str, requests: &[String]) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().expect("threads");
    let place = if namespace == ALL { String::new() } else { format!("namespaces/{namespace}/") };
    runtime.block_on(list(&place, requests));
    ExitCode::SUCCESS
}

async fn list(place: &str, requests: &[String]) {
    let config = kube::Config::from_kubeconfig(&KubeConfigOptions::default()).await.expect("a kubeconfig");
    let tls = config.rustls_client_config().expect("credentials");
    let https = HttpsConnectorBuilder::new().with_tls_config(tls).https_only().enable_http2().build();
    let client = HttpClient::builder(TokioExecutor::new()).http2_only(true).build::<_, Body>(https);
    let server = config.cluster_url.to_string().trim_end_matches('/').to_owned();
    let aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let core = fetch(&client, format!("{server}/api"), aggregated);
    let (core, groups) = tokio::join!(core, fetch(&client, format!("{server}/apis"), aggregated));
    let mut paths = list_paths(&core, place);
    paths.extend(list_paths(&groups, place));
    assert!(paths.len() > 30, "discovery gave {} types", paths.len());
    let is_given = !requests.is_empty();
    if is_given {
        paths = requests.to_vec();
    }
    let seats = Arc::new(Semaphore::new(IN_FLIGHT));
    let mut lists = JoinSet::new();
    for path in paths {
        let (client, seats, url) = (client.clone(), Arc::clone(&seats), format!("{server}{path}"));
        lists.spawn(async move {
            let _seat = seats.acquire_owned().await;
            let metadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
            // Cluster-scoped objects are read as a whole, as the program does.
            let is_whole = !url.contains("/namespaces/") || !url.contains('?');
            discard(&client, url, if is_whole && is_given { "application/json" } else { metadata }).await;
        });
    }
    lists.join_all().await;
}

/// Removes the finalizers from all `ConfigMap`s of a namespace, 16 at a time, with a dry run, a
/// write and a read for each.
pub fn remove(namespace: &str) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().expect("threads");
    runtime.block_on(async {
        let client = kube::Client::try_default().await.expect("a client");
        let path = format!("/api/v1/namespaces/{namespace}/configmaps");
        let list: Value = client.request(request("GET", &path)).await.expect("a list");
        let names = list["items"].as_array().into_iter().flatten().filter(|item| is_held(item));
        let seats = Arc::new(Semaphore::new(16));
        let mut removals = JoinSet::new();
        for name in names.filter_map(|item| item["metadata"]["name"].as_str()) {
            let (client, seats, path) = (client.clone(), Arc::clone(&seats), format!("{path}/{name}"));
            removals.spawn(async move {
                let _seat = seats.acquire_owned().await;
                for (method, query) in [("PATCH", "?dryRun=All"), ("PATCH", ""), ("GET", "")] {
                    // The last read is expected to find nothing.
                    let answer: Result<Value, _> = client.request(request(method, &format!("{path}{query}"))).await;
                    assert!(answer.is_ok() || method == "GET", "{method} {path}{query}: {answer:?}");
                }
            });
        }
        removals.join_all().await;
    });
    ExitCode::SUCCESS
}

fn is_held(item: &Value) -> bool {
    item["metadata"]["deletionTimestamp"].is_string()
}

fn request(method: &str, path: &str) -> http::Request<Vec<u8>> {
    let body = if method == "PATCH" { &br#"{"metadata":{"finalizers":null}}"#[..] } else { b"" };
    let request = http::Request::builder().method(method).uri(path);
    request.header("Content-Type", "application/merge-patch+json").body(body.to_vec()).expect("a request")
}

async fn fetch(client: &Https, url: String, accept: &str) -> Vec<u8> {
    let request = http::Request::get(url).header("accept", accept).body(Body::empty()).expect("a request");
    let response = client.request(request).await.expect("an answer");
    assert!(response.status().is_success(), "{}", response.status());
    response.into_body().collect().await.expect("a body").to_bytes().to_vec()
}

/// Reads an answer piece by piece and discards it.
async fn discard(client: &Https, url: String, accept: &str) {
    let mut response = loop {
        let request = http::Request::get(&url).header("accept", accept).body(Body::empty()).expect("a request");
        let response = client.request(request).await.expect("an answer");
        // A kind that was just created has no watch cache yet.
        if response.status() != StatusCode::TOO_MANY_REQUESTS {
            break response;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    // Requests for missing objects are answered, too.
    let is_answer = response.status().is_success() || response.status() == StatusCode::NOT_FOUND;
    assert!(is_answer, "{url}: {}", response.status());
    while let Some(piece) = response.body_mut().frame().await {
        piece.expect("a piece of the answer");
    }
}

/// The first version of each namespaced type that can be listed, in a place.
fn list_paths(discovery: &[u8], place: &str) -> Vec<String> {
    let document: Value = serde_json::from_slice(discovery).expect("aggregated discovery");
    let mut paths = Vec::new();
    for group in document["items"].as_array().into_iter().flatten() {
        let mut seen = HashSet::new();
        for version in group["versions"].as_array().into_iter().flatten() {
            let number = version["version"].as_str().expect("a version");
            let prefix = match group["metadata"]["name"].as_str() {
                None | Some("") => format!("/api/{number}"),
                Some(name) => format!("/apis/{name}/{number}"),
            };
            let types = version["resources"].as_array().into_iter().flatten();
            let listable = types.filter(|found| {
                let verbs = found["verbs"].as_array().into_iter().flatten();
                found["scope"] == "Namespaced"
                    && version["freshness"] != "Stale"
                    && verbs.into_iter().any(|verb| verb == "list")
            });
            let new =
                listable.filter_map(|found| found["resource"].as_str()).filter(|name| seen.insert(name.to_string()));
            paths.extend(new.map(|name| format!("{prefix}/{place}{name}?resourceVersion=0")));
        }
    }
    paths
}
