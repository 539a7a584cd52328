//! A server behind the API server that ignores `dryRun`. It serves things of any requested group
//! and version, and records the senders of writes.

use crate::support::control_plane::ControlPlane;
use crate::support::server::{self, Request, listen};
use crate::tls;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// The namespace whose things are being deleted and held; things in others are not.
pub const GOING: &str = "shop";

/// Serves until the tests end.
pub struct Recorder {
    pub port: u16,
    writes: Arc<Mutex<Vec<Sent>>>,
}

/// A request that writes.
struct Sent {
    line: String,
    agent: String,
}

impl Recorder {
    pub fn start(plane: &ControlPlane) -> Self {
        let config = tls::config(plane);
        let writes: Arc<Mutex<Vec<Sent>>> = Arc::default();
        let kept = Arc::clone(&writes);
        let address = listen(move |client| serve(tls::stream(&config, client), &kept));
        let (_, port) = address.split_once(':').expect("a port");
        Self { port: port.parse().expect("a number"), writes }
    }

    /// The writes that the program has sent to it.
    pub fn writes_of_the_program(&self) -> Vec<String> {
        let writes = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        let own = writes.iter().filter(|write| write.agent.starts_with("kubectl-unstick/"));
        own.map(|write| write.line.clone()).collect()
    }

    /// Whether the server has received such a request.
    pub fn has_had(&self, line: &str) -> bool {
        self.writes.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|sent| sent.line == line)
    }
}

/// Serves one request per connection.
fn serve(mut stream: tls::Stream, writes: &Mutex<Vec<Sent>>) {
    let Some(request) = Request::read(&mut stream) else { return };
    if request.method != "GET" {
        let mut lines = request.head.lines().map(str::to_lowercase);
        let agent = lines.find_map(|line| line.strip_prefix("user-agent: ").map(str::to_owned));
        let words: Vec<&str> = request.line().split(' ').take(2).collect();
        let write = Sent { line: words.join(" "), agent: agent.unwrap_or_default() };
        writes.lock().unwrap_or_else(PoisonError::into_inner).push(write);
    }
    let (status, body) = answer(&request.path);
    server::answer(&mut stream, status, "application/json", &body.to_string());
    tls::close(stream);
}

/// The answer for `/apis/GROUP/VERSION[/namespaces/NAMESPACE][/things[/NAME]]`. A write is answered
/// with the thing, as if it was carried out, whatever its query says.
fn answer(path: &str) -> (u16, Value) {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let missing = || {
        (404, json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404, "message": "not found"}))
    };
    let ["apis", group, version, rest @ ..] = &parts[..] else { return missing() };
    let group_version = format!("{group}/{version}");
    let thing = |namespace: &str| {
        let mut metadata = json!({"name": "one", "namespace": namespace, "uid": format!("uid-{namespace}"),
            "resourceVersion": "1", "creationTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["acme.io/hold"]});
        if namespace == GOING {
            metadata["deletionTimestamp"] = json!("2026-01-02T00:00:00Z");
        }
        json!({"apiVersion": group_version, "kind": "Thing", "metadata": metadata})
    };
    let list = |items: &[Value]| {
        (
            200,
            json!({"apiVersion": group_version, "kind": "ThingList", "metadata": {"resourceVersion": "1"}, "items": items}),
        )
    };
    match rest {
        [] => (
            200,
            json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": [{
                "name": "things", "singularName": "thing", "namespaced": true, "kind": "Thing",
                "verbs": ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]}]}),
        ),
        ["things"] => list(&[thing(GOING), thing("open")]),
        ["namespaces", namespace @ (GOING | "open"), "things"] => list(&[thing(namespace)]),
        ["namespaces", _, "things"] => list(&[]),
        ["namespaces", namespace @ (GOING | "open"), "things", "one"] => (200, thing(namespace)),
        _ => missing(),
    }
}
