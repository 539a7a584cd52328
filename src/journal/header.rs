//! What a run is about: what its first record says.

use crate::survey::mask;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A text without what looks like a credential: the words of servers, and addresses.
pub(super) fn masked(text: &str) -> Cow<'_, str> {
    mask(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The version of the records.
pub(super) const VERSION: &str = "unstick.dev/journal/v1";

/// What a run is about: its first record.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Header {
    /// The command line.
    pub arguments: Vec<String>,
    /// The kubeconfig context.
    pub context: Option<String>,
    /// The kubeconfig's user: who it is where the server does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The server's address.
    pub server: String,
    /// The uid of the kube-system namespace, which identifies a cluster.
    pub cluster: Option<String>,
    /// What the run is to release.
    pub targets: Vec<String>,
}

impl Header {
    /// The command line, without the value of `--token` and what else looks like a credential.
    #[must_use]
    pub fn command_line(arguments: impl Iterator<Item = std::ffi::OsString>) -> Vec<String> {
        let mut secret = false;
        arguments
            .map(|argument| {
                let text = argument.to_string_lossy().into_owned();
                let hide = std::mem::replace(&mut secret, text == "--token");
                match text.split_once('=') {
                    _ if hide => "(hidden)".into(),
                    Some(("--token", _)) => "--token=(hidden)".into(),
                    _ => masked(&text).into_owned(),
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_on_the_command_line_is_not_kept() {
        let line = ["x", "--token", "a", "--token=b", "ns", "--server=https://ann:b@host"].map(Into::into);
        let kept = ["x", "--token", "(hidden)", "--token=(hidden)", "ns", "--server=https://(masked)@host"];
        assert_eq!(Header::command_line(line.into_iter()), kept);
    }
}
