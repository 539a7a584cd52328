//! Writes objects directly into etcd: a hundred thousand of them in seconds, and of any age.

use crate::support::control_plane::ControlPlane;
use http_body_util::BodyExt;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use jiff::{SignedDuration, Timestamp};
use k8s_openapi::ByteString;
use kube::client::Body;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// The maximum number of operations in a transaction of etcd.
const AT_ONCE: usize = 128;

/// The etcd of a control plane.
pub struct Store {
    client: Client<HttpConnector, Body>,
    address: String,
    runtime: Runtime,
}

impl Store {
    /// The etcd of this control plane.
    pub fn of(plane: &ControlPlane) -> Self {
        let runtime = Runtime::new().expect("threads");
        let client = Client::builder(TokioExecutor::new()).build_http();
        Self { client, address: format!("{}/v3/kv", plane.etcd_endpoint()), runtime }
    }

    /// Removes everything below a key.
    pub fn remove(&self, below: &str) {
        let mut end = below.as_bytes().to_vec();
        *end.last_mut().expect("a key") += 1;
        self.ask("deleterange", &json!({"key": base64(below.as_bytes().to_vec()), "range_end": base64(end)}));
    }

    /// Writes objects under their keys.
    pub fn put(&self, objects: impl IntoIterator<Item = (String, Value)>) {
        self.put_in(AT_ONCE, objects);
    }

    /// The same for objects so large that a transaction has room for only one.
    pub fn put_large(&self, objects: impl IntoIterator<Item = (String, Value)>) {
        self.put_in(1, objects);
    }

    fn put_in(&self, at_once: usize, objects: impl IntoIterator<Item = (String, Value)>) {
        let mut puts = Vec::new();
        for (key, object) in objects {
            let (key, value) = (base64(key.into_bytes()), base64(object.to_string().into_bytes()));
            puts.push(json!({"request_put": {"key": key, "value": value}}));
            if puts.len() == at_once {
                self.ask("txn", &json!({ "success": puts }));
                puts.clear();
            }
        }
        if !puts.is_empty() {
            self.ask("txn", &json!({ "success": puts }));
        }
    }

    fn ask(&self, what: &str, body: &Value) {
        let request = http::Request::post(format!("{}/{what}", self.address));
        let request = request.body(Body::from(body.to_string().into_bytes())).expect("a request");
        self.runtime.block_on(async {
            let answer = self.client.request(request).await.expect("etcd answers");
            let status = answer.status();
            let body = answer.into_body().collect().await.expect("a body").to_bytes();
            assert!(status.is_success(), "{status}: {}", String::from_utf8_lossy(&body));
        });
    }
}

fn base64(bytes: Vec<u8>) -> Value {
    json!(ByteString(bytes))
}

/// A `ConfigMap` of usual size. Normally it is new; if `held`, it was created two days ago, has
/// been terminating for two hours and waits for its finalizer.
pub fn config_map(namespace: &str, number: usize, held: bool) -> (String, Value) {
    let name = format!("settings-{number}");
    let made = if held { 48 } else { 0 };
    let ago = |hours: i64| format!("{:.0}", Timestamp::now() - SignedDuration::from_hours(hours));
    let mut object = json!({"apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": namespace, "uid": uid(namespace, number), "creationTimestamp": ago(made),
            "labels": {"app.kubernetes.io/name": "bench"},
            "managedFields": [{"manager": "kubectl-create", "operation": "Update", "apiVersion": "v1",
                "time": ago(made), "fieldsType": "FieldsV1",
                "fieldsV1": {"f:data": {".": {}, "f:settings": {}}, "f:metadata": {"f:labels": {".": {},
                    "f:app.kubernetes.io/name": {}}}}}]},
        "data": {"settings": "x".repeat(200)}});
    if held {
        object["metadata"]["deletionTimestamp"] = json!(ago(2));
        object["metadata"]["deletionGracePeriodSeconds"] = json!(0);
        object["metadata"]["finalizers"] = json!(["bench.example/hold"]);
    }
    (format!("/registry/configmaps/{namespace}/{name}"), object)
}

/// A new object of a custom kind of the benchmark, with a finalizer.
pub fn thing(namespace: &str, number: usize) -> (String, Value) {
    let name = format!("c{number}");
    let object = json!({"apiVersion": "g0.bench.example/v1", "kind": "Thing0",
        "metadata": {"name": name, "namespace": namespace, "uid": uid(namespace, number),
            "creationTimestamp": format!("{:.0}", Timestamp::now()), "generation": 1,
            "finalizers": ["g0.bench.example/hold"]}});
    (format!("/registry/g0.bench.example/things0/{namespace}/{name}"), object)
}

/// A custom object almost as large as the store takes, full of names of Secrets. It has been terminating for
/// two hours.
pub fn large_thing(namespace: &str, number: usize) -> (String, Value) {
    const NAMES: usize = 28_000;
    let (key, mut object) = thing(namespace, number);
    let ago = |hours: i64| format!("{:.0}", Timestamp::now() - SignedDuration::from_hours(hours));
    let uses: Vec<Value> = (0..NAMES).map(|name| json!({"secretRef": {"name": format!("s-{name}")}})).collect();
    object["spec"] = json!({ "uses": uses });
    object["metadata"]["creationTimestamp"] = json!(ago(48));
    object["metadata"]["deletionTimestamp"] = json!(ago(2));
    object["metadata"]["deletionGracePeriodSeconds"] = json!(0);
    (key, object)
}

fn uid(namespace: &str, number: usize) -> String {
    let place = namespace.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    format!("{:08x}-0000-4000-8000-{number:012x}", place & 0xffff_ffff)
}
