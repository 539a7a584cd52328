//! A plain-HTTP way to the API server, so that a test can look into requests, and
//! answer them wrongly.

use super::control_plane::ControlPlane;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// `kubectl proxy`; it ends with the value.
pub struct Behind {
    child: Child,
    /// `127.0.0.1:PORT`
    address: String,
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

/// `kubectl proxy`, and an address in front of it; it ends with the value.
pub struct Front {
    _behind: Behind,
    /// `http://127.0.0.1:PORT`
    pub address: String,
}

impl Front {
    /// Every connection to the address is handed to `serve`, with one to the server.
    pub fn start(plane: &ControlPlane, serve: impl Fn(&TcpStream, &TcpStream) + Clone + Send + 'static) -> Self {
        let behind = Behind::start(plane);
        let server = behind.address.clone();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        thread::spawn(move || {
            for client in listener.incoming() {
                let client = client.expect("a client");
                let server = TcpStream::connect(&server).expect("kubectl proxy");
                let serve = serve.clone();
                thread::spawn(move || serve(&client, &server));
            }
        });
        Self { _behind: behind, address }
    }
}

/// What goes wrong with one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Answered with this status; the server never sees it.
    Status(u16),
    /// The connection is cut; the server never sees it.
    Cut,
    /// The server carries it out, and the connection is cut before the answer.
    AnswerLost,
    /// Nobody answers; the server never sees it.
    Silence,
    /// The program is killed; the server never sees it.
    KilledBefore,
    /// The program is killed when the server has carried it out.
    KilledAfter,
}

/// Which request: counted from 1 among its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// A request that changes nothing.
    Read(usize),
    /// A dry run.
    DryRun(usize),
    /// A request that changes something.
    Write(usize),
}

/// An address in front of the server where one request meets a fault.
pub struct Faulty {
    /// `http://127.0.0.1:PORT`
    pub address: String,
    state: Arc<State>,
}

struct State {
    server: String,
    fault: Fault,
    at: At,
    /// Requests so far: reads, dry runs, writes.
    seen: [AtomicUsize; 3],
    fired: AtomicBool,
    /// The program's process.
    pid: AtomicU32,
}

impl Faulty {
    pub fn start(behind: &Behind, fault: Fault, at: At) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let state = Arc::new(State {
            server: behind.address.clone(),
            fault,
            at,
            seen: Default::default(),
            fired: AtomicBool::new(false),
            pid: AtomicU32::new(0),
        });
        let shared = Arc::clone(&state);
        // The thread waits for clients until the tests end.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let state = Arc::clone(&shared);
                thread::spawn(move || state.serve(client));
            }
        });
        Self { address, state }
    }

    /// Says whom to kill.
    pub fn watches(&self, pid: u32) {
        self.state.pid.store(pid, Ordering::SeqCst);
    }

    /// Whether the fault has happened.
    pub fn has_fired(&self) -> bool {
        self.state.fired.load(Ordering::SeqCst)
    }
}

impl State {
    /// One request for each connection.
    fn serve(&self, mut client: TcpStream) {
        let Some(request) = read_request(&mut client) else { return };
        let fault = self.is_the_one(&request).then_some(self.fault);
        if fault.is_some() {
            self.fired.store(true, Ordering::SeqCst);
        }
        match fault {
            None => drop(client.write_all(&pass_on(&self.server, &request))),
            Some(Fault::Status(status)) => drop(client.write_all(answer(status).as_bytes())),
            Some(Fault::Cut) => {}
            Some(Fault::AnswerLost) => drop(pass_on(&self.server, &request)),
            Some(Fault::Silence) => thread::sleep(Duration::from_secs(20)),
            Some(Fault::KilledBefore) => self.kill(),
            Some(Fault::KilledAfter) => {
                pass_on(&self.server, &request);
                self.kill();
            }
        }
        client.shutdown(Shutdown::Both).ok();
    }

    fn is_the_one(&self, request: &[u8]) -> bool {
        let text = String::from_utf8_lossy(request);
        let is_read = text.starts_with("GET ") || text.contains("/selfsubject");
        let is_dry = text.contains("dryRun");
        let (kind, place) = match (is_read, is_dry, self.at) {
            (true, _, At::Read(place)) => (0, place),
            (false, true, At::DryRun(place)) => (1, place),
            (false, false, At::Write(place)) => (2, place),
            _ => return false,
        };
        self.seen[kind].fetch_add(1, Ordering::SeqCst) + 1 == place
    }

    fn kill(&self) {
        let pid = self.pid.load(Ordering::SeqCst).to_string();
        Command::new("kill").args(["-9", &pid]).status().expect("kill runs");
    }
}

/// The server's answer to a request.
fn pass_on(server: &str, request: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    let Ok(mut server) = TcpStream::connect(server) else { return answer };
    let line = request.iter().position(|byte| *byte == b'\n').map_or(0, |place| place + 1);
    let parts = [&request[..line], b"Connection: close\r\n", &request[line..]].concat();
    if server.write_all(&parts).is_ok() {
        server.read_to_end(&mut answer).ok();
    }
    answer
}

/// An address in front of the server, `http://127.0.0.1:PORT`, where `answers` may answer in
/// its place: told how many requests came before, and the first line of this one, it says
/// whether it has.
pub fn in_front(
    behind: &Behind,
    answers: impl Fn(usize, &str, &mut TcpStream) -> bool + Send + Sync + 'static,
) -> String {
    let (listener, server) = (TcpListener::bind("127.0.0.1:0").expect("a port"), behind.address.clone());
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let (answers, count) = (Arc::new(answers), Arc::new(AtomicUsize::new(0)));
    thread::spawn(move || {
        for mut client in listener.incoming().map_while(Result::ok) {
            let (answers, count, server) = (Arc::clone(&answers), Arc::clone(&count), server.clone());
            thread::spawn(move || {
                let Some(request) = read_request(&mut client) else { return };
                let text = String::from_utf8_lossy(&request);
                let line = text.lines().next().unwrap_or_default();
                if !answers(count.fetch_add(1, Ordering::SeqCst), line, &mut client) {
                    client.write_all(&pass_on(&server, &request)).ok();
                }
                client.shutdown(Shutdown::Both).ok();
            });
        }
    });
    address
}

/// A way to an address that is cut off again and again.
pub struct Cutting {
    /// `127.0.0.1:PORT`
    pub address: String,
    /// How often a connection was cut.
    pub cuts: Arc<AtomicUsize>,
}

impl Cutting {
    /// Each connection is cut after so many bytes of answers; for so long after the first time
    /// nobody answers at all.
    pub fn start(server: &str, after: usize, away: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let (cuts, first) = (Arc::new(AtomicUsize::new(0)), Arc::new(OnceLock::<Instant>::new()));
        let (counter, server) = (Arc::clone(&cuts), server.to_owned());
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if first.get().is_some_and(|cut| cut.elapsed() < away) {
                    continue;
                }
                let (first, cuts, server) = (Arc::clone(&first), Arc::clone(&counter), server.clone());
                thread::spawn(move || {
                    let Ok(server) = TcpStream::connect(server) else { return };
                    if carry(&client, &server, after) {
                        first.get_or_init(Instant::now);
                        cuts.fetch_add(1, Ordering::SeqCst);
                    }
                    client.shutdown(Shutdown::Both).ok();
                    server.shutdown(Shutdown::Both).ok();
                });
            }
        });
        Self { address, cuts }
    }
}

/// Carries bytes both ways, so many of the server's at the most; whether it was cut off.
fn carry(client: &TcpStream, server: &TcpStream, most: usize) -> bool {
    let (mut from, mut to) = (client.try_clone().expect("a clone"), server.try_clone().expect("a clone"));
    thread::spawn(move || std::io::copy(&mut from, &mut to));
    let (mut from, mut to, mut carried, mut bytes) = (server, client, 0, vec![0; 16384]);
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        carried += read;
        if carried > most {
            return true;
        }
        if to.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    false
}

/// A request as it came, with its body.
fn read_request(client: &mut TcpStream) -> Option<Vec<u8>> {
    let (mut request, mut bytes) = (Vec::new(), [0; 16384]);
    loop {
        let read = client.read(&mut bytes).ok().filter(|read| *read > 0)?;
        request.extend_from_slice(&bytes[..read]);
        let text = String::from_utf8_lossy(&request);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        });
        if body.len() >= length.unwrap_or(0) {
            return Some(request);
        }
    }
}

/// An error in the API server's own form.
fn answer(status: u16) -> String {
    let body = format!(
        r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","message":"made up by the test","reason":"Fault","code":{status}}}"#
    );
    let retry = if status == 429 { "Retry-After: 1\r\n" } else { "" };
    format!(
        "HTTP/1.1 {status} Fault\r\nContent-Type: application/json\r\n{retry}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}
