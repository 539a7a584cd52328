//! A controller changes an object between the answer and the write, a hundred times: only confirmed
//! finalizers are removed, and only from the objects that were shown.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{audited_writes, journalled_writes, stderr, stdout, unstick};
use crate::support::proxy::Front;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const RACES: usize = 100;
/// Removing it may leak at worst, which is approved.
const HOLD: &str = "acme.io/hold";
/// Removing it loses data, which is not approved.
const KEEP: &str = "ceph.rook.io/disaster-protection";

/// An event just before the finalizer of an object is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Race {
    /// Its controller removes the finalizer itself, so that another one takes its position.
    Released,
    /// All finalizers are removed, so the object disappears.
    Gone,
    /// It disappears, and another object with its name is created.
    Created,
    /// The finalizers change places.
    Turned,
    /// Another field changes.
    Touched,
}

impl Race {
    const ALL: [Self; 5] = [Self::Released, Self::Gone, Self::Created, Self::Turned, Self::Touched];

    /// The race for a name, such as `r17`; the same in each run.
    fn of(name: &str) -> Self {
        let number: usize = name.trim_start_matches('r').parse().expect("a number");
        Self::ALL[number % Self::ALL.len()]
    }

    fn happen(self, server: SocketAddr, name: &str) {
        let finalizers = |list: &str| {
            let body = format!("{{\"metadata\":{{\"finalizers\":[{list}]}}}}");
            request(server, "PATCH", &path(name), &body);
        };
        match self {
            Self::Released => finalizers(&format!("\"{KEEP}\"")),
            Self::Turned => finalizers(&format!("\"{KEEP}\",\"{HOLD}\"")),
            Self::Gone => finalizers(""),
            Self::Created => {
                finalizers("");
                request(server, "POST", "/api/v1/namespaces/default/configmaps", &manifest(name));
            }
            Self::Touched => {
                request(server, "PATCH", &path(name), "{\"metadata\":{\"labels\":{\"seen\":\"yes\"}}}");
            }
        }
    }

    /// The finalizers at the end; `None` if the object is gone.
    fn left(self) -> Option<String> {
        match self {
            Self::Gone => None,
            Self::Created => Some(format!("{HOLD} {KEEP}")),
            Self::Released | Self::Turned | Self::Touched => Some(KEEP.to_owned()),
        }
    }
}

fn path(name: &str) -> String {
    format!("/api/v1/namespaces/default/configmaps/{name}")
}

fn manifest(name: &str) -> String {
    format!(
        "{{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{{\"name\":\"{name}\",\"labels\":{{\"race\":\"yes\"}},\
         \"finalizers\":[\"{HOLD}\",\"{KEEP}\"]}}}}"
    )
}

/// Sends one request, and checks that it was accepted.
pub fn request(server: SocketAddr, method: &str, path: &str, body: &str) {
    let mut stream = TcpStream::connect(server).expect("kubectl proxy");
    let kind = if method == "PATCH" { "application/merge-patch+json" } else { "application/json" };
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .expect("written");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 20"), "{method} {path}: {answer}");
}

/// Passes requests on. Right before the first write to each object, its race happens.
fn serve(client: &TcpStream, server: &TcpStream, raced: &Mutex<BTreeSet<String>>) {
    let (mut from_server, mut to_client) = (server.try_clone().expect("a clone"), client.try_clone().expect("a clone"));
    thread::spawn(move || std::io::copy(&mut from_server, &mut to_client).ok());
    let (mut from_client, mut to_server) = (client.try_clone().expect("a clone"), server.try_clone().expect("a clone"));
    let mut bytes = vec![0; 65536];
    while let Ok(read @ 1..) = from_client.read(&mut bytes) {
        let text = String::from_utf8_lossy(&bytes[..read]);
        let line = text.lines().next().unwrap_or_default();
        if let Some(rest) = line.strip_prefix(&format!("PATCH {}", path(""))).filter(|rest| !rest.contains("dryRun")) {
            let name = rest.split([' ', '?']).next().expect("a name").to_owned();
            if raced.lock().expect("no panic").insert(name.clone()) {
                Race::of(&name).happen(server.peer_addr().expect("an address"), &name);
            }
        }
        if to_server.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    client.shutdown(Shutdown::Both).ok();
    server.shutdown(Shutdown::Both).ok();
}

#[test]
fn only_what_was_shown_and_confirmed_is_removed() {
    let plane = ControlPlane::start();
    let manifests = (0..RACES).fold(String::new(), |mut text, number| {
        writeln!(text, "---\n{}", manifest(&format!("r{number}"))).expect("a string");
        text
    });
    plane.apply(&manifests);
    plane.kubectl_ok(&["delete", "configmap", "-l", "race=yes", "--wait=false"]);
    thread::sleep(Duration::from_secs(6));
    let raced: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    let front = {
        let raced = Arc::clone(&raced);
        Front::start(&plane, move |client, server| serve(client, server, &raced))
    };
    // A plan ends if too much has changed since it was shown; then another one is made.
    for _ in 0..15 {
        let output = unstick(&plane)
            .args(["configmap", "-l", "race=yes", "--approve", "leaks", "--timeout", "1s", "--server", &front.address])
            .output()
            .expect("the program runs");
        let code = output.status.code();
        assert!(matches!(code, Some(1 | 3)), "{code:?} {}{}", stdout(&output), stderr(&output));
        if raced.lock().expect("no panic").len() == RACES {
            break;
        }
    }
    assert_eq!(raced.lock().expect("no panic").len(), RACES, "each object was changed right before its write");

    let left = plane.kubectl_ok(&[
        "get", "configmap", "-l", "race=yes", "-o",
        "jsonpath={range .items[*]}{.metadata.name}={.metadata.finalizers[*]}={.metadata.deletionTimestamp}{\"\\n\"}{end}",
    ]);
    let left: BTreeMap<&str, (&str, bool)> = left
        .lines()
        .map(|line| {
            let parts: Vec<&str> = line.split('=').collect();
            (parts[0], (parts[1], !parts[2].is_empty()))
        })
        .collect();
    for number in 0..RACES {
        let name = format!("r{number}");
        let race = Race::of(&name);
        let found = left.get(name.as_str());
        assert_eq!(found.map(|(finalizers, _)| (*finalizers).to_owned()), race.left(), "{name}: {race:?}");
        assert!(found.is_none_or(|(_, going)| *going == (race != Race::Created)), "{name}: {race:?}");
    }
    the_record_is_that_of_the_server(&plane);
}

/// Every write is recorded, and was sent only if the object was still the one shown.
fn the_record_is_that_of_the_server(plane: &ControlPlane) {
    assert_eq!(journalled_writes(plane), audited_writes(plane), "the journal and the server disagree");
    let requests = plane.audit_requests();
    let writes = requests.iter().filter(|event| {
        event.verb == "patch" && event.user_agent.starts_with("kubectl-unstick") && !event.uri.contains("dryRun")
    });
    let mut taken = BTreeMap::<&str, usize>::new();
    for event in writes.filter(|event| event.code == 200) {
        *taken.entry(event.uri.rsplit('/').next().expect("a name")).or_default() += 1;
    }
    for (name, count) in taken {
        let race = Race::of(name);
        assert!(matches!(race, Race::Turned | Race::Touched), "{name} was written to: {race:?}");
        assert_eq!(count, 1, "{name} was written to");
    }
}
