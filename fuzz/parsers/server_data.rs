//! The data that a server sends, for fuzzing and property tests. Each function takes any bytes, and
//! must neither panic nor contradict itself.

use crate::read::discover::{Root, add_aggregated, root};
use crate::read::sieve::{Keep, ListItem, Sieve};
use crate::read::watch::event;
use crate::survey::Discovery;
use crate::transport::compressed::Unpacked;
use crate::transport::http::Answer;
use crate::transport::protobuf;
use crate::transport::refusal::Refusal;
use crate::transport::scan::{Head, JsonScanner};
use http::{HeaderMap, HeaderValue, StatusCode};
use kube::config::Kubeconfig;

type Scanned = Result<(Vec<Vec<u8>>, Head), String>;

/// The items of a list in JSON or protobuf that arrives in pieces of `length` bytes.
fn scanned(bytes: &[u8], length: usize, is_protobuf: bool) -> Scanned {
    let mut items = Vec::new();
    let mut item = |item: &[u8]| {
        items.push(item.to_vec());
        Ok(())
    };
    let (mut json, mut packed) = (JsonScanner::default(), protobuf::ProtobufScanner::default());
    for piece in bytes.chunks(length.max(1)) {
        if is_protobuf { packed.feed(piece, &mut item)? } else { json.feed(piece, &mut item)? }
    }
    let head = if is_protobuf { packed.end() } else { json.end() }?;
    Ok((items, head))
}

/// Checks that a list in pieces is the same as the whole list, and reads its items in every way.
/// The first byte chooses the length of the pieces and the format.
///
/// # Panics
/// When the two differ.
pub fn list(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let (is_protobuf, length) = (first & 1 == 1, usize::from(first >> 1) + 1);
    let (whole, pieces) = (scanned(bytes, bytes.len(), is_protobuf), scanned(bytes, length, is_protobuf));
    assert_eq!(whole.is_ok(), pieces.is_ok(), "{whole:?} {pieces:?}");
    let Ok((items, _)) = &whole else { return };
    assert_eq!(whole, pieces);
    for item in items {
        for keep in [Keep::Metadata, Keep::Whole, Keep::Owned, Keep::Thin] {
            let item = if is_protobuf { ListItem::Protobuf(item) } else { ListItem::Json(item) };
            let sifted = Sieve { keep, private: true, ..Sieve::default() }.sift(item, 1 << 20);
            if let Ok(Some(object)) = sifted {
                object.managers().for_each(drop);
            }
        }
    }
}

/// Parses a line of a watch.
pub fn watch(bytes: &[u8]) {
    event(bytes, false);
    event(bytes, true);
}

/// Parses discovery, aggregated or not, of either root.
pub fn discovery(bytes: &[u8]) {
    for core in [true, false] {
        for content_type in ["application/json", "application/json;as=APIGroupDiscoveryList"] {
            if let Ok(Root::Aggregated(list)) = root(&answered(content_type, bytes), core) {
                add_aggregated(&mut Discovery::default(), list);
            }
        }
    }
}

fn answered(content_type: &str, body: &[u8]) -> Answer {
    let (body, content_type) = (body.to_vec(), content_type.to_owned());
    Answer { body, content_type, date: None, etag: None, is_unchanged: false }
}

/// Parses an error in JSON, in protobuf or in neither; and a compressed body.
pub fn answer(bytes: &[u8]) {
    for status in [StatusCode::OK, StatusCode::NOT_FOUND, StatusCode::FORBIDDEN, StatusCode::INTERNAL_SERVER_ERROR] {
        let refusals = [
            Refusal::from_answer(status, bytes, None),
            Refusal::from_status(status, protobuf::status(bytes), bytes, None),
        ];
        for refusal in refusals {
            let _ = (refusal.unread(), refusal.is_not_found());
        }
    }
    let mut unpacked =
        Unpacked::of(&HeaderMap::from_iter([(http::header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))]));
    unpacked.take(bytes.to_vec());
    while let Ok(Some(_)) = unpacked.next() {}
    let _ = unpacked.rest();
}

/// Parses a kubeconfig.
pub fn kubeconfig(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Kubeconfig::from_yaml(text);
    }
}
