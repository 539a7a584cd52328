//! Redirects are not followed: the other server would get the credentials.

use crate::cases::{Case, NAMESPACE};
use crate::run::run;
use crate::server::{Server, answer, raw};
use std::sync::atomic::Ordering;
use std::time::Duration;

pub fn cases() -> Vec<Case> {
    vec![Case {
        name: "a redirect to another server",
        answers: |request, client| {
            let head = "HTTP/1.1 307 Temporary Redirect\r\nLocation: https://elsewhere.example/login\r\n";
            request.path != "/favicon.ico" && raw(client, head, b"")
        },
        question: NAMESPACE,
        says: "it redirects to https://elsewhere.example/login, which is not followed",
        code: 2,
    }]
}

/// Tries each redirecting status with each way to log in, for everything and for a list alone: the
/// other server gets no connection at all.
#[test]
fn redirects_are_never_followed() {
    const LIST: &str = "/api/v1/namespaces/shop/configmaps";
    // The only credentials that are sent over plain http: `joe:hostile-secret`.
    const LOGIN: &str = "am9lOmhvc3RpbGUtc2VjcmV0";
    for status in [301, 302, 303, 307, 308] {
        for (logs_in, place) in [(true, "/"), (false, "/"), (true, LIST), (false, LIST)] {
            let other = Server::start(|_, client| answer(client, 200, "application/json", "{}"));
            let location = format!("{}/steal", other.address);
            let server = Server::start(move |request, client| {
                let head = format!("HTTP/1.1 {status} Elsewhere\r\nLocation: {location}\r\n");
                request.path.starts_with(place) && raw(client, &head, b"")
            });
            let login = if logs_in { "http://joe:hostile-secret@" } else { "http://" };
            let address = server.address.replace("http://", login);
            let run = run(&address, &["configmaps", "-n", "shop"], Duration::from_secs(30));
            let said = format!("{status} {logs_in} {place}: {:?} {}{}", run.code, run.beginning(), run.faults());
            assert_eq!((run.code, run.faults()), (Some(2), String::new()), "{said}");
            assert!(run.words().contains(&format!("it redirects to {}/steal", other.address)), "{said}");
            assert_eq!(other.connections.load(Ordering::SeqCst), 0, "{said}");
            let heads = server.heads.lock().expect("no thread has failed").join("\n");
            assert_eq!(heads.contains(LOGIN), logs_in, "the server itself gets it: {said}");
            assert!(!run.said().contains("hostile-secret"), "{said}");
        }
    }
}
