//! What the plugin is called, which is the package's name in `Cargo.toml`: the screens, the
//! help, the completion and the folders on disk take it from here.
//!
//! What other programs read keeps its own name: the API version of reports, surveys and
//! journals, the annotations of namespaces, and the metrics.

/// The program's file, as kubectl looks for it on `PATH`.
pub const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// What a person types. kubectl takes a dash in the file's name for a blank and an underscore
/// for a dash (Kubernetes' documentation, "Extend kubectl with plugins"); `build.rs` does that.
pub const COMMAND: &str = env!("PLUGIN_COMMAND");

/// The name below kubectl's own, and in an index of krew.
pub const PLUGIN: &str = env!("PLUGIN_NAME");

/// A text that is kept in a file of its own, where it calls the plugin by its first name.
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
    fn a_text_says_the_name_that_the_plugin_has_now() {
        let text = "exec kubectl-unstick\n`kubectl unstick apis` shows what to unstick";
        assert_eq!(named(text), renamed(text, COMMAND, PROGRAM));
        assert_eq!(
            renamed(text, "kubectl why-terminating", "kubectl-why_terminating"),
            "exec kubectl-why_terminating\n`kubectl why-terminating apis` shows what to unstick"
        );
    }
}
