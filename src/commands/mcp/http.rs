//! `mcp --listen`: the same server on streamable HTTP. Clients always need the token, even on
//! loopback, where every user and every page in a browser can connect. The header Origin reveals
//! that a request comes from a browser, and Host that it was sent to a DNS name that somebody made
//! point here.
//!
//! rmcp checks Host and Origin, and answers each request by itself: there are no sessions.

use super::entrance::{Entrance, Visitor};
use super::server::{MAX_MESSAGE, McpServer};
use crate::cli::McpFlags;
use crate::commands::out;
use crate::failure::Failure;
use crate::plan::quote;
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONNECTION, HOST, HeaderName, ORIGIN, WWW_AUTHENTICATE};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::convert::Infallible;
use std::fmt::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tower::Service;

/// The path of the protocol.
const PATH: &str = "/mcp";
/// The origins of pages that a program on this machine serves, such as an inspector.
const LOOPBACK: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];
/// How long a client may take to send the head of a request, and how long a connection may be idle.
const HEAD: Duration = Duration::from_secs(10);
/// How long to wait if the system has no socket left.
const NO_SOCKET: Duration = Duration::from_millis(100);
/// The minimum length of a token; a shorter one could be guessed.
const MIN_TOKEN: usize = 16;
/// The length of a generated token, in bytes.
const MADE_TOKEN: usize = 32;

/// Serves until it is dropped.
///
/// # Errors
/// When the address or the token is not valid, or the address is not available.
pub(super) async fn serve(server: McpServer, listen: SocketAddr, flags: &McpFlags) -> Result<(), Failure> {
    is_safe(listen, flags)?;
    let token = flags.token_file.as_deref().map_or_else(make, read)?;
    let cannot = |error: std::io::Error| Failure::unknown(format!("{listen} cannot be served: {error}"));
    let listener = TcpListener::bind(listen).await.map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    let place =
        flags.behind_tls.as_ref().map_or(format!("http://{address}{PATH}"), |host| format!("https://{host}{PATH}"));
    out::talk(format!("MCP is served at {place}, to clients that send the header Authorization: Bearer TOKEN"));
    if flags.token_file.is_none() {
        out::talk(format!("the token, until this server ends: {token}"));
    }
    let guard = TokenGuard { token: token.into(), service: service(server, flags) };
    accept(&listener, &guard).await
}

/// Refuses to send the token and the answers over a network where others can read them.
fn is_safe(listen: SocketAddr, flags: &McpFlags) -> Result<(), Failure> {
    if listen.ip().is_loopback() || flags.behind_tls.is_some() {
        return Ok(());
    }
    Err(Failure::unknown(format!(
        "{listen} is not a loopback address: the token and the answers could be read on the network"
    ))
    .hint(
        "put a proxy that terminates TLS in front and name its host: --behind-tls mcp.example.com; or listen on \
            127.0.0.1",
    ))
}

#[expect(clippy::disallowed_types, reason = "the token is in a file of the user's")]
fn read(path: &Path) -> Result<String, Failure> {
    let wrong = |why: &str| Failure::unknown(format!("the token in {} {why}", path.display()));
    let unreadable = |error| wrong(&format!("cannot be read: {error}"));
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    if is_open_to_others(&file.metadata().map_err(unreadable)?) {
        return Err(wrong("can be read or changed by other users")
            .hint("let only its owner read it")
            .command(format!("chmod 600 {}", quote(&path.display().to_string()))));
    }
    let mut text = String::new();
    std::io::Read::read_to_string(&mut file, &mut text).map_err(unreadable)?;
    let token = text.trim();
    if token.len() < MIN_TOKEN || !token.chars().all(|c| c.is_ascii_graphic()) {
        return Err(wrong(&format!("must be at least {MIN_TOKEN} letters and digits"))
            .hint("this prints one")
            .command("openssl rand -hex 32"));
    }
    Ok(token.to_owned())
}

/// Whether others may read the file, or anybody but its owner may change it. A group may read it: it is
/// how the kubelet gives a Secret to a pod with `fsGroup`.
#[cfg(unix)]
fn is_open_to_others(file: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::mode(file) & 0o027 != 0
}

/// On Windows, a file has the access list of its folder.
#[cfg(not(unix))]
fn is_open_to_others(_: &std::fs::Metadata) -> bool {
    false
}

fn make() -> Result<String, Failure> {
    let mut bytes = [0; MADE_TOKEN];
    let made = SystemRandom::new().fill(&mut bytes);
    made.map_err(|_| {
        Failure::unknown("the system provides no random numbers for a token")
            .hint("name a file with one: --token-file FILE")
    })?;
    Ok(bytes.iter().fold(String::new(), |mut token, byte| {
        let _ = write!(token, "{byte:02x}");
        token
    }))
}

/// rmcp's service, for clients that use a known name of this server, and not for foreign pages in a
/// browser.
fn service(server: McpServer, flags: &McpFlags) -> Mcp {
    let mut config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_MESSAGE)
        .with_allowed_origins(LOOPBACK);
    if let Some(host) = &flags.behind_tls {
        config = config.with_allowed_hosts([host]).with_allowed_origins([format!("https://{host}:443")]);
    }
    StreamableHttpService::new(move || Ok(server.clone()), Arc::new(NeverSessionManager::default()), config)
}

async fn accept(listener: &TcpListener, guard: &TokenGuard) -> Result<(), Failure> {
    let entrance = Entrance::default();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(NO_SOCKET).await;
            continue;
        };
        let (visitor, sent_away) = entrance.enter();
        let guarded = GuardedConnection { guard: guard.clone(), visitor: Arc::clone(&visitor) };
        tokio::spawn(async move {
            tokio::select! {
                () = answer(stream, guarded) => {}
                // The sender is dropped without a message once the client has shown the token.
                Ok(()) = sent_away => {}
            }
            visitor.leave();
        });
    }
}

/// Answers the requests of one connection.
async fn answer(stream: TcpStream, guarded: GuardedConnection) {
    let service = tower::service_fn(move |request| guarded.clone().answer(request));
    let mut builder = auto::Builder::new(TokioExecutor::new()).http1_only();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD);
    // A client may abort its own request.
    builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service)).await.ok();
}

/// A connection, whose client may not have shown the token yet.
#[derive(Clone)]
struct GuardedConnection {
    guard: TokenGuard,
    visitor: Arc<Visitor>,
}

impl GuardedConnection {
    async fn answer<B>(self, request: Request<B>) -> Result<HttpAnswer, Infallible>
    where
        B: http_body::Body + Send + 'static,
        B::Data: Send + 'static,
        B::Error: std::fmt::Display,
    {
        if !self.guard.knows(&request) {
            let mut refused =
                last(StatusCode::UNAUTHORIZED, "the header Authorization: Bearer TOKEN is missing or wrong\n");
            refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            return Ok(refused);
        }
        if !self.visitor.is_let_in() {
            return Ok(last(StatusCode::SERVICE_UNAVAILABLE, "too many clients are connected\n"));
        }
        self.guard.answer(request).await
    }
}

type Mcp = StreamableHttpService<McpServer, NeverSessionManager>;
type HttpAnswer = Response<BoxBody<Bytes, Infallible>>;

/// Passes on requests that have the token.
#[derive(Clone)]
struct TokenGuard {
    token: Arc<str>,
    service: Mcp,
}

impl TokenGuard {
    async fn answer<B>(mut self, request: Request<B>) -> Result<HttpAnswer, Infallible>
    where
        B: http_body::Body + Send + 'static,
        B::Data: Send + 'static,
        B::Error: std::fmt::Display,
    {
        if !names_one_place(request.headers()) {
            return Ok(last(StatusCode::FORBIDDEN, "the header Host or Origin is not one host with its port\n"));
        }
        if request.uri().path() != PATH {
            return Ok(said(StatusCode::NOT_FOUND, "MCP is served at /mcp\n"));
        }
        self.service.call(request).await
    }

    /// Whether the request has the token. Digests are compared, so that the time does not reveal
    /// how much of a token is right.
    fn knows<B>(&self, request: &Request<B>) -> bool {
        let sent = request.headers().get(AUTHORIZATION).and_then(|sent| sent.to_str().ok());
        let token =
            sent.and_then(|sent| sent.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let of = |token: &str| digest(&SHA256, token.as_bytes());
        token.is_some_and(|(_, token)| of(token.trim()).as_ref() == of(&self.token).as_ref())
    }
}

fn said(status: StatusCode, text: &'static str) -> HttpAnswer {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *answer.status_mut() = status;
    answer
}

/// The answer, after which the connection is closed.
fn last(status: StatusCode, text: &'static str) -> HttpAnswer {
    let mut answer = said(status, text);
    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    answer
}

/// Whether there is at most one Host and one Origin, each of which is a host with a port that is a
/// number. rmcp takes the first of several, and reads `localhost:80.evil.example` as `localhost`.
fn names_one_place(headers: &HeaderMap) -> bool {
    let is_one = |name: HeaderName, is_right: fn(&str) -> bool| {
        let mut all = headers.get_all(name).iter();
        all.next().is_none_or(|first| first.to_str().is_ok_and(is_right)) && all.next().is_none()
    };
    let is_origin = |text: &str| text == "null" || text.split_once("://").is_some_and(|(_, place)| is_place(place));
    is_one(HOST, is_place) && is_one(ORIGIN, is_origin)
}

/// Whether a text is `HOST` or `HOST:PORT`, and nothing else.
fn is_place(text: &str) -> bool {
    let Ok(authority) = text.parse::<Authority>() else { return false };
    match authority.port_u16() {
        Some(port) => text == format!("{}:{port}", authority.host()),
        None => text == authority.host(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tools::Clusters;
    use super::*;
    use crate::cli::Cli;
    use clap::Parser;
    use serde_json::{Value, json};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const TOKEN: &str = "0123456789abcdef";
    const BEARER: &str = "Authorization: Bearer 0123456789abcdef";

    fn flags(line: &str) -> McpFlags {
        let words = ["kubectl-unstick", "mcp"].into_iter().chain(line.split_whitespace());
        match Cli::parse_from(words).command {
            Some(crate::cli::Command::Mcp(flags)) => flags,
            other => panic!("{other:?}"),
        }
    }

    /// A server on loopback that answers for this test.
    async fn serving(line: &str) -> SocketAddr {
        let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/src/commands/demo/survey.yaml");
        let cli = Cli::parse_from(["kubectl-unstick", "mcp", "--from", demo]);
        let service = service(McpServer::new(cli, Clusters::One), &flags(line));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { accept(&listener, &TokenGuard { token: TOKEN.into(), service }).await });
        address
    }

    /// The status and the body of the answer to a message with these headers.
    async fn posted(address: SocketAddr, path: &str, headers: &[&str], message: &Value) -> (u16, String) {
        let body = message.to_string();
        let mut head = format!("POST {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        head += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
        for header in headers {
            head = head + header + "\r\n";
        }
        if !headers.iter().any(|header| header.starts_with("Host:")) {
            head = format!("{head}Host: {address}\r\n");
        }
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn explained(meta: Option<&Value>) -> Value {
        let mut parameters = json!({"name": "explain", "arguments": {"word": "finalizer"}});
        if let Some(meta) = meta {
            parameters["_meta"] = meta.clone();
        }
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters})
    }

    #[tokio::test]
    async fn a_request_needs_the_token_also_on_loopback() {
        let address = serving("--listen 127.0.0.1:0").await;
        for headers in [&[][..], &["Authorization: Bearer 0123456789abcdeF"], &["Authorization: 0123456789abcdef"]] {
            assert_eq!(posted(address, "/mcp", headers, &explained(None)).await.0, 401, "{headers:?}");
        }
        let (status, body) = posted(address, "/mcp", &[BEARER], &explained(None)).await;
        assert_eq!(status, 200, "{body}");
        assert!(body.contains("finalizer"), "{body}");
        assert_eq!(posted(address, "/", &[BEARER], &explained(None)).await.0, 404);
    }

    #[tokio::test]
    async fn foreign_origins_and_host_names_are_refused() {
        let address = serving("--listen 127.0.0.1:0").await;
        for header in [
            "Origin: https://evil.example",
            "Origin: null",
            "Origin: http://localhost:80.evil.example",
            "Origin: http://localhost:",
            "Origin: http://localhost\r\nOrigin: https://evil.example",
            "Host: evil.example",
            "Host: 127.0.0.1.evil.example",
            "Host: 127.0.0.1\r\nHost: evil.example",
        ] {
            let status = posted(address, "/mcp", &[BEARER, header], &explained(None)).await.0;
            assert_eq!(status, 403, "{header}");
        }
        let address = serving("--listen 127.0.0.1:0 --behind-tls mcp.example.com").await;
        for (header, status) in [
            ("Host: mcp.example.com", 200),
            ("Host: 127.0.0.1", 403),
            ("Host: mcp.example.com\r\nOrigin: https://mcp.example.com", 200),
            ("Host: mcp.example.com\r\nOrigin: http://mcp.example.com", 403),
        ] {
            assert_eq!(posted(address, "/mcp", &[BEARER, header], &explained(None)).await.0, status, "{header}");
        }
    }

    #[tokio::test]
    async fn both_generations_are_served_without_sessions() {
        let address = serving("--listen 127.0.0.1:0").await;
        let client = json!({"name": "test", "version": "1"});
        let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}});
        let (status, body) = posted(address, "/mcp", &[BEARER], &greeting).await;
        assert!(status == 200 && body.contains(r#""protocolVersion":"2025-11-25""#), "{status} {body}");
        let old = [BEARER, "MCP-Protocol-Version: 2025-11-25"];
        let (status, body) = posted(address, "/mcp", &old, &explained(None)).await;
        assert!(status == 200 && !body.contains("resultType"), "{status} {body}");
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": client, "io.modelcontextprotocol/clientCapabilities": {}});
        let new = [BEARER, "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: explain"];
        let (status, body) = posted(address, "/mcp", &new, &explained(Some(&meta))).await;
        assert!(status == 200 && body.contains(r#""resultType":"complete""#), "{status} {body}");
        let mut named = explained(Some(&meta));
        named["params"]["arguments"]["context"] = "another".into();
        let (_, body) = posted(address, "/mcp", &new, &named).await;
        assert!(body.contains("has no parameter") && body.contains("context"), "one cluster is served: {body}");
    }

    #[test]
    fn only_loopback_is_served_without_tls() {
        let wrong = is_safe("0.0.0.0:80".parse().unwrap(), &flags("--listen 0.0.0.0:80")).unwrap_err().to_string();
        assert!(wrong.contains("not a loopback address") && wrong.contains("--behind-tls"), "{wrong}");
        for line in ["--listen 0.0.0.0:80 --behind-tls mcp.example.com", "--listen [::1]:80", "--listen localhost:80"] {
            let flags = flags(line);
            assert!(is_safe(flags.listen.unwrap(), &flags).is_ok(), "{line}");
        }
    }

    #[test]
    fn tokens_are_long_and_unique() {
        let (one, other) = (make().unwrap(), make().unwrap());
        assert!(one.len() == 2 * MADE_TOKEN && one != other);
        let missing = read(Path::new("/nowhere/token")).unwrap_err().to_string();
        assert!(missing.contains("cannot be read"), "{missing}");
    }

    #[cfg(unix)]
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the token is in a file")]
    fn a_token_that_others_may_read_or_change_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let path = std::env::temp_dir().join(format!("unstick-token-{}", std::process::id()));
        std::fs::write(&path, "short").unwrap();
        for (mode, why) in [
            (0o600, "must be at least 16"),
            (0o440, "must be at least 16"),
            (0o644, "by other users\nhint: let only its owner read it\n  $ chmod 600 "),
            (0o620, "by other users"),
        ] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            let refused = read(&path).unwrap_err().to_string();
            assert!(refused.contains(why), "{mode:o}: {refused}");
        }
        std::fs::remove_file(path).unwrap();
    }

    #[tokio::test]
    async fn clients_without_the_token_keep_nobody_out() {
        let address = serving("--listen 127.0.0.1:0").await;
        let refused = format!("GET /mcp HTTP/1.1\r\nHost: {address}\r\n\r\n");
        let mut idle = Vec::new();
        for number in 0..128 {
            let mut stream = TcpStream::connect(address).await.unwrap();
            if number % 2 == 0 {
                // Without an end, unless the server closes.
                stream.write_all(refused.as_bytes()).await.unwrap();
                let mut answer = String::new();
                stream.read_to_string(&mut answer).await.unwrap();
                assert!(answer.starts_with("HTTP/1.1 401 ") && answer.contains("connection: close"), "{answer}");
            }
            idle.push(stream);
        }
        let message = explained(None);
        let answered = posted(address, "/mcp", &[BEARER], &message);
        let (status, _) = tokio::time::timeout(Duration::from_secs(5), answered).await.expect("it is let in");
        assert_eq!(status, 200);
    }
}
