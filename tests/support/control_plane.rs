//! A real, disposable control plane for one test or one group of tests.
//!
//! It is the program in `tests/control-plane`, run as a child. It lives as long as this process
//! holds its stdin, so it also ends when the tests are killed. The same pipe carries orders to stop
//! and start parts of it.
//!
//! A start costs three seconds of computing, so control planes are reused: leftovers of a test are
//! removed before the next one. A test that breaks a part needs a control plane of its own.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test harness runs programs and waits for them"
)]

use nix::sys::signal;
use nix::unistd::Pid;
use std::collections::HashSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{self, Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::go::{self, tell};

/// Longer than the program gives its parts, so that it can report which failed.
const START_TIMEOUT: Duration = Duration::from_mins(3);

/// How long the program may take to end once its stdin is closed.
const END_TIMEOUT: Duration = Duration::from_secs(10);

const CONTROLLER_MANAGER: &str = "kube-controller-manager";

/// A control plane for a test: etcd, kube-apiserver and kube-controller-manager, without any
/// content. After a panic its files stay.
pub struct ControlPlane {
    running: Option<Running>,
}

/// The control planes that no test is using, as their last tests have left them.
static IDLE: Mutex<Vec<Running>> = Mutex::new(Vec::new());

impl ControlPlane {
    /// A control plane as new, which other tests may have used before.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn start() -> Self {
        loop {
            // The list is not locked meanwhile.
            let Some(mut used) = idle().pop() else { break };
            match used.reset() {
                Ok(()) => return Self { running: Some(used) },
                Err(why) => tell(&format!("{} is not handed on: {why}", used.dir.display())),
            }
        }
        let mut running = Running::start();
        running.remember();
        Self { running: Some(running) }
    }

    /// A control plane for this test alone, which may break parts of it.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn alone() -> Self {
        Self { running: Some(Running::start()) }
    }

    /// A control plane for this test alone, with a real node, `worker`, which is Ready.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn with_node(programs: &go::NodePrograms) -> Self {
        Self {
            running: Some(Running::start_as(&programs.node, |up| {
                up.arg("--control-plane").arg(go::control_plane()).arg("--kubelet").arg(&programs.kubelet);
            })),
        }
    }
}

impl Deref for ControlPlane {
    type Target = Running;

    fn deref(&self) -> &Running {
        self.running.as_ref().expect("it runs until it is dropped")
    }
}

impl Drop for ControlPlane {
    fn drop(&mut self) {
        let handed_on = self.running.take_if(|running| running.as_new.is_some() && !thread::panicking());
        idle().extend(handed_on);
    }
}

fn idle() -> MutexGuard<'static, Vec<Running>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The processes and files of a control plane. Dropping it ends and removes them; after a panic the
/// files stay.
pub struct Running {
    dir: PathBuf,
    kubeconfig: PathBuf,
    up: Child,
    line: Mutex<Line>,
    /// The state before a test used it; `None` if it is for one test alone.
    as_new: Option<AsNew>,
}

/// Distinguishes the files of a control plane from those of its tests.
struct AsNew {
    files: HashSet<OsString>,
    /// The offset of the current test's requests in the audit log, in bytes.
    audit_start: usize,
}

/// The orders to the child and its answers, one per line.
struct Line {
    orders: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Running {
    /// Starts a control plane in a fresh directory; takes about four seconds.
    fn start() -> Self {
        Self::start_as(&go::control_plane(), |_| {})
    }

    /// Starts a program with `up DIR` and further arguments; it takes orders then.
    fn start_as(program: &Path, more: impl FnOnce(&mut Command)) -> Self {
        let dir = fresh_dir().expect("a directory for the control plane");
        link_kubectl(&go::kubectl(), &dir).expect("a link named kubectl");
        let mut up = spawn_up(program, &dir, more).expect("control-plane up starts");
        let line = Line { orders: up.stdin.take(), answers: lines_of(up.stdout.take().expect("stdout is a pipe")) };
        // From here on, dropping the value ends the child.
        let running = Self { kubeconfig: dir.join("kubeconfig"), dir, up, line: Mutex::new(line), as_new: None };
        running.expect_answer(&running.line(), "ready");
        running
    }

    /// Prepares it for reuse. An older program without this order is used by one test only.
    fn remember(&mut self) {
        if self.ask("remember").is_ok() {
            self.as_new = Some(AsNew { files: names_in(&self.dir), audit_start: self.audit_length() });
        }
    }

    /// Removes the leftovers of the last test.
    fn reset(&mut self) -> Result<(), String> {
        self.ask("reset")?;
        let audit_start = self.audit_length();
        let as_new = self.as_new.as_mut().ok_or("it was for one test alone")?;
        as_new.audit_start = audit_start;
        for name in names_in(&self.dir).difference(&as_new.files) {
            remove(&self.dir.join(name)).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn audit_length(&self) -> usize {
        let metadata = fs::metadata(self.audit_log()).expect("there is an audit log");
        usize::try_from(metadata.len()).expect("a length")
    }

    /// Remembers the present state of the store, for [`Self::go_back`].
    ///
    /// # Panics
    /// If the store does not settle, or other tests may reuse this control plane.
    pub fn mark(&self) {
        assert!(self.as_new.is_none(), "a mark of its own needs a control plane of its own: alone()");
        self.order("remember");
    }

    /// Restores the store to its state at the [mark](Self::mark).
    ///
    /// # Errors
    /// When it cannot be restored.
    pub fn go_back(&self) -> Result<(), String> {
        self.ask("reset")
    }

    /// The address of etcd.
    ///
    /// # Panics
    /// If the addresses cannot be read.
    pub fn etcd_endpoint(&self) -> String {
        let addresses = fs::read_to_string(self.dir.join("env")).expect("the addresses are readable");
        let endpoint = addresses.lines().find_map(|line| line.strip_prefix("ETCD_ENDPOINT="));
        endpoint.expect("an address of etcd").to_owned()
    }

    /// Whether it is for one test alone, which may break parts of it.
    pub fn is_alone(&self) -> bool {
        self.as_new.is_none()
    }

    /// The admin's kubeconfig (group `system:masters`); `--as` impersonates another user.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// The folder of this control plane, including its `logs`.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A directory that contains only a real `kubectl`.
    pub fn kubectl_bin_dir(&self) -> PathBuf {
        self.dir.join("bin")
    }

    /// A command that uses this control plane and none of the developer's settings: kubeconfig,
    /// home, caches, proxies. `kubectl` is first on PATH.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        for (name, _) in env::vars_os().filter(|(name, _)| is_personal(name)) {
            command.env_remove(name);
        }
        command.env("KUBECONFIG", &self.kubeconfig).env("HOME", &self.dir).env("PATH", self.path());
        command
    }

    /// Runs the real kubectl.
    ///
    /// # Panics
    /// If it cannot be run.
    pub fn kubectl(&self, args: &[&str]) -> Output {
        let kubectl = self.kubectl_bin_dir().join("kubectl");
        let mut command = self.command(kubectl);
        // It runs only briefly; garbage collection would be a quarter of its work.
        command.env("GOGC", "off").env("GOMAXPROCS", "1");
        command.args(args).stdin(Stdio::null());
        command.output().expect("kubectl runs")
    }

    /// Runs kubectl and returns its output.
    ///
    /// # Panics
    /// If it fails, with its messages.
    #[track_caller]
    pub fn kubectl_ok(&self, args: &[&str]) -> String {
        succeeded(&format!("kubectl {}", args.join(" ")), &self.kubectl(args))
    }

    /// Runs `kubectl apply` on manifests.
    ///
    /// # Panics
    /// If it fails, with its messages.
    #[track_caller]
    pub fn apply(&self, yaml: &str) {
        let manifest = self.dir.join(format!("apply-{}.yaml", next_number()));
        fs::write(&manifest, yaml).expect("the manifest is written");
        let file = manifest.to_str().expect("a path in UTF-8");
        self.kubectl_ok(&["apply", "-f", file]);
    }

    /// Kills the controller manager, like a crash.
    ///
    /// # Panics
    /// If it cannot be stopped.
    pub fn stop_controller_manager(&self) {
        self.stop(CONTROLLER_MANAGER);
    }

    /// Starts the controller manager again.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start_controller_manager(&self) {
        self.resume(CONTROLLER_MANAGER);
    }

    /// Stops `etcd`, `kube-apiserver` or `kube-controller-manager`.
    ///
    /// # Panics
    /// If it cannot be stopped, or other tests may reuse this control plane.
    pub fn stop(&self, component: &str) {
        assert!(self.as_new.is_none(), "a test that stops {component} needs a control plane of its own: alone()");
        self.order(&format!("stop {component}"));
    }

    /// Starts a component that [`Self::stop`] stopped, and waits until it is ready.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn resume(&self, component: &str) {
        self.order(&format!("start {component}"));
    }

    /// Kills all of it at once, like a failing machine.
    ///
    /// # Panics
    /// If other tests may reuse this control plane.
    pub fn kill(&self) {
        assert!(self.as_new.is_none(), "a test that kills it needs a control plane of its own: alone()");
        let killed = Command::new("kill").args(["-KILL", &self.up.id().to_string()]).status();
        assert!(killed.expect("kill runs").success());
    }

    /// The keys in etcd that start with a prefix, such as `/registry/configmaps/`.
    ///
    /// # Panics
    /// If etcd cannot be read.
    pub fn etcd_keys(&self, prefix: &str) -> Vec<String> {
        let keys = self.etcd(&["etcd-get", prefix]);
        keys.lines().map(str::to_owned).collect()
    }

    /// The file with one line of JSON for each answered request.
    pub fn audit_log(&self) -> PathBuf {
        self.dir.join("audit.log")
    }

    /// The requests answered so far. A watch counts when it ends.
    ///
    /// # Panics
    /// If the audit log cannot be read.
    pub fn audit_requests(&self) -> Vec<AuditEvent> {
        let log = fs::read_to_string(self.audit_log()).expect("the audit log is readable");
        let start = self.as_new.as_ref().map_or(0, |as_new| as_new.audit_start);
        let whole_lines = log[start..].split_inclusive('\n').filter(|line| line.ends_with('\n'));
        whole_lines.map(AuditEvent::parse).collect()
    }

    fn etcd(&self, args: &[&str]) -> String {
        let output = Command::new(go::control_plane())
            .args(args)
            .args(["--endpoint", &self.etcd_endpoint()])
            .output()
            .expect("control-plane runs");
        succeeded(args[0], &output)
    }

    fn path(&self) -> OsString {
        let inherited = env::var_os("PATH").unwrap_or_default();
        let folders = [self.kubectl_bin_dir()].into_iter().chain(env::split_paths(&inherited));
        env::join_paths(folders).expect("a PATH without odd characters")
    }

    /// Gives an order and waits until it is carried out.
    fn order(&self, order: &str) {
        let line = self.give(order);
        self.expect_answer(&line, "done");
    }

    /// Gives an order that may be refused.
    fn ask(&self, order: &str) -> Result<(), String> {
        let line = self.give(order);
        match line.answers.recv_timeout(START_TIMEOUT) {
            Ok(answer) if answer.starts_with("done") => Ok(()),
            Ok(answer) => Err(answer),
            Err(error) => Err(error.to_string()),
        }
    }

    fn give(&self, order: &str) -> MutexGuard<'_, Line> {
        let mut line = self.line();
        let orders = line.orders.as_mut().expect("orders are taken until the end");
        writeln!(orders, "{order}").expect("the control plane runs");
        line
    }

    fn expect_answer(&self, line: &Line, expected: &str) {
        let answer = line.answers.recv_timeout(START_TIMEOUT);
        if answer.as_ref().is_ok_and(|answer| answer.starts_with(expected)) {
            return;
        }
        let dir = self.dir.display();
        let log = fs::read_to_string(self.dir.join("up.log")).unwrap_or_default();
        panic!("the control plane in {dir} answered {answer:?}, not {expected}\n{log}");
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let line = self.line.get_mut().unwrap_or_else(PoisonError::into_inner);
        drop(line.orders.take());
        if !ends_within(&mut self.up, END_TIMEOUT) {
            // Its children end with it.
            let _ = self.up.kill();
            let _ = self.up.wait();
        }
        if thread::panicking() {
            // The next run removes unmarked folders.
            let _ = fs::write(self.dir.join(KEPT), "");
            tell(&format!("the control plane's files, logs and audit log are kept in {}", self.dir.display()));
        } else {
            // Leftovers are below target/ and do no harm.
            let _ = fs::remove_dir_all(&self.dir);
        }
    }
}

/// One request that the API server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// get, list, watch, create, update, patch, delete or deletecollection.
    pub verb: String,
    /// Path and query.
    pub uri: String,
    /// The authenticated user, before any impersonation.
    pub user: String,
    /// The name that the client program gives itself.
    pub user_agent: String,
    /// The HTTP status of the answer.
    pub code: u32,
}

impl AuditEvent {
    /// Extracts the fields of a line. No parser is needed: the API server writes no spaces, and
    /// quotes within strings are escaped, so that a key with its quotes and its colon is
    /// unambiguous. The first `username` is the authenticated one.
    fn parse(line: &str) -> Self {
        Self {
            verb: string_after(line, "\"verb\":\""),
            uri: string_after(line, "\"requestURI\":\""),
            user: string_after(line, "\"username\":\""),
            user_agent: string_after(line, "\"userAgent\":\""),
            code: number_after(line, "\"code\":").unwrap_or_default(),
        }
    }
}

/// Gives the program its other name: under the name kubectl, it acts as kubectl.
fn link_kubectl(program: &Path, dir: &Path) -> io::Result<()> {
    let bin = dir.join("bin");
    fs::create_dir(&bin)?;
    let kubectl = bin.join("kubectl");
    // A program from elsewhere may be on another disk.
    fs::hard_link(program, &kubectl).or_else(|_| fs::copy(program, &kubectl).map(drop))
}

fn spawn_up(program: &Path, dir: &Path, more: impl FnOnce(&mut Command)) -> io::Result<Child> {
    let mut up = Command::new(program);
    up.envs(go::older_servers().map(|servers| ("CONTROL_PLANE_SERVERS", servers))).arg("up").arg(dir);
    more(&mut up);
    up.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(File::create(dir.join("up.log"))?).spawn()
}

/// Marks the directory of a failed test.
const KEPT: &str = "kept";

const DIR_PREFIX: &str = "control-plane-";

/// A directory that no other test uses, in this process or another.
fn fresh_dir() -> io::Result<PathBuf> {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(sweep);
    let name = format!("{DIR_PREFIX}{}-{}", process::id(), next_number());
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if dir.exists() {
        // Left by an earlier process with the same id.
        fs::remove_dir_all(&dir)?;
    }
    fs::create_dir_all(&dir)?;
    Ok(dir)
}

/// Removes leftovers of earlier test runs: Rust's test harness exits without dropping idle control
/// planes. Leftovers of failed tests stay.
fn sweep() {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for name in names_in(tmp) {
        let name = name.to_string_lossy();
        let Some(owner) = name.strip_prefix(DIR_PREFIX).and_then(|rest| rest.split('-').next()) else { continue };
        let dir = tmp.join(&*name);
        if !is_running(owner) && !dir.join(KEPT).exists() {
            // Leftovers do no harm.
            let _ = fs::remove_dir_all(dir);
        }
    }
}

fn is_running(process: &str) -> bool {
    process.parse().is_ok_and(|process| signal::kill(Pid::from_raw(process), None).is_ok())
}

fn names_in(dir: &Path) -> HashSet<OsString> {
    let entries = fs::read_dir(dir).into_iter().flatten().filter_map(Result::ok);
    entries.map(|entry| entry.file_name()).collect()
}

fn remove(path: &Path) -> io::Result<()> {
    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

fn next_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The lines of a child's output as they arrive.
fn lines_of(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        for line in lines {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn ends_within(child: &mut Child, timeout: Duration) -> bool {
    let started = Instant::now();
    while started.elapsed() < timeout {
        if !matches!(child.try_wait(), Ok(None)) {
            return true;
        }
        thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Whether a variable would bring the developer's own settings into a test.
fn is_personal(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    name.starts_with("KUBE") || name.starts_with("XDG_") || name.ends_with("_PROXY")
}

#[track_caller]
fn succeeded(what: &str, output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what}: {}\n{said}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn string_after(line: &str, key: &str) -> String {
    let Some((_, rest)) = line.split_once(key) else {
        return String::new();
    };
    let value = rest.split('"').next().unwrap_or_default();
    // Go escapes ampersands, which are frequent in queries.
    value.replace("\\u0026", "&")
}

fn number_after(text: &str, key: &str) -> Option<u32> {
    let (_, rest) = text.split_once(key)?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}
