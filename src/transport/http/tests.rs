//! Tests of requests, against a server without a connection.

use super::stand_in::stand_in;
use super::*;

#[tokio::test]
async fn a_slower_server_gets_fewer_requests() {
    const FAST: usize = 16;
    let slower = |before: usize, _: &Request<Body>| async move {
        tokio::time::sleep(Duration::from_millis(if before < FAST { 0 } else { 600 })).await;
        (200, "{}".to_owned())
    };
    let api = stand_in(Duration::from_secs(5), slower);
    for _ in 0..FAST {
        api.get("/version", METADATA).await.unwrap();
    }
    let most = api.in_flight();
    let mut reads = tokio::task::JoinSet::new();
    for _ in 0..FAST {
        let api = api.clone();
        reads.spawn(async move { api.get("/api/v1/pods", METADATA).await.map(drop) });
    }
    assert!(reads.join_all().await.iter().all(Result::is_ok));
    assert_eq!(api.in_flight(), most / 2);
}

#[tokio::test]
async fn a_name_that_leads_to_another_path_is_never_sent() {
    let api = stand_in(Duration::from_secs(5), |_, _| async { (200, "{}".to_owned()) });
    let pods = crate::survey::ResourceId::new("", "v1", "pods");
    for name in ["inner/pods/admin:80/proxy/shutdown", "..", ".", "a%2Fb"] {
        for path in [pods.path(Some(name), None), pods.path(Some("shop"), Some(name))] {
            let refusal = api.get(&path, METADATA).await.map(drop).unwrap_err();
            assert!(refusal.message.starts_with("not sent: "), "{path}: {}", refusal.message);
        }
    }
    for name in ["system:node:a", "a.b", "a b"] {
        assert!(api.get(&pods.path(Some("shop"), Some(name)), METADATA).await.is_ok(), "{name}");
    }
}
