//! An address in front of the server where one request of a run meets a fault. It records the
//! requests that reached the server.

use super::records::records_of;
use super::requests::{Asked, Class, Kind, Request, Seen, Sent};
use crate::support::proxy::{Behind, pass_on};
use crate::support::server::{self, listen_while};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A fault of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Fault {
    /// The request is answered with this status; the server never sees it.
    Status(u16),
    /// The connection is cut; the server never sees the request.
    Cut,
    /// The server carries the request out, and the connection is cut before the answer.
    AnswerLost,
    /// The server carries the request out, and something else replaces its answer.
    Instead(Instead),
    /// No answer; the request never reaches the server.
    Silence,
    /// The program is killed; the server never sees the request.
    KilledBefore,
    /// The program is killed after the server has carried out the request.
    KilledAfter,
}

/// A replacement for an answer. None reveals what happened to the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Instead {
    /// An answer that claims to be gzip but is not.
    BrokenGzip,
    /// An object that ends in the middle.
    CutJson,
    /// A web page with status 200, as from a proxy on the way.
    WebPage,
    /// A web page with status 403.
    Forbidding,
    /// Status 200, and no body.
    Nothing,
    /// Status 101, and nothing more.
    OtherProtocol,
    /// A redirect (307) to another place.
    Redirect,
}

/// All faults, in the order of the table.
pub const FAULTS: [Fault; 19] = [
    Fault::Status(401),
    Fault::Status(403),
    Fault::Status(409),
    Fault::Status(422),
    Fault::Status(429),
    Fault::Status(500),
    Fault::Status(503),
    Fault::Cut,
    Fault::AnswerLost,
    Fault::Instead(Instead::BrokenGzip),
    Fault::Instead(Instead::CutJson),
    Fault::Instead(Instead::WebPage),
    Fault::Instead(Instead::Forbidding),
    Fault::Instead(Instead::Nothing),
    Fault::Instead(Instead::OtherProtocol),
    Fault::Instead(Instead::Redirect),
    Fault::Silence,
    Fault::KilledBefore,
    Fault::KilledAfter,
];

impl Fault {
    /// Whether the fault kills the program.
    pub fn kills(self) -> bool {
        matches!(self, Self::KilledBefore | Self::KilledAfter)
    }

    /// The name in the table.
    pub fn word(self) -> String {
        match self {
            Self::Status(429) => "429, `Retry-After: 1`".into(),
            Self::Status(status) => status.to_string(),
            Self::Cut => "connection cut".into(),
            Self::AnswerLost => "answer lost".into(),
            Self::Instead(instead) => instead.word().into(),
            Self::Silence => "no answer in time".into(),
            Self::KilledBefore => "`kill -9` before it".into(),
            Self::KilledAfter => "`kill -9` after it".into(),
        }
    }
}

impl Instead {
    fn word(self) -> &'static str {
        match self {
            Self::BrokenGzip => "answered by broken gzip",
            Self::CutJson => "answered by JSON that is cut",
            Self::WebPage => "answered by a web page, 200",
            Self::Forbidding => "answered by a web page, 403",
            Self::Nothing => "answered by 200 without a body",
            Self::OtherProtocol => "answered by 101",
            Self::Redirect => "answered by 307",
        }
    }

    fn answer(self) -> String {
        let (head, body) = match self {
            Self::BrokenGzip => ("200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip", "{}"),
            Self::CutJson => ("200 OK\r\nContent-Type: application/json", r#"{"kind":"PartialObjectMetadata","meta"#),
            Self::WebPage => ("200 OK\r\nContent-Type: text/html", "<html>made up by the test</html>"),
            Self::Forbidding => ("403 Forbidden\r\nContent-Type: text/html", "<html>made up by the test</html>"),
            Self::Nothing => ("200 OK", ""),
            Self::OtherProtocol => {
                return "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n".into();
            }
            Self::Redirect => ("307 Temporary Redirect\r\nLocation: /elsewhere", ""),
        };
        format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
    }
}

/// A request, counted from 1 among its kind or, if given, its class; and its fault.
#[derive(Debug, Clone)]
pub struct At {
    pub fault: Fault,
    pub kind: Kind,
    pub class: Option<Arc<Class>>,
    pub place: usize,
}

impl At {
    /// Counts among all requests of this kind.
    pub fn of_kind(fault: Fault, kind: Kind, place: usize) -> Self {
        Self { fault, kind, class: None, place }
    }

    /// Whether the last of these requests is the one that meets the fault.
    fn is(&self, requests: &[Request]) -> bool {
        let has = |request: &&Request| {
            self.class.as_ref().map_or_else(|| request.kind == self.kind, |class| class.has(request))
        };
        requests.last().as_ref().is_some_and(has) && requests.iter().filter(has).count() == self.place
    }
}

/// The address for one run.
pub struct Front {
    /// `http://127.0.0.1:PORT`
    pub address: String,
    state: Arc<State>,
}

struct State {
    server: String,
    at: Option<At>,
    /// The journal's folder, and the files of earlier runs in it.
    journal: PathBuf,
    earlier: BTreeSet<OsString>,
    seen: Mutex<Seen>,
    fired: AtomicBool,
    /// The program's process.
    pid: AtomicU32,
    is_over: AtomicBool,
}

impl Front {
    /// Starts for one run, whose journal is in this folder.
    pub fn start(behind: &Behind, journal: &Path, at: Option<At>) -> Self {
        let state = Arc::new(State {
            server: behind.address.clone(),
            at,
            journal: journal.to_owned(),
            earlier: names_in(journal),
            seen: Mutex::default(),
            fired: AtomicBool::new(false),
            pid: AtomicU32::new(0),
            is_over: AtomicBool::new(false),
        });
        let (open, shared) = (Arc::clone(&state), Arc::clone(&state));
        let address = listen_while(move || !open.is_over.load(Ordering::SeqCst), move |client| shared.serve(client));
        let address = format!("http://{address}");
        Self { address, state }
    }

    /// Sets the process to kill.
    pub fn watches(&self, pid: u32) {
        self.state.pid.store(pid, Ordering::SeqCst);
    }

    /// Whether the fault has happened.
    pub fn has_fired(&self) -> bool {
        self.state.fired.load(Ordering::SeqCst)
    }

    /// The requests so far.
    pub fn seen(&self) -> Seen {
        self.state.seen().clone()
    }

    /// The records of this run.
    pub fn records(&self) -> Vec<Value> {
        self.state.records()
    }
}

impl Drop for Front {
    /// Stops serving: thousands of runs in one process would keep as many threads and ports.
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::SeqCst);
        TcpStream::connect(self.address.trim_start_matches("http://")).ok();
    }
}

impl State {
    /// Serves one request per connection.
    fn serve(&self, mut client: TcpStream) {
        let Some(bytes) = server::Request::read(&mut client).map(|request| request.bytes()) else { return };
        let request = Asked::parse(&bytes);
        let (kind, fault) = self.enter(&request);
        if fault.is_some() {
            self.fired.store(true, Ordering::SeqCst);
        }
        match fault {
            None => {
                let answer = self.pass(kind, &request, &bytes);
                if client.write_all(&answer).is_ok() && request.method == "GET" {
                    self.delivered(&request, &answer);
                }
            }
            Some(Fault::Status(status)) => drop(client.write_all(answer(status).as_bytes())),
            Some(Fault::Cut) => {}
            Some(Fault::AnswerLost) => drop(self.pass(kind, &request, &bytes)),
            Some(Fault::Instead(instead)) => {
                self.pass(kind, &request, &bytes);
                client.write_all(instead.answer().as_bytes()).ok();
            }
            Some(Fault::Silence) => thread::sleep(Duration::from_secs(20)),
            Some(Fault::KilledBefore) => self.kill(),
            Some(Fault::KilledAfter) => {
                self.pass(kind, &request, &bytes);
                self.kill();
            }
        }
        client.shutdown(Shutdown::Both).ok();
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a request. Returns its kind, and its fault if it meets one.
    fn enter(&self, request: &Asked) -> (Kind, Option<Fault>) {
        let mut seen = self.seen();
        let kind = seen.add(request);
        let at = self.at.as_ref().filter(|at| at.is(&seen.requests));
        (kind, at.map(|at| at.fault))
    }

    /// Passes on the server's answer, and records writes as sent.
    fn pass(&self, kind: Kind, request: &Asked, bytes: &[u8]) -> Vec<u8> {
        if kind != Kind::Write {
            return pass_on(&self.server, bytes);
        }
        let records = self.records();
        let index = {
            let mut seen = self.seen();
            let before = seen.sent.iter().filter(|sent| sent.request == request.line).count();
            let on_record = records.iter().filter(|record| intended(record) == request.line).count() > before;
            let sent = Sent {
                request: request.line.clone(),
                object: request.object.clone(),
                on_record,
                accepted: false,
                read_back: false,
            };
            seen.sent.push(sent);
            seen.sent.len() - 1
        };
        let answer = pass_on(&self.server, bytes);
        self.seen().sent[index].accepted = answer.starts_with(b"HTTP/1.1 2");
        answer
    }

    fn delivered(&self, request: &Asked, answer: &[u8]) {
        if answer.starts_with(b"HTTP/1.1 200") || answer.starts_with(b"HTTP/1.1 404") {
            let mut seen = self.seen();
            let of_it = seen.sent.iter_mut().filter(|sent| sent.accepted && sent.object == request.object);
            of_it.for_each(|sent| sent.read_back = true);
        }
    }

    fn records(&self) -> Vec<Value> {
        let names = names_in(&self.journal);
        names.difference(&self.earlier).flat_map(|name| records_of(&self.journal.join(name))).collect()
    }

    fn kill(&self) {
        let pid = self.pid.load(Ordering::SeqCst).to_string();
        Command::new("kill").args(["-9", &pid]).status().expect("kill runs");
    }
}

/// The request of an `intend` record, as a [`Sent`] names it.
pub fn intended(record: &Value) -> String {
    let part = |field: &str| record["request"][field].as_str().unwrap_or_default();
    format!("{} {}", part("method"), part("path"))
}

fn names_in(folder: &Path) -> BTreeSet<OsString> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.expect("an entry").file_name()).collect()
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
