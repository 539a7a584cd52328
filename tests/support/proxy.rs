//! A plain-HTTP way to the API server, so that a test can inspect requests, and answer them wrongly.

use super::control_plane::ControlPlane;
use super::server::{Request, listen};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// `kubectl proxy`, until it is dropped.
pub struct Behind {
    child: Child,
    /// `127.0.0.1:PORT`
    pub address: String,
}

impl Behind {
    pub fn start(plane: &ControlPlane) -> Self {
        let mut kubectl = plane.command("kubectl");
        kubectl.args(["proxy", "--port=0"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = kubectl.spawn().expect("kubectl proxy");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("its address");
        let address = line.trim().rsplit(' ').next().expect("an address").to_owned();
        Self { child, address }
    }
}

impl Drop for Behind {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// `kubectl proxy`, and an address in front of it, until it is dropped.
pub struct Front {
    _behind: Behind,
    /// `http://127.0.0.1:PORT`
    pub address: String,
}

impl Front {
    /// Hands every connection to the address to `serve`, with a connection to the server.
    pub fn start(plane: &ControlPlane, serve: impl Fn(&TcpStream, &TcpStream) + Send + Sync + 'static) -> Self {
        let behind = Behind::start(plane);
        let server = behind.address.clone();
        let address = listen(move |client| serve(&client, &TcpStream::connect(&server).expect("kubectl proxy")));
        Self { _behind: behind, address: format!("http://{address}") }
    }
}

/// The server's answer to a request.
pub fn pass_on(server: &str, request: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    let Ok(mut server) = TcpStream::connect(server) else { return answer };
    let line = request.iter().position(|byte| *byte == b'\n').map_or(0, |place| place + 1);
    let parts = [&request[..line], b"Connection: close\r\n", &request[line..]].concat();
    if server.write_all(&parts).is_ok() {
        server.read_to_end(&mut answer).ok();
    }
    answer
}

/// An address in front of the server, `http://127.0.0.1:PORT`. `answers` may answer instead of the
/// server: it gets the number of earlier requests and the request line, and returns whether it has
/// answered.
pub fn in_front(
    behind: &Behind,
    answers: impl Fn(usize, &str, &mut TcpStream) -> bool + Send + Sync + 'static,
) -> String {
    let (server, count) = (behind.address.clone(), AtomicUsize::new(0));
    let address = listen(move |mut client| {
        let Some(request) = Request::read(&mut client) else { return };
        if !answers(count.fetch_add(1, Ordering::SeqCst), request.line(), &mut client) {
            client.write_all(&pass_on(&server, &request.bytes())).ok();
        }
        client.shutdown(Shutdown::Both).ok();
    });
    format!("http://{address}")
}

/// An address that is cut off again and again.
pub struct Cutting {
    /// `127.0.0.1:PORT`
    pub address: String,
    /// How often a connection was cut.
    pub cuts: Arc<AtomicUsize>,
}

impl Cutting {
    /// Cuts each connection after this many bytes of answers. After the first cut, no connection is
    /// answered for `away`.
    pub fn start(server: &str, after: usize, away: Duration) -> Self {
        let (cuts, first) = (Arc::new(AtomicUsize::new(0)), OnceLock::<Instant>::new());
        let counter = Arc::clone(&cuts);
        let address = between(server, move |client, server| {
            let is_away = || first.get().is_some_and(|cut| cut.elapsed() < away);
            if !is_away() && carry(client, server, |carried| carried > after || is_away()) {
                first.get_or_init(Instant::now);
                counter.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { address, cuts }
    }
}

/// An address in front of the server, `127.0.0.1:PORT`. Before it passes on more of an answer, it
/// calls `seen` with the number of bytes passed on so far on this connection.
pub fn watched(server: &str, seen: impl Fn(usize) + Send + Sync + 'static) -> String {
    between(server, move |client, server| {
        let tell = |carried| {
            seen(carried);
            false
        };
        carry(client, server, tell);
    })
}

/// An address in front of the server, `127.0.0.1:PORT`. Each connection has its own to the server,
/// and both end together.
fn between(server: &str, serve: impl Fn(&TcpStream, &TcpStream) + Send + Sync + 'static) -> String {
    let server = server.to_owned();
    listen(move |client| {
        let Ok(server) = TcpStream::connect(&server) else { return };
        serve(&client, &server);
        client.shutdown(Shutdown::Both).ok();
        server.shutdown(Shutdown::Both).ok();
    })
}

/// Passes bytes both ways, until `is_cut` returns true for the number of bytes from the server.
/// Returns whether that happened.
fn carry(client: &TcpStream, server: &TcpStream, is_cut: impl Fn(usize) -> bool) -> bool {
    let (mut from, mut to) = (client.try_clone().expect("a clone"), server.try_clone().expect("a clone"));
    thread::spawn(move || std::io::copy(&mut from, &mut to));
    let (mut from, mut to, mut carried, mut bytes) = (server, client, 0, vec![0; 16384]);
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        carried += read;
        if is_cut(carried) {
            return true;
        }
        if to.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    false
}
