//! The examples in the `--help` of each command.

use crate::plugin::{COMMAND, completer, program};

/// A help text with the plugin's name filled in.
pub(super) fn named(text: &str) -> String {
    text.replace("{COMMAND}", &COMMAND).replace("{PROGRAM}", program()).replace("{COMPLETER}", &completer())
}

pub(super) const EXPLAIN: &str = "\
Examples:
  # why the pods of a namespace are deleted first
  {COMMAND} explain pods-first
  # what a finalizer guards, and what stays behind if it is removed
  {COMMAND} explain kubernetes.io/pvc-protection
  # everything that can be explained
  {COMMAND} explain";
pub(super) const APIS: &str = "\
Examples:
  # what every namespace deletion waits for, and the way out
  {COMMAND} apis
  # for a script: only harmless steps
  {COMMAND} apis --yes -o json";
pub(super) const SCAN: &str = "\
Examples:
  # everything that is stuck in the cluster, the worst first
  {COMMAND} scan
  # in two clusters, only what belongs to one team
  {COMMAND} scan --contexts east,west -l team=payments";
pub(super) const ORPHANS: &str = "\
Examples:
  # in the whole cluster
  {COMMAND} orphans
  # what is left of one namespace
  {COMMAND} orphans -n shop";
pub(super) const SURVEY: &str = "\
Examples:
  # for a bug report, and for --from
  {COMMAND} survey ns shop > shop.yaml
  # the same diagnosis without the cluster
  {COMMAND} ns shop --from shop.yaml";
pub(super) const OWNERS: &str = "\
Examples:
  # a Deployment, its owners and its dependents
  {COMMAND} owners deploy/web -n shop
  # also the dependents in other namespaces, as a tree
  {COMMAND} owners clusters.acme.io/main -A -o tree";
pub(super) const PREFLIGHT: &str = "\
Examples:
  # what would hold a namespace, and the order to delete in
  {COMMAND} preflight ns shop
  # what would hold a pod or a claim
  {COMMAND} preflight pod/web-0 pvc/data-web-0 -n shop
  # with its dependents first
  {COMMAND} preflight deploy web -n shop --cascade=foreground
  # what a Helm release would leave stuck, and the order to remove it in
  {COMMAND} preflight helm/shop -n shop
  # the same for manifests
  helm get manifest shop | {COMMAND} preflight -f -
  # in CI, without a cluster: what the removal of your own chart would strand
  {COMMAND} preflight -f chart/ -o junit";
pub(super) const PRODUCTS: &str = "\
Examples:
  # whatever is installed
  {COMMAND} products
  # in one namespace, for a program
  {COMMAND} products -n shop -o json
  # what would get stuck if one of them were removed
  {COMMAND} preflight helm/shop -n shop";
pub(super) const JOURNAL: &str = "\
Examples:
  # all runs, the newest last
  {COMMAND} journal
  # the newest: every request, every object as it was
  {COMMAND} journal last
  # for a program
  {COMMAND} journal last -o json
  # remove runs older than 90 days, after a question that lists them
  {COMMAND} journal prune --older-than 90d";
pub(super) const UNDO: &str = "\
Examples:
  # undo the last run on this cluster, with a question for each step
  {COMMAND} undo
  # what would be written
  {COMMAND} undo --dry-run=client
  # a run as `journal` lists it
  {COMMAND} undo 20260101T000000.250Z-7";
pub(super) const DEMO: &str = "\
Examples:
  # two namespaces, four causes
  {COMMAND} demo
  # as programs see it
  {COMMAND} demo -o json";
pub(super) const MCP: &str = "\
Examples:
  # the command for the configuration of an MCP client
  {COMMAND} mcp
  # for one cluster, as a user who may only read
  {COMMAND} mcp --context staging --as system:serviceaccount:unstick:unstick
  # on HTTP, for clients that send the token in this file
  {COMMAND} mcp --listen 127.0.0.1:8765 --token-file token
  # to try a client out, without a cluster
  {COMMAND} mcp --from shop.yaml";
pub(super) const COMPLETION: &str = "\
Examples:
  # for {COMMAND}, in a folder that is on PATH; make it executable
  {COMMAND} completion kubectl \\
    > ~/.local/bin/{COMPLETER}
  # for {PROGRAM} by its own name, in this bash
  {COMMAND} completion bash
  # in every zsh that is started
  {COMMAND} completion zsh \\
    > ~/.zsh/completion/_{PROGRAM}";
pub(super) const OPTIONS: &str = "\
Examples:
  # these flags
  {COMMAND} options
  # another cluster, as somebody else
  {COMMAND} ns shop --context staging --as jane";
pub(super) const VERSION: &str = "\
Examples:
  # of this program and of the server
  {COMMAND} version
  # of this program alone
  {COMMAND} version --client -o json";

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use clap::{CommandFactory, Parser};

    /// The commands in a help text, without comments and redirections, which may stand on a line of their own.
    fn commands(help: &str) -> Vec<&str> {
        let lines = help.lines().map(str::trim).filter(|line| line.starts_with("kubectl unstick"));
        let commands = lines.map(|line| line.split(" > ").next().unwrap().split("  ").next().unwrap());
        commands.map(|command| command.trim_end_matches(" \\")).collect()
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
            let (name, help) = (
                command.get_name(),
                command.get_after_help().or(command.get_after_long_help()).map(ToString::to_string),
            );
            let help = help.unwrap_or_else(|| panic!("{name} shows no example"));
            assert!(help.starts_with("Examples:\n  # "), "{name}: {help}");
            let lines = commands(&help);
            for line in &lines {
                parsed(line);
            }
            let is_of_it = |line: &&str| line.split(' ').nth(2) == Some(name);
            assert!(lines.first().is_some_and(is_of_it), "{name}: {help}");
            assert!(parsed(lines[0]).command.is_some(), "{name}");
        }
        let lines = root.get_after_long_help().unwrap().to_string();
        assert!(commands(&lines).len() > 10);
        for line in commands(&lines) {
            parsed(line);
        }
    }
}
