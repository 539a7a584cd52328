//! Answers to a write that do not reveal its outcome: the object shows it.

use super::*;
use crate::transport::at_once::at_once;
use crate::transport::http::stand_in::stand_in_with_heads;
use crate::transport::refusal::Refusal;
use http::Response;
use kube::client::Body;

/// A response in place of the server's answer.
type Instead = fn() -> Response<Body>;

fn plain(status: u16, body: &str) -> Response<Body> {
    Response::builder().status(status).body(Body::from(body.as_bytes().to_vec())).unwrap()
}

fn packed(status: u16, body: &[u8]) -> Response<Body> {
    let head = Response::builder().status(status).header("Content-Encoding", "gzip");
    head.body(Body::from(body.to_vec())).unwrap()
}

/// The first bytes of an answer compressed by gzip.
const CUT_GZIP: &[u8] = &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xab, 0x56];

const UNCLEAR: [(&str, Instead); 21] = [
    ("no gzip", || packed(200, b"{}")),
    ("cut gzip", || packed(200, CUT_GZIP)),
    ("cut gzip of a refusal", || packed(403, CUT_GZIP)),
    ("cut JSON", || plain(200, "{\"kind\": \"ConfigMap\", \"meta")),
    ("a cut refusal", || plain(403, &super::refusal(403)[..40])),
    ("larger than 64 MiB", || plain(200, &" ".repeat((64 << 20) + 1))),
    ("a web page", || plain(200, "<html>Please sign in</html>")),
    ("nothing", || plain(200, "")),
    ("no content", || plain(204, "")),
    ("other protocols", || plain(101, "")),
    ("another place", || Response::builder().status(302).header("Location", "/login").body(Body::empty()).unwrap()),
    ("another place for good", || plain(308, "")),
    ("a web page that forbids", || plain(403, "<html>blocked</html>")),
    ("not logged in, says a proxy", || plain(401, "")),
    ("not found, says a proxy", || plain(404, "404 page not found")),
    ("in conflict, says a proxy", || plain(409, "{}")),
    ("not taken, says a proxy", || plain(422, "<html></html>")),
    ("short of room, says a proxy", || plain(429, "slow down")),
    ("too late", || plain(408, &super::refusal(408))),
    ("too late for the server", || plain(504, &super::refusal(504))),
    ("a failure", || plain(500, "")),
];

/// The recorded outcome of a write with this answer, and how often it was sent. The server may have
/// carried it out or not, and the object may be readable or not.
async fn on_record(instead: Instead, happens: bool, is_readable: bool) -> (Vec<Value>, usize) {
    let server = StandIn::new(healthy);
    let world = Arc::clone(&server.world);
    let api = stand_in_with_heads(Duration::from_secs(20), move |_, request| {
        let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
        let what = format!("{}{query}", request.method());
        let mut world = world.lock().unwrap();
        let is_read_back = what == OBJECT && world.asked.contains(&WRITE.to_owned());
        let answer = if what == WRITE {
            world.asked.push(what);
            if happens {
                world.write();
            }
            instead()
        } else if is_read_back && !is_readable {
            plain(403, &super::refusal(403))
        } else {
            let own = registration(request.uri().path());
            let (status, text) = own.unwrap_or_else(|| world.answer(&what, healthy, false));
            plain(status, &text)
        };
        std::future::ready(answer)
    });
    let mut journal = Journal::new();
    carry_out(&api, &removal(), Some(&mut journal.run), &|| false).await;
    let outcomes = journal.records().iter().filter_map(|record| record.get("outcome").cloned()).collect();
    (outcomes, server.asked().iter().filter(|asked| *asked == WRITE).count())
}

/// Found in practice: a PATCH was carried out, its answer was broken gzip, and the journal said
/// "refused". `undo` left it alone.
#[tokio::test]
async fn only_the_api_servers_own_refusal_means_nothing_was_written() {
    let cases = UNCLEAR.iter().flat_map(|case| [(true, true), (false, true), (true, false)].map(|how| (case, how)));
    let told = cases.map(|((name, instead), (happens, is_readable))| async move {
        let seen = on_record(*instead, happens, is_readable).await;
        let expected = if happens && is_readable { "done" } else { "unconfirmed" };
        (seen != (vec![json!(expected)], 1)).then(|| format!("{name}, {happens}, {is_readable}: {seen:?}"))
    });
    let wrong: Vec<String> = at_once(told).await.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn the_api_servers_own_refusal_is_recorded_as_refused() {
    for instead in [|| plain(403, &super::refusal(403)), || plain(401, &super::refusal(401))] {
        assert_eq!(on_record(instead, false, true).await, (vec![json!("refused")], 1));
    }
    // The server itself states that it has not begun.
    let (outcomes, sent) = on_record(|| plain(429, &super::refusal(429)), false, true).await;
    assert_eq!((outcomes, sent > 1), (vec![json!("refused")], true));
}

#[tokio::test]
async fn unsent_requests_have_written_nothing() {
    let refusal = Refusal::unsent("connection refused".into());
    assert!(!refusal.may_have_happened() && refusal.is_unsent());
    // Nobody listens at this address.
    let config = kube::Config::new("http://127.0.0.1:1".parse().unwrap());
    let client = kube::Client::try_from(config).unwrap();
    let error = client.send(http::Request::get("/api").body(Body::empty()).unwrap()).await.unwrap_err();
    assert!(Refusal::not_answered(&error).is_unsent(), "{error:?}");
}
