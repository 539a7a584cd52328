//! The kubectl that started the plugin, which the commands on screens name.

use crate::inert::quote;
use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;

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
pub(super) fn of_caller(command: &str) -> Cow<'_, str> {
    match (CALLER.get(), command.strip_prefix("kubectl ")) {
        (Some(caller), Some(rest)) => format!("{caller} {rest}").into(),
        _ => command.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
