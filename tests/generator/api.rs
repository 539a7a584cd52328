//! The generator's access to the API server and its store: JSON, one request at a time, on loopback.

use crate::object::Id;
use crate::support::control_plane::ControlPlane;
use http::Request;
use jiff::{SignedDuration, Timestamp};
use k8s_openapi::ByteString;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use tokio::runtime::{Builder, Runtime};

/// The API server and the store of one control plane.
#[derive(Clone)]
pub struct Api {
    server: Client,
    store: Client,
}

/// The status and the message of an unsuccessful answer.
#[derive(Debug)]
pub struct Refusal {
    /// 404, 409, …; 0 if there was no answer.
    pub code: u16,
    /// The message.
    pub message: String,
}

impl From<Refusal> for String {
    fn from(refusal: Refusal) -> Self {
        format!("{} {}", refusal.code, refusal.message)
    }
}

/// The runtime for all requests.
fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime for the requests")
    })
}

impl Api {
    /// The access to a control plane.
    pub fn of(plane: &ControlPlane) -> Self {
        let _inside = runtime().enter();
        let file = Kubeconfig::read_from(plane.kubeconfig()).expect("a kubeconfig");
        let config = runtime()
            .block_on(Config::from_custom_kubeconfig(file, &KubeConfigOptions::default()))
            .expect("a configuration");
        let store = Config::new(plane.etcd_endpoint().parse().expect("the address of etcd"));
        let client = |mut config: Config| {
            // A kind that cannot be listed answers 429 forever.
            config.default_retry = false;
            Client::try_from(config).expect("a client")
        };
        Self { server: client(config), store: client(store) }
    }

    /// Sends any request to the API server.
    pub fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Refusal> {
        answer(&self.server, request(method, path, body))
    }

    /// The same as another user.
    pub fn send_as(&self, user: &str, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Refusal> {
        let mut request = request(method, path, body);
        request.headers_mut().insert("Impersonate-User", user.parse().expect("a name"));
        answer(&self.server, request)
    }

    /// Reads an object; `None` if it does not exist.
    pub fn get(&self, path: &str) -> Result<Option<Value>, String> {
        match self.send("GET", path, None) {
            Ok(found) => Ok(Some(found)),
            Err(refusal) if refusal.code == 404 => Ok(None),
            Err(refusal) => Err(format!("GET {path}: {}", String::from(refusal))),
        }
    }

    /// The items of a list.
    pub fn list(&self, path: &str) -> Result<Vec<Value>, String> {
        let list = self.get(path)?.unwrap_or_default();
        Ok(list["items"].as_array().cloned().unwrap_or_default())
    }

    /// Creates an object, as this field manager. Its namespace may still be in the making.
    pub fn create(&self, id: &Id, manifest: &Value, manager: &str) -> Result<(), String> {
        let path = format!("{}?fieldManager={manager}", id.collection());
        let mut tries = 0;
        loop {
            match self.send("POST", &path, Some(manifest)) {
                Ok(_) => return Ok(()),
                Err(refusal) if refusal.code == 409 => return Ok(()),
                // The definition of a kind is served a moment after its creation.
                Err(refusal) if matches!(refusal.code, 404 | 429 | 500) && tries < 100 => tries += 1,
                Err(refusal) => return Err(format!("POST {id}: {}", String::from(refusal))),
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }

    /// Changes an object by a merge patch, as this field manager.
    pub fn patch(&self, id: &Id, body: &Value, manager: &str) -> Result<(), Refusal> {
        self.send("PATCH", &format!("{}?fieldManager={manager}", id.path()), Some(body)).map(drop)
    }

    /// Changes fields below `/status`.
    pub fn patch_status(&self, id: &Id, body: &Value, manager: &str) -> Result<(), String> {
        let path = format!("{}/status?fieldManager={manager}", id.path());
        let answer = self.send("PATCH", &path, Some(&json!({"status": body})));
        answer.map(drop).map_err(|refusal| format!("PATCH {path}: {}", String::from(refusal)))
    }

    /// Requests the deletion of an object.
    pub fn delete(&self, id: &Id, propagation: &str) -> Result<(), Refusal> {
        let options = json!({"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": propagation});
        self.send("DELETE", &id.path(), Some(&options)).map(drop)
    }

    /// Moves every time in an object back by `by`, bypassing the API server, which would not accept
    /// an older deletion. The store accepts JSON as well as protobuf.
    pub fn set_back(&self, id: &Id, by: SignedDuration) -> Result<(), String> {
        for _ in 0..20 {
            let Some(mut object) = self.get(&id.path())? else { return Ok(()) };
            let version = object["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned();
            object["metadata"].as_object_mut().expect("metadata").remove("resourceVersion");
            shift(&mut object, by);
            let key = json!(ByteString(id.key().into_bytes()));
            let value = json!(ByteString(object.to_string().into_bytes()));
            let put = json!({
                "compare": [{"key": key, "target": "MOD", "result": "EQUAL", "mod_revision": version}],
                "success": [{"request_put": {"key": key, "value": value}}],
            });
            let answer = self.etcd("/v3/kv/txn", &put)?;
            if answer["succeeded"] == true {
                return Ok(());
            }
        }
        Err(format!("{id} changes all the time"))
    }

    /// The keys in the store, each with the revision of its last change.
    pub fn keys(&self) -> Result<BTreeMap<String, String>, String> {
        let (from, to) = (json!(ByteString(b"/registry/".to_vec())), json!(ByteString(b"/registry0".to_vec())));
        let answer = self.etcd("/v3/kv/range", &json!({"key": from, "range_end": to, "keys_only": true}))?;
        let rows = answer["kvs"].as_array().cloned().unwrap_or_default();
        Ok(rows
            .into_iter()
            .filter_map(|row| {
                let key: ByteString = serde_json::from_value(row["key"].clone()).ok()?;
                Some((String::from_utf8(key.0).ok()?, row["mod_revision"].as_str().unwrap_or_default().to_owned()))
            })
            .collect())
    }

    fn etcd(&self, path: &str, body: &Value) -> Result<Value, String> {
        let request = Request::post(path).body(body.to_string().into_bytes()).expect("a request");
        answer(&self.store, request).map_err(|refusal| format!("etcd {path}: {}", String::from(refusal)))
    }
}

fn request(method: &str, path: &str, body: Option<&Value>) -> Request<Vec<u8>> {
    let kind = if method == "PATCH" { "application/merge-patch+json" } else { "application/json" };
    let bytes = body.map_or_else(Vec::new, |body| body.to_string().into_bytes());
    Request::builder().method(method).uri(path).header("Content-Type", kind).body(bytes).expect("a request")
}

fn answer(client: &Client, request: Request<Vec<u8>>) -> Result<Value, Refusal> {
    match runtime().block_on(client.request::<Value>(request)) {
        Ok(value) => Ok(value),
        Err(kube::Error::Api(status)) => Err(Refusal { code: status.code, message: status.message.clone() }),
        Err(error) => Err(Refusal { code: 0, message: error.to_string() }),
    }
}

/// Moves every text below that is a time; in `managedFields`, times are names.
fn shift(value: &mut Value, by: SignedDuration) {
    match value {
        Value::String(text) if is_time(text) => {
            if let Ok(time) = text.parse::<Timestamp>() {
                let earlier = time.checked_sub(by).expect("a time after 1970");
                *text = format!("{earlier:.*}", usize::from(text.contains('.')) * 6);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| shift(item, by)),
        Value::Object(fields) => fields.values_mut().for_each(|field| shift(field, by)),
        _ => {}
    }
}

fn is_time(text: &str) -> bool {
    text.len() >= 20 && text.as_bytes()[10] == b'T' && text.ends_with('Z')
}

/// The current time, in the format of the API.
pub fn now() -> String {
    format!("{:.0}", Timestamp::now())
}

/// The current time, in the format of leases.
pub fn now_micro() -> String {
    format!("{:.6}", Timestamp::now())
}
