//! Removals that go out several at a time: faults and kills in the middle of them, a full
//! disk, and Ctrl-C.

use crate::faults::{FAULTS, records_in, run_through, that_fail, writes_of_us};
use crate::live::{PROGRAM, stderr, stdout, unstick};
use crate::support::control_plane::{AuditEvent, ControlPlane, wait_until};
use crate::support::proxy::{At, Behind, Fault, Faulty};
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// The objects of a case: they go out as one, two, four and three.
const OBJECTS: usize = 10;
/// The writes that meet every fault: in the middle of a batch, and the last.
const FAULTY_WRITES: [usize; 2] = [5, 10];
/// One in each batch, and at the ends of one.
const KILLS: [usize; 5] = [1, 3, 4, 7, 9];
/// A run sends some twenty reads before its first step.
const READS: std::ops::RangeInclusive<usize> = 18..=36;

/// One fault at one point, on objects of its own, with a journal of its own.
#[derive(Debug)]
struct Case {
    name: String,
    fault: Fault,
    at: At,
}

fn cases() -> Vec<Case> {
    let kills = KILLS.into_iter().flat_map(|place| {
        [Fault::KilledBefore, Fault::KilledAfter].into_iter().map(move |fault| (fault, At::Write(place)))
    });
    let writes =
        FAULTY_WRITES.into_iter().flat_map(|place| FAULTS.into_iter().map(move |fault| (fault, At::Write(place))));
    let dry_runs = FAULTS.into_iter().enumerate().map(|(index, fault)| (fault, At::DryRun(2 + index % 8)));
    let reads = READS.step_by(2).enumerate().map(|(index, place)| (FAULTS[index % FAULTS.len()], At::Read(place)));
    let all = kills.chain(writes).chain(dry_runs).chain(reads).enumerate();
    all.map(|(index, (fault, at))| Case { name: format!("batch-{index}"), fault, at }).collect()
}

/// Held objects of these labels, each so many.
fn hold<'a>(plane: &ControlPlane, labels: impl Iterator<Item = &'a str>, count: usize) {
    let object = |label: &str, number: usize| {
        format!(
            "---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {label}-{number}, labels: {{batch: {label}, held: b}}, finalizers: [acme.io/hold]}}}}\n"
        )
    };
    let all: Vec<String> = labels.flat_map(|label| (0..count).map(move |number| object(label, number))).collect();
    plane.apply(&all.concat());
    plane.kubectl_ok(&["delete", "configmap", "-l", "held=b", "--wait=false"]);
    thread::sleep(Duration::from_secs(6));
}

/// Those that are left, by path.
fn left(plane: &ControlPlane, label: &str) -> BTreeSet<String> {
    let names = plane.kubectl_ok(&[
        "get",
        "configmap",
        "-l",
        &format!("batch={label}"),
        "-o",
        "jsonpath={.items[*].metadata.name}",
    ]);
    names.split_whitespace().map(path).collect()
}

fn path(name: &str) -> String {
    format!("/api/v1/namespaces/default/configmaps/{name}")
}

fn all(label: &str, count: usize) -> BTreeSet<String> {
    (0..count).map(|number| path(&format!("{label}-{number}"))).collect()
}

/// The paths of the writes on record, and of those that are on record as done.
fn on_record(records: &[Value]) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut intended, mut done, mut of_run) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for record in records {
        match record["record"].as_str() {
            Some("run") => of_run.clear(),
            Some("intend") => {
                let path = record["request"]["path"].as_str().expect("a path").to_owned();
                intended.insert(path.clone());
                of_run.push((record["step"].clone(), path));
            }
            Some("outcome") if record["outcome"] == "done" => {
                let of = of_run.iter().find(|(step, _)| *step == record["step"]);
                done.insert(of.expect("on record before").1.clone());
            }
            _ => {}
        }
    }
    (intended, done)
}

impl Case {
    fn state(&self, plane: &ControlPlane) -> PathBuf {
        plane.dir().join("batches").join(&self.name)
    }

    fn run(&self, plane: &ControlPlane, front: Option<&Faulty>) -> Output {
        let mut command = unstick(plane);
        let label = format!("batch={}", self.name);
        command.env("XDG_STATE_HOME", self.state(plane)).args([
            "configmap",
            "-l",
            &label,
            "--approve",
            "leaks",
            "--timeout",
            "2s",
        ]);
        run_through(&mut command, front, self.fault)
    }

    /// Lets it fail, looks at what was said, and has the next run do the rest.
    fn prove(&self, plane: &ControlPlane, behind: &Behind) {
        let front = Faulty::start(behind, self.fault, self.at);
        let output = self.run(plane, Some(&front));
        let said = format!("{self:?}: {}{}", stdout(&output), stderr(&output));
        assert!(front.has_fired() || matches!(self.at, At::Read(_)), "nothing went wrong: {said}");
        let killed = matches!(self.fault, Fault::KilledBefore | Fault::KilledAfter);
        assert_eq!(output.status.signal() == Some(9), killed, "{said}");
        let open = self.tells_the_truth(plane, &output, &said);

        let next = self.run(plane, None);
        let next_said = format!("{said}\nnext: {}{}", stdout(&next), stderr(&next));
        assert_eq!(left(plane, &self.name), BTreeSet::new(), "the next run completes it: {next_said}");
        assert_eq!(stderr(&next).contains("did not end"), killed, "{next_said}");
        if killed {
            assert!(stderr(&next).contains("may have been written"), "{next_said}");
            assert!(open == 1 || stderr(&next).contains(&format!("{open} steps, from ")), "{open}: {next_said}");
        }
    }

    /// No success without proof, and nothing is called done that is not. Says of how many
    /// writes nobody knows what became of them.
    fn tells_the_truth(&self, plane: &ControlPlane, output: &Output, said: &str) -> usize {
        let left = left(plane, &self.name);
        if !left.is_empty() {
            assert_ne!(output.status.code(), Some(0), "{said}");
        }
        let records = records_in(&self.state(plane));
        let (intended, done) = on_record(&records);
        let of_all = all(&self.name, OBJECTS);
        assert!(done.is_disjoint(&left), "done, and there: {said}");
        let gone: BTreeSet<String> = of_all.difference(&left).cloned().collect();
        assert!(gone.is_subset(&intended), "gone without a record: {said}");
        assert!(intended.is_subset(&of_all), "another object: {said}");
        let kinds = |kind: &str| records.iter().filter(|record| record["record"] == kind).count();
        kinds("intend") - kinds("outcome")
    }
}

#[test]
fn a_fault_in_the_middle_of_a_batch() {
    let plane = ControlPlane::start();
    let behind = Behind::start(&plane);
    let cases = cases();
    hold(&plane, cases.iter().map(|case| case.name.as_str()), OBJECTS);
    let failed = that_fail(&cases, |case| case.prove(&plane, &behind));
    assert!(failed.is_empty(), "{failed:#?}");
    // What the server has done is on record, and nothing else was touched.
    let writes = writes_of_us(&plane);
    let mut counted = 0;
    for case in &cases {
        let records = records_in(&case.state(&plane));
        for path in all(&case.name, OBJECTS) {
            let sent = writes.iter().filter(|uri| **uri == path).count();
            let intended = records.iter().filter(|record| record["request"]["path"] == path.as_str()).count();
            assert!(sent <= intended, "{case:?} {path}: {sent} sent, {intended} on record");
            counted += sent;
        }
    }
    assert_eq!(counted, writes.len(), "writes to other objects");
}

/// Files may grow to so many KiB: somewhere among the records.
const DISKS: [usize; 6] = [1, 2, 4, 6, 8, 11];

#[test]
fn where_no_more_can_be_put_on_record_nothing_more_of_a_batch_is_written() {
    let plane = ControlPlane::start();
    let name = |size: usize| format!("disk-{size}");
    let names: Vec<String> = DISKS.into_iter().map(name).collect();
    hold(&plane, names.iter().map(String::as_str), OBJECTS);
    for size in DISKS {
        let case = Case { name: name(size), fault: Fault::Cut, at: At::Read(0) };
        let line = format!("configmap -l batch={} --approve leaks --timeout 2s", case.name);
        let script = format!("trap '' XFSZ; ulimit -f {size}; exec {PROGRAM} {line}");
        let mut command = plane.command("bash");
        let output = command.env("XDG_STATE_HOME", case.state(&plane)).args(["-c", &script]).output().expect("bash");
        let said = format!("{size} KiB: {}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(stderr(&output).contains("File too large"), "{said}");
        case.tells_the_truth(&plane, &output, &said);
        let next = case.run(&plane, None);
        assert!(stderr(&next).contains("did not end"), "{}", stderr(&next));
        assert_eq!(left(&plane, &case.name), BTreeSet::new(), "the next run completes it");
    }
}

const MANY: usize = 300;

#[test]
fn an_interrupted_crowd_is_told_exactly() {
    let plane = ControlPlane::start();
    hold(&plane, ["many"].into_iter(), MANY);
    let state = plane.dir().join("interrupted");
    let child = unstick(&plane)
        .env("XDG_STATE_HOME", &state)
        .args(["configmap", "-l", "batch=many", "--approve", "leaks"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    wait_until("some are done", Duration::from_secs(30), || on_record(&records_in(&state)).1.len() >= 20);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let left = left(&plane, "many").len();
    let told = format!("interrupted: of {MANY} of these steps {} done, {left} not tried", MANY - left);
    assert!(left > 0 && stderr(&output).contains(&told), "{told}: {}", stderr(&output));
    let records = records_in(&state);
    assert_eq!(on_record(&records).1.len(), MANY - left);
    assert_eq!(records.last().expect("an end")["how"], "interrupted");

    let before = plane.audit_requests().len();
    let rest = unstick(&plane)
        .env("XDG_STATE_HOME", &state)
        .args(["configmap", "-l", "batch=many", "--approve", "leaks"])
        .output()
        .expect("the program runs");
    assert_eq!(rest.status.code(), Some(0), "{}", stderr(&rest));
    assert!(
        stderr(&rest).contains(&format!("done: {left} of {left}: remove finalizer acme.io/hold")),
        "{}",
        stderr(&rest)
    );
    assert!(tried_while_others_were_written(&plane.audit_requests()[before..]), "one batch waits for the other");
    // Records of several writes come before all that became of them.
    let kinds: Vec<&str> = records.iter().filter_map(|record| record["record"].as_str()).collect();
    assert!(kinds.windows(16).any(|some| some.iter().all(|kind| *kind == "intend")), "they went out together");
    let undo = unstick(&plane).env("XDG_STATE_HOME", &state).args(["undo", "last", "--yes"]).output().expect("it runs");
    assert_eq!(stdout(&undo).matches("accepts no new finalizer").count(), left, "{}", stderr(&undo));
}

/// Whether some dry run came after a write and before the look at what became of that.
fn tried_while_others_were_written(requests: &[AuditEvent]) -> bool {
    let mut open: BTreeSet<&str> = BTreeSet::new();
    let mut tried: BTreeSet<&str> = BTreeSet::new();
    requests.iter().filter(|event| event.uri.contains("/configmaps/")).any(|event| {
        let (path, query) = event.uri.split_once('?').unwrap_or((&event.uri, ""));
        match event.verb.as_str() {
            "patch" if query.contains("dryRun") => tried.extend(&open),
            "patch" => open.extend([path]),
            _ => {}
        }
        event.verb == "get" && open.remove(path) && tried.contains(path)
    })
}

/// Somebody may write to these alone, and the rest of a class is refused from there on.
const ALLOWED: std::ops::Range<usize> = 0..20;
const FORBIDDEN: std::ops::Range<usize> = 20..30;
const IN_ALL: usize = 40;

#[test]
fn refusals_in_a_batch_end_a_class_as_they_do_one_by_one() {
    let plane = ControlPlane::start();
    let name = |number: usize| format!("c{number:02}");
    let object = |number: usize| {
        let name = name(number);
        format!(
            "---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, labels: {{batch: half}}, finalizers: [acme.io/hold]}}}}\n"
        )
    };
    plane.apply(&(0..IN_ALL).map(object).collect::<String>());
    plane.kubectl_ok(&["delete", "configmap", "-l", "batch=half", "--wait=false"]);
    thread::sleep(Duration::from_secs(6));
    let allowed = (0..IN_ALL).filter(|number| !FORBIDDEN.contains(number));
    let names: Vec<String> = allowed.map(|number| format!("--resource-name={}", name(number))).collect();
    let role = ["create", "role", "half", "--verb=patch", "--resource=configmaps"].into_iter();
    plane.kubectl_ok(&role.chain(names.iter().map(String::as_str)).collect::<Vec<_>>());
    plane.kubectl_ok(&["create", "rolebinding", "half", "--role=half", "--user=half"]);
    plane.kubectl_ok(&["create", "clusterrole", "half", "--verb=get,list", "--resource=*.*"]);
    plane.kubectl_ok(&["create", "clusterrolebinding", "half", "--clusterrole=half", "--user=half"]);
    let output = unstick(&plane)
        .args(["configmap", "-l", "batch=half", "--approve", "leaks", "--as", "half", "--timeout", "1s"])
        .output()
        .expect("the program runs");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let (done, untried) = (ALLOWED.len(), IN_ALL - ALLOWED.len() - 5);
    assert!(said.contains(&format!("{untried} more of these were not tried after 5 refusals")), "{said}");
    assert!(said.contains(&format!("done: {done} of {IN_ALL}: remove finalizer acme.io/hold")), "{said}");
    assert_eq!(said.matches("not done: remove finalizer").count(), 5, "{said}");
    let there: BTreeSet<String> = (ALLOWED.end..IN_ALL).map(|number| path(&name(number))).collect();
    assert_eq!(left(&plane, "half"), there, "none of the rest was written");
}
