//! More than any cluster has: names of a mebibyte, which no API server stores, and ten thousand
//! groups, among which the right answer is still found.

use crate::cases::{Case, case, listed};
use crate::server::{AGGREGATED, HELD, Request, SHOP, answer, endless, list, served};
use std::net::TcpStream;

pub const MIB: usize = 1 << 20;
const JSON: &str = "application/json";
const GROUPS: usize = 10_000;
const FOUND: &str = "acme.io/hold";
const LONG: &str = "a name of 1048576 bytes";

pub fn cases() -> Vec<Case> {
    vec![
        listed("10,000 groups, aggregated", FOUND, 1, aggregated),
        listed("10,000 groups, one by one", FOUND, 1, legacy),
        case("100 groups, each with resources without end", "cannot list API group g0.io/v1", 1, |request, client| {
            let is_group = request.path.starts_with("/apis/g") && request.path.ends_with("/v1");
            let resource = served("things", "Thing", true) + ",";
            let endless = |client| endless(client, r#"{"groupVersion":"v1","resources":["#, &resource);
            if is_group { endless(client) } else { groups(request, client, 100) }
        }),
        case("a group with a name of 1 MiB", LONG, 2, |request, client| {
            let name = "g".repeat(MIB);
            let groups = format!(
                r#"{{"groups":[{{"name":"{name}","versions":[{{"groupVersion":"{name}/v1","version":"v1"}}]}}]}}"#
            );
            request.path == "/apis" && answer(client, 200, JSON, &groups)
        }),
        case("a resource with a name of 1 MiB", LONG, 2, |request, client| {
            let resources = [
                served("namespaces", "Namespace", false),
                served("configmaps", "ConfigMap", true),
                served(&"r".repeat(MIB), "R", true),
            ];
            let list = format!(r#"{{"groupVersion":"v1","resources":[{}]}}"#, resources.join(","));
            request.path == "/api/v1" && answer(client, 200, JSON, &list)
        }),
        listed("an object with a name of 1 MiB", LONG, 2, |request, client| {
            let item = HELD.replace("\"held\"", &format!("\"{}\"", "n".repeat(MIB)));
            request.path.ends_with("/configmaps") && answer(client, 200, JSON, &list(&item))
        }),
        listed("a finalizer of 1 MiB", "a name of 10485", 2, |request, client| {
            let item = HELD.replace("hold", &"f".repeat(MIB));
            request.path.ends_with("/configmaps") && answer(client, 200, JSON, &list(&item))
        }),
        listed("an owner with a name of 1 MiB", LONG, 2, |request, client| {
            let more = format!(
                r#""ownerReferences":[{{"apiVersion":"v1","kind":"A","name":"{}","uid":"u"}}],"uid""#,
                "o".repeat(MIB)
            );
            let item = HELD.replace("\"uid\"", &more);
            request.path.ends_with("/configmaps") && answer(client, 200, JSON, &list(&item))
        }),
        listed("a label and an annotation of 1 MiB", FOUND, 1, |request, client| {
            let long = "l".repeat(MIB);
            let more = format!(r#""labels":{{"a":"{long}"}},"annotations":{{"{long}":"b"}},"uid""#);
            let item = HELD.replace("\"uid\"", &more);
            request.path.ends_with("/configmaps") && answer(client, 200, JSON, &list(&item))
        }),
        case("a condition with a message of 1 MiB", FOUND, 1, |request, client| {
            let condition = r#""conditions":[{"type":"NamespaceDeletionContentFailure","status":"True","reason":"ContentDeletionFailed","message":"MESSAGE"}],"phase""#;
            let shop = SHOP.replace("\"phase\"", &condition.replace("MESSAGE", &"w".repeat(MIB)));
            request.path.ends_with("/namespaces/shop") && answer(client, 200, JSON, &shop)
        }),
    ]
}

fn aggregated(request: &Request, client: &mut TcpStream) -> bool {
    let groups = (0..GROUPS).map(|number| {
        let kind = format!(r#"{{"group":"g{number}.io","version":"v1","kind":"Thing"}}"#);
        format!(
            r#"{{"metadata":{{"name":"g{number}.io"}},"versions":[{{"version":"v1","resources":[{{"resource":"things",
            "responseKind":{kind},"scope":"Namespaced","singularResource":"thing","verbs":["get","list","delete"]}}]}}]}}"#
        )
    });
    let groups = || groups.collect::<Vec<_>>().join(",");
    request.path == "/apis" && answer(client, 200, AGGREGATED, &format!(r#"{{"items":[{}]}}"#, groups()))
}

fn legacy(request: &Request, client: &mut TcpStream) -> bool {
    let is_group = request.path.starts_with("/apis/g") && request.path.ends_with("/v1");
    let resources = format!(r#"{{"groupVersion":"v1","resources":[{}]}}"#, served("things", "Thing", true));
    if is_group { answer(client, 200, JSON, &resources) } else { groups(request, client, GROUPS) }
}

/// Serves up to this many groups, whose resources are requested one by one.
fn groups(request: &Request, client: &mut TcpStream, most: usize) -> bool {
    let group = |number| {
        format!(r#"{{"name":"g{number}.io","versions":[{{"groupVersion":"g{number}.io/v1","version":"v1"}}]}}"#)
    };
    let groups = || (0..most).map(group).collect::<Vec<_>>().join(",");
    request.path == "/apis" && answer(client, 200, JSON, &format!(r#"{{"groups":[{}]}}"#, groups()))
}
