//! The name of the plugin, and the kubectl that started it. The screens, the help and the completion use the name of the
//! file that was started: krew links it under the name of the manifest, and anybody may rename it. The folders on disk
//! use the package's name in `Cargo.toml`, so that one journal serves all names.
//!
//! Names that other programs read are fixed: the API version of reports, surveys and journals, the
//! annotations of namespaces, and the metrics.

use crate::inert::quote;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::OnceLock;

/// The program, whatever its file is called.
pub const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// The plugin, whatever its file is called.
pub const PLUGIN: &str = env!("PLUGIN_NAME");

/// The command that a person types.
pub const COMMAND: TypedCommand = TypedCommand;

/// The type of [`COMMAND`], which is a text that is known only when the program runs.
#[derive(Debug)]
pub struct TypedCommand;

impl Deref for TypedCommand {
    type Target = str;

    fn deref(&self) -> &str {
        NAME.get().map_or(env!("PLUGIN_COMMAND"), |name| &name.command)
    }
}

impl fmt::Display for TypedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

/// The name of the program's file, which kubectl looks for on `PATH`.
#[must_use]
pub fn program() -> &'static str {
    NAME.get().map_or(PROGRAM, |name| &name.program)
}

/// The name of the file that kubectl asks for completion (kubernetes/kubernetes:
/// `staging/src/k8s.io/kubectl/pkg/cmd/plugin/plugin_completion.go`, `lookupCompletionExec`; 1.37).
#[must_use]
pub fn completer() -> String {
    program().replacen('-', "_complete-", 1)
}

static NAME: OnceLock<Name> = OnceLock::new();

/// The name of the program's file, and the command that a person types.
struct Name {
    program: String,
    command: String,
}

/// Makes the program call itself as its file at `path`, the first argument. kubectl hands over the path that it has
/// found on `PATH`, and a link in it is not resolved (kubernetes/kubernetes:
/// `staging/src/k8s.io/kubectl/pkg/cmd/plugin.go`, `Execute`; 1.37). krew makes such a link, with an underscore for
/// each dash in the name of the manifest (kubernetes-sigs/krew: `internal/installation/install.go`,
/// `pluginNameToBin`; 0.5).
pub fn started_as(path: &Path) {
    if let Some(name) = Name::of(path) {
        // The first one counts: a program is started once.
        let _ = NAME.set(name);
    }
}

impl Name {
    /// `None` if kubectl would not take the file for a plugin. kubectl reads a dash in the file's name as a blank and
    /// an underscore as a dash (Kubernetes' documentation, "Extend kubectl with plugins"); `build.rs` converts the
    /// package's name in the same way.
    fn of(path: &Path) -> Option<Self> {
        let is_windows = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("exe"));
        let file = if is_windows { path.file_stem() } else { path.file_name() };
        let program = file?.to_str()?;
        let words: Vec<&str> = program.strip_prefix("kubectl-")?.split('-').collect();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let is_name = words.iter().all(|word| !word.is_empty() && word.bytes().all(is_plain));
        is_name.then(|| Self {
            program: program.to_owned(),
            command: format!("kubectl {}", words.join(" ").replace('_', "-")),
        })
    }
}

/// Replaces the plugin's original name in a text that is kept in a file.
#[must_use]
pub fn named(text: &str) -> String {
    renamed(text, &COMMAND, program())
}

fn renamed(text: &str, command: &str, program: &str) -> String {
    text.replace("kubectl unstick", command).replace("kubectl-unstick", program)
}

static CALLER: OnceLock<String> = OnceLock::new();

/// Makes the commands on screens name the kubectl at `path`, unless that is what the shell finds under its name.
/// `path` is what kubectl tells its plugins (kubernetes/kubernetes:
/// `staging/src/k8s.io/kubectl/pkg/cmd/plugin.go`, `KUBECTL_PATH`; 1.37). Programs that contain a kubectl have other
/// names and other words before its own: they are left out.
pub fn called_by(path: &Path, found: Option<&Path>) {
    let real = |path: &Path| path.canonicalize().ok();
    let is_found = found.is_some_and(|found| found == path || real(found) == real(path));
    if let Some(name) = caller(path).filter(|_| !is_found) {
        // The first one counts: there is one caller.
        let _ = CALLER.set(name);
    }
}

fn caller(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_str()?;
    (path.is_absolute() && name.starts_with("kubectl")).then(|| path.to_str().map(quote)).flatten()
}

/// A command with the kubectl that started the plugin. What follows a pipe stays as it is.
pub(crate) fn of_caller(command: &str) -> Cow<'_, str> {
    match (CALLER.get(), command.strip_prefix("kubectl ")) {
        (Some(caller), Some(rest)) => format!("{caller} {rest}").into(),
        _ => command.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_follow_from_the_packages() {
        assert_eq!(COMMAND.replace('-', "_").replace(' ', "-"), PROGRAM);
        assert_eq!(COMMAND.strip_prefix("kubectl "), Some(PLUGIN));
        assert_eq!(completer().replace("_complete", ""), PROGRAM);
    }

    #[test]
    fn the_program_is_called_as_its_file() {
        let called = |path: &str| Name::of(Path::new(path)).map(|name| [name.program, name.command]);
        let why = Some(["kubectl-why_terminating", "kubectl why-terminating"].map(str::to_owned));
        assert_eq!(called("/home/ann/.krew/bin/kubectl-why_terminating"), why);
        assert_eq!(called("kubectl-why_terminating"), why);
        assert_eq!(called("kubectl-why_terminating.exe"), why);
        assert_eq!(called("kubectl-a-b_c"), Some(["kubectl-a-b_c", "kubectl a b-c"].map(str::to_owned)));
        for other in ["", "/", "unstick", "kubectl", "kubectl-", "kubectl--a", "kubectl-a b", "kubectl-a.old"] {
            assert_eq!(called(other), None, "{other:?}");
        }
    }

    #[test]
    fn texts_use_the_current_name_of_the_plugin() {
        let text = "exec kubectl-unstick\n`kubectl unstick apis` shows what to unstick";
        assert_eq!(named(text), renamed(text, &COMMAND, PROGRAM));
        assert_eq!(
            renamed(text, "kubectl why-terminating", "kubectl-why_terminating"),
            "exec kubectl-why_terminating\n`kubectl why-terminating apis` shows what to unstick"
        );
    }

    #[test]
    fn only_a_kubectl_with_a_whole_path_is_named() {
        let named = |path: &str| caller(Path::new(path));
        assert_eq!(named("/opt/k8s/kubectl-1.37").as_deref(), Some("/opt/k8s/kubectl-1.37"));
        assert_eq!(named("/opt/my tools/kubectl").as_deref(), Some("'/opt/my tools/kubectl'"));
        assert_eq!(named("/usr/local/bin/k3s"), None);
        assert_eq!(named("kubectl"), None);
        assert_eq!(of_caller("kubectl get pods"), "kubectl get pods");
    }
}
