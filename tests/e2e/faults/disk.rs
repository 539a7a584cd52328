//! The journal on a disk that is full, for the real program: its files may grow to so many bytes
//! and no further. What happens at each byte of a longer run, and at each sync that fails, is
//! tried in `src/journal/faults.rs`, where a disk can be made to fail.

use super::front::Front;
use super::{held_by, number};
use crate::live::{PROGRAM, stderr, stdout};
use crate::random::Random;
use crate::support::control_plane::ControlPlane;
use crate::support::go::tell;
use crate::support::proxy::Behind;
use std::path::Path;
use std::process::Output;
use std::thread;
use std::time::Duration;

/// The finalizers of each object: as many steps has its plan.
const FINALIZERS: [&str; 2] = ["acme.io/a", "acme.io/b"];
/// A run that can write all it wants leaves at least so many bytes of records.
const BYTES: usize = 2600;
/// So many places, unless all are asked for.
const SAMPLE: usize = 12;
/// So many runs at a time: most of them wait most of the time.
const AT_A_TIME: usize = 6;
/// The program, whose files may not grow beyond a limit. It is told of that by an error, as of a
/// disk that is full, and not by a signal. `ulimit` counts in KiB, `prlimit` of util-linux in bytes.
fn limited(plane: &ControlPlane, state: &Path, bytes: usize, words: &str) -> Output {
    let script = format!("trap '' XFSZ; exec prlimit --fsize={bytes}:{bytes} {PROGRAM} {words}");
    let mut command = plane.command("bash");
    command.env("XDG_STATE_HOME", state).args(["-c", &script]).output().expect("bash runs")
}

fn name(bytes: usize) -> String {
    format!("disk-{bytes:05}")
}

/// Where no more can be put on record, nothing more is written; the next run completes it.
fn a_full_disk(plane: &ControlPlane, behind: &Behind, bytes: usize) {
    let (name, state) = (name(bytes), plane.dir().join("disks").join(name(bytes)));
    let front = Front::start(behind, &state.join("kubectl-unstick"), None);
    let words = |server: &str| format!("configmap {name} --approve leaks --timeout 2s --server {server}");
    let output = limited(plane, &state, bytes, &words(&front.address));
    let said = format!("{bytes} bytes: {}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(stderr(&output).contains("File too large") && !stderr(&output).contains("panicked"), "{said}");
    let (seen, records) = (front.seen(), front.records());
    assert!(seen.sent.iter().all(|sent| sent.on_record && sent.object.ends_with(&name)), "{said}");
    let intended = records.iter().filter(|record| record["record"] == "intend").count();
    assert_eq!(seen.sent.len(), intended.min(FINALIZERS.len()), "{said}");

    let mut next = crate::live::unstick(plane);
    let next =
        next.env("XDG_STATE_HOME", &state).args(["configmap", &name, "--approve", "leaks"]).output().expect("it runs");
    // Before the first step is on record nothing has begun.
    assert!(intended == 0 || stderr(&next).contains("did not end"), "{said}\nnext: {}", stderr(&next));
    let left = plane.kubectl_ok(&["get", "configmap", &name, "--ignore-not-found", "-o", "name"]);
    assert_eq!(left, "", "the next run completes it: {said}\nnext: {}", stderr(&next));
}

#[test]
fn a_disk_that_is_full() {
    let plane = ControlPlane::start();
    let behind = Behind::start(&plane);
    let all = std::env::var("UNSTICK_FAULTS").is_ok_and(|word| word == "all");
    let seed = number("UNSTICK_SEED").unwrap_or_else(|| std::process::id() as usize) as u64;
    tell(&format!("UNSTICK_SEED={seed}"));
    let mut random = Random::new(seed);
    let places: Vec<usize> = if all {
        (0..BYTES).collect()
    } else {
        (0..SAMPLE).map(|part| part * BYTES / SAMPLE + random.below(BYTES / SAMPLE)).collect()
    };
    for some in places.chunks(100) {
        held_by(&plane, some.iter().map(|bytes| name(*bytes)), &FINALIZERS);
        thread::sleep(Duration::from_secs(6));
        let queue = std::sync::Mutex::new(some.to_vec());
        thread::scope(|scope| {
            for _ in 0..AT_A_TIME {
                scope.spawn(|| {
                    while let Some(bytes) = { queue.lock().expect("the queue").pop() } {
                        a_full_disk(&plane, &behind, bytes);
                    }
                });
            }
        });
    }
    let text = format!("A full disk at {} of {BYTES} bytes: exit code 3 and \"File too large\" in each.", places.len());
    tell(&text);
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        super::table::record("disk", &text);
    }
}
