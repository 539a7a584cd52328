//! Restores the store of a control plane. A control plane that was built earlier may not support
//! these requests.

use crate::support::control_plane::ControlPlane;
use crate::support::proxy::{Behind, pass_on};
use k8s_openapi::ByteString;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Keys that the servers renew by themselves.
const SELF_KEPT: [&str; 2] = ["/registry/leases/kube-system/apiserver-", "/registry/ranges/"];
/// How long the store must not change to count as settled.
const QUIET: Duration = Duration::from_secs(1);
/// The pause between two reads of the store.
const LOOK: Duration = Duration::from_millis(100);
/// How long settling may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The content of the store by key, both in base64 as in etcd's JSON.
type Rows = BTreeMap<String, String>;

/// A state that can be restored.
pub struct Mark {
    etcd: String,
    rows: Rows,
    /// The served API groups.
    groups: Vec<u8>,
}

impl Mark {
    /// Remembers the present state, once it has settled.
    pub fn set(plane: &ControlPlane, behind: &Behind) -> Self {
        let etcd = plane.etcd_endpoint().trim_start_matches("http://").to_owned();
        let (mut rows, mut at, mut since) = (Rows::new(), 0, Instant::now());
        while since.elapsed() < QUIET {
            if let Some(now) = read_if_newer(&etcd, &mut at)
                && now != rows
            {
                (rows, since) = (now, Instant::now());
            }
            sleep(LOOK);
        }
        Self { etcd, rows, groups: groups(behind) }
    }

    /// Restores rows until no controller changes them any more, and waits until the API server
    /// serves the same groups again. Returns whether this succeeds: the garbage collector may hold
    /// on to an observed object, and change it back again and again.
    pub fn go_back(&self, behind: &Behind) -> bool {
        let (began, mut at, mut since) = (Instant::now(), 0, Instant::now());
        while since.elapsed() < QUIET {
            if began.elapsed() > PATIENCE {
                return false;
            }
            let edits = read_if_newer(&self.etcd, &mut at).map_or_else(Vec::new, |now| self.edits(&now));
            if !edits.is_empty() {
                since = Instant::now();
            }
            for (order, body) in edits {
                ask(&self.etcd, order, &body);
            }
            sleep(LOOK);
        }
        while groups(behind) != self.groups {
            if began.elapsed() > PATIENCE {
                return false;
            }
            sleep(LOOK);
        }
        true
    }

    /// The requests that restore the store. Definitions come last: their objects must be gone before.
    fn edits(&self, now: &Rows) -> Vec<(&'static str, Value)> {
        let changed = self.rows.iter().filter(|(key, value)| now.get(*key) != Some(value));
        let puts = changed.map(|(key, value)| ("put", json!({"key": key, "value": value})));
        let is_definition = |key: &&String| plain(key).starts_with("/registry/apiextensions.k8s.io/");
        let new = now.keys().filter(|key| !self.rows.contains_key(*key));
        let (last, first): (Vec<_>, Vec<_>) = new.partition(is_definition);
        let deletes = first.into_iter().chain(last).map(|key| ("deleterange", json!({"key": key})));
        puts.chain(deletes).collect()
    }
}

/// The content of the store if it has changed since the revision `at`, which is updated. Reading a
/// whole store ten times a second would be too much.
fn read_if_newer(etcd: &str, at: &mut u64) -> Option<Rows> {
    let newest = revision(&range(etcd, true));
    let is_newer = newest > *at;
    *at = newest;
    is_newer.then(|| read(etcd))
}

fn read(etcd: &str) -> Rows {
    let answer = range(etcd, false);
    let rows = answer["kvs"].as_array().into_iter().flatten();
    let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
    rows.map(|row| (text(row, "key"), text(row, "value")))
        .filter(|(key, _)| !SELF_KEPT.iter().any(|prefix| plain(key).starts_with(prefix)))
        .collect()
}

/// All rows, or only their number.
fn range(etcd: &str, count_only: bool) -> Value {
    let (begin, end) = (ByteString(b"/registry/".into()), ByteString(b"/registry0".into()));
    ask(etcd, "range", &json!({"key": begin, "range_end": end, "count_only": count_only}))
}

/// The revision of the store in an answer: the number of its changes.
fn revision(answer: &Value) -> u64 {
    answer["header"]["revision"].as_str().and_then(|text| text.parse().ok()).expect("a revision")
}

fn plain(key: &str) -> String {
    let bytes: ByteString = serde_json::from_value(json!(key)).expect("base64");
    String::from_utf8_lossy(&bytes.0).into_owned()
}

fn ask(etcd: &str, order: &str, body: &Value) -> Value {
    let body = body.to_string();
    let request = format!("POST /v3/kv/{order} HTTP/1.0\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let answer = pass_on(etcd, request.as_bytes());
    let text = String::from_utf8(answer).expect("text");
    assert!(text.contains(" 200 OK"), "etcd: {order}: {text}");
    serde_json::from_str(text.split_once("\r\n\r\n").expect("a body").1).expect("JSON")
}

fn groups(behind: &Behind) -> Vec<u8> {
    let answer = pass_on(&behind.address, b"GET /apis HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n");
    let body = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or_default();
    assert!(answer.starts_with(b"HTTP/1.0 200"), "{}", String::from_utf8_lossy(&answer));
    answer[body..].to_vec()
}
