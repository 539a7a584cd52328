//! Which action a controller's message asks for.

use super::trouble::{is_about_use, is_unsupported, wants_it_empty};

/// What must be done before a controller can go on, by the words of its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Demand {
    /// A service does not have the operation at all.
    OtherVersion,
    /// A certificate is not accepted.
    Certificate,
    /// A login is not accepted.
    Credentials,
    /// A lock or a protection forbids the deletion.
    Protection,
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
const WORDS: [(Demand, &[&str]); 11] = [
    (Demand::FreshCopy, &["the object has been modified"]),
    // A condition that does not become true says nothing about a server.
    (Demand::Unclear, &["waiting for the condition"]),
    (Demand::Certificate, &["x509", "certificate has expired", "certificate signed by", "certificate verify", "tls: "]),
    (
        Demand::Credentials,
        &[
            "access token",
            "authentication fail",
            "bad credentials",
            "client secret",
            "expiredtoken",
            "failed to authenticate",
            "invalid credentials",
            "invalid_grant",
            "invalidclienttokenid",
            "invalid_client",
            "login",
            "password authentication",
            "signaturedoesnotmatch",
            "token expired",
            "token has expired",
            "token is expired",
            "unable to authenticate",
            "unauthenticated",
            "unauthorized",
            "has expired",
        ],
    ),
    (
        Demand::Protection,
        &[
            "deletion protection",
            "deletion_protection",
            "is locked",
            "legal hold",
            "lien",
            "object lock",
            "retention",
            "scopelocked",
            "termination protection",
            "deletion is disabled",
            "deletiondisabled",
        ],
    ),
    (
        Demand::EndOfUse,
        &[
            "being accessed",
            "busy",
            "dependencyviolation",
            "dependent",
            "has dependen",
            "linked to",
            "still attached",
            "still has",
            "contains",
            "has snapshots",
        ],
    ),
    (
        Demand::Limit,
        &["limit exceeded", "limitexceeded", "quota", "rate exceeded", "rate limit", "throttl", "too many requests"],
    ),
    (
        Demand::Permission,
        &[
            "access denied",
            "accessdenied",
            "doesn't allow",
            "forbidden",
            "insufficient",
            "lacks the permission",
            "missing permission",
            "not allowed to",
            "not authorized",
            "permission denied",
            "unauthorizedoperation",
        ],
    ),
    (
        Demand::Answer,
        &[
            "cannot reach",
            "connection refused",
            "connection reset",
            "deadline exceeded",
            "dial tcp",
            "i/o timeout",
            "no route to host",
            "no such host",
            "not reachable",
            "service unavailable",
            "timed out",
            "timeout",
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
            "404",
            "does not exist",
            "doesn't exist",
            "no such",
            "nonexist",
            "not found",
            "notfound",
            "nosuch",
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

    /// What to do, for the one who can: `who` is the controller.
    pub(crate) fn title(self, who: &str) -> String {
        match self {
            Self::OtherVersion => format!("run a version of {who} that does not need that"),
            Self::Certificate => format!("renew the certificate that is refused, or let {who} trust who has issued it"),
            Self::Credentials => format!("give {who} a login that the service accepts"),
            Self::Protection => "lift the lock or the protection that the service reports".to_owned(),
            Self::Emptying => "empty it where its content is stored".to_owned(),
            Self::EndOfUse => "end the use that is reported, also of what is no object of this cluster".to_owned(),
            Self::Limit => "raise the limit that is reported, or wait until less is used".to_owned(),
            Self::Permission => format!("let {who} do what the service denies to its account"),
            Self::Answer => format!("make the server answer that {who} calls"),
            Self::FreshCopy => format!("restart {who}, which writes on an old copy of the object"),
            Self::Correction => {
                "correct the value that is refused, in the object or in the settings of its controller".to_owned()
            }
            Self::Existence => {
                "find out where what it looks for has gone; if it is gone for good, nothing is left to clean up"
                    .to_owned()
            }
            Self::Unclear => format!("do what it asks for, or ask those who run {who}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_ask_for_what_their_words_say() {
        for (message, asked) in [
            ("x509: certificate signed by unknown authority", Demand::Certificate),
            ("Invalid access token for zone example.com", Demand::Credentials),
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
}
