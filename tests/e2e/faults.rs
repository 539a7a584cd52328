//! Answers that are lost or wrong at the very moment of a write.

use crate::live::{stderr, unstick};
use crate::support::control_plane::ControlPlane;
use crate::support::proxy::Front;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Output;
use std::thread;
use std::time::Duration;

/// What happens to a request that changes something.
#[derive(Clone, Copy)]
enum Fault {
    /// It is carried out, and the connection is cut before the answer.
    AnswerLost,
    /// Somebody on the way answers 503, and the server never sees it.
    Unavailable,
}

/// An address in front of the server where writes meet a fault.
fn faulty_server(plane: &ControlPlane, fault: Fault) -> Front {
    Front::start(plane, move |client, server| serve(client, server, fault))
}

fn serve(client: &TcpStream, server: &TcpStream, fault: Fault) {
    let (mut from_server, mut to_client) = (server.try_clone().expect("a clone"), client.try_clone().expect("a clone"));
    thread::spawn(move || std::io::copy(&mut from_server, &mut to_client).ok());
    let (mut from_client, mut to_server) = (client.try_clone().expect("a clone"), server.try_clone().expect("a clone"));
    let mut bytes = vec![0; 65536];
    while let Ok(read @ 1..) = from_client.read(&mut bytes) {
        let request = String::from_utf8_lossy(&bytes[..read]);
        let is_write = request.starts_with("PATCH ") && !request.contains("dryRun=All");
        match (is_write, fault) {
            (true, Fault::Unavailable) => {
                let answer = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 4\r\nconnection: close\r\n\r\nbusy";
                (&mut &*client).write_all(answer.as_bytes()).ok();
                break;
            }
            (true, Fault::AnswerLost) => {
                client.shutdown(Shutdown::Write).ok();
                to_server.write_all(&bytes[..read]).ok();
                thread::sleep(Duration::from_millis(500));
                break;
            }
            (false, _) => to_server.write_all(&bytes[..read]).expect("the server takes it"),
        }
    }
    client.shutdown(Shutdown::Both).ok();
    server.shutdown(Shutdown::Both).ok();
}

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

    let server = faulty_server(&plane, Fault::AnswerLost);
    let lost = release(&plane, &server.address, "one");
    assert_eq!(lost.status.code(), Some(0), "it was done, and seen to be: {}", stderr(&lost));
    assert_eq!(plane.kubectl_ok(&["get", "configmap", "one", "--ignore-not-found", "-o", "name"]), "");
    assert_eq!(outcomes(&plane), ["done"]);

    let server = faulty_server(&plane, Fault::Unavailable);
    let unavailable = release(&plane, &server.address, "two");
    assert_eq!(unavailable.status.code(), Some(3), "{}", stderr(&unavailable));
    assert!(stderr(&unavailable).contains("not confirmed"), "{}", stderr(&unavailable));
    let left = plane.kubectl_ok(&["get", "configmap", "two", "-o", "jsonpath={.metadata.finalizers[*]}"]);
    assert_eq!(left, "acme.io/hold");
    assert_eq!(outcomes(&plane), ["done", "unconfirmed"]);
}
