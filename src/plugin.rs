//! The name of the plugin, which is the package's name in `Cargo.toml`; and the kubectl that started it. The screens,
//! the help, the completion and the folders on disk use the name.
//!
//! Names that other programs read are fixed: the API version of reports, surveys and journals, the
//! annotations of namespaces, and the metrics.

use crate::inert::quote;
use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;

/// The name of the program's file, which kubectl looks for on `PATH`.
pub const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// The command that a person types. kubectl reads a dash in the file's name as a blank and an
/// underscore as a dash (Kubernetes' documentation, "Extend kubectl with plugins"); `build.rs`
/// converts the name.
pub const COMMAND: &str = env!("PLUGIN_COMMAND");

/// The name of the subcommand of kubectl, and in an index of krew.
pub const PLUGIN: &str = env!("PLUGIN_NAME");

/// Replaces the plugin's original name in a text that is kept in a file.
#[must_use]
pub fn named(text: &str) -> String {
    renamed(text, COMMAND, PROGRAM)
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
    }

    #[test]
    fn texts_use_the_current_name_of_the_plugin() {
        let text = "exec kubectl-unstick\n`kubectl unstick apis` shows what to unstick";
        assert_eq!(named(text), renamed(text, COMMAND, PROGRAM));
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
