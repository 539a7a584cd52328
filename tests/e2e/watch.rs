//! `-w` until everything is gone: over interrupted connections and a restarting server; in a pipe,
//! for programs, and on a terminal.

use crate::prompts::session;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::proxy::Front;
use crate::support::terminal::{exit_code, set_size};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::fs::File;
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(30);

/// A namespace that is being deleted and contains this many held `ConfigMap`s.
fn held_namespace(plane: &ControlPlane, name: &str, count: usize) {
    plane.kubectl_ok(&["create", "namespace", name]);
    let object = |number| {
        format!(
            "---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: c{number}, namespace: {name}, finalizers: [acme.io/hold]}}}}\n"
        )
    };
    plane.apply(&(0..count).map(object).collect::<String>());
    plane.kubectl_ok(&["delete", "namespace", name, "--wait=false"]);
}

fn held(plane: &ControlPlane, name: &str) {
    plane
        .apply(&format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, finalizers: [acme.io/hold]}}}}"));
    plane.kubectl_ok(&["delete", "configmap", name, "--wait=false"]);
}

fn release(plane: &ControlPlane, namespace: &str, name: &str) {
    let patch = r#"{"metadata":{"finalizers":null}}"#;
    plane.kubectl_ok(&["patch", "configmap", name, "-n", namespace, "--type=merge", "-p", patch]);
}

/// A run that continues while its output is read.
struct Running {
    child: Child,
    out: PathBuf,
    err: PathBuf,
}

impl Running {
    fn start(plane: &ControlPlane, name: &str, arguments: &[&str]) -> Self {
        Self::of(unstick(plane).args(arguments), plane, name)
    }

    fn of(command: &mut Command, plane: &ControlPlane, name: &str) -> Self {
        let (out, err) = (plane.dir().join(format!("{name}.out")), plane.dir().join(format!("{name}.err")));
        let file = |path| Stdio::from(File::create(path).expect("a file"));
        let child = command.stdout(file(&out)).stderr(file(&err)).spawn().expect("the program runs");
        Self { child, out, err }
    }

    fn said(&self) -> String {
        std::fs::read_to_string(&self.out).expect("its output")
    }

    fn complained(&self) -> String {
        std::fs::read_to_string(&self.err).expect("its talk")
    }

    fn says(&self, what: &str) {
        wait_until(what, SOON, || self.said().contains(what));
    }

    /// Waits for its end. Returns the exit code.
    fn ends(&mut self) -> i32 {
        wait_until("it ends", SOON, || self.child.try_wait().expect("a child").is_some());
        self.child.wait().expect("a child").code().expect("a code")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn a_namespace_is_followed_by_watches_until_it_is_gone() {
    let plane = ControlPlane::start();
    held_namespace(&plane, "shop", 6);
    let started = Instant::now();
    let mut lines = Running::start(&plane, "lines", &["ns", "shop", "-w"]);
    let mut reports = Running::start(&plane, "reports", &["ns", "shop", "-w", "-o", "json"]);
    lines.says("6 objects left: 6 configmaps");
    for name in ["c0", "c1"] {
        release(&plane, "shop", name);
    }
    lines.says(" went; 4 objects left: 4 configmaps");
    // By now the diagnosis names what holds the other objects.
    lines.says("waits for: 4 objects wait for finalizer acme.io/hold");
    reports.says("\"state\":\"Stuck\"");
    for name in ["c2", "c3", "c4", "c5"] {
        release(&plane, "shop", name);
    }
    assert_eq!((lines.ends(), reports.ends()), (0, 0));
    let said = lines.said();
    assert!(said.trim_end().ends_with("verified: Namespace shop is gone"), "{said}");
    assert!(said.lines().all(|line| line.starts_with("20") && line.contains("Z  ")), "{said}");
    let said = reports.said();
    let reports: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("a report a line")).collect();
    assert_eq!(reports[0]["targets"][0]["state"], "Progressing");
    assert!(reports.iter().any(|report| report["targets"][0]["state"] == "Stuck"), "{said}");
    let last = reports.last().expect("a report");
    assert_eq!((&last["targets"][0]["state"], &last["findings"]), (&"Gone".into(), &serde_json::json!([])));

    let of_us = |verb: &str, path: &str| {
        let requests = plane.audit_requests();
        requests
            .iter()
            .filter(|event| {
                event.verb == verb && event.user_agent.starts_with("kubectl-unstick") && event.uri.starts_with(path)
            })
            .count()
    };
    wait_until("the watches end", SOON, || of_us("watch", "/api/v1/namespaces/shop/configmaps?watch=true") >= 2);
    // Each of the two diagnoses several times, depending on the duration: a diagnosis costs one
    // list of each kind, and without changes there is one every ten seconds.
    let sweeps = of_us("list", "/apis/apps/v1/namespaces/shop/deployments") / 2;
    let looks = 3 + started.elapsed().as_secs() / 10;
    assert!(sweeps as u64 <= looks, "{sweeps} sweeps of each run, not {looks}");
}

/// The number of objects in one namespace, and the number of namespaces with one object.
const CROWD: usize = 130;
const PLACES: usize = 45;

#[test]
fn many_objects_share_one_watch_for_each_place_or_one_for_all() {
    let plane = ControlPlane::start();
    let held = |namespace: &str, name: &str| {
        format!(
            "---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, namespace: {namespace}, labels: {{a: b}}, finalizers: [acme.io/hold]}}}}\n"
        )
    };
    let here: String = (0..CROWD).map(|number| held("default", &format!("c{number}"))).collect();
    let namespaces: Vec<String> = (0..PLACES).map(|number| format!("n{number}")).collect();
    let made = |name: &String| format!("---\n{{apiVersion: v1, kind: Namespace, metadata: {{name: {name}}}}}\n");
    plane.apply(&namespaces.iter().map(made).chain([here]).collect::<String>());
    plane.apply(&namespaces.iter().map(|name| held(name, "c")).collect::<String>());
    plane.kubectl_ok(&["delete", "configmap", "-A", "-l", "a=b", "--wait=false"]);
    let mut one = Running::start(&plane, "one", &["cm", "-n", "default", "-w"]);
    let mut all = Running::start(&plane, "all", &["cm", "-A", "-w"]);
    // This user may list in one namespace only.
    plane.kubectl_ok(&["create", "role", "-n", "n1", "reader", "--verb=get,list", "--resource=configmaps"]);
    plane.kubectl_ok(&["create", "rolebinding", "-n", "n1", "reader", "--role=reader", "--user=reader"]);
    let mut two = Running::start(&plane, "two", &["cm", "c", "-n", "n1", "-w", "--as", "reader"]);
    for run in [&one, &all, &two] {
        run.says("waits for");
    }
    let release = |namespace: &str, names: &[String]| {
        let patch = r#"{"metadata":{"finalizers":null}}"#;
        let names = names.iter().map(String::as_str);
        let arguments = ["patch", "configmap", "-n", namespace, "--type=merge", "-p", patch].into_iter().chain(names);
        plane.kubectl_ok(&arguments.collect::<Vec<_>>());
    };
    release("default", &(0..CROWD).map(|number| format!("c{number}")).collect::<Vec<_>>());
    assert_eq!(one.ends(), 0, "{}", one.complained());
    for namespace in &namespaces {
        release(namespace, &["c".to_owned()]);
    }
    assert_eq!((all.ends(), two.ends()), (0, 0), "{}{}", all.complained(), two.complained());
    assert!(one.said().contains(&format!("and {} more", CROWD - 20)), "{}", one.said());
    let of_us = |path: &str| {
        let requests = plane.audit_requests();
        let watches = requests.iter().filter(|event| event.verb == "watch" && event.code == 200);
        let ours = watches.filter(|event| event.user_agent.starts_with("kubectl-unstick"));
        ours.filter(|event| event.uri.starts_with(path)).count()
    };
    // Each watch is opened, perhaps more than once, but not for each object.
    wait_until("the watches end", SOON, || of_us("/api/v1/namespaces/default/configmaps?") >= 1);
    wait_until("the watches end", SOON, || of_us("/api/v1/configmaps?") >= 1);
    let (here, everywhere) = (of_us("/api/v1/namespaces/default/configmaps?"), of_us("/api/v1/configmaps?"));
    assert!(here <= 2 && everywhere <= 2, "{here} watches in the namespace, {everywhere} in all");
    assert_eq!(of_us("/api/v1/namespaces/n"), 0, "{PLACES} namespaces are too many for a watch of each");
}

#[test]
fn a_watch_ends_on_time_and_ignores_namesakes() {
    let plane = ControlPlane::start();
    for name in ["one", "two"] {
        held(&plane, name);
    }
    thread::sleep(Duration::from_secs(6));
    let output = unstick(&plane).args(["cm", "one", "-w", "--timeout", "2s"]).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("  waits for: "), "{}", stdout(&output));
    assert!(stdout(&output).contains("ConfigMap default/one still exists"), "{}", stdout(&output));
    assert!(stderr(&output).contains("the time is up"), "{}", stderr(&output));

    let mut watch = Running::start(&plane, "namesake", &["cm", "one", "two", "-w"]);
    watch.says("waits for");
    release(&plane, "default", "one");
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: one, finalizers: [acme.io/hold]}}");
    watch.says("verified: ConfigMap default/one is gone");
    release(&plane, "default", "two");
    assert_eq!(watch.ends(), 0);
    assert_eq!(plane.kubectl_ok(&["get", "cm", "one", "-o", "jsonpath={.metadata.deletionTimestamp}"]), "");

    held(&plane, "three");
    thread::sleep(Duration::from_secs(6));
    let first = unstick(&plane).args(["cm", "three", "-w", "--approve", "leaks"]).output().expect("the program runs");
    assert_eq!(first.status.code(), Some(0), "{}{}", stdout(&first), stderr(&first));
    // An object that gets stuck only during the watch is released as well.
    held(&plane, "four");
    let later = unstick(&plane).args(["cm", "four", "-w", "--approve", "leaks"]).output().expect("the program runs");
    assert_eq!(later.status.code(), Some(0), "{}{}", stdout(&later), stderr(&later));

    for (arguments, why) in [
        (&["cm", "one", "-w", "--from", "/nowhere"][..], "--watch cannot be used with --from"),
        (&["cm", "one", "-w", "--dry-run"], "a dry run deletes nothing"),
        (&["-w", "apis"], "unexpected argument '-w'"),
        (&["cm", "one", "-w", "--delete"], "'--watch' cannot be used with '--delete'"),
        (&["cm", "absent", "-w"], "not found"),
    ] {
        let output = unstick(&plane).args(arguments).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(why), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn a_watch_survives_cut_connections_and_a_server_restart() {
    let plane = ControlPlane::alone();
    held_namespace(&plane, "shop", 2);
    let open: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
    let front = {
        let open = Arc::clone(&open);
        Front::start(&plane, move |client, server| {
            open.lock().expect("no panic").push(client.try_clone().expect("a clone"));
            pass(client, server);
        })
    };
    let mut cut = Running::start(&plane, "cut", &["ns", "shop", "-w", "--server", &front.address]);
    let mut restarted = Running::start(&plane, "restarted", &["ns", "shop", "-w"]);
    without_watch(&plane);
    let mut polling = Running::start(&plane, "polling", &["ns", "shop", "-w", "--as", "reader"]);
    for run in [&cut, &restarted, &polling] {
        run.says("2 objects left: 2 configmaps");
    }
    for client in open.lock().expect("no panic").drain(..) {
        client.shutdown(Shutdown::Both).ok();
    }
    release(&plane, "shop", "c0");
    cut.says("1 configmap went; 1 object left: 1 configmap");
    assert_eq!(cut.complained(), "", "what is mended at once is not worth a word");
    plane.stop("kube-apiserver");
    wait_until("it says so", SOON, || restarted.complained().contains("cannot be read; trying again"));
    plane.resume("kube-apiserver");
    wait_until("it says so", SOON, || restarted.complained().contains("the API server answers again"));
    release(&plane, "shop", "c1");
    assert_eq!((cut.ends(), restarted.ends(), polling.ends()), (0, 0, 0));
    assert!(polling.complained().contains("cannot be watched and is read every 10 s"), "{}", polling.complained());
}

fn pass(client: &TcpStream, server: &TcpStream) {
    let copy = |from: &TcpStream, to: &TcpStream| {
        let (mut from, mut to) = (from.try_clone().expect("a clone"), to.try_clone().expect("a clone"));
        thread::spawn(move || {
            std::io::copy(&mut from, &mut to).ok();
            to.shutdown(Shutdown::Both).ok();
        })
    };
    let (back, forth) = (copy(server, client), copy(client, server));
    back.join().and(forth.join()).ok();
}

/// Lets a user read everything, and watch nothing.
fn without_watch(plane: &ControlPlane) {
    plane.kubectl_ok(&["create", "clusterrole", "reader", "--verb=get,list", "--resource=*.*"]);
    plane.kubectl_ok(&["create", "clusterrolebinding", "reader", "--clusterrole=reader", "--user=reader"]);
}

#[test]
fn a_live_screen_fits_and_restores_the_terminal() {
    let plane = ControlPlane::start();
    held_namespace(&plane, "shop", 3);
    let mut session = session(&plane, &["ns", "shop", "-w"]);
    session.exp_string("\x1b[?25l").expect("the cursor is hidden");
    session.exp_string("configmaps          3              3").expect("what remains");
    let wide = session.exp_string("Ctrl-C ends the watch").expect("the foot");
    assert!(lines_of(&wide).iter().all(|line| line.chars().count() < 80), "{:#?}", lines_of(&wide));
    set_size(&session, 12, 50);
    // Rows and columns change one after the other: there may be a frame in between.
    let fits = |lines: &[String]| lines.len() <= 12 && lines.iter().all(|line| line.chars().count() < 50);
    let mut small = Vec::new();
    for _ in 0..2 {
        session.exp_string("\x1b[2J").expect("it begins anew at the top");
        small = lines_of(&session.exp_string("last change").expect("the foot"));
        if fits(&small) {
            break;
        }
    }
    assert!(fits(&small), "{small:#?}");
    session.send_control('c').expect("typed");
    session.exp_string("\x1b[?25h").expect("the cursor is back");
    session.exp_string("interrupted").expect("says so");
    assert_eq!(exit_code(&mut session), 130);

    let mut session = self::session(&plane, &["ns", "shop", "-w", "--color=never"]);
    session.exp_string("Ctrl-C ends the watch").expect("the foot");
    for name in ["c0", "c1", "c2"] {
        release(&plane, "shop", name);
    }
    session.exp_string("verified: gone").expect("the end");
    assert_eq!(exit_code(&mut session), 0);
}

/// The output, line by line, without escape sequences. rexpect treats each byte as a character.
pub fn lines_of(text: &str) -> Vec<String> {
    let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let parameters = |c: char| c == '[' || c == '?' || c == ';' || c.is_ascii_digit();
    let mut pieces = text.split('\x1b');
    let first = pieces.next().unwrap_or_default().to_owned();
    // The last letter of a sequence determines its meaning.
    let rest = pieces.map(|piece| piece.trim_start_matches(parameters).get(1..).unwrap_or_default());
    let plain: String = std::iter::once(first.as_str()).chain(rest).collect();
    plain.lines().map(|line| line.trim_matches('\r').to_owned()).collect()
}
