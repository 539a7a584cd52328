//! Answers that are lost or wrong, and a program that is killed, at every point of
//! a plan.

use crate::live::{PROGRAM, stderr, stdout, unstick};
use crate::support::control_plane::ControlPlane;
use crate::support::proxy::{At, Behind, Fault, Faulty};
use serde_json::Value;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

fn held(plane: &ControlPlane, name: &str) {
    plane
        .apply(&format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, finalizers: [acme.io/hold]}}}}"));
    plane.kubectl_ok(&["delete", "configmap", name, "--wait=false"]);
}

fn release(plane: &ControlPlane, server: &str, name: &str) -> Output {
    let arguments = ["configmap", name, "--server", server, "--approve", "leaks", "--timeout", "2s"];
    unstick(plane).args(arguments).output().expect("the program runs")
}

/// The outcomes on record, of all runs so far.
fn outcomes(plane: &ControlPlane) -> Vec<String> {
    let folder = plane.dir().join("state/kubectl-unstick");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a journal").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let texts = files.iter().map(|path| std::fs::read_to_string(path).expect("a journal file"));
    let records = texts.flat_map(|text| {
        text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a record")).collect::<Vec<_>>()
    });
    records
        .filter(|record| record["record"] == "outcome")
        .map(|record| record["outcome"].as_str().expect("a word").to_owned())
        .collect()
}

#[test]
fn a_write_whose_answer_is_lost_is_judged_by_reading_back() {
    let plane = ControlPlane::start();
    held(&plane, "one");
    held(&plane, "two");
    thread::sleep(Duration::from_secs(7));

    let behind = Behind::start(&plane);
    let server = Faulty::start(&behind, Fault::AnswerLost, At::Write(1));
    let lost = release(&plane, &server.address, "one");
    assert_eq!(lost.status.code(), Some(0), "it was done, and seen to be: {}", stderr(&lost));
    assert_eq!(plane.kubectl_ok(&["get", "configmap", "one", "--ignore-not-found", "-o", "name"]), "");
    assert_eq!(outcomes(&plane), ["done"]);

    let server = Faulty::start(&behind, Fault::Status(503), At::Write(1));
    let unavailable = release(&plane, &server.address, "two");
    assert_eq!(unavailable.status.code(), Some(3), "{}", stderr(&unavailable));
    assert!(stderr(&unavailable).contains("not confirmed"), "{}", stderr(&unavailable));
    let left = plane.kubectl_ok(&["get", "configmap", "two", "-o", "jsonpath={.metadata.finalizers[*]}"]);
    assert_eq!(left, "acme.io/hold");
    assert_eq!(outcomes(&plane), ["done", "unconfirmed"]);
}

/// The finalizers of each object: as many steps has its plan.
const FINALIZERS: [&str; 5] = ["acme.io/a", "acme.io/b", "acme.io/c", "acme.io/d", "acme.io/e"];
pub const FAULTS: [Fault; 10] = [
    Fault::Status(401),
    Fault::Status(403),
    Fault::Status(409),
    Fault::Status(422),
    Fault::Status(429),
    Fault::Status(500),
    Fault::Status(503),
    Fault::Cut,
    Fault::AnswerLost,
    Fault::Silence,
];
/// A run sends some twenty reads before its first step, and two or three in each;
/// each of so many meets one of the faults.
const READS: usize = 30;
/// The writes that meet every fault; the others meet a kill alone.
const FAULTY_WRITES: [usize; 3] = [1, 3, 5];
/// So many cases at a time: most of them wait most of the time.
const AT_A_TIME: usize = 12;

/// One fault at one point, on an object of its own, with a journal of its own.
#[derive(Debug)]
struct Case {
    name: String,
    fault: Fault,
    at: At,
}

fn cases() -> Vec<Case> {
    let kills = (1..=FINALIZERS.len()).flat_map(|place| {
        [Fault::KilledBefore, Fault::KilledAfter].into_iter().map(move |fault| (fault, At::Write(place)))
    });
    let writes =
        FAULTY_WRITES.into_iter().flat_map(|place| FAULTS.into_iter().map(move |fault| (fault, At::Write(place))));
    let dry_runs = FAULTS.into_iter().enumerate().map(|(index, fault)| (fault, At::DryRun(1 + index % 5)));
    let reads = (1..=READS).step_by(2).map(|place| (FAULTS[place / 2 % FAULTS.len()], At::Read(place)));
    let all = kills.chain(writes).chain(dry_runs).chain(reads).enumerate();
    all.map(|(index, (fault, at))| Case { name: format!("case-{index}"), fault, at }).collect()
}

/// Runs the program to its end, past the fault if there is one.
pub fn run_through(command: &mut Command, front: Option<&Faulty>, fault: Fault) -> Output {
    // A short limit only where it is waited for: the machine may be slow.
    let awaited = front.is_some() && fault == Fault::Silence;
    command
        .args(front.map(|front| ["--server", &front.address]).into_iter().flatten())
        .args(["--request-timeout", if awaited { "4s" } else { "1m" }])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("the program runs");
    if let Some(front) = front {
        front.watches(child.id());
    }
    child.wait_with_output().expect("it ends")
}

impl Case {
    fn state(&self, plane: &ControlPlane) -> PathBuf {
        plane.dir().join("faults").join(&self.name)
    }

    fn path(&self) -> String {
        format!("/api/v1/namespaces/default/configmaps/{}", self.name)
    }

    fn run(&self, plane: &ControlPlane, front: Option<&Faulty>) -> Output {
        let mut command = unstick(plane);
        command.env("XDG_STATE_HOME", self.state(plane)).args([
            "configmap",
            &self.name,
            "--approve",
            "leaks",
            "--timeout",
            "2s",
        ]);
        run_through(&mut command, front, self.fault)
    }

    /// The finalizers that are left; `None` when the object is gone.
    fn left(&self, plane: &ControlPlane) -> Option<Vec<String>> {
        let arguments =
            ["get", "configmap", &self.name, "--ignore-not-found", "-o", "jsonpath={.metadata.finalizers[*]} "];
        let text = plane.kubectl_ok(&arguments);
        (!text.is_empty()).then(|| text.split_whitespace().map(str::to_owned).collect())
    }

    /// The records of all runs.
    fn records(&self, plane: &ControlPlane) -> Vec<Value> {
        records_in(&self.state(plane))
    }

    /// Lets it fail, looks at what was said, and has the next run do the rest.
    fn prove(&self, plane: &ControlPlane, behind: &Behind) {
        let front = Faulty::start(behind, self.fault, self.at);
        let output = self.run(plane, Some(&front));
        let said = format!("{} {:?} {:?}: {}{}", self.name, self.fault, self.at, stdout(&output), stderr(&output));
        assert!(front.has_fired() || matches!(self.at, At::Read(_)), "nothing went wrong: {said}");
        let left = self.left(plane);
        self.tells_the_truth(plane, &output, left.as_deref(), &said);
        let killed = matches!(self.fault, Fault::KilledBefore | Fault::KilledAfter);
        assert_eq!(output.status.signal() == Some(9), killed, "{said}");

        let next = self.run(plane, None);
        let next_said = format!("{said}\nnext: {}{}", stdout(&next), stderr(&next));
        assert!(self.left(plane).is_none(), "the next run completes it: {next_said}");
        let gone_before = left.is_none();
        assert_eq!(next.status.code(), Some(if gone_before { 2 } else { 0 }), "{next_said}");
        assert_eq!(stderr(&next).contains("did not end"), killed, "{next_said}");
        if killed {
            let third = self.run(plane, None);
            assert!(!stderr(&third).contains("did not end"), "said once: {}", stderr(&third));
        }
    }

    /// No success without proof, and nothing is called done that is not.
    fn tells_the_truth(&self, plane: &ControlPlane, output: &Output, left: Option<&[String]>, said: &str) {
        if left.is_some() {
            assert_ne!(output.status.code(), Some(0), "{said}");
            assert!(!stderr(output).contains("is gone: read back"), "{said}");
        }
        let records = self.records(plane);
        for done in records.iter().filter(|record| record["outcome"] == "done") {
            let intended = records.iter().find(|record| record["record"] == "intend" && record["step"] == done["step"]);
            let finalizer = intended.expect("on record before")["what"]["finalizer"].as_str().expect("a finalizer");
            assert!(!left.unwrap_or_default().iter().any(|key| key == finalizer), "{finalizer} is there: {said}");
        }
        let removed = FINALIZERS.len() - left.map_or(0, <[String]>::len);
        let intended = records.iter().filter(|record| record["record"] == "intend").count();
        assert!(removed <= intended, "{removed} removed, {intended} on record: {said}");
    }

    /// The writes on record, by path.
    fn intended(&self, plane: &ControlPlane) -> usize {
        let records = self.records(plane);
        let paths =
            records.iter().filter(|record| record["record"] == "intend").map(|record| &record["request"]["path"]);
        paths.inspect(|path| assert_eq!(**path, self.path(), "another object")).count()
    }
}

/// Files may grow to 1, 2, … KiB: somewhere among the records of the plan.
const DISKS: usize = 4;

/// Where no more can be put on record, nothing more is written.
fn a_full_disk(plane: &ControlPlane, size: usize) -> Case {
    let case = Case { name: format!("disk-{size}"), fault: Fault::Cut, at: At::Read(0) };
    let script =
        format!("trap '' XFSZ; ulimit -f {size}; exec {PROGRAM} configmap {} --approve leaks --timeout 2s", case.name);
    let mut command = plane.command("bash");
    let output = command.env("XDG_STATE_HOME", case.state(plane)).args(["-c", &script]).output().expect("bash runs");
    let said = format!("{size} KiB: {}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(stderr(&output).contains("File too large"), "{said}");
    let file = std::fs::read_dir(case.state(plane).join("kubectl-unstick")).expect("a folder").next();
    let text = std::fs::read_to_string(file.expect("a run").expect("an entry").path()).expect("a journal file");
    // Whole records, and at most half a one after them.
    let (whole, half) = text.rsplit_once('\n').expect("a record");
    let records: Vec<Value> = whole.lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    assert!(serde_json::from_str::<Value>(half).is_err(), "{half}");
    let removed = FINALIZERS.len() - case.left(plane).map_or(0, |left| left.len());
    let intended = records.iter().filter(|record| record["record"] == "intend").count();
    assert_eq!(removed, intended, "{said}");
    assert!(stderr(&case.run(plane, None)).contains("did not end"), "{said}");
    assert!(case.left(plane).is_none(), "the next run completes it");
    case
}

/// Those of the cases that panic; some run at the same time.
pub fn that_fail<C: Sync + std::fmt::Debug>(cases: &[C], prove: impl Fn(&C) + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let work = || {
            let mut failed = Vec::new();
            while let Some(case) = cases.get(next.fetch_add(1, Ordering::SeqCst)) {
                if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| prove(case))).is_err() {
                    failed.push(format!("{case:?}"));
                }
            }
            failed
        };
        let workers: Vec<_> = (0..AT_A_TIME).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    })
}

/// The whole records of all runs in a state folder, in their order.
pub fn records_in(state: &Path) -> Vec<Value> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(state.join("kubectl-unstick"))
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let texts = files.iter().map(|path| std::fs::read_to_string(path).expect("a journal file"));
    texts
        .flat_map(|text| text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).collect::<Vec<_>>())
        .collect()
}

/// What the program has written to the server, by path.
pub fn writes_of_us(plane: &ControlPlane) -> Vec<String> {
    let requests = plane.audit_requests();
    let ours = requests.into_iter().filter(|event| event.user_agent.starts_with("kubectl-unstick/"));
    ours.filter(|event| !event.uri.contains("dryRun") && !event.uri.contains("/selfsubject"))
        .filter(|event| !matches!(event.verb.as_str(), "get" | "list" | "watch"))
        .map(|event| event.uri)
        .collect()
}

#[test]
fn a_fault_at_every_point() {
    let plane = ControlPlane::start();
    let behind = Behind::start(&plane);
    let cases = cases();
    let names = cases.iter().map(|case| case.name.clone()).chain((1..=DISKS).map(|size| format!("disk-{size}")));
    let held: Vec<String> = names
        .map(|name| {
            let keys = FINALIZERS.join(", ");
            format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, labels: {{a: b}}, finalizers: [{keys}]}}}}\n")
        })
        .collect();
    plane.apply(&held.join("---\n"));
    plane.kubectl_ok(&["delete", "configmap", "-l", "a=b", "--wait=false"]);
    thread::sleep(Duration::from_secs(6));
    let failed = that_fail(&cases, |case| case.prove(&plane, &behind));
    assert!(failed.is_empty(), "{failed:#?}");
    let disks: Vec<Case> = (1..=DISKS).map(|size| a_full_disk(&plane, size)).collect();
    // What the server has done is on record, and nothing else was touched.
    let writes = writes_of_us(&plane);
    let mut counted = 0;
    for case in cases.iter().chain(&disks) {
        let (sent, intended) = (writes.iter().filter(|uri| **uri == case.path()).count(), case.intended(&plane));
        counted += sent;
        assert!(sent <= intended, "{:?} {:?}: {sent} sent, {intended} on record", case.fault, case.at);
    }
    assert_eq!(counted, writes.len(), "writes to other objects: {writes:?}");
}
