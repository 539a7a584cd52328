//! The command line: flags and help.

mod command;
pub mod complete;
mod concerns;
mod connection;
mod duration;
mod examples;
mod values;

pub use command::Command;
pub use connection::ConnectionFlags;
pub use values::{Cascading, Color, DryRun, MaxRisk, Output, Shell};

use crate::plugin::{COMMAND, PROGRAM};
use clap::{Args, CommandFactory, FromArgMatches, Parser, ValueHint};
use duration::duration;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Say what holds a Kubernetes object in Terminating, and let it go safely.
///
/// Reads only, until you confirm a step. Names what holds the object, who should
/// have released it and on what evidence, and offers the mildest way out first,
/// one confirmed step at a time.
#[derive(Debug, Clone, Parser)]
#[command(
    name = PROGRAM,
    bin_name = COMMAND,
    version,
    override_usage = examples::named(USAGE),
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = examples::named(AFTER_HELP)
)]
pub struct Cli {
    /// A command other than the diagnosis of objects.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// TYPE NAME..., or TYPE/NAME...: as in kubectl (ns foo, pod web-1, widgets.acme.io/orders).
    /// TYPE alone means all objects of it that are being deleted.
    #[arg(value_name = "TYPE NAME")]
    pub words: Vec<String>,
    /// Which objects, if they are not named.
    #[command(flatten)]
    pub selection: Selection,
    /// Delete what is named, in the order that `preflight` shows, each step confirmed.
    #[arg(long)]
    pub delete: bool,
    /// With --delete: what happens to the dependents, as with kubectl delete.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "background")]
    pub cascade: Option<Cascading>,
    /// Last resort for a namespace: remove spec.finalizers although something in it is left or
    /// unread. Shows what would be stranded and asks for the namespace's name.
    #[arg(long)]
    pub finalize: bool,
    /// How to print the report, and what may be done.
    #[command(flatten)]
    pub options: Options,
    /// How to reach the cluster.
    #[command(flatten)]
    pub connection: ConnectionFlags,
}

const USAGE: &str = "{COMMAND} TYPE NAME... [flags]\n       {COMMAND} TYPE/NAME... [flags]\n       {COMMAND} [flags]\n       {COMMAND} COMMAND";

const AFTER_HELP: &str = "\
Examples:
  {COMMAND}                         every namespace that is being deleted
  {COMMAND} ns shop                 what holds the namespace shop, and the way out
  {COMMAND} ns shop cart            both, by one survey and one plan
  {COMMAND} pods -A                 all pods that are being deleted
  {COMMAND} ns shop -w              the same, kept up to date until it is gone
  {COMMAND} pod web-1 -n shop       a pod that does not go
  {COMMAND} widgets.acme.io/orders  any object of any kind
  {COMMAND} preflight ns shop       what would get stuck if it were deleted, and the order to delete in
  {COMMAND} ns shop --delete        delete it in that order, each step confirmed
  {COMMAND} apis                    aggregated APIs that fail, and what is broken behind them
  {COMMAND} orphans                 what is left of namespaces that were finalized by force
  {COMMAND} owners deploy/web       who owns it, what it owns, which of these hang
  {COMMAND} journal                 what was written, by whom, and how it ended
  {COMMAND} undo                    put back what the last run on this cluster has changed
  {COMMAND} explain held-by-finalizer
  {COMMAND} mcp                     the same answers for agents, by the Model Context Protocol
  {COMMAND} demo                    see it work without a cluster

Exit codes:
  0    nothing is stuck, or all was released and read back
  1    something is stuck, or still there when the time of -w is up
  2    could not find out: usage, not found, connection, unread facts that matter
  3    a step was refused or failed, or is not what was agreed to
  130  interrupted";

impl Cli {
    /// Parses a command line, which begins with the program's name. Flags may come before a
    /// command: clap would then take the command for a TYPE, but no TYPE has such a name.
    ///
    /// # Errors
    /// When clap refuses it; also for help and the version.
    pub fn read(arguments: &[OsString]) -> Result<Self, clap::Error> {
        let words: Vec<String> = arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let (mut arguments, root) = (arguments.to_vec(), Self::command());
        if let Some(place) = complete::place_of_command(&root, &words) {
            arguments[1..=place + 1].rotate_right(1);
        }
        let mut matches = concerns::in_help(root, &words).try_get_matches_from(arguments)?;
        Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut Self::command()))
    }
}

/// Which objects, if they are not named, and whether to watch them.
#[derive(Debug, Clone, Default, Args)]
pub struct Selection {
    /// All objects of a TYPE that match and are being deleted (app=web, tier!=db).
    #[arg(short = 'l', long, value_name = "LABELS")]
    pub selector: Option<String>,
    /// All objects of a TYPE that are being deleted, in all namespaces.
    #[arg(short = 'A', long)]
    pub all_namespaces: bool,
    /// The objects that manifests name: a file, a folder, or - for stdin; may be repeated.
    #[arg(short, long, value_name = "FILE")]
    pub filename: Vec<PathBuf>,
    /// With -f: also the folders in a folder.
    #[arg(short = 'R', long, requires = "filename")]
    pub recursive: bool,
    /// The objects of a kustomization, which kubectl builds.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "filename")]
    pub kustomize: Option<PathBuf>,
    /// Watch until everything is gone. Asks nothing and changes nothing; with --yes or --approve,
    /// carries out the steps first. Ends after --timeout, if that is given.
    #[arg(short, long)]
    pub watch: bool,
}

impl Options {
    /// Whether all steps up to a risk are approved.
    #[must_use]
    pub fn approves_by_risk(&self) -> bool {
        self.yes || self.approve.is_some()
    }
}

impl Selection {
    /// The first flag that was given, if any.
    #[must_use]
    pub fn given(&self) -> Option<&'static str> {
        self.not_named().or_else(|| self.watch.then_some("--watch"))
    }

    /// A flag that replaces names.
    #[must_use]
    pub fn not_named(&self) -> Option<&'static str> {
        let given = [
            (self.selector.is_some(), "--selector"),
            (self.all_namespaces, "--all-namespaces"),
            (!self.filename.is_empty(), "--filename"),
            (self.kustomize.is_some(), "--kustomize"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag)
    }

    /// The flag that names a manifest, if one was given.
    #[must_use]
    pub fn manifests(&self) -> Option<&'static str> {
        let files = (!self.filename.is_empty()).then_some("-f");
        files.or_else(|| self.kustomize.is_some().then_some("-k"))
    }
}

/// How to print the report, and what may be done.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags are bools")]
pub struct Options {
    /// Output format. Only table and wide offer steps on a terminal.
    #[arg(short, long, global = true, value_name = "FORMAT", default_value = "table")]
    pub output: Output,
    /// Diagnose a survey file instead of a cluster.
    #[arg(long, global = true, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Also read the logs of controllers, for lines about what they hold. Needs the right to get
    /// pods/log; these lines are shown unchanged, may contain secrets, and are kept in a survey.
    #[arg(long, global = true)]
    pub logs: bool,
    /// Carry out the harmless steps without asking.
    #[arg(short, long, global = true)]
    pub yes: bool,
    /// Carry out the steps up to this risk without asking.
    #[arg(long, global = true, value_name = "RISK")]
    pub approve: Option<MaxRisk>,
    /// Carry out exactly the steps of the remedy that -o json has shown with this digest, and
    /// nothing if it has changed since then. May be repeated.
    #[arg(long, global = true, value_name = "DIGEST")]
    pub approve_plan: Vec<String>,
    /// With --approve loses-data: the names of the targets, all of them. If several have the same
    /// name: NAMESPACE/NAME, TYPE/NAME or TYPE/NAMESPACE/NAME.
    #[arg(long, global = true, value_name = "NAME", value_delimiter = ',')]
    pub confirm: Vec<String>,
    /// Ask about each object, instead of once for many that are held in the same way.
    #[arg(long, global = true)]
    pub one_by_one: bool,
    /// Do nothing and show the commands (client), or let the server judge each step and do nothing
    /// (server).
    #[arg(long, global = true, value_name = "WHERE", default_value = "none", num_args = 0..=1, require_equals = true, default_missing_value = "client")]
    pub dry_run: DryRun,
    /// How long to wait in all for the effect of steps, such as 30s or 2m; by default as long as it
    /// usually takes: a minute, and the grace period of a pod. With -w, how long to watch; by
    /// default, and with 0, for ever.
    #[arg(long, global = true, value_name = "DURATION", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// Whether several reports follow each other.
    #[arg(skip)]
    pub is_stream: bool,
    /// Do not treat an object that does not exist as an error.
    #[arg(long, global = true)]
    pub ignore_not_found: bool,
    /// When to use colours; `NO_COLOR` is respected.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn types_and_names_are_words_and_commands_are_commands() {
        let cli = Cli::parse_from(["kubectl-unstick", "ns", "a", "b", "-o", "json", "--context", "c"]);
        assert_eq!(cli.words, ["ns", "a", "b"]);
        assert!(cli.command.is_none() && cli.options.output == Output::Json);
        let cli = Cli::parse_from(["kubectl-unstick", "ns", "a", "--dry-run=server", "-n", "x"]);
        assert_eq!(cli.options.dry_run, DryRun::Server);
    }

    fn read(line: &str) -> Result<Cli, clap::Error> {
        let words: Vec<OsString> = line.split(' ').map(Into::into).collect();
        Cli::read(&words)
    }

    #[test]
    fn a_command_may_stand_behind_any_flag() {
        for flags in ["-o json", "-ojson", "--color=never", "-n shop -v=6", "-v 6 --from s.yaml", "--dry-run"] {
            for command in Cli::command().get_subcommands() {
                let name = command.get_name();
                let words = match name {
                    "completion" => "completion bash",
                    "owners" | "preflight" | "survey" => &format!("{name} ns shop"),
                    name => name,
                };
                let (behind, before) = (read(&format!("x {flags} {words}")), read(&format!("x {words} {flags}")));
                let command = behind.unwrap_or_else(|error| panic!("{flags} {words}: {error}")).command;
                assert!(command.is_some(), "{flags} {words}");
                assert_eq!(format!("{command:?}"), format!("{:?}", before.unwrap().command));
            }
        }
        let scan = read("x -A -l app=web scan --contexts a,b").unwrap().command;
        assert!(matches!(scan, Some(Command::Scan { all_namespaces: true, selector: Some(_), .. })), "{scan:?}");
        let version = read("x -o json version --client").unwrap().command;
        assert!(matches!(version, Some(Command::Version { client: true })));
    }

    #[test]
    fn a_name_like_a_command_is_a_name() {
        for line in
            ["x ns scan", "x -n scan pods web", "x pods -n scan version", "x -- ns demo", "x --context scan ns a"]
        {
            assert!(read(line).unwrap().command.is_none(), "{line}");
        }
    }
}
