//! A server behind the API server that ignores `dryRun`. It serves things of any requested group
//! and version, and records the senders of writes.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

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
    pub fn start(certs: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let config = Arc::new(config(certs));
        let writes: Arc<Mutex<Vec<Sent>>> = Arc::default();
        let kept = Arc::clone(&writes);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (config, kept) = (Arc::clone(&config), Arc::clone(&kept));
                thread::spawn(move || serve(client, config, &kept));
            }
        });
        Self { port, writes }
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

fn config(certs: &Path) -> ServerConfig {
    let chain = CertificateDer::pem_file_iter(certs.join("server.crt")).expect("a certificate");
    let chain = chain.collect::<Result<Vec<_>, _>>().expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(certs.join("server.key")).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().expect("versions of TLS");
    config.with_no_client_auth().with_single_cert(chain, key).expect("they fit")
}

/// Serves one request per connection.
fn serve(client: TcpStream, config: Arc<ServerConfig>, writes: &Mutex<Vec<Sent>>) {
    let connection = ServerConnection::new(config).expect("a connection");
    let mut stream = StreamOwned::new(connection, client);
    let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
    let head = loop {
        match stream.read(&mut piece) {
            Ok(read @ 1..) => bytes.extend_from_slice(&piece[..read]),
            _ => return,
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            break head.to_owned();
        }
    };
    let mut words = head.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if method != "GET" {
        let agent = head.lines().find_map(|line| line.to_lowercase().strip_prefix("user-agent: ").map(str::to_owned));
        let write = Sent { line: format!("{method} {target}"), agent: agent.unwrap_or_default() };
        writes.lock().unwrap_or_else(PoisonError::into_inner).push(write);
    }
    let (status, body) = answer(target.split('?').next().unwrap_or_default());
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} Status\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).ok();
    stream.conn.send_close_notify();
    stream.flush().ok();
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
