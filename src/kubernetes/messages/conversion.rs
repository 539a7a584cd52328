//! The API server's errors about a failed conversion (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go`).

use crate::facts::Facts;
use crate::survey::Resource;

const FAILED: &str = "conversion webhook for ";

/// Whether a text reports a failed conversion by a webhook.
pub(crate) fn is_about_a_conversion(text: &str) -> bool {
    text.contains(FAILED)
}

/// The webhook's own answer that it cannot convert an object. `None` if the server did not reach the
/// webhook, or did not understand its answer.
pub(crate) fn refusal(text: &str) -> Option<&str> {
    let (_, answer) = text.split_once(FAILED)?.1.split_once(" failed: ")?;
    let is_of_server = ["Post ", "Get ", "the server", "an error on the server", "Internal error", "could not get"];
    let is_unread = ["response", "unexpected", "invalid"];
    let fails = is_of_server.iter().chain(&is_unread).any(|start| answer.starts_with(start));
    (!fails && !answer.is_empty()).then_some(answer)
}

/// The kind of a failed conversion: `conv.example/v1, Kind=Gadget` in `conversion webhook for
/// … failed`.
pub(crate) fn named_kind<'s>(message: &str, facts: &Facts<'s>) -> Option<&'s Resource> {
    let named = message.split_once(FAILED)?.1.split_once(" failed")?.0;
    let (version, kind) = named.split_once(", Kind=")?;
    let group = version.split_once('/').map_or("", |(group, _)| group);
    // The storage version need not be served.
    let in_any = |kind: &str| {
        let mut all = facts.discovery().resources.iter();
        all.find(|resource| resource.id.group == group && resource.kind == kind)
    };
    // The error about a list names the list's own kind.
    let of = |kind: &str| facts.discovery().by_kind(version, kind).or_else(|| in_any(kind));
    of(kind).or_else(|| of(kind.strip_suffix("List")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhooks_answer_is_distinguished_from_a_failed_call() {
        let answer =
            "LIST gadgets.conv.example: conversion webhook for conv.example/v1, Kind=Gadget failed: size is unknown";
        assert_eq!(refusal(answer), Some("size is unknown"));
        for call in [
            "conversion webhook for conv.example/v1, Kind=Gadget failed: Post \"https://hook.a.svc:443/?timeout=30s\": EOF",
            "conversion webhook for conv.example/v1, Kind=Gadget failed: the server could not find the requested resource",
            "storage is (re)initializing",
        ] {
            assert_eq!(refusal(call), None, "{call}");
        }
    }
}
