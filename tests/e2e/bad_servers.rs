//! Servers and links that fail in the middle of a sweep, and a machine with little memory: the
//! answer is right, or states what is unread and why, and never claims that nothing is stuck.

use crate::connection::{held_namespace, server};
use crate::support::control_plane::ControlPlane;
use crate::support::program::{PROGRAM, stderr, stdout, unstick};
use crate::support::proxy::{Behind, Cutting, in_front, watched};
use crate::sweeps::{fill, hang};
use serde_json::Value;
use std::io::Write;
use std::net::TcpStream;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// Asserts that the output names unread facts and the reason, and does not claim that nothing is stuck.
#[track_caller]
fn is_undecided(output: &Output, why: &str) {
    let said = format!("{}{}", stdout(output), stderr(output));
    assert!(matches!(output.status.code(), Some(1 | 2)), "{:?}: {said}", output.status);
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(why), "{why:?} is not in: {said}");
    assert!(!said.contains("nothing is left") && !said.contains("panicked"), "{said}");
}

#[test]
fn a_server_that_always_answers_429_is_not_waited_for() {
    let plane = held_namespace();
    let behind = Behind::start(&plane);
    for (from, pause) in [(0, None), (0, Some(1)), (20, None), (20, Some(1)), (20, Some(60))] {
        let refuse = move |before: usize, _: &str, client: &mut TcpStream| {
            let retry = pause.map(|seconds| format!("Retry-After: {seconds}\r\n")).unwrap_or_default();
            let text = "Too many requests, please try again later.\n";
            let head = "HTTP/1.1 429 Too Many Requests\r\nContent-Type: text/plain\r\nConnection: close\r\n";
            let answer = format!("{head}{retry}Content-Length: {}\r\n\r\n{text}", text.len());
            before >= from && client.write_all(answer.as_bytes()).is_ok()
        };
        let address = in_front(&behind, refuse);
        let start = Instant::now();
        let arguments = ["ns", "shop", "--request-timeout", "2s", "--server", &address];
        let output = unstick(&plane).args(arguments).output().expect("the program runs");
        is_undecided(&output, "Too many requests, please try again later. (HTTP 429)");
        let took = start.elapsed();
        assert!(took < Duration::from_secs(20), "{from} {pause:?}: {took:?}");
    }
}

#[test]
fn a_list_without_an_end_is_unread() {
    let plane = held_namespace();
    let behind = Behind::start(&plane);
    let address = in_front(&behind, |_, line, client| {
        let is_it = line.starts_with("GET /api/v1/namespaces/shop/configmaps?");
        if is_it {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
            let item = format!("{{\"metadata\":{{\"name\":\"a\"}},\"data\":{{\"k\":\"{}\"}}}},", "v".repeat(100_000));
            let list = "{\"kind\":\"ConfigMapList\",\"metadata\":{},\"items\":[";
            let begun = client.write_all(format!("{head}{list}").as_bytes());
            // Slow enough that the answer takes too long before it is too long.
            while begun.is_ok() && client.write_all(item.as_bytes()).is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        is_it
    });
    let arguments = ["ns", "shop", "--request-timeout", "500ms", "--server", &address];
    let output = unstick(&plane).args(arguments).output().expect("the program runs");
    is_undecided(&output, "LIST configmaps: timed out: no complete answer within 15 s");
}

fn crowd() -> ControlPlane {
    crowded(ControlPlane::start(), 6000)
}

/// Adds this many objects to a namespace, and one that is being deleted and held.
fn crowded(plane: ControlPlane, objects: usize) -> ControlPlane {
    plane.kubectl_ok(&["create", "namespace", "crowd"]);
    fill(&plane, "crowd", objects);
    plane.apply(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: held, namespace: crowd, finalizers: [acme.io/hold]}}",
    );
    plane.kubectl_ok(&["delete", "configmap", "-n", "crowd", "held", "--wait=false"]);
    std::thread::sleep(Duration::from_secs(6));
    plane
}

/// Compressed answers would be too short to be cut off.
const QUESTIONS: [&[&str]; 2] = [
    &["configmaps", "-n", "crowd", "-o", "json", "--disable-compression"],
    &["preflight", "ns", "crowd", "-o", "json", "--disable-compression"],
];

#[test]
fn a_link_that_is_cut_after_each_megabyte_shows_everything() {
    let plane = crowd();
    let server = server(&plane);
    let server = server.trim_start_matches("https://");
    for away in [Duration::ZERO, Duration::from_secs(2)] {
        for question in QUESTIONS {
            let cutting = Cutting::start(server, 1 << 20, away);
            let way = format!("https://{}", cutting.address);
            let output = unstick(&plane).args(question).args(["--server", &way]).output().expect("the program runs");
            let said = format!("{question:?} {away:?}: {}{}", stdout(&output), stderr(&output));
            assert!(cutting.cuts.load(Ordering::SeqCst) > 0, "nothing was cut: {said}");
            assert!(stdout(&output).contains("\"acme.io/hold\""), "{said}");
            assert!(!stdout(&output).contains("Unreachable"), "{said}");
        }
    }
}

#[test]
fn a_server_that_goes_away_in_the_middle_is_unread() {
    let plane = crowd();
    let server = server(&plane);
    for question in QUESTIONS {
        let cutting = Cutting::start(server.trim_start_matches("https://"), 1 << 20, Duration::MAX);
        let way = format!("https://{}", cutting.address);
        let start = Instant::now();
        let output = unstick(&plane).args(question).args(["--server", &way]).output().expect("the program runs");
        let said = format!("{question:?}: {}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(!said.contains("panicked"), "{said}");
        assert!(start.elapsed() < Duration::from_secs(40), "{:?}: {said}", start.elapsed());
    }
}

/// The program's output when something happens to the server in the middle of an answer.
fn in_the_middle(plane: &ControlPlane, question: &[&str], happens: impl FnOnce()) -> Output {
    let (is_under_way, under_way) = mpsc::channel();
    let has_happened = Arc::new(AtomicBool::new(false));
    let happened = Arc::clone(&has_happened);
    // The request is in flight until the event has happened.
    let way = watched(server(plane).trim_start_matches("https://"), move |carried| {
        while carried > 1 << 19 && !happened.load(Ordering::SeqCst) {
            is_under_way.send(()).ok();
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    let mut command = unstick(plane);
    command.args(question).args(["--request-timeout", "5s", "--server", &format!("https://{way}")]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    under_way.recv_timeout(Duration::from_secs(30)).expect("a sweep");
    happens();
    has_happened.store(true, Ordering::SeqCst);
    child.wait_with_output().expect("it ends")
}

const SCAN: [&str; 4] = ["scan", "-o", "json", "--disable-compression"];

/// The program asks the server again once it is back; unanswered reads are then unread.
#[test]
fn a_server_that_restarts_in_a_sweep_of_100_000_objects_hides_nothing() {
    let plane = crowded(ControlPlane::alone(), 100_000);
    let output = in_the_middle(&plane, &SCAN, || {
        plane.stop("kube-apiserver");
        plane.resume("kube-apiserver");
    });
    let said = format!("{}{}", stdout(&output), stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let names_it = said.contains("\"acme.io/hold\"");
    let is_unread = report["unread"].as_array().is_some_and(|unread| !unread.is_empty());
    // On a slow machine the server may not be back in time for the first answer.
    assert!(names_it || is_unread || said.contains("cannot be reached"), "{said}");
    assert_eq!(output.status.code(), Some(if names_it { 1 } else { 2 }), "{said}");
    is_unread_when_killed(&plane, &SCAN);
}

#[test]
fn a_server_that_is_killed_in_the_middle_of_a_sweep_is_unread() {
    is_unread_when_killed(&crowded(ControlPlane::alone(), 6000), QUESTIONS[1]);
}

#[track_caller]
fn is_unread_when_killed(plane: &ControlPlane, question: &[&str]) {
    let start = Instant::now();
    let output = in_the_middle(plane, question, || plane.kill());
    let said = format!("{question:?}: {}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(!said.contains("panicked") && !said.contains("othing is"), "{said}");
    assert!(said.contains("onnect") || said.contains("cut off") || said.contains("answer"), "no reason: {said}");
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}: {said}", start.elapsed());
}

/// 128 MiB of writable memory, and as much address space.
#[test]
fn little_memory_is_enough() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "crowd"]);
    fill(&plane, "crowd", 20_000);
    hang(&plane, 5);
    for limit in ["-d", "-v"] {
        for question in ["-o json", "preflight ns crowd -o json", "orphans -o json"] {
            let script = format!("ulimit {limit} 131072; exec {PROGRAM} {question}");
            let output = plane.command("bash").args(["-c", &script]).output().expect("bash runs");
            let said = format!("{script}: {:?} {}{}", output.status, stdout(&output), stderr(&output));
            let report: Value =
                serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
            assert_eq!(report["unread"].as_array().map_or(0, Vec::len), 0, "{said}");
            assert!(question != "-o json" || stdout(&output).contains("\"held-4\""), "{said}");
        }
    }
}
