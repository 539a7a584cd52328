//! Objects as large as the store takes, by the hundred: whoever may create objects of one kind can make
//! them, and a diagnosis must not need more memory for that.

use crate::run::run;
use crate::server::{Request, Server, list, raw, served};
use std::fmt::Write as _;
use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

/// The size of an object: the store takes 1.5 MiB.
const SIZE: usize = 900_000;
/// How much memory the program may take, in MiB.
const MOST: u64 = 64;
const PATIENCE: Duration = Duration::from_mins(3);

/// The metadata of an object that is being deleted, without its closing brace.
fn metadata(number: usize) -> String {
    format!(
        r#"{{"name":"w{number}","namespace":"shop","uid":"u-{number}","creationTimestamp":"2026-01-01T00:00:00Z",
        "deletionTimestamp":"2026-01-02T00:00:00Z""#
    )
}

/// `SIZE` bytes of items that `item` writes.
fn many(item: impl Fn(usize) -> String) -> String {
    let mut all = String::new();
    for number in 0.. {
        let _ = write!(all, "{}{}", if number == 0 { "" } else { "," }, item(number));
        if all.len() > SIZE {
            break;
        }
    }
    all
}

/// The kind of large objects.
struct Crowd {
    count: usize,
    /// More metadata of each.
    metadata: String,
    /// The rest of each object.
    rest: String,
}

impl Crowd {
    fn object(&self, number: usize, whole: bool) -> String {
        let rest = if whole { &self.rest } else { "" };
        let kind = r#""apiVersion":"acme.io/v1","kind":"Widget""#;
        format!(r#"{{{kind},"metadata":{}{}}}{rest}}}"#, metadata(number), self.metadata)
    }

    fn answers(&self, request: &Request, client: &mut TcpStream) -> bool {
        let json = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
        let whole = !request.head.contains("PartialObjectMetadata");
        let answer = match request.path.as_str() {
            "/apis" => r#"{"kind":"APIGroupList","groups":[{"name":"acme.io","versions":[{"groupVersion":"acme.io/v1",
                "version":"v1"}]}]}"#
                .to_owned(),
            "/apis/acme.io/v1" => format!(
                r#"{{"kind":"APIResourceList","groupVersion":"acme.io/v1","resources":[{}]}}"#,
                served("widgets", "Widget", true)
            ),
            "/apis/acme.io/v1/widgets" | "/apis/acme.io/v1/namespaces/shop/widgets" => {
                client.write_all(format!("{json}Connection: close\r\n\r\n").as_bytes()).ok();
                let empty = list("");
                let (head, end) = empty.split_at(empty.len() - 2);
                let mut sent = client.write_all(head.as_bytes());
                for number in 0..self.count {
                    let comma = if number == 0 { "" } else { "," };
                    sent = sent.and_then(|()| client.write_all(comma.as_bytes()));
                    sent = sent.and_then(|()| client.write_all(self.object(number, whole).as_bytes()));
                }
                sent.and_then(|()| client.write_all(end.as_bytes())).ok();
                return true;
            }
            path => {
                let Some(number) = path.strip_prefix("/apis/acme.io/v1/namespaces/shop/widgets/w") else {
                    return false;
                };
                self.object(number.parse().expect("a number"), whole)
            }
        };
        raw(client, json, answer.as_bytes())
    }

    /// Runs `arguments` on a server with these objects. Returns the output and the peak memory in MiB.
    fn scanned(self, arguments: &[&str]) -> (String, u64) {
        let server = Server::start(move |request, client| self.answers(request, client));
        let run = run(&server.address, arguments, PATIENCE);
        let faults = run.faults();
        assert!(faults.is_empty() && run.code == Some(1), "{faults}{:?}: {}", run.code, run.beginning());
        (run.words(), run.peak)
    }
}

#[test]
fn hundreds_of_objects_full_of_names_take_little_memory() {
    let names = many(|number| format!(r#"{{"secretRef":{{"name":"s-{number}"}}}}"#));
    let rest = format!(r#","spec":{{"uses":[{names}]}}"#);
    let crowd = Crowd { count: 500, metadata: r#","finalizers":["acme.io/hold"]"#.into(), rest };
    let (said, peak) = crowd.scanned(&["scan"]);
    assert!(peak <= MOST, "{peak} MiB: {said:.2000}");
}

#[test]
fn objects_full_of_finalizers_take_little_memory_and_time() {
    let names = many(|number| format!("\"acme.io/f{number}\""));
    let crowd = Crowd { count: 40, metadata: format!(r#","finalizers":[{names}]"#), rest: String::new() };
    let (said, peak) = crowd.scanned(&["scan"]);
    assert!(peak <= MOST, "{peak} MiB: {said:.2000}");
}
