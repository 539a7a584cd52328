//! `cargo bench`: how fast the main job is, as ratios within one run.
//!
//! On a control plane of its own with about 330 listable namespaced types and
//! 2,000 objects in 50 namespaces, `kubectl unstick ns` is held against what
//! people paste today and against the raw limit: a client that makes the same
//! lists and throws the answers away. So is a namespace that hangs on 2,000
//! objects, whose controller has to be found once. The run fails when a figure cannot be
//! measured or misses its bound.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a benchmark runs programs, looks at the clock and prints a table"
)]

#[path = "../tests/support"]
mod support {
    #[expect(dead_code, reason = "the end-to-end tests use more of it")]
    pub mod control_plane;
    #[expect(dead_code, reason = "the end-to-end tests use more of it")]
    pub mod go;
}

use comfy_table::{Table, presets};
use http_body_util::BodyExt;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HttpClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kube::client::{Body, ConfigExt};
use kube::config::KubeConfigOptions;
use kubectl_unstick::cluster::IN_FLIGHT;
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::control_plane::{ControlPlane, wait_until};
use support::go::tell;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-unstick");
/// The namespace that hangs, with one blocker in it.
const STUCK: &str = "bench-0";
/// A namespace that hangs on many objects.
const CROWDED: &str = "bench-crowd";
const CROWD: usize = 2000;
/// With the built-in ones these make about 330 listable namespaced types.
const KINDS: usize = 295;
const NAMESPACES: usize = 50;
const OBJECTS_PER_NAMESPACE: usize = 40;
const RUNS: usize = 15;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("raw-client") => raw_client(&arguments[1]),
        Some("peak-memory") => peak_memory(&arguments[1..]),
        _ => bench(),
    }
}

/// One line of the table.
struct Figure {
    what: &'static str,
    value: String,
    bound: String,
    met: bool,
}

fn bench() -> ExitCode {
    let plane = ControlPlane::alone();
    tell("filling the control plane: types and objects …");
    add_kinds(&plane);
    add_objects(&plane);
    hang(&plane);
    hang_a_crowd(&plane);
    let listable = plane.kubectl_ok(&["api-resources", "--verbs=list", "--namespaced", "-o", "name"]).lines().count();
    let requests = requests_of_one_run(&plane);
    let memory = memory_of_one_run(&plane);
    let (ours, limit) = in_turn(|| unstick(&plane), || raw(&plane));
    let pasted = timed(&mut pasted(&plane));
    let (of_crowd, plain) = in_turn(|| unstick_crowd(&plane), || unstick(&plane));
    let version = median((0..RUNS).map(|_| timed(Command::new(PROGRAM).arg("--version"))).collect());
    let figures = [
        ratio("faster than what people paste", pasted, ours, 100.0, true),
        ratio("as long as the raw client", ours, limit, 1.4, false),
        ratio("as long as with one blocker, with 2,000 on one finalizer", of_crowd, plain, 2.0, false),
        Figure {
            what: "requests to the server",
            value: format!("{requests} for {listable} types"),
            bound: format!("at most {}", listable + 20),
            met: requests > 0 && requests <= listable + 20,
        },
        Figure {
            what: "--version",
            value: format!("{version:.1?}"),
            bound: "at most 10 ms".into(),
            met: version <= Duration::from_millis(10),
        },
        Figure {
            what: "peak memory",
            value: format!("{:.1} MiB", memory / 1024.0),
            bound: "at most 64 MiB".into(),
            met: memory > 0.0 && memory / 1024.0 <= 64.0,
        },
    ];
    println!("\nkubectl unstick ns {STUCK}: {ours:.0?}; raw client: {limit:.0?}; pasted command: {pasted:.1?}\n");
    print(&figures);
    if figures.iter().all(|figure| figure.met) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(figures: &[Figure]) {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(["figure", "measured", "bound", ""]);
    for figure in figures {
        let mark = if figure.met { "met" } else { "MISSED" };
        table.add_row([figure.what, &figure.value, &figure.bound, mark]);
    }
    println!("{table}");
}

/// How many times `long` is `short`.
fn ratio(what: &'static str, long: Duration, short: Duration, bound: f64, at_least: bool) -> Figure {
    let times = long.as_secs_f64() / short.as_secs_f64();
    let (word, met) = if at_least { ("at least", times >= bound) } else { ("at most", times <= bound) };
    Figure { what, value: format!("{times:.2} times"), bound: format!("{word} {bound} times"), met }
}

/// Custom kinds, in few requests of many documents each.
fn add_kinds(plane: &ControlPlane) {
    let mut yaml = String::new();
    for number in 0..KINDS {
        let group = format!("g{}.bench.example", number / 10);
        write!(
            yaml,
            "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
             metadata: {{name: things{number}.{group}}}\nspec:\n  group: {group}\n  scope: Namespaced\n  \
             names: {{plural: things{number}, singular: thing{number}, kind: Thing{number}}}\n  versions:\n  \
             - {{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object, \
             x-kubernetes-preserve-unknown-fields: true}}}}}}\n"
        )
        .expect("a string takes everything");
    }
    plane.apply(&yaml);
    wait_until("every kind is served", Duration::from_mins(5), || {
        let served = plane.kubectl_ok(&["api-resources", "--verbs=list", "--namespaced", "-o", "name"]);
        served.lines().filter(|line| line.contains(".bench.example")).count() == KINDS
    });
}

fn add_objects(plane: &ControlPlane) {
    for namespace in 0..NAMESPACES {
        let mut yaml = format!("apiVersion: v1\nkind: Namespace\nmetadata: {{name: bench-{namespace}}}\n");
        for number in 0..OBJECTS_PER_NAMESPACE {
            let kind = number % 20;
            let (api, kind) = match number % 2 {
                0 => ("v1".to_owned(), "ConfigMap".to_owned()),
                _ => (format!("g{}.bench.example/v1", kind / 10), format!("Thing{kind}")),
            };
            write!(
                yaml,
                "---\napiVersion: {api}\nkind: {kind}\nmetadata: {{name: o{number}, namespace: bench-{namespace}}}\n"
            )
            .expect("a string takes everything");
        }
        plane.apply(&yaml);
    }
}

fn hang(plane: &ControlPlane) {
    plane.apply(&format!(
        "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: held, namespace: {STUCK}, finalizers: [acme.io/hold]}}}}"
    ));
    plane.kubectl_ok(&["delete", "namespace", STUCK, "--wait=false"]);
    wait_until("only the blocker is left", Duration::from_mins(3), || {
        let keys = plane.etcd_keys("/registry/");
        keys.iter().filter(|key| key.contains(&format!("/{STUCK}/"))).count() == 1
    });
    std::thread::sleep(Duration::from_secs(6));
}

/// Many objects that wait for one finalizer, whose controller is at 0 replicas.
fn hang_a_crowd(plane: &ControlPlane) {
    plane.apply(&format!(
        "---\n{{apiVersion: v1, kind: Namespace, metadata: {{name: {CROWDED}}}}}\n---\n\
         {{apiVersion: v1, kind: Namespace, metadata: {{name: bench-operator}}}}\n---\n\
         {{apiVersion: apps/v1, kind: Deployment, metadata: {{name: bench-operator, namespace: bench-operator}}, \
         spec: {{replicas: 0, selector: {{matchLabels: {{app: o}}}}, template: {{metadata: {{labels: {{app: o}}}}, \
         spec: {{serviceAccountName: operator, containers: [{{name: c, image: example.invalid/none}}]}}}}}}}}\n---\n\
         {{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {{name: bench-operator}}, \
         rules: [{{apiGroups: [g0.bench.example], resources: [things0], verbs: [update]}}]}}\n---\n\
         {{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {{name: bench-operator}}, \
         roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: bench-operator}}, \
         subjects: [{{kind: ServiceAccount, name: operator, namespace: bench-operator}}]}}\n"
    ));
    let mut yaml = String::new();
    for number in 0..CROWD {
        write!(
            yaml,
            "---\n{{apiVersion: g0.bench.example/v1, kind: Thing0, \
             metadata: {{name: c{number}, namespace: {CROWDED}, finalizers: [bench.example/hold]}}}}\n"
        )
        .expect("a string takes everything");
    }
    plane.apply(&yaml);
    plane.kubectl_ok(&["delete", "namespace", CROWDED, "--wait=false"]);
    let mut report = Value::Null;
    wait_until("the whole crowd is late", Duration::from_mins(3), || {
        let output = unstick_crowd(plane).args(["-o", "json"]).output().expect("the program runs");
        report = serde_json::from_slice(&output.stdout).expect("a report");
        report["findings"][0]["objects"].as_array().map(Vec::len) == Some(CROWD)
    });
    let finding = &report["findings"][0];
    assert_eq!(finding["controller"]["state"], "Down", "its controller was found");
}

fn unstick_crowd(plane: &ControlPlane) -> Command {
    let mut command = plane.command(PROGRAM);
    command.args(["ns", CROWDED]).stdin(Stdio::null());
    command
}

fn unstick(plane: &ControlPlane) -> Command {
    let mut command = plane.command(PROGRAM);
    command.args(["ns", STUCK]).stdin(Stdio::null());
    command
}

fn raw(plane: &ControlPlane) -> Command {
    let mut command = plane.command(std::env::current_exe().expect("this program"));
    command.args(["raw-client", STUCK]);
    command
}

/// What people paste today.
fn pasted(plane: &ControlPlane) -> Command {
    let mut command = plane.command("sh");
    command.arg("-c").arg(format!(
        "kubectl api-resources --verbs=list --namespaced -o name | \
         xargs -n1 kubectl get --show-kind --ignore-not-found -n {STUCK}"
    ));
    command
}

fn timed(command: &mut Command) -> Duration {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status().expect("the command runs");
    let took = start.elapsed();
    // 1 is the program's "something is stuck".
    assert!(matches!(status.code(), Some(0 | 1)), "{command:?} failed: {status}");
    took
}

/// Medians of both commands, run in turn after a warm-up of each.
fn in_turn(mut a: impl FnMut() -> Command, mut b: impl FnMut() -> Command) -> (Duration, Duration) {
    timed(&mut a());
    timed(&mut b());
    let pairs: Vec<(Duration, Duration)> = (0..RUNS).map(|_| (timed(&mut a()), timed(&mut b()))).collect();
    let (a, b) = pairs.into_iter().unzip();
    (median(a), median(b))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Counted from the server's audit log.
fn requests_of_one_run(plane: &ControlPlane) -> usize {
    let count =
        || plane.audit_requests().iter().filter(|event| event.user_agent.starts_with("kubectl-unstick/")).count();
    let before = count();
    timed(&mut unstick(plane));
    std::thread::sleep(Duration::from_secs(1));
    count() - before
}

/// In KiB; measured by a process whose only child it is.
fn memory_of_one_run(plane: &ControlPlane) -> f64 {
    let mut command = plane.command(std::env::current_exe().expect("this program"));
    let output = command.args(["peak-memory", PROGRAM, "ns", STUCK]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    last.parse().unwrap_or_else(|error| panic!("no figure of memory: {error}: {text}"))
}

fn peak_memory(command: &[String]) -> ExitCode {
    timed(Command::new(&command[0]).args(&command[1..]));
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system accounts for children");
    println!("{}", usage.max_rss());
    ExitCode::SUCCESS
}

/// The raw limit: connect, discover, list the same types with the same number
/// in flight, and throw the answers away. It shares nothing with the program but
/// the libraries: a plain HTTP/2 client with the credentials of the kubeconfig.
fn raw_client(namespace: &str) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().expect("threads");
    runtime.block_on(async {
        let config = kube::Config::from_kubeconfig(&KubeConfigOptions::default()).await.expect("a kubeconfig");
        let tls = config.rustls_client_config().expect("credentials");
        let https = HttpsConnectorBuilder::new().with_tls_config(tls).https_only().enable_http2().build();
        let client = HttpClient::builder(TokioExecutor::new()).http2_only(true).build::<_, Body>(https);
        let server = config.cluster_url.to_string().trim_end_matches('/').to_owned();
        let aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        let core = fetch(&client, format!("{server}/api"), aggregated);
        let (core, groups) = tokio::join!(core, fetch(&client, format!("{server}/apis"), aggregated));
        let mut paths = list_paths(&core, namespace);
        paths.extend(list_paths(&groups, namespace));
        assert!(paths.len() > KINDS, "discovery gave {} types", paths.len());
        let seats = Arc::new(Semaphore::new(IN_FLIGHT));
        let mut lists = JoinSet::new();
        for path in paths {
            let (client, seats, url) = (client.clone(), Arc::clone(&seats), format!("{server}{path}"));
            lists.spawn(async move {
                let _seat = seats.acquire_owned().await;
                let metadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
                fetch(&client, url, metadata).await.len()
            });
        }
        lists.join_all().await;
    });
    ExitCode::SUCCESS
}

async fn fetch(client: &HttpClient<HttpsConnector<HttpConnector>, Body>, url: String, accept: &str) -> Vec<u8> {
    let request = http::Request::get(url).header("accept", accept).body(Body::empty()).expect("a request");
    let response = client.request(request).await.expect("an answer");
    assert!(response.status().is_success(), "{}", response.status());
    response.into_body().collect().await.expect("a body").to_bytes().to_vec()
}

/// The first version of each namespaced type that can be listed.
fn list_paths(discovery: &[u8], namespace: &str) -> Vec<String> {
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
                found["scope"] == "Namespaced" && verbs.into_iter().any(|verb| verb == "list")
            });
            let new =
                listable.filter_map(|found| found["resource"].as_str()).filter(|name| seen.insert(name.to_string()));
            paths.extend(new.map(|name| format!("{prefix}/namespaces/{namespace}/{name}?resourceVersion=0")));
        }
    }
    paths
}
