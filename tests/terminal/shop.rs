//! A namespace `shop` that is being deleted. Its `ConfigMap` `held` disappears with its last
//! finalizer, and the namespace with the `ConfigMap`.

use crate::server::{HELD, Request, SHOP, Server, answer, list};
use crate::support::terminal::environment;
use crate::support::wait::wait_until;
use rexpect::session::{PtySession, spawn_command};
use serde_json::{Value, json};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-unstick");
const JSON: &str = "application/json";
/// How many milliseconds to wait for a text.
const PATIENCE: u64 = 60_000;
/// How many milliseconds a program may take to end after a failed test.
const GRACE: u64 = 2_000;
/// The program, in a window of the usual size.
pub const IN_A_WINDOW: &str = "stty rows 24 cols 80 && exec \"$0\" \"$@\"";
/// The target.
pub const TARGET: [&str; 4] = ["configmap", "held", "-n", "shop"];
static STARTED: AtomicUsize = AtomicUsize::new(0);

/// A cluster, and a home for the program.
pub struct Shop {
    address: String,
    home: PathBuf,
    store: Arc<Store>,
}

#[derive(Default)]
struct Store {
    finalizers: Mutex<Vec<String>>,
    writes: AtomicUsize,
    gate: Mutex<()>,
}

impl Shop {
    /// `held` has these finalizers.
    pub fn held_by(finalizers: &[&str]) -> Self {
        let finalizers = finalizers.iter().map(|&finalizer| finalizer.to_owned()).collect();
        let store = Arc::new(Store { finalizers: Mutex::new(finalizers), ..Store::default() });
        let stored = Arc::clone(&store);
        let server = Server::start(move |request, client| stored.answers(request, client));
        let name = format!("terminal-{}-{}", std::process::id(), STARTED.fetch_add(1, Ordering::SeqCst));
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&home).expect("a folder");
        Self { address: server.address, home, store }
    }

    /// `held` waits for the finalizer that the question is about, and for one more.
    pub fn held_twice() -> Self {
        Self::held_by(&["acme.io/hold", "acme.io/keep"])
    }

    /// The finalizers that `held` still has.
    pub fn finalizers(&self) -> Vec<String> {
        self.store.finalizers.lock().expect("no test has failed").clone()
    }

    /// How many writes were received, without dry runs.
    pub fn writes(&self) -> usize {
        self.store.writes.load(Ordering::SeqCst)
    }

    /// Waits for the first of them.
    pub fn until_a_write_comes(&self) {
        wait_until("a write", Duration::from_secs(20), || self.writes() > 0);
    }

    /// No write is carried out before this is dropped.
    pub fn hold_back(&self) -> MutexGuard<'_, ()> {
        self.store.gate.lock().expect("no test has failed")
    }

    /// The program's journal.
    pub fn journal(&self) -> PathBuf {
        self.home.join("state/kubectl-unstick")
    }

    /// Asks what holds `held`.
    pub fn session(&self) -> PtySession {
        self.session_of(&TARGET)
    }

    /// A session in a window of the usual size.
    pub fn session_of(&self, arguments: &[&str]) -> PtySession {
        self.session_in("xterm", IN_A_WINDOW, arguments)
    }

    /// A session on a terminal of this kind, in this script, which has the program and its
    /// arguments as `$0` and `$@`.
    pub fn session_in(&self, term: &str, script: &str, arguments: &[&str]) -> PtySession {
        self.spawn(term, script, &[arguments, &["--server", &self.address]].concat())
    }

    /// A command that needs no cluster.
    pub fn without_a_cluster(&self, term: &str, arguments: &[&str]) -> PtySession {
        self.spawn(term, IN_A_WINDOW, arguments)
    }

    /// The program and these arguments, with all of its environment, for another terminal.
    pub fn words(&self, arguments: &[&str]) -> Vec<String> {
        self.words_without_a_cluster(&[arguments, &["--server", &self.address]].concat())
    }

    /// The same for a command that needs no cluster.
    pub fn words_without_a_cluster(&self, arguments: &[&str]) -> Vec<String> {
        let environment = environment("screen", &self.home);
        let state = format!("XDG_STATE_HOME={}", self.home.join("state").display());
        let before = std::iter::once(environment.get_program()).chain(environment.get_args());
        let before = before.map(|word| word.to_string_lossy().into_owned()).chain([state, PROGRAM.to_owned()]);
        before.chain(arguments.iter().map(|&word| word.to_owned())).collect()
    }

    /// Its folder.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// A name that no other shop has.
    pub fn name(&self) -> String {
        self.home.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn spawn(&self, term: &str, script: &str, arguments: &[&str]) -> PtySession {
        let mut command = environment(term, &self.home);
        command
            .arg(format!("XDG_STATE_HOME={}", self.home.join("state").display()))
            .args(["bash", "-c", script, PROGRAM])
            .args(arguments);
        let mut session = spawn_command(command, Some(PATIENCE)).expect("a pseudo-terminal");
        session.process_mut().set_kill_timeout(Some(GRACE));
        session
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.home).ok();
    }
}

impl Store {
    /// Everything else is answered as by a healthy server.
    fn answers(&self, request: &Request, client: &mut TcpStream) -> bool {
        let (status, body) = match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews") => {
                (201, json!({"kind": "SelfSubjectReview", "status": {"userInfo": {"username": "ann"}}}).to_string())
            }
            ("PATCH", "/api/v1/namespaces/shop/configmaps/held") => self.patch(request),
            ("GET", "/api/v1/namespaces/shop/configmaps/held") => self.held(),
            ("GET", "/api/v1/namespaces/shop") if self.is_empty() => missing("namespaces", "shop"),
            ("GET", "/api/v1/namespaces") if !self.is_empty() => (200, list(SHOP)),
            ("GET", "/api/v1/configmaps" | "/api/v1/namespaces/shop/configmaps") if !self.is_empty() => {
                (200, list(&self.held().1))
            }
            ("GET", "/api/v1/namespaces" | "/api/v1/configmaps" | "/api/v1/namespaces/shop/configmaps") => {
                (200, list(""))
            }
            _ => return false,
        };
        answer(client, status, JSON, &body)
    }

    fn is_empty(&self) -> bool {
        self.finalizers.lock().expect("no test has failed").is_empty()
    }

    /// `held`, as long as something holds it.
    fn held(&self) -> (u16, String) {
        let finalizers = self.finalizers.lock().expect("no test has failed");
        if finalizers.is_empty() { missing("configmaps", "held") } else { (200, with(&finalizers)) }
    }

    /// Removes the finalizer that a JSON patch removes. A dry run only returns what would be left.
    fn patch(&self, request: &Request) -> (u16, String) {
        let is_dry_run = request.head.lines().next().is_some_and(|line| line.contains("dryRun=All"));
        if !is_dry_run {
            self.writes.fetch_add(1, Ordering::SeqCst);
            drop(self.gate.lock());
        }
        let patch: Vec<Value> = serde_json::from_slice(&request.body).expect("a JSON patch");
        let mut finalizers = self.finalizers.lock().expect("no test has failed");
        let mut left = finalizers.clone();
        for removed in patch.iter().filter(|operation| operation["op"] == "remove") {
            let finalizer = removed["path"].as_str().expect("a path");
            let place = finalizer.strip_prefix("/metadata/finalizers/").expect("of a finalizer");
            left.remove(place.parse().expect("a place"));
        }
        let answer = with(&left);
        if !is_dry_run {
            *finalizers = left;
        }
        (200, answer)
    }
}

/// `held` with these finalizers.
fn with(finalizers: &[String]) -> String {
    let mut held: Value = serde_json::from_str(HELD).expect("an object");
    held["metadata"]["finalizers"] = json!(finalizers);
    held["metadata"]["resourceVersion"] = json!("7");
    held.to_string()
}

fn missing(plural: &str, name: &str) -> (u16, String) {
    let message = format!("{plural} \"{name}\" not found");
    let status = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404,
        "message": message, "details": {"kind": plural, "name": name}});
    (404, status.to_string())
}
