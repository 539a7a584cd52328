//! The cases: how a server behaves, and how the program reacts.

use crate::crowds::{self, MIB};
use crate::redirects;
use crate::server::{AGGREGATED, HELD, Request, SHOP, answer, endless, list, raw};
use flate2::{Compression, FlushCompress};
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

type Answers = fn(&Request, &mut TcpStream) -> bool;

/// One hostile server.
pub struct Case {
    /// What the server does, in the words of `docs/hostile.md`.
    pub name: &'static str,
    pub answers: Answers,
    /// The arguments of the program.
    pub question: &'static str,
    /// The sentence with which it ends.
    pub says: &'static str,
    pub code: i32,
}

pub const NAMESPACE: &str = "ns shop";

const JSON: &str = "application/json";
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
const BOMB: &str = "more than 200 times its length";
const NO_END: &str = "an answer larger than 64 MiB";

pub const fn case(name: &'static str, says: &'static str, code: i32, answers: Answers) -> Case {
    Case { name, answers, question: NAMESPACE, says, code }
}

/// A case in which the list of `ConfigMap`s is wrong.
pub const fn listed(name: &'static str, says: &'static str, code: i32, answers: Answers) -> Case {
    Case { question: "configmaps -n shop", ..case(name, says, code, answers) }
}

/// All cases, grouped by what they do wrong.
pub fn all() -> impl Iterator<Item = Case> {
    heads()
        .into_iter()
        .chain(redirects::cases())
        .chain(slow())
        .chain(endless_answers())
        .chain(bombs())
        .chain(lies())
        .chain(crowds::cases())
}

fn is_held(request: &Request) -> bool {
    request.path.ends_with("/configmaps")
}

fn heads() -> Vec<Case> {
    vec![
        case("headers without end", "message head is too large", 2, |_, client| {
            flood(client, b"HTTP/1.1 200 OK\r\n", b"X-A: a\r\n")
        }),
        case("one header without end", "message head is too large", 2, |_, client| {
            flood(client, b"HTTP/1.1 200 OK\r\nX-A: ", b"aaaaaaaa")
        }),
        case("a first line without end", "message head is too large", 2, |_, client| {
            flood(client, b"HTTP/1.1 200 ", b"OK OK OK")
        }),
        case("`100 Continue` without end", "no answer within 5 s", 2, |_, client| {
            stutter(client, "HTTP/1.1 100 Continue\r\n\r\n".repeat(40).as_bytes())
        }),
        case("random bytes in place of HTTP", "invalid HTTP version parsed", 2, |_, client| {
            client.write_all(&[0xff, 0, 7, 0x80, b'\n', b'\r', b'\n', b'\r', b'\n']).ok();
            true
        }),
        case("a length that is no number", "invalid content-length parsed", 2, |_, client| {
            client.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}").ok();
            true
        }),
        case(
            "a body that is shorter than its head says",
            "end of file before message length reached",
            2,
            |_, client| {
                client.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}").ok();
                true
            },
        ),
        case("pieces whose length is no number", "Invalid chunk size", 2, |_, client| {
            client.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n").ok();
            true
        }),
    ]
}

/// Sends `piece` until the connection is closed.
fn flood(client: &mut TcpStream, start: &[u8], piece: &[u8]) -> bool {
    let pieces = piece.repeat(1 + 65_536 / piece.len());
    let begun = client.write_all(start);
    while begun.is_ok() && client.write_all(&pieces).is_ok() {}
    true
}

/// Sends `piece` at intervals until the connection is closed.
fn stutter(client: &mut TcpStream, piece: &[u8]) -> bool {
    while client.write_all(piece).is_ok() {
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

fn slow() -> Vec<Case> {
    vec![
        case("one byte a second", "no answer within 5 s", 2, |_, client| drip(client, b"HTTP/1.1 200 OK\r\n")),
        case("one byte a second of an object", "timed out: no answer within 5 s", 2, |request, client| {
            request.path.ends_with("/namespaces/shop") && drip_body(client)
        }),
        listed(
            "one byte a second of a list",
            "cannot be listed: timed out: no answer within 5 s",
            2,
            |request, client| is_held(request) && drip_body(client),
        ),
    ]
}

fn drip_body(client: &mut TcpStream) -> bool {
    client.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n").ok();
    drip(
        client,
        b"                                                                                                    ",
    )
}

fn drip(client: &mut TcpStream, bytes: &[u8]) -> bool {
    for byte in bytes.iter().cycle() {
        if client.write_all(&[*byte]).is_err() {
            break;
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    true
}

fn endless_answers() -> Vec<Case> {
    vec![
        case("a version without end", NO_END, 2, |request, client| {
            request.path == "/version" && endless(client, r#"{"gitVersion":""#, "a")
        }),
        case("groups without end", NO_END, 2, |request, client| {
            request.path == "/apis" && endless(client, r#"{"groups":["#, r#"{"name":"a.io","versions":[]},"#)
        }),
        case("an object without end", NO_END, 2, |request, client| {
            request.path.ends_with("/namespaces/shop") && endless(client, r#"{"metadata":{"name":""#, "a")
        }),
        case("an error without end", NO_END, 2, |request, client| {
            request.path == "/apis" && flood(client, b"HTTP/1.1 500 Error\r\n\r\n", b"no no no ")
        }),
        listed("an item of a list without end", "an item without an end", 2, |request, client| {
            is_held(request) && endless(client, r#"{"metadata":{},"items":[{"metadata":{"name":""#, "a")
        }),
        listed("a list without end", "it takes more than 256 MiB of memory", 2, |request, client| {
            is_held(request) && endless_protobuf(client)
        }),
        listed("pages that lead back to themselves", "its pages repeat", 2, |request, client| {
            let page = list(HELD).replace("\"7\"", "\"7\",\"continue\":\"a\"");
            is_held(request) && answer(client, 200, JSON, &page)
        }),
        case("an error of 8 MiB", "no no no", 2, |request, client| {
            let status = format!(r#"{{"kind":"Status","message":"{}"}}"#, "no ".repeat(MIB / 3 * 8));
            request.path == "/apis" && answer(client, 500, JSON, &status)
        }),
    ]
}

/// Objects with a label of 8 KB each, in a list of 16 EiB.
fn endless_protobuf(client: &mut TcpStream) -> bool {
    let text = |number: u8, text: &[u8]| {
        let length = u32::try_from(text.len()).expect("a short text");
        let bytes = [0, 7, 14].map(|bits| u8::try_from(length >> bits & 0x7f).expect("seven bits"));
        [&[number << 3 | 2, bytes[0] | 0x80, bytes[1] | 0x80, bytes[2]], text].concat()
    };
    let label = text(11, &[text(1, b"a"), text(2, &vec![b'l'; 8_000])].concat());
    let item = text(2, &text(1, &[text(1, b"held"), text(3, b"shop"), label].concat()));
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {PROTOBUF}\r\nConnection: close\r\n\r\n");
    let start = [head.as_bytes(), b"k8s\0\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"].concat();
    flood(client, &start, &item)
}

fn bombs() -> Vec<Case> {
    vec![
        case("a version that unpacks without end", BOMB, 2, |request, client| {
            request.path == "/version" && bomb(client, r#"{"gitVersion":""#, "a")
        }),
        case("groups that unpack without end", BOMB, 2, |request, client| {
            request.path == "/apis" && bomb(client, r#"{"groups":["#, r#"{"name":"a.io","versions":[]},"#)
        }),
        case("an object that unpacks without end", BOMB, 2, |request, client| {
            request.path.ends_with("/namespaces/shop") && bomb(client, r#"{"metadata":{"name":""#, "a")
        }),
        listed("an item of a list that unpacks without end", "an item without an end", 2, |request, client| {
            is_held(request) && bomb(client, r#"{"metadata":{},"items":[{"metadata":{"name":""#, "a")
        }),
        listed("a list that unpacks to spaces without end", BOMB, 2, |request, client| {
            is_held(request) && bomb(client, r#"{"metadata":{},"items":["#, " ")
        }),
        case("gzip that is none", "invalid gzip", 2, |request, client| {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n";
            request.path == "/version" && raw(client, head, &[b'{'; 64])
        }),
        case("gzip that is cut off", "incomplete gzip", 2, |request, client| {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n";
            request.path == "/version" && raw(client, head, &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b])
        }),
    ]
}

/// `start`, and then `piece` again and again, packed: a thousandth of what it unpacks to.
pub fn bomb(client: &mut TcpStream, start: &str, piece: &str) -> bool {
    let head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n";
    let mut packer = flate2::Compress::new(Compression::best(), false);
    let mut text = head.as_bytes().to_vec();
    text.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    text.extend(block(&mut packer, start.as_bytes()));
    let again = block(&mut packer, piece.repeat(MIB / piece.len()).as_bytes());
    let mut sent = client.write_all(&text);
    while sent.is_ok() {
        sent = client.write_all(&again);
    }
    true
}

/// Some text as blocks that refer to nothing before them.
fn block(packer: &mut flate2::Compress, text: &[u8]) -> Vec<u8> {
    let mut short = Vec::with_capacity(text.len() + 1024);
    packer.compress_vec(text, &mut short, FlushCompress::Full).expect("it is packed");
    short
}

fn lies() -> Vec<Case> {
    vec![
        listed("JSON that is announced as protobuf", "it is not in protobuf", 2, |request, client| {
            is_held(request) && answer(client, 200, PROTOBUF, &list(HELD))
        }),
        listed("protobuf that is announced as JSON", "is out of place", 2, |request, client| {
            is_held(request) && protobuf(client, JSON, b"k8s\0\x12\0")
        }),
        case("protobuf in place of an object", "expected value at line 1 column 1", 2, |request, client| {
            request.path.ends_with("/namespaces/shop") && protobuf(client, PROTOBUF, b"k8s\0\x12\0")
        }),
        listed("protobuf with a field that is longer than its list", "longer than its list", 2, |request, client| {
            is_held(request) && protobuf(client, PROTOBUF, b"k8s\0\x12\x02\x12\x05\x0a\x03\x0a\x01a")
        }),
        listed("protobuf with a length of 16 EiB", "a field without an end", 2, |request, client| {
            let body =
                b"k8s\0\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a";
            is_held(request) && protobuf(client, PROTOBUF, body)
        }),
        case("a web page in place of the version", "does not answer as a Kubernetes API server", 2, |_, client| {
            answer(client, 200, "text/html", "<html>hi</html>")
        }),
        case("JSON that nests 100,000 deep, as an object", "recursion limit exceeded", 2, |request, client| {
            let deep = SHOP.replace("\"kubernetes\"", &nested());
            request.path.ends_with("/namespaces/shop") && answer(client, 200, JSON, &deep)
        }),
        listed("JSON that nests 100,000 deep, in a list", "expected a string", 2, |request, client| {
            let deep = HELD.replace("\"acme.io/hold\"", &nested());
            is_held(request) && answer(client, 200, JSON, &list(&deep))
        }),
        case("JSON that nests 100,000 deep, in discovery", "acme.io/hold", 1, |request, client| {
            request.path == "/apis" && answer(client, 200, AGGREGATED, &format!(r#"{{"deep":{}}}"#, nested()))
        }),
        listed("a name that is not in UTF-8", "invalid unicode code point", 2, |request, client| {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
            let text = list(HELD).into_bytes();
            let text: Vec<u8> = text.into_iter().map(|byte| if byte == b'h' { 0xff } else { byte }).collect();
            is_held(request) && raw(client, head, &text)
        }),
        case("names that would drive a terminal", "<U+001B>[2J", 1, |request, client| {
            let text = HELD.replace("held\"", "held\\u001b[2J\\u0007\"").replace("hold", "hold\\u001b[2J\\u202e");
            is_held(request) && answer(client, 200, JSON, &list(&text))
        }),
    ]
}

fn nested() -> String {
    format!("{}{}", "[".repeat(100_000), "]".repeat(100_000))
}

fn protobuf(client: &mut TcpStream, content_type: &str, body: &[u8]) -> bool {
    raw(client, &format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n"), body)
}
