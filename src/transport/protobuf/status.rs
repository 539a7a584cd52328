//! `meta/v1.Status`: the reason why the API server refused a request.

use super::MAGIC;
use super::fields::find;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Status, StatusDetails};

/// Parses the parts of an error that are used; `None` if it is not a Status.
pub(crate) fn status(body: &[u8]) -> Option<Status> {
    let raw = message(body.strip_prefix(MAGIC)?, 2)?;
    let details = message(raw, 5).map(|details| StatusDetails { name: text(details, 1), ..StatusDetails::default() });
    Some(Status { message: text(raw, 3), reason: text(raw, 4), details, ..Status::default() })
}

/// The nested message in a field.
fn message(message: &[u8], number: u64) -> Option<&[u8]> {
    find(message, number).ok()??.bytes().ok()
}

/// A text that is not empty.
fn text(of: &[u8], number: u64) -> Option<String> {
    let text = std::str::from_utf8(message(of, number)?).ok()?;
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_read_as_from_json() {
        // The answer of Kubernetes 1.36 to a GET of pods/nobody.
        let body = b"k8s\0\n\x0c\n\x02v1\x12\x06Status\x12\x4d\n\x06\n\0\x12\0\x1a\0\x12\x07Failure\x1a\x17\
            pods \"nobody\" not found\"\x08NotFound*\x14\n\x06nobody\x12\0\x1a\x04pods(\0\x32\0\x30\x94\x03\x1a\0\"\0";
        let status = status(body).unwrap();
        assert_eq!(status.message.as_deref(), Some("pods \"nobody\" not found"));
        assert_eq!(status.reason.as_deref(), Some("NotFound"));
        assert_eq!(status.details.unwrap().name.as_deref(), Some("nobody"));
    }

    #[test]
    fn bodies_without_a_status_are_no_error() {
        for body in [&b""[..], b"{}", b"k8s\0", b"k8s\0\x12", b"no such page"] {
            assert!(status(body).is_none(), "{body:?}");
        }
    }
}
