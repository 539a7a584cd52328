//! GitHub's runner takes lines of the output for commands, such as `::error::` at the beginning of a
//! line and `##[error]` anywhere in it (actions/runner: `src/Runner.Common/ActionCommand.cs`). Text
//! from a cluster must not give it any.

#![expect(clippy::disallowed_methods, reason = "the runner says in the environment that it reads the output")]

use ring::rand::{SecureRandom, SystemRandom};
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::OnceLock;

/// The word that lets the runner heed commands again; unset outside of a workflow.
static RESUMES: OnceLock<String> = OnceLock::new();

/// The line that stops commands, if a runner reads the output.
pub(super) fn stop() -> Option<String> {
    if std::env::var_os("GITHUB_ACTIONS").is_none_or(|value| value != "true") {
        return None;
    }
    let mut bytes = [0; 16];
    // Nobody in the cluster can guess it.
    SystemRandom::new().fill(&mut bytes).ok()?;
    let word = RESUMES.get_or_init(|| {
        bytes.iter().fold(String::new(), |mut word, byte| {
            let _ = write!(word, "{byte:02x}");
            word
        })
    });
    Some(format!("::stop-commands::{word}"))
}

/// The line that lets the runner heed commands again.
pub(super) fn resume() -> Option<String> {
    RESUMES.get().map(|word| format!("::{word}::"))
}

/// The text without commands that work anywhere in a line. A parser of JSON gets the same text.
pub(super) fn without_commands(text: &str) -> Cow<'_, str> {
    if RESUMES.get().is_none() { text.into() } else { broken(text) }
}

fn broken(text: &str) -> Cow<'_, str> {
    if !text.contains("##[") {
        return text.into();
    }
    let is_json = text.starts_with(['{', '[']);
    text.replace("##[", if is_json { r"##\u005b" } else { "##<U+005B>" }).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_within_a_line_are_broken() {
        assert_eq!(broken("says: ##[error]x"), "says: ##<U+005B>error]x");
        let json = serde_json::to_string(&["##[group]"]).unwrap();
        assert!(!broken(&json).contains("##["));
        assert_eq!(serde_json::from_str::<[String; 1]>(&broken(&json)).unwrap(), ["##[group]"]);
    }
}
