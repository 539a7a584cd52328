//! Servers for tests: one accept loop, and on it a stand-in for an API server with one held namespace
//! that is being deleted. Each test answers some requests differently.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// A request.
pub struct Request {
    pub method: String,
    /// The path without the query.
    pub path: String,
    /// The first line and all headers.
    pub head: String,
    pub body: Vec<u8>,
}

/// A server that answers until the tests end.
pub struct Server {
    /// `http://127.0.0.1:PORT`
    pub address: String,
    /// The number of connections, for any requests.
    pub connections: Arc<AtomicUsize>,
    /// The heads of all requests.
    pub heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server. `answers` returns whether it has answered; otherwise the server gives its
    /// usual answer.
    pub fn start(answers: impl Fn(&Request, &mut TcpStream) -> bool + Send + Sync + 'static) -> Self {
        let (connections, heads): (Arc<AtomicUsize>, Arc<Mutex<Vec<String>>>) = Default::default();
        let (counter, kept) = (Arc::clone(&connections), Arc::clone(&heads));
        let address = listen(move |mut client| {
            counter.fetch_add(1, Ordering::SeqCst);
            let Some(request) = Request::read(&mut client) else { return };
            kept.lock().expect("no test has failed").push(request.head.clone());
            if !answers(&request, &mut client) {
                answer(&mut client, 200, "application/json", &usual(&request));
            }
            client.shutdown(Shutdown::Both).ok();
        });
        Self { address: format!("http://{address}"), connections, heads }
    }
}

/// Serves each connection to a new address in a thread of its own, until the tests end. Returns the
/// address, `127.0.0.1:PORT`.
pub fn listen(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> String {
    listen_while(|| true, serve)
}

/// The same until `goes_on`, which is asked at each connection, says no.
pub fn listen_while(
    goes_on: impl Fn() -> bool + Send + 'static,
    serve: impl Fn(TcpStream) + Send + Sync + 'static,
) -> String {
    let (listener, address) = silent();
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok).take_while(|_| goes_on()) {
            let serve = Arc::clone(&serve);
            thread::spawn(move || serve(client));
        }
    });
    address
}

/// An address that accepts connections and never answers, as long as the listener lives.
pub fn silent() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    (listener, address)
}

impl Request {
    /// Reads a whole request.
    pub fn read(client: &mut impl Read) -> Option<Self> {
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            read_more(client, &mut bytes)?;
        };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut body = bytes.split_off(end);
        while body.len() < length(&head) {
            read_more(client, &mut body)?;
        }
        let mut words = head.split([' ', '?']).map(str::to_owned);
        let (method, path) = (words.next()?, words.next()?);
        Some(Self { method, path, head, body })
    }

    /// The first line.
    pub fn line(&self) -> &str {
        self.head.lines().next().unwrap_or_default()
    }

    /// The request as it was received.
    pub fn bytes(&self) -> Vec<u8> {
        [self.head.as_bytes(), &self.body].concat()
    }
}

fn read_more(client: &mut impl Read, bytes: &mut Vec<u8>) -> Option<()> {
    let mut piece = [0; 16384];
    let read = client.read(&mut piece).ok().filter(|read| *read > 0)?;
    bytes.extend_from_slice(&piece[..read]);
    Some(())
}

/// The length of the body after a head.
fn length(head: &str) -> usize {
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    length.unwrap_or_default()
}

/// Sends a whole answer.
pub fn answer(client: &mut impl Write, status: u16, content_type: &str, body: &str) -> bool {
    raw(client, &format!("HTTP/1.1 {status} Status\r\nContent-Type: {content_type}\r\n"), body.as_bytes())
}

/// Sends a whole answer whose head begins with `head`.
pub fn raw(client: &mut impl Write, head: &str, body: &[u8]) -> bool {
    let rest = format!("Connection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    client.write_all(format!("{head}{rest}").as_bytes()).and_then(|()| client.write_all(body)).ok();
    true
}

/// Sends an answer that begins with `start` and continues with `piece` until the connection is closed.
pub fn endless(client: &mut TcpStream, start: &str, piece: &str) -> bool {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
    let piece = piece.repeat(1 + 65_536 / piece.len());
    let begun = client.write_all(format!("{head}{start}").as_bytes());
    while begun.is_ok() && client.write_all(piece.as_bytes()).is_ok() {}
    true
}

pub const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// The namespace under diagnosis.
pub const SHOP: &str = r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop","uid":"u-shop",
    "creationTimestamp":"2026-01-01T00:00:00Z","deletionTimestamp":"2026-01-02T00:00:00Z"},
    "spec":{"finalizers":["kubernetes"]},"status":{"phase":"Terminating"}}"#;

/// The object that holds it.
pub const HELD: &str = r#"{"metadata":{"name":"held","namespace":"shop","uid":"u-held",
    "creationTimestamp":"2026-01-01T00:00:00Z","deletionTimestamp":"2026-01-02T00:00:00Z",
    "finalizers":["acme.io/hold"]}}"#;

/// A resource in the form of legacy discovery.
pub fn served(plural: &str, kind: &str, namespaced: bool) -> String {
    format!(
        r#"{{"name":"{plural}","singularName":"","namespaced":{namespaced},"kind":"{kind}","verbs":["delete","get","list","patch","watch"]}}"#
    )
}

/// A list of these items.
pub fn list(items: &str) -> String {
    format!(r#"{{"kind":"List","apiVersion":"v1","metadata":{{"resourceVersion":"7"}},"items":[{items}]}}"#)
}

/// The answers of a healthy server.
fn usual(request: &Request) -> String {
    match request.path.as_str() {
        "/version" => r#"{"gitVersion":"v1.36.1"}"#.into(),
        "/api" => r#"{"kind":"APIVersions","versions":["v1"]}"#.into(),
        "/apis" => r#"{"kind":"APIGroupList","groups":[]}"#.into(),
        "/api/v1" => {
            let resources = [served("namespaces", "Namespace", false), served("configmaps", "ConfigMap", true)];
            format!(r#"{{"kind":"APIResourceList","groupVersion":"v1","resources":[{}]}}"#, resources.join(","))
        }
        "/api/v1/namespaces/shop" => SHOP.into(),
        "/api/v1/namespaces" => list(SHOP),
        "/api/v1/configmaps" | "/api/v1/namespaces/shop/configmaps" => list(HELD),
        "/api/v1/namespaces/shop/configmaps/held" => HELD.into(),
        _ => list(""),
    }
}
