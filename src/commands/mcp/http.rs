//! `mcp --listen`: the same server on streamable HTTP. Clients always need the token, even on
//! loopback, where every user and every page in a browser can connect. The header Origin reveals
//! that a request comes from a browser, and Host that it was sent to a DNS name that somebody made
//! point here.
//!
//! rmcp checks Host and Origin, and answers each request by itself: there are no sessions.

use super::server::{MAX_MESSAGE, McpServer};
use crate::cli::McpFlags;
use crate::commands::out;
use crate::failure::Failure;
use bytes::Bytes;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{Request, Response, StatusCode};
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
use tokio::sync::Semaphore;
use tower::Service;

/// The path of the protocol.
const PATH: &str = "/mcp";
/// The origins of pages that a program on this machine serves, such as an inspector.
const LOOPBACK: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];
/// The maximum number of connected clients.
const MAX_CONNECTIONS: usize = 64;
/// How long a client may take to send the head of a request.
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

#[expect(clippy::disallowed_methods, reason = "the token is in a file of the user's")]
fn read(path: &Path) -> Result<String, Failure> {
    let wrong = |why: &str| Failure::unknown(format!("the token in {} {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    let token = text.trim();
    if token.len() < MIN_TOKEN || !token.chars().all(|c| c.is_ascii_graphic()) {
        return Err(
            wrong(&format!("must be at least {MIN_TOKEN} letters and digits")).hint("openssl rand -hex 32 prints one")
        );
    }
    Ok(token.to_owned())
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
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(connection) = Arc::clone(&connections).acquire_owned().await else { return Ok(()) };
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(NO_SOCKET).await;
            continue;
        };
        let guard = guard.clone();
        tokio::spawn(async move {
            answer(stream, guard).await;
            drop(connection);
        });
    }
}

/// Answers the requests of one connection.
async fn answer(stream: TcpStream, guard: TokenGuard) {
    let guarded = tower::service_fn(move |request| guard.clone().answer(request));
    let mut builder = auto::Builder::new(TokioExecutor::new()).http1_only();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD);
    // A client may abort its own request.
    builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(guarded)).await.ok();
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
        if !self.knows(&request) {
            let mut refused =
                said(StatusCode::UNAUTHORIZED, "the header Authorization: Bearer TOKEN is missing or wrong\n");
            refused.headers_mut().insert(WWW_AUTHENTICATE, http::HeaderValue::from_static("Bearer"));
            return Ok(refused);
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
        for header in
            ["Origin: https://evil.example", "Origin: null", "Host: evil.example", "Host: 127.0.0.1.evil.example"]
        {
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
        let short = read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/rustfmt.toml"))).unwrap_err().to_string();
        assert!(short.contains("must be at least 16"), "{short}");
    }
}
