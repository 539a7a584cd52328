//! The wording of the API server, of controllers and of webhooks.

pub mod admission;
pub(crate) mod conversion;
pub(crate) mod demand;
mod mention;
pub(crate) mod rights;
pub(crate) mod thing;
pub(crate) mod trouble;

pub(crate) use mention::{bare_words, mentions};

/// The text that an API server puts before the actual reason.
const WRAPPERS: [&str; 4] = [
    "Failed to delete all resource types",
    "Internal error occurred",
    "failed calling webhook",
    "failed to call webhook",
];

/// The reason in a message, without the text that an API server puts before it.
pub(crate) fn reason(message: &str) -> &str {
    match message.split_once(": ") {
        Some((lead, rest)) if WRAPPERS.iter().any(|wrapper| lead.starts_with(wrapper)) => reason(rest),
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_shown_without_what_is_wrapped_around_it() {
        let text = "Failed to delete all resource types, 1 remaining: Internal error occurred: failed calling webhook \
            \"a\": failed to call webhook: Post \"https://a.b.svc\": service \"a\" not found";
        assert_eq!(reason(text), "Post \"https://a.b.svc\": service \"a\" not found");
        assert_eq!(reason("ServiceNotFound: it is not"), "ServiceNotFound: it is not");
    }
}
