//! Which action a controller's message asks for.

use super::thing::{address, field, outside, right};
use super::trouble::{is_about_use, is_unsupported, wants_it_empty};
use crate::report::{Ref, Sentence};

/// What must be done before a controller can go on, by the words of its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Demand {
    /// A service does not have the operation at all.
    OtherVersion,
    /// A certificate is not accepted.
    Certificate,
    /// Something is over its time.
    Renewal,
    /// A login is not accepted.
    Credentials,
    /// A lock or a protection forbids the deletion.
    Protection,
    /// The other side rests.
    Resumption,
    /// Something must be emptied first.
    Emptying,
    /// Something is still used.
    EndOfUse,
    /// A limit has been reached.
    Limit,
    /// An account may not do it.
    Permission,
    /// A service does not answer.
    Answer,
    /// A write used an old copy of the object.
    FreshCopy,
    /// A value is not accepted.
    Correction,
    /// Something was not found.
    Existence,
    /// The words belong to no class.
    Unclear,
}

/// Words by class, in the order in which they count: what comes first explains what comes later.
const WORDS: [(Demand, &[&str]); 13] = [
    (Demand::FreshCopy, &["the object has been modified"]),
    // A condition that does not become true says nothing about a server.
    (Demand::Unclear, &["waiting for the condition"]),
    (Demand::Certificate, &["x509", "certificate has expired", "certificate signed by", "certificate verify", "tls: "]),
    (Demand::Renewal, &["expired"]),
    (
        Demand::Credentials,
        &[
            "access token", "authentication fail", "bad credentials", "client secret", "failed to authenticate",
            "invalid credentials", "invalid_grant", "invalidclienttokenid", "invalid_client", "login",
            "password authentication", "signaturedoesnotmatch", "unable to authenticate", "unauthenticated",
            "unauthorized",
        ],
    ),
    (
        Demand::Protection,
        &[
            "deletion protection", "deletion_protection", "is locked", "legal hold", "lien", "object lock",
            "retention", "scopelocked", "termination protection", "deletion is disabled", "deletiondisabled",
        ],
    ),
    (
        Demand::Resumption,
        &["is paused", "are paused", "suspended", "maintenance mode", "maintenance window", "on hold"],
    ),
    (
        Demand::EndOfUse,
        &[
            "being accessed", "busy", "dependencyviolation", "dependent", "has dependen", "linked to",
            "still attached", "still has", "contains", "has snapshots",
        ],
    ),
    (
        Demand::Limit,
        &["limit exceeded", "limitexceeded", "quota", "rate exceeded", "rate limit", "throttl", "too many requests"],
    ),
    (
        Demand::Permission,
        &[
            "access denied", "accessdenied", "authorizationfailed", "does not have authorization", "doesn't allow",
            "forbidden", "insufficient", "lacks the permission", "missing permission", "not allowed to",
            "not authorized", "permission denied", "unauthorizedoperation",
        ],
    ),
    (
        Demand::Answer,
        &[
            "cannot reach", "connection refused", "connection reset", "deadline exceeded", "dial tcp", "i/o timeout",
            "no route to host", "no such host", "not reachable", "service unavailable", "timed out", "timeout",
            "unreachable",
        ],
    ),
    (
        Demand::Correction,
        &["immutable", "invalid value", "is invalid", "malformed", "unknown field", "validation", "must match"],
    ),
    (
        Demand::Existence,
        &[
            "404", "does not exist", "doesn't exist", "no such", "nonexist", "not found", "notfound", "nosuch",
            "unknown",
        ],
    ),
];

impl Demand {
    /// What `message` asks for.
    pub(crate) fn by(message: &str) -> Self {
        let lower = message.to_lowercase();
        if is_unsupported(message) {
            return Self::OtherVersion;
        }
        if wants_it_empty(message) {
            return Self::Emptying;
        }
        let class = WORDS.iter().find(|(_, words)| words.iter().any(|word| lower.contains(word)));
        let class = class.map_or(Self::Unclear, |(class, _)| *class);
        let explains_use = matches!(class, Self::Certificate | Self::Credentials | Self::Protection);
        if is_about_use(message) && !explains_use { Self::EndOfUse } else { class }
    }

    /// Whether following it gives power, or takes protection away.
    pub(crate) fn gives_power(self) -> bool {
        use Demand::{Certificate, Credentials, Permission, Protection, Renewal};
        matches!(self, Certificate | Credentials | Permission | Protection | Renewal)
    }

    /// Whether the login of the controller is what is refused.
    pub(crate) fn is_about_a_login(self) -> bool {
        matches!(self, Self::Credentials | Self::Renewal)
    }

    /// What to do, for the one who can: `who` is the controller, and `of` the object that it does not release. It names
    /// what `message` names.
    pub(crate) fn title(self, who: &str, of: &Ref, message: &str) -> Sentence {
        let thing = |before: &str| named(before, outside(message));
        let host = |before: &str| named(before, address(message));
        let begin = |text: &str| Sentence::from(text);
        match self {
            Self::OtherVersion => {
                format!("run a version of {who} that does not make this request, or a service that supports it").into()
            }
            Self::Certificate => begin("renew the certificate that is refused")
                .then(host(" for "))
                .then(format!(", or let {who} trust its issuer")),
            Self::Renewal => begin("renew what has expired").then(format!(", where {who} reads it")),
            Self::Credentials => {
                Sentence::from(format!("give {who} a login that the service")).then(host(" ")).then(" accepts")
            }
            Self::Protection => begin("lift the lock or the protection that the service reports").then(thing(" for ")),
            Self::Resumption => begin("end the pause that is reported").then(thing(" for ")),
            Self::Emptying => begin("empty ").then(or_it(outside(message))).then(" where its content is stored"),
            Self::EndOfUse => begin("end the use")
                .then(thing(" of "))
                .then(" that is reported; the user may also be outside this cluster"),
            Self::Limit => {
                begin("raise the limit that is reported").then(thing(" for ")).then(", or wait until less is used")
            }
            Self::Permission => Sentence::from(format!("let {who} do what the service denies to its account"))
                .then(named(": ", right(message))),
            Self::Answer => begin("make the server").then(host(" ")).then(format!(" answer {who}")),
            Self::FreshCopy => format!("restart {who}, which writes on an old copy of the object").into(),
            Self::Correction => match field(message) {
                Some(field) => begin("correct ").then(quote(field)).then(format!(", which is refused, in {of}")),
                None => format!("correct the value that is refused, in {of} or in the settings of {who}").into(),
            },
            Self::Existence => begin("find out where ")
                .then(outside(message).map_or_else(|| "the resource that it looks for".into(), quote))
                .then(" has gone; if it is gone for good, nothing is left to clean up"),
            Self::Unclear => format!(
                "ask those who run {who} what it waits for; the only other way is to remove the finalizer \
                    from {of}"
            )
            .into(),
        }
    }
}

/// `before` and then `what`, as part of a title; empty if there is nothing to name.
fn named(before: &str, what: Option<&str>) -> Sentence {
    what.map_or_else(Sentence::default, |what| Sentence::from(before).then(quote(what)))
}

fn or_it(what: Option<&str>) -> Sentence {
    what.map_or_else(|| "it".into(), quote)
}

fn quote(what: &str) -> Sentence {
    Sentence::default().reported(what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    #[test]
    fn messages_ask_for_what_their_words_say() {
        for (message, asked) in [
            ("x509: certificate signed by unknown authority", Demand::Certificate),
            ("Invalid access token for zone example.com", Demand::Credentials),
            ("401 Unauthorized: the token has expired", Demand::Renewal),
            ("the project is suspended by its owner", Demand::Resumption),
            ("AccessDenied: not authorized to perform s3:PutObject on \"b\"", Demand::Permission),
            ("The bucket you tried to delete is not empty", Demand::Emptying),
            ("DependencyViolation: The vpc has dependencies and cannot be deleted.", Demand::EndOfUse),
            ("Pool is still in use by 2 replicas", Demand::EndOfUse),
            ("TopicDeletionDisabledException: Topic deletion is disabled.", Demand::Protection),
            ("ScopeLocked: the scope cannot perform delete operation because it is locked", Demand::Protection),
            ("dial tcp 10.0.0.1:443: connect: connection refused", Demand::Answer),
            ("ThrottlingException: Rate exceeded", Demand::Limit),
            ("the group 7 does not exist", Demand::Existence),
            ("spec.size: Invalid value: 0", Demand::Correction),
            ("operation not supported", Demand::OtherVersion),
            ("Operation cannot be fulfilled on x: the object has been modified", Demand::FreshCopy),
            ("waiting for the ELB: timed out waiting for the condition", Demand::Unclear),
            ("the moon is in the wrong phase", Demand::Unclear),
        ] {
            assert_eq!(Demand::by(message), asked, "{message}");
        }
    }

    #[test]
    fn titles_name_what_the_message_names() {
        let of = Ref::from(Named { kind: "Ship".into(), name: "a".into(), ..Named::default() });
        let title = |message: &str| Demand::by(message).title("its controller", &of, message).to_string();
        for (message, told) in [
            ("dial tcp 10.0.0.1:443: connect: connection refused", "make the server 10.0.0.1:443 answer"),
            ("not authorized to perform: s3:DeleteBucket on b", "denies to its account: s3:DeleteBucket"),
            ("spec.size: Invalid value: 0", "correct spec.size, which is refused, in Ship a"),
            ("The bucket 'logs' is not empty", "empty logs where"),
            ("The vpc 'v-1' has dependencies", "end the use of v-1 that is reported"),
            ("quota 'disks' exceeded", "raise the limit that is reported for disks"),
            ("the group 7 does not exist", "find out where group 7 has gone"),
            ("the moon is in the wrong phase", "ask those who run its controller"),
        ] {
            assert!(title(message).contains(told), "{}", title(message));
        }
    }
}
