//! The user of a run, on servers that lack the newest API for it.

use crate::faults::records_in;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::proxy::{Behind, in_front};
use std::io::Write;
use std::net::TcpStream;

fn answer(client: &mut TcpStream, status: &str, body: &str) -> bool {
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}", body.len());
    write!(client, "{head}\r\nConnection: close\r\n\r\n{body}").is_ok()
}

const MISSING: &str = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","message":"the server could not find the requested resource","code":404}"#;

/// The user in the only run, on a server that has the review only in `versions`.
fn signed(versions: &'static [&'static str]) -> String {
    let plane = ControlPlane::start();
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [acme.io/hold]}}");
    plane.kubectl_ok(&["delete", "configmap", "held", "--wait=false"]);
    // Before that, the deletion is within its usual time.
    std::thread::sleep(std::time::Duration::from_secs(6));
    let behind = Behind::start(&plane);
    let address = in_front(&behind, move |_, line, client| {
        if !line.contains("/selfsubjectreviews") {
            return false;
        }
        let served = versions.iter().any(|version| line.contains(&format!("/authentication.k8s.io/{version}/")));
        let review = r#"{"kind":"SelfSubjectReview","status":{"userInfo":{"username":"ann"}}}"#;
        if served { answer(client, "201 Created", review) } else { answer(client, "404 Not Found", MISSING) }
    });
    let output = unstick(&plane)
        .args(["configmap", "held", "--approve", "leaks", "--timeout", "20s", "--server", &address])
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    records_in(&plane.dir().join("state"))[0]["who"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn older_servers_name_the_user_too() {
    assert_eq!(signed(&["v1beta1"]), "ann");
    assert_eq!(signed(&["v1alpha1"]), "ann");
}

#[test]
fn without_a_review_api_the_kubeconfig_names_the_user() {
    let who = signed(&[]);
    assert!(who.ends_with(" (from the kubeconfig, not from the server)"), "{who}");
}
