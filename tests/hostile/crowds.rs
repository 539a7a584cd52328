//! More than any cluster has: names of a mebibyte, and ten thousand groups. These are odd, and
//! no lie: what holds the namespace is found all the same.

use crate::cases::{Case, NAMESPACE};
use crate::server::{AGGREGATED, HELD, Request, answer, endless, list, served};
use std::net::TcpStream;

pub const MIB: usize = 1 << 20;
const JSON: &str = "application/json";
const GROUPS: usize = 10_000;
const FOUND: &str = "acme.io/hold";

const fn case(name: &'static str, says: &'static str, answers: fn(&Request, &mut TcpStream) -> bool) -> Case {
    Case { name, answers, question: NAMESPACE, says, code: 1 }
}

pub fn cases() -> Vec<Case> {
    vec![
        case("10,000 groups, aggregated", FOUND, aggregated),
        case("10,000 groups, one by one", FOUND, legacy),
        Case {
            code: 2,
            ..case("100 groups, each with resources without end", "of memory", |request, client| {
                let is_group = request.path.starts_with("/apis/g") && request.path.ends_with("/v1");
                let resource = served("things", "Thing", true) + ",";
                let endless = |client| endless(client, r#"{"groupVersion":"v1","resources":["#, &resource);
                if is_group { endless(client) } else { groups(request, client, 100) }
            })
        },
        case("a group with a name of 1 MiB", FOUND, |request, client| {
            let name = "g".repeat(MIB);
            let groups = format!(
                r#"{{"groups":[{{"name":"{name}","versions":[{{"groupVersion":"{name}/v1","version":"v1"}}]}}]}}"#
            );
            request.path == "/apis" && answer(client, 200, JSON, &groups)
        }),
        case("a resource with a name of 1 MiB", FOUND, |request, client| {
            let resources = [
                served("namespaces", "Namespace", false),
                served("configmaps", "ConfigMap", true),
                served(&"r".repeat(MIB), "R", true),
            ];
            let list = format!(r#"{{"groupVersion":"v1","resources":[{}]}}"#, resources.join(","));
            request.path == "/api/v1" && answer(client, 200, JSON, &list)
        }),
        case("an object with a name of 1 MiB", FOUND, |request, client| {
            let item = HELD.replace("\"held\"", &format!("\"{}\"", "n".repeat(MIB)));
            request.path.ends_with("/configmaps") && answer(client, 200, JSON, &list(&item))
        }),
        case("a finalizer of 1 MiB", "acme.io/ffff", |request, client| {
            let item = HELD.replace("hold", &"f".repeat(MIB));
            request.path.ends_with("/configmaps") && answer(client, 200, JSON, &list(&item))
        }),
        case("a label, an annotation and an owner of 1 MiB each", FOUND, |request, client| {
            let long = "l".repeat(MIB);
            let more = format!(
                r#""labels":{{"a":"{long}"}},"annotations":{{"{long}":"b"}},
                "ownerReferences":[{{"apiVersion":"v1","kind":"{long}","name":"{long}","uid":"u"}}],"uid""#
            );
            let item = HELD.replace("\"uid\"", &more);
            request.path.ends_with("/configmaps") && answer(client, 200, JSON, &list(&item))
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

/// So many groups, whose resources are asked for one by one.
fn groups(request: &Request, client: &mut TcpStream, most: usize) -> bool {
    let group = |number| {
        format!(r#"{{"name":"g{number}.io","versions":[{{"groupVersion":"g{number}.io/v1","version":"v1"}}]}}"#)
    };
    let groups = || (0..most).map(group).collect::<Vec<_>>().join(",");
    request.path == "/apis" && answer(client, 200, JSON, &format!(r#"{{"groups":[{}]}}"#, groups()))
}
