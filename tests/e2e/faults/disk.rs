//! The real program's journal on a full disk, with a limit on the size of its files, and on a disk
//! that fails to sync. `src/journal/tests.rs` tries every byte and every sync of a longer run on a
//! simulated disk.

use super::front::Front;
use super::{held_by, number};
use crate::random::Random;
use crate::support::control_plane::ControlPlane;
use crate::support::go::tell;
use crate::support::program::{PROGRAM, stderr, stdout};
use crate::support::proxy::Behind;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

/// The finalizers of each object: the plan has a step for each.
const FINALIZERS: [&str; 2] = ["acme.io/a", "acme.io/b"];
/// The minimum size of the records of a complete run.
const BYTES: usize = 2600;
/// How many syncs are tried, which is more than such a run needs. Syncing the folder is optional;
/// syncing each step's record, each outcome and the end is not.
#[cfg(target_os = "linux")]
const SYNCS: usize = 12;
/// The minimum number of syncs.
#[cfg(target_os = "linux")]
const FEWEST: usize = 4;
/// The program's error on a full disk.
const FULL: &str = "File too large";
/// How many places are tried, unless all are requested.
const SAMPLE: usize = 12;
/// How many runs are made at a time. They spend most of their time waiting.
const AT_A_TIME: usize = 6;

/// A prefix for the program's command line in a shell that makes the disk fail.
type Broken = dyn Fn(usize) -> String + Sync;

/// Limits the size of the program's files, reported by an error as on a full disk instead of a
/// signal. `ulimit` counts in KiB, `prlimit` of util-linux in bytes.
fn full_at(bytes: usize) -> String {
    format!("trap '' XFSZ; exec prlimit --fsize={bytes}:{bytes}")
}

/// The effect of the fault on a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Met {
    /// The disk did everything that the run needed.
    Nothing,
    /// A step could not be recorded, and nothing more was written.
    AtAStep,
    /// Everything was done and read back; only the end of the run could not be recorded.
    AtItsEnd,
}

/// If nothing can be recorded, nothing is written; the next run completes the plan.
fn a_broken_disk(plane: &ControlPlane, behind: &Behind, name: &str, before: &str, error: &str) -> Met {
    let state = plane.dir().join("disks").join(name);
    let front = Front::start(behind, &state.join("kubectl-unstick"), None);
    let words = format!("configmap {name} --approve leaks --timeout 2s --server {}", front.address);
    let mut command = plane.command("bash");
    let command = command.env("XDG_STATE_HOME", &state).args(["-c", &format!("{before} {PROGRAM} {words}")]);
    let output = command.output().expect("bash runs");
    let said = format!("{name}: {}{}", stdout(&output), stderr(&output));
    let (seen, records) = (front.seen(), front.records());
    let is_left = || plane.kubectl_ok(&["get", "configmap", name, "--ignore-not-found", "-o", "name"]);
    if output.status.success() {
        assert_eq!(seen.sent.len(), FINALIZERS.len(), "{said}");
        assert!(seen.sent.iter().all(|sent| sent.on_record && sent.read_back), "{said}");
        assert_eq!(is_left(), "", "{said}");
        return if stderr(&output).contains(error) { Met::AtItsEnd } else { Met::Nothing };
    }
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(stderr(&output).contains(error) && !stderr(&output).contains("panicked"), "{said}");
    assert!(seen.sent.iter().all(|sent| sent.on_record && sent.object.ends_with(name)), "{said}");
    let intended = records.iter().filter(|record| record["record"] == "intend").count();
    // A record whose sync failed may still be in the file.
    let is_exact = error == FULL && seen.sent.len() == intended.min(FINALIZERS.len());
    assert!(is_exact || (error != FULL && seen.sent.len() <= intended), "{said}");

    let mut next = crate::support::program::unstick(plane);
    let next = next.env("XDG_STATE_HOME", &state).args(["configmap", name, "--approve", "leaks"]);
    let next = next.output().expect("it runs");
    // A run begins only with its first recorded step.
    assert!(intended == 0 || stderr(&next).contains("did not finish"), "{said}\nnext: {}", stderr(&next));
    assert_eq!(is_left(), "", "the next run completes it: {said}\nnext: {}", stderr(&next));
    Met::AtAStep
}

/// Breaks the disk at each of these places. Returns the effects on the runs.
fn broken_at(
    plane: &ControlPlane,
    behind: &Behind,
    places: &[usize],
    kind: &str,
    broken: &Broken,
    error: &str,
) -> Vec<Met> {
    let name = |place: usize| format!("{kind}-{place:05}");
    let met = Mutex::new(Vec::new());
    for some in places.chunks(100) {
        held_by(plane, some.iter().map(|place| name(*place)), &FINALIZERS);
        thread::sleep(Duration::from_secs(6));
        let queue = Mutex::new(some.to_vec());
        thread::scope(|scope| {
            for _ in 0..number("UNSTICK_STAGES").unwrap_or(AT_A_TIME) {
                scope.spawn(|| {
                    while let Some(place) = { queue.lock().expect("the queue").pop() } {
                        let of_place = a_broken_disk(plane, behind, &name(place), &broken(place), error);
                        met.lock().expect("the results").push(of_place);
                    }
                });
            }
        });
    }
    met.into_inner().expect("the results")
}

fn count(all: &[Met], what: Met) -> usize {
    all.iter().filter(|met| **met == what).count()
}

/// Writes the results of a test of the disk.
fn record(part: &str, text: &str) {
    tell(text);
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        super::table::record(part, text);
    }
}

#[test]
fn a_disk_that_is_full() {
    let plane = ControlPlane::start();
    let behind = Behind::start(&plane);
    let seed = number("UNSTICK_SEED").unwrap_or_else(|| std::process::id() as usize) as u64;
    tell(&format!("UNSTICK_SEED={seed}"));
    let mut random = Random::new(seed);
    let places: Vec<usize> = if super::all_or_every().0 {
        (0..BYTES).collect()
    } else {
        (0..SAMPLE).map(|part| part * BYTES / SAMPLE + random.below(BYTES / SAMPLE)).collect()
    };
    let met = broken_at(&plane, &behind, &places, "disk", &|bytes| full_at(bytes), FULL);
    let met = count(&met, Met::AtAStep);
    assert_eq!(met, places.len());
    let text = format!("A full disk at {met} of {BYTES} bytes: exit code 3 and \"File too large\" in each.");
    record("disk", &text);
}

/// A library that replaces the C library's `fsync`, and lets it fail after the first few calls.
#[cfg(target_os = "linux")]
const NO_SYNC: &str = r#"
use std::sync::atomic::{AtomicUsize, Ordering};
static DONE: AtomicUsize = AtomicUsize::new(0);
unsafe extern "C" {
    fn fdatasync(file: i32) -> i32;
    fn __errno_location() -> *mut i32;
}
#[unsafe(no_mangle)]
extern "C" fn fsync(file: i32) -> i32 {
    let good: usize = std::env::var("GOOD_SYNCS").unwrap().parse().unwrap();
    if DONE.fetch_add(1, Ordering::SeqCst) < good {
        return unsafe { fdatasync(file) };
    }
    unsafe { *__errno_location() = 5 };
    -1
}
"#;

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fails_to_sync() {
    let plane = ControlPlane::start();
    let behind = Behind::start(&plane);
    let (source, library) = (plane.dir().join("no_sync.rs"), plane.dir().join("no_sync.so"));
    std::fs::write(&source, NO_SYNC).expect("the source is written");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = std::process::Command::new(rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "-o"])
        .args([&library, &source])
        .output()
        .expect("rustc runs");
    assert!(built.status.success(), "{}", stderr(&built));
    let broken = move |good: usize| format!("exec env GOOD_SYNCS={good} LD_PRELOAD={}", library.display());
    let places: Vec<usize> = (0..SYNCS).collect();
    let met = broken_at(&plane, &behind, &places, "sync", &broken, "Input/output error");
    let (steps, ends) = (count(&met, Met::AtAStep), count(&met, Met::AtItsEnd));
    assert!((FEWEST..SYNCS).contains(&(steps + ends)) && steps > 0, "{met:?}");
    let text = format!(
        "A sync that fails, at each of the {} that a run of two steps needs: \"Input/output error\" in each. Exit \
         code 3 in {steps}; in {ends} all was done, and only the end of the run could not be put on record.",
        steps + ends
    );
    record("sync", &text);
}
