//! The requests of a run, and the classes of its reads.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// A read, which changes nothing.
    Read,
    /// A dry run.
    DryRun,
    /// A write, which changes something.
    Write,
    /// A read of an object after it was written.
    ReadBack,
}

/// All kinds.
pub const KINDS: [Kind; 4] = [Kind::Read, Kind::DryRun, Kind::Write, Kind::ReadBack];

impl Kind {
    /// The name in the table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::DryRun => "dry run",
            Self::Write => "write",
            Self::ReadBack => "read-back",
        }
    }
}

/// The phase of a request, relative to the writes of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before the first dry run or write.
    First,
    /// After a dry run, if that was sent last of dry runs and writes.
    Tried,
    /// After a write that is not the plan's last one.
    Between,
    /// After the plan's last write.
    Last,
}

/// A request of a run.
#[derive(Debug, Clone)]
pub struct Request {
    pub kind: Kind,
    /// Method, path and parameters, without generated names and values, and the form of the answer.
    shape: String,
    /// How many writes were sent before, and whether a dry run or a write was sent last.
    writes: usize,
    latest: Option<Kind>,
    path: String,
}

impl Request {
    /// The phase of the request, in a run with this many writes.
    fn phase(&self, writes: usize) -> Phase {
        match self.latest {
            None => Phase::First,
            Some(Kind::DryRun) => Phase::Tried,
            Some(_) if self.writes < writes => Phase::Between,
            Some(_) => Phase::Last,
        }
    }
}

/// Reads in one phase that are equal, or that all list kinds of which the plan's state has no object.
#[derive(PartialEq, Eq)]
pub struct Class {
    phase: Phase,
    name: String,
    shapes: BTreeSet<String>,
    /// The number of writes in a run without a fault.
    writes: usize,
}

impl std::fmt::Debug for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}: {}", self.phase, self.name)
    }
}

impl Class {
    pub fn has(&self, request: &Request) -> bool {
        request.kind == Kind::Read && request.phase(self.writes) == self.phase && self.shapes.contains(&request.shape)
    }
}

/// A write that reached the server.
#[derive(Debug, Clone)]
pub struct Sent {
    /// `PATCH /api/v1/…`, without its query.
    pub request: String,
    /// The path of the object that it changes.
    pub object: String,
    /// Whether it was recorded by then.
    pub on_record: bool,
    /// Whether the server accepted it.
    pub accepted: bool,
    /// Whether the program has read the object since.
    pub read_back: bool,
}

/// The requests of a run.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    pub requests: Vec<Request>,
    pub sent: Vec<Sent>,
}

impl Seen {
    /// How many requests of this kind came.
    pub fn count(&self, kind: Kind) -> usize {
        self.requests.iter().filter(|request| request.kind == kind).count()
    }

    /// Adds a request. Returns its kind.
    pub fn add(&mut self, asked: &Asked) -> Kind {
        let kind = if asked.is_read {
            let is_back = asked.method == "GET" && self.sent.iter().any(|sent| sent.object == asked.object);
            if is_back { Kind::ReadBack } else { Kind::Read }
        } else if asked.is_dry {
            Kind::DryRun
        } else {
            Kind::Write
        };
        let mut changes = self.requests.iter().rev().map(|request| request.kind);
        let latest = changes.find(|kind| matches!(kind, Kind::DryRun | Kind::Write));
        let writes = self.count(Kind::Write);
        self.requests.push(Request { kind, shape: asked.shape.clone(), writes, latest, path: asked.path.clone() });
        kind
    }

    /// The classes of reads, and the number of requests in each. Objects that were created since
    /// `began` belong to the plan's state; `get` reads an object of that state by its path.
    pub fn classes(&self, began: &str, get: impl Fn(&str) -> Value) -> Vec<(Arc<Class>, usize)> {
        let reads = || self.requests.iter().filter(|request| request.kind == Kind::Read);
        let paths: BTreeMap<&str, &str> = reads().map(|read| (read.path.as_str(), read.shape.as_str())).collect();
        let is_of_plan = |path: &&str| newest(&get(path)).is_none_or(|newest| newest.as_str() >= began);
        let of_plan: BTreeSet<&str> =
            paths.keys().filter(|path| is_of_plan(path)).map(|path| kind_of(paths[path])).collect();
        let writes = self.count(Kind::Write);
        let mut classes: BTreeMap<(Phase, &str), (BTreeSet<String>, usize)> = BTreeMap::new();
        for request in reads() {
            let shape = request.shape.as_str();
            let name = if of_plan.contains(kind_of(shape)) { shape } else { "lists of other kinds" };
            let (shapes, count) = classes.entry((request.phase(writes), name)).or_default();
            shapes.insert(shape.to_owned());
            *count += 1;
        }
        let class = |((phase, name), (shapes, count)): ((Phase, &str), (BTreeSet<String>, usize))| {
            (Arc::new(Class { phase, name: name.to_owned(), shapes, writes }), count)
        };
        classes.into_iter().map(class).collect()
    }
}

/// A shape without its parameters and its form.
fn kind_of(shape: &str) -> &str {
    shape.split('?').next().unwrap_or(shape)
}

/// The creation time of a list's newest object; empty if it has none. Not every answer is a list.
fn newest(list: &Value) -> Option<String> {
    let items = list["items"].as_array().filter(|_| list["kind"] != "APIGroupDiscoveryList")?.iter();
    let times = items.filter_map(|item| item["metadata"]["creationTimestamp"].as_str());
    Some(times.max().unwrap_or_default().to_owned())
}

/// A request, parsed.
pub struct Asked {
    pub method: String,
    /// `PATCH /api/v1/…`, without its query.
    pub line: String,
    pub object: String,
    path: String,
    shape: String,
    is_read: bool,
    is_dry: bool,
}

impl Asked {
    pub fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let mut words = text.split_whitespace();
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let form = if text.contains("PartialObjectMetadata") { " metadata" } else { "" };
        Self {
            method: method.into(),
            line: format!("{method} {path}"),
            object: object_of(method, path, &serde_json::from_str(body).unwrap_or_default()),
            path: path.into(),
            shape: format!("{method} {}{form}", shape(path, query)),
            is_read: method == "GET" || path.contains("/selfsubject"),
            is_dry: text.contains("dryRun"),
        }
    }
}

/// A path without generated parts of its names, such as the end of a pod's name, and without the
/// values of its parameters.
fn shape(path: &str, query: &str) -> String {
    let part = |part: &str| if part.contains(|c: char| c.is_ascii_digit()) { "#".into() } else { part.to_owned() };
    let segment = |segment: &str| match segment.split_once('-') {
        Some((first, rest)) => format!("{first}-{}", rest.split('-').map(part).collect::<Vec<_>>().join("-")),
        None => segment.to_owned(),
    };
    let path: Vec<String> = path.split('/').map(segment).collect();
    let names: BTreeSet<&str> = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default()).collect();
    format!("{}?{}", path.join("/"), names.into_iter().collect::<Vec<_>>().join("&"))
}

/// The path of a request's object. The name of a created object is in the body.
fn object_of(method: &str, path: &str, body: &Value) -> String {
    match (method, body["metadata"]["name"].as_str()) {
        ("POST", Some(name)) => format!("{path}/{name}"),
        _ => path.strip_suffix("/finalize").unwrap_or(path).to_owned(),
    }
}

/// The object of an `intend` record, as a [`Sent`] names it.
pub fn object_of_record(record: &Value) -> String {
    let request = &record["request"];
    let part = |field: &str| request[field].as_str().unwrap_or_default();
    object_of(part("method"), part("path"), &request["body"])
}

#[test]
fn reads_that_differ_only_in_generated_names_are_one_class() {
    assert_eq!(
        shape("/api/v1/namespaces/ops/pods/web-5d8f-x2x4z", "a=1&b=2"),
        "/api/v1/namespaces/ops/pods/web-#-#?a&b"
    );
    assert_eq!(shape("/api/v1/nodes", ""), "/api/v1/nodes?");
    let mut seen = Seen::default();
    let mut ask = |line: &str| seen.add(&Asked::parse(format!("{line} HTTP/1.1\r\n\r\n").as_bytes()));
    for round in 0..2 {
        ask("GET /api/v1/pods");
        ask("GET /api/v1/secrets");
        ask("GET /api/v1/nodes");
        if round == 0 {
            ask("PATCH /api/v1/namespaces/a/pods/b?dryRun=All");
            ask("GET /api/v1/pods");
            ask("PATCH /api/v1/namespaces/a/pods/b");
        }
    }
    let get = |path: &str| match path {
        "/api/v1/pods" => json!({"items": [{"metadata": {"creationTimestamp": "2026-01-01T00:00:09Z"}}]}),
        "/api/v1/nodes" => json!({"items": [{"metadata": {"creationTimestamp": "2026-01-01T00:00:01Z"}}]}),
        _ => json!({"items": []}),
    };
    let classes = seen.classes("2026-01-01T00:00:05Z", get);
    let told: Vec<String> = classes.iter().map(|(class, count)| format!("{class:?} {count}")).collect();
    assert_eq!(
        told,
        [
            "First: GET /api/v1/pods? 1", "First: lists of other kinds 2", "Tried: GET /api/v1/pods? 1",
            "Last: GET /api/v1/pods? 1", "Last: lists of other kinds 2"
        ]
    );
    let members = |class: &Class| seen.requests.iter().filter(|request| class.has(request)).count();
    assert!(classes.iter().all(|(class, count)| members(class) == *count));
}
