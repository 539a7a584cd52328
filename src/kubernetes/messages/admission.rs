//! Parses the API server's errors when admission refuses a request. The texts are fixed
//! (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/util/webhook/error.go`,
//! `staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/errors/statuserror.go`,
//! `staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go`).

use crate::survey::Seen;

/// One refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// A webhook could not be called.
    Unanswered {
        /// The webhook's entry.
        webhook: String,
        /// Why it could not be called.
        cause: String,
    },
    /// A webhook denied the request.
    Denied {
        /// The webhook's entry.
        webhook: String,
        /// Its reason.
        message: String,
    },
    /// A policy denied the request.
    Policy {
        /// The policy.
        policy: String,
        /// The policy's binding.
        binding: Option<String>,
        /// Its reason.
        message: String,
    },
    /// The update is invalid because it changes an immutable field, and the request did not contain
    /// that change.
    Changed {
        /// The server's message.
        message: String,
    },
    /// The update was accepted, and the finalizer that it removes is still there.
    PutBack,
}

const UNANSWERED: &str = "failed calling webhook \"";
const DENIED: &str = "admission webhook \"";
const POLICY: &str = "olicy '";
const DENIES: &str = " denied request: ";
/// Validation messages about a changed field that is immutable.
const UNCHANGEABLE: [&str; 6] = [
    "may not change fields", "immutable", "updates to", "may not be changed", "cannot be changed",
    "may not be modified",
];
/// The words with which the API server refuses an invalid object.
pub(crate) const INVALID: &str = " is invalid: ";

/// The admission errors in a text, which may contain several.
pub(crate) fn read(text: &str) -> Vec<Words> {
    let mut starts: Vec<usize> =
        [UNANSWERED, DENIED, POLICY].iter().flat_map(|mark| text.match_indices(mark).map(|(at, _)| at)).collect();
    starts.sort_unstable();
    let mut words: Vec<Words> = Vec::new();
    for (number, start) in starts.iter().enumerate() {
        let rest = &text[*start..];
        let piece = match starts.get(number + 1) {
            // The errors of several kinds are joined with commas.
            Some(next) => {
                let piece = &text[*start..*next];
                piece.rsplit_once(", ").map_or(piece, |(piece, _)| piece)
            }
            None => rest,
        };
        let one = one(piece).filter(|one| !words.contains(one));
        words.extend(one);
    }
    if words.is_empty() && is_about_a_change(text) {
        words.push(Words::Changed { message: text.to_owned() });
    }
    words
}

/// The admission error in the API server's answer to a request for `seen`, if it is where the API
/// server itself reports it. Elsewhere it may be a quotation from the object or the webhook.
pub(crate) fn first(text: &str, seen: Seen<'_>) -> Option<Words> {
    let kind = seen.resource.id.short();
    let forbidden = |name: &str| text.strip_prefix(&format!("{kind} {name:?} is forbidden: "));
    if let Some(rest) = forbidden(seen.object.name()).or_else(|| forbidden("Unknown")) {
        let kinds = ["ValidatingAdmissionP", "MutatingAdmissionP"];
        return kinds.iter().find_map(|kind| rest.strip_prefix(kind)).and_then(one);
    }
    let rest = text.strip_prefix("Internal error occurred: ").unwrap_or(text);
    if rest.starts_with(UNANSWERED) || rest.starts_with(DENIED) { one(rest) } else { None }
}

/// A text without its quotations, which may contain values that anybody wrote.
fn unquoted(text: &str) -> String {
    let (mut rest, mut inside, mut escaped) = (String::new(), false, false);
    for c in text.chars() {
        match c {
            '"' if !escaped => inside = !inside,
            _ if !inside => rest.push(c),
            _ => {}
        }
        escaped = inside && c == '\\' && !escaped;
    }
    rest
}

/// Whether an update is invalid because of what it changes, not because of the object.
pub(crate) fn is_about_a_change(text: &str) -> bool {
    text.contains(INVALID) && {
        let own = unquoted(text);
        UNCHANGEABLE.iter().any(|mark| own.contains(mark))
    }
}

/// Whether a text contains an admission error.
pub(crate) fn is_about_admission(text: &str) -> bool {
    !read(text).is_empty()
}

fn one(piece: &str) -> Option<Words> {
    if let Some(rest) = piece.strip_prefix(UNANSWERED) {
        let (webhook, rest) = rest.split_once('"')?;
        return Some(Words::Unanswered { webhook: webhook.into(), cause: cause(rest.trim_start_matches(": ")) });
    }
    if let Some(rest) = piece.strip_prefix(DENIED) {
        let (webhook, rest) = rest.split_once('"')?;
        let message = rest.split_once("denied the request").map(|(_, message)| message.trim_start_matches(": "))?;
        return Some(Words::Denied { webhook: webhook.into(), message: message.trim().into() });
    }
    let (policy, rest) = piece.strip_prefix(POLICY)?.split_once('\'')?;
    let (binding, message) = rest.split_once(DENIES)?;
    let binding = binding.strip_prefix(" with binding '").map(|binding| binding.trim_end_matches('\'').to_owned());
    Some(Words::Policy { policy: policy.into(), binding, message: message.trim().into() })
}

/// The cause without the request.
fn cause(text: &str) -> String {
    let text = text.trim_start_matches("failed to call webhook: ");
    let cause = text.strip_prefix("Post \"").and_then(|rest| rest.split_once("\": ")).map_or(text, |(_, cause)| cause);
    cause.trim().to_owned()
}

impl Words {
    /// The error in few words, without the request.
    pub(crate) fn in_short(&self) -> String {
        match self {
            Self::Unanswered { webhook, cause } => format!("webhook {webhook} cannot be called: {cause}"),
            Self::Denied { webhook, message } => format!("webhook {webhook} denies it: {message}"),
            Self::Policy { policy, message, .. } => format!("policy {policy} denies it: {message}"),
            Self::Changed { message } => message.clone(),
            Self::PutBack => "the finalizer is still there".into(),
        }
    }

    /// Whether the gate did not answer, and so did not deny the request.
    pub(crate) fn is_unanswered(&self) -> bool {
        matches!(self, Self::Unanswered { .. })
    }

    /// Whether a policy lacks its parameter.
    pub(crate) fn lacks_parameter(&self) -> bool {
        matches!(self, Self::Policy { message, .. } if message.contains("no params found"))
    }

    /// Whether a policy's own expression fails, so that it has decided nothing
    /// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/admission/plugin/cel/condition.go`).
    pub(crate) fn is_own_error(&self) -> bool {
        let fails =
            |message: &str| message.contains("' resulted in error: ") || message.contains("compilation error: ");
        matches!(self, Self::Policy { message, .. } if fails(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{Object, Resource};

    #[test]
    fn an_uncallable_webhook_is_named_with_the_cause() {
        let text = "Internal error occurred: failed calling webhook \"gadgets.acme.io\": failed to call webhook: Post \"https://gadgets.ops.svc:443/validate?timeout=10s\": service \"gadgets\" not found";
        assert_eq!(
            read(text),
            [Words::Unanswered { webhook: "gadgets.acme.io".into(), cause: "service \"gadgets\" not found".into() }]
        );
        let odd = "Internal error occurred: failed calling webhook \"w\": received invalid webhook response: x";
        assert_eq!(
            read(odd),
            [Words::Unanswered { webhook: "w".into(), cause: "received invalid webhook response: x".into() }]
        );
    }

    #[test]
    fn denials_carry_their_reason() {
        let denied = "admission webhook \"objects.hnc.x-k8s.io\" denied the request: Cannot delete object, propagated";
        assert_eq!(
            read(denied),
            [Words::Denied {
                webhook: "objects.hnc.x-k8s.io".into(),
                message: "Cannot delete object, propagated".into()
            }]
        );
        let silent = "admission webhook \"w\" denied the request without explanation";
        assert!(matches!(&read(silent)[..], [Words::Denied { message, .. }] if message == "without explanation"));
    }

    #[test]
    fn policies_are_named_with_their_binding() {
        let text = "secrets \"Unknown\" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'keep-b' denied request: kept for ten years";
        let policy = |binding: Option<&str>, message: &str| Words::Policy {
            policy: "keep".into(),
            binding: binding.map(Into::into),
            message: message.into(),
        };
        assert_eq!(read(text), [policy(Some("keep-b"), "kept for ten years")]);
        let bare = "x is forbidden: ValidatingAdmissionPolicy 'keep' denied request: failed to configure policy: y";
        assert_eq!(read(bare), [policy(None, "failed to configure policy: y")]);
        let mutating = "x is forbidden: policy 'keep' with binding 'keep-b' denied request: z";
        assert_eq!(read(mutating), [policy(Some("keep-b"), "z")]);
    }

    #[test]
    fn a_condition_may_name_several_webhooks_and_policies() {
        let text = "Failed to delete all resource types, 3 remaining: Internal error occurred: failed calling webhook \"a\": failed to call webhook: Post \"https://a.b.svc:443/?timeout=10s\": context deadline exceeded, admission webhook \"b\" denied the request: no, never, ledgers.acme.io \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'q' denied request: kept, unexpected items still remain";
        let words = read(text);
        assert_eq!(words.len(), 3, "{words:?}");
        assert_eq!(words[0], Words::Unanswered { webhook: "a".into(), cause: "context deadline exceeded".into() });
        assert_eq!(words[1], Words::Denied { webhook: "b".into(), message: "no, never".into() });
        assert!(matches!(&words[2], Words::Policy { policy, .. } if policy == "p"));
    }

    #[test]
    fn a_failing_expression_is_the_policys_own_error() {
        let said = |text: &str| {
            read(&format!("x is forbidden: ValidatingAdmissionPolicy 'p' with binding 'q' denied request: {text}"))
        };
        assert!(said("expression 'object.spec.x == 'y'' resulted in error: no such key: x")[0].is_own_error());
        assert!(!said("kept for ten years")[0].is_own_error());
    }

    #[test]
    fn an_immutable_field_error_means_that_a_field_was_changed() {
        let text = "Pod \"web\" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.x`";
        assert!(matches!(&read(text)[..], [Words::Changed { .. }]));
        let claim = "PersistentVolumeClaim \"data\" is invalid: spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
        assert!(matches!(&read(claim)[..], [Words::Changed { .. }]));
        assert!(read("Widget.acme.io \"w\" is invalid: spec.size: Invalid value: 7").is_empty());
        assert!(read("storage backend is down").is_empty());
    }

    #[test]
    fn the_refuser_is_read_only_from_the_servers_own_words() {
        let resource = Resource::tested("rbac.authorization.k8s.io", "roles", "Role", true);
        // A name that reads like a refusal, which is possible in RBAC.
        let name = "a\" is forbidden: ValidatingAdmissionPolicy 'b' with binding 'c' denied request: d";
        let object: Object = serde_json::from_value(serde_json::json!({"metadata": {"name": name}})).unwrap();
        let said = |text: &str| {
            first(text, Seen { resource: &resource, object: &object }).and_then(|words| match words {
                Words::Policy { policy, .. } => Some(policy),
                Words::Unanswered { webhook, .. } | Words::Denied { webhook, .. } => Some(webhook),
                Words::Changed { .. } | Words::PutBack => None,
            })
        };
        let denies = "ValidatingAdmissionPolicy 'keep' with binding 'keep' denied request: no";
        let of = format!("roles.rbac.authorization.k8s.io {name:?} is forbidden: ");
        assert_eq!(said(&format!("{of}{denies}")).as_deref(), Some("keep"));
        assert_eq!(said(&format!("{of}not today")), None);
        assert_eq!(
            said("admission webhook \"w\" denied the request: admission webhook \"v\" denied").as_deref(),
            Some("w")
        );
        let unanswered = "failed calling webhook \"w\": failed to call webhook: EOF";
        assert_eq!(said(&format!("Internal error occurred: {unanswered}")).as_deref(), Some("w"));
        assert_eq!(said(&format!("Role \"x\" is invalid: rules: Invalid value: \"{unanswered}\"")), None);
        assert_eq!(said(denies), None);
    }

    #[test]
    fn quoted_values_do_not_report_a_change() {
        let change = "Item.acme.io \"x\" is invalid: spec.size: Invalid value: \"z\": field is immutable";
        assert!(is_about_a_change(change));
        let quoted = "Item.acme.io \"x\" is invalid: spec.size: Invalid value: \"a \\\"b\\\" immutable\": too long";
        assert!(!is_about_a_change(quoted));
    }
}
