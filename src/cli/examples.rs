//! What `--help` of each command shows as examples.

pub(super) const EXPLAIN: &str = "\
Examples:
  # why a pod of a namespace goes first
  kubectl unstick explain pods-first
  # what a finalizer guards, and what stays behind without it
  kubectl unstick explain kubernetes.io/pvc-protection
  # everything that can be explained
  kubectl unstick explain";
pub(super) const APIS: &str = "\
Examples:
  # what every namespace deletion waits for, and the way out
  kubectl unstick apis
  # for a script: only what is harmless
  kubectl unstick apis --yes -o json";
pub(super) const SCAN: &str = "\
Examples:
  # everything that is stuck in the cluster, the worst first
  kubectl unstick scan
  # in two clusters, only what belongs to one team
  kubectl unstick scan --contexts east,west -l team=payments";
pub(super) const ORPHANS: &str = "\
Examples:
  # in the whole cluster
  kubectl unstick orphans
  # what is left of one namespace
  kubectl unstick orphans -n shop";
pub(super) const SURVEY: &str = "\
Examples:
  # for a bug report, and for --from
  kubectl unstick survey ns shop > shop.yaml
  # the same diagnosis without the cluster
  kubectl unstick ns shop --from shop.yaml";
pub(super) const OWNERS: &str = "\
Examples:
  # a Deployment, its owners and its dependents
  kubectl unstick owners deploy/web -n shop
  # also the dependents in other namespaces, as a tree
  kubectl unstick owners clusters.acme.io/main -A -o tree";
pub(super) const PREFLIGHT: &str = "\
Examples:
  # what would keep a namespace from going, and the order to delete in
  kubectl unstick preflight ns shop
  # what would keep a pod or a claim
  kubectl unstick preflight pod/web-0 pvc/data-web-0 -n shop
  # with its dependents first
  kubectl unstick preflight deploy web -n shop --cascade=foreground";
pub(super) const JOURNAL: &str = "\
Examples:
  # all runs, the newest last
  kubectl unstick journal
  # the newest: every request, every object as it was
  kubectl unstick journal last
  # for a program
  kubectl unstick journal last -o json";
pub(super) const UNDO: &str = "\
Examples:
  # what the last run on this cluster has changed: each step is asked for
  kubectl unstick undo
  # what would be written
  kubectl unstick undo --dry-run=client
  # a run as `journal` lists it
  kubectl unstick undo 20260101T000000.250Z-7";
pub(super) const DEMO: &str = "\
Examples:
  # a namespace with four causes
  kubectl unstick demo
  # as programs see it
  kubectl unstick demo -o json";
pub(super) const COMPLETION: &str = "\
Examples:
  # for kubectl unstick, in a folder that is on PATH; make it executable
  kubectl unstick completion kubectl > ~/.local/bin/kubectl_complete-unstick
  # for kubectl-unstick by its own name, in this bash
  kubectl unstick completion bash
  # in every zsh that is started
  kubectl unstick completion zsh > ~/.zsh/completion/_kubectl-unstick";
pub(super) const VERSION: &str = "\
Examples:
  # of this program and of the server
  kubectl unstick version
  # of this program alone
  kubectl unstick version --client -o json";

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use clap::{CommandFactory, Parser};

    /// The lines of a help text that are commands, without what only a shell or a person reads.
    fn commands(help: &str) -> Vec<&str> {
        let lines = help.lines().map(str::trim).filter(|line| line.starts_with("kubectl unstick"));
        lines.map(|line| line.split(" > ").next().unwrap().split("  ").next().unwrap()).collect()
    }

    fn parsed(line: &str) -> Cli {
        let words = line.strip_prefix("kubectl unstick").unwrap().split_whitespace();
        let words = std::iter::once("kubectl-unstick").chain(words);
        Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn every_command_shows_examples_that_it_takes() {
        let root = Cli::command();
        for command in root.get_subcommands() {
            let (name, help) = (command.get_name(), command.get_after_help().map(ToString::to_string));
            let help = help.unwrap_or_else(|| panic!("{name} shows no example"));
            assert!(help.starts_with("Examples:\n  # "), "{name}: {help}");
            let lines = commands(&help);
            for line in &lines {
                parsed(line);
            }
            let is_of_it = |line: &&str| line.split(' ').nth(2) == Some(name);
            assert!(lines.first().is_some_and(is_of_it), "{name}: {help}");
            assert!(parsed(lines[0]).chosen().is_some(), "{name}");
        }
        let lines = root.get_after_help().unwrap().to_string();
        assert!(commands(&lines).len() > 10);
        for line in commands(&lines) {
            parsed(line);
        }
    }
}
