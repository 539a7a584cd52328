//! A run's first record, which states the subject of the run.

use crate::server::Server;
use crate::survey::mask;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Masks possible credentials in texts: messages of servers, and addresses.
pub(super) fn masked(text: &str) -> Cow<'_, str> {
    mask(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The version of the format.
pub(super) const VERSION: &str = "unstick.dev/journal/v1";

/// The subject of a run: its first record.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct RunHeader {
    /// The command line.
    pub arguments: Vec<String>,
    /// The kubeconfig context.
    pub context: Option<String>,
    /// The user in the kubeconfig, in case the server does not identify the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The server's name.
    pub server: Server,
    /// The uid of the kube-system namespace, which identifies a cluster.
    pub cluster: Option<String>,
    /// The objects that the run should release.
    pub targets: Vec<String>,
}

impl RunHeader {
    /// The command line, without the values of login flags and other possible credentials.
    pub(crate) fn command_line(arguments: impl Iterator<Item = std::ffi::OsString>) -> Vec<String> {
        let mut behind: Option<Flag> = None;
        arguments
            .map(|argument| {
                let text = argument.to_string_lossy().into_owned();
                match (behind.take(), Flag::of(&text)) {
                    (Some(flag), _) => flag.kept(&text),
                    (None, Some((flag, ""))) => {
                        behind = Some(flag);
                        text
                    }
                    (None, Some((flag, value))) => {
                        format!("{}{}", text.strip_suffix(value).unwrap_or_default(), flag.kept(value))
                    }
                    (None, None) => masked(&text).into_owned(),
                }
            })
            .collect()
    }
}

/// The short flags with a value: letters after one of them are not flags.
const WITH_VALUE: &str = "fklnosv";

/// A flag whose value may contain credentials.
#[derive(Clone, Copy)]
enum Flag {
    /// The value is a secret.
    Secret,
    /// The value is an address, which may contain a secret.
    Server,
}

impl Flag {
    /// The flag, and its value if that is in the same argument.
    fn of(argument: &str) -> Option<(Self, &str)> {
        let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
        match name {
            "--token" | "--password" | "--username" => Some((Self::Secret, value)),
            "--server" => Some((Self::Server, value)),
            _ => Self::in_short(argument),
        }
    }

    /// `-s`, perhaps after short flags without a value.
    fn in_short(argument: &str) -> Option<(Self, &str)> {
        let flags = argument.strip_prefix('-').filter(|flags| !flags.starts_with('-'))?;
        let first = flags.find(|letter| WITH_VALUE.contains(letter))?;
        let value = flags[first..].strip_prefix('s')?;
        Some((Self::Server, value.trim_start_matches('=')))
    }

    fn kept(self, value: &str) -> String {
        match self {
            Self::Secret => "(hidden)".into(),
            Self::Server => Server::from(value).to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_on_the_command_line_is_not_kept() {
        let line = ["x", "--token", "a", "--token=b", "ns", "--password=c=d", "--username", "ann", "-v", "6"];
        let kept = ["x", "--token", "(hidden)", "--token=(hidden)", "ns", "--password=(hidden)", "--username"];
        let kept = [&kept[..], &["(hidden)", "-v", "6"]].concat();
        assert_eq!(RunHeader::command_line(line.map(Into::into).into_iter()), kept);
    }

    #[test]
    fn a_password_in_an_address_on_the_command_line_is_not_kept() {
        for (line, kept) in [
            (vec!["--server=https://ann:b@host"], vec!["--server=https://host"]),
            (vec!["--server", "ann:b@host:1", "ns"], vec!["--server", "host:1", "ns"]),
            (vec!["-s", "http://ann:b/c@host", "-A"], vec!["-s", "http://host", "-A"]),
            (vec!["-shttp://ann:b@host"], vec!["-shttp://host"]),
            (vec!["-s=ann:b@host"], vec!["-s=host"]),
            (vec!["-As", "ann:b@host", "-nshop"], vec!["-As", "host", "-nshop"]),
            (vec!["https://ann:b@host"], vec!["https://(masked)@host"]),
        ] {
            assert_eq!(RunHeader::command_line(line.into_iter().map(Into::into)), kept);
        }
    }
}
