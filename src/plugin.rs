//! The name of the plugin, which is the package's name in `Cargo.toml`. The screens, the help, the
//! completion and the folders on disk use it.
//!
//! Names that other programs read are fixed: the API version of reports, surveys and journals, the
//! annotations of namespaces, and the metrics.

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
}
