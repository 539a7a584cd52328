//! The command line: flags and help.

mod accepted;
mod command;
pub mod complete;
mod examples;
mod help;
mod mcp;
mod suggestion;
mod values;

pub use crate::export::Output;
pub use command::Command;
pub use mcp::McpFlags;
pub use suggestion::{command_like, is_type};
pub use values::{Cascading, Color, DryRun, MaxRisk, Shell};

use crate::plugin::{COMMAND, PROGRAM};
use crate::transport::Connection;
use crate::transport::duration::duration;
use clap::{Args, CommandFactory, FromArgMatches, Parser, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Say what holds a Kubernetes object in Terminating, and release it safely.
///
/// Reads only, until you confirm a step. Names what holds the object, who should
/// have released it and on what evidence, and offers the mildest way out first,
/// one confirmed step at a time.
#[derive(Debug, Clone, Parser)]
#[command(
    name = PROGRAM,
    bin_name = COMMAND.to_string(),
    version,
    override_usage = examples::named(USAGE),
    args_conflicts_with_subcommands = true,
    max_term_width = WIDTH,
    after_long_help = examples::named(AFTER_HELP)
)]
pub struct Cli {
    /// A command other than the diagnosis of objects.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// TYPE NAME..., or TYPE/NAME...: as in kubectl (ns foo, pod web-1, widgets.acme.io/orders).
    /// TYPE alone means all objects of that type that are being deleted.
    #[arg(value_name = "TYPE NAME")]
    pub words: Vec<String>,
    /// Which objects, if they are not named.
    #[command(flatten)]
    pub selection: Selection,
    /// Delete the named objects in the order that `preflight` shows, and ask before each step.
    #[arg(long, help_heading = STEPS, conflicts_with_all = ["selector", "all_namespaces", "watch", "finalize", "one_by_one"])]
    pub delete: bool,
    /// With --delete: what happens to the dependents, as with kubectl delete.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "background", help_heading = STEPS)]
    pub cascade: Option<Cascading>,
    /// Last resort for a namespace: remove spec.finalizers although its content is not gone, or
    /// could not be read. Shows what would be stranded, and asks for the name of the namespace.
    #[arg(long, help_heading = STEPS, conflicts_with_all = ["selector", "all_namespaces", "watch", "filename", "kustomize"])]
    pub finalize: bool,
    /// How to print the report, and what may be done.
    #[command(flatten)]
    pub options: Options,
    /// How to reach the cluster.
    #[command(flatten)]
    pub connection: Connection,
}

/// The maximum width of the help: that of a small terminal.
const WIDTH: usize = 80;

/// The heading of the flags that concern steps.
const STEPS: &str = "Steps";

const USAGE: &str = "{COMMAND} [TYPE NAME... | TYPE/NAME... | COMMAND] [flags]";

const AFTER_HELP: &str = "\
Examples:
  {COMMAND}                         every namespace that is being deleted
  {COMMAND} ns shop                 what holds the namespace shop, and the way out
  {COMMAND} ns shop cart            both, in one survey and one plan
  {COMMAND} pods -A                 all pods that are being deleted
  {COMMAND} ns shop -w              the same, updated until it is gone
  {COMMAND} pod web-1 -n shop       a pod that does not go away
  {COMMAND} widgets.acme.io/orders  any object of any kind
  {COMMAND} preflight ns shop       what would get stuck, and the order to delete in
  {COMMAND} ns shop --delete        delete it in that order, and ask each time
  {COMMAND} products                what is installed, and whether it could be removed
  {COMMAND} helm/shop --delete      remove a release in the right order
  {COMMAND} apis                    aggregated APIs that fail, and why
  {COMMAND} orphans                 what a forced finalize left behind
  {COMMAND} owners deploy/web       who owns it, what it owns, which of them are stuck
  {COMMAND} journal                 what was written, by whom, and the result
  {COMMAND} undo                    undo the last run on this cluster
  {COMMAND} explain held-by-finalizer
  {COMMAND} mcp                     the same answers for agents
  {COMMAND} options                 the flags of the connection, as for kubectl
  {COMMAND} demo                    see it work without a cluster

Exit codes:
  0    nothing is stuck, or all was released and read back
  1    something is stuck, or still there when the time of -w is up
  2    could not find out: usage, not found, connection, unread facts that matter
  3    a step was refused or failed, or is not what was approved
  130  interrupted";

impl Cli {
    /// Parses a command line, which begins with the program's name. Flags may come before a
    /// command. clap would then take the command for a TYPE, so it is moved to the front first.
    ///
    /// # Errors
    /// When clap refuses it; also for help and the version.
    pub fn read(arguments: &[OsString]) -> Result<Self, clap::Error> {
        let words: Vec<String> = arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let (mut arguments, root) = (arguments.to_vec(), Self::line());
        let mut place = complete::place_of_command(&root, &words);
        if let Some(command) = place
            && let Some(typed) = as_type(&root, &words, command)
        {
            arguments.splice(1.., typed);
            place = None;
        }
        if let Some(place) = place {
            arguments[1..=place + 1].rotate_right(1);
            if words[place] == "help" {
                // `help` accepts no flags.
                let typed: Vec<String> = words.iter().cloned().chain([String::new()]).collect();
                let asked = complete::read(&root, &typed).words;
                arguments.splice(2.., asked.into_iter().map(OsString::from));
            }
        }
        let parsed = |accepted: clap::Command| {
            let mut shown = help::grouped(accepted, words.iter().any(|word| word == "-h"));
            shown.build();
            // The command `help` and the flags for help and the version exist only since the build.
            let shown = shown.mut_subcommand("help", |help| help.hide(true));
            let shown = shown.mut_args(|flag| flag.hide_short_help(true));
            let mut matches = shown.try_get_matches_from(&arguments)?;
            Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut Self::command()))
        };
        let cli = parsed(accepted::accepted(Self::command()));
        let cli = cli.map_err(|error| suggestion::with_tip(error, &root, place, &words))?;
        if cli.selection.watch { parsed(accepted::watching(Self::command())) } else { Ok(cli) }
    }

    /// The namespace of an object that is named without one, if a file is read instead of a
    /// cluster.
    #[must_use]
    pub fn namespace_in_file(&self) -> &str {
        self.connection.namespace.as_deref().unwrap_or("default")
    }

    /// The whole command line: each command with the flags and formats that it accepts.
    #[must_use]
    pub fn line() -> clap::Command {
        let mut root = accepted::accepted(Self::command());
        root.build();
        root
    }
}

/// The line with TYPE/NAME for each name after `products`, which is then a TYPE. `None` if no name
/// follows: then it is the command.
fn as_type(root: &clap::Command, words: &[String], place: usize) -> Option<Vec<OsString>> {
    const TYPE: &str = "products";
    let typed: Vec<String> = words.iter().cloned().chain([String::new()]).collect();
    let mut names = complete::read(root, &typed).words.into_iter().peekable();
    if words[place] != TYPE || names.peek().is_none() {
        return None;
    }
    let before = words[..place].iter().map(OsString::from);
    let behind = words[place + 1..].iter().map(|word| match names.next_if_eq(word) {
        Some(name) => OsString::from(format!("{TYPE}/{name}")),
        None => OsString::from(word),
    });
    Some(before.chain(behind).collect())
}

/// Which objects, if they are not named, and whether to watch them.
#[derive(Debug, Clone, Default, Args)]
pub struct Selection {
    /// Select the objects of a TYPE that match and are being deleted (app=web, tier!=db).
    #[arg(short = 'l', long, value_name = "LABELS")]
    pub selector: Option<String>,
    /// Select the objects of a TYPE that are being deleted, in all namespaces.
    #[arg(short = 'A', long)]
    pub all_namespaces: bool,
    /// The objects of manifests.
    #[command(flatten)]
    pub manifests: ManifestFlags,
    /// Watch until everything is gone. Asks nothing and changes nothing; with --yes or --approve,
    /// carries out the steps first. Ends after --timeout, if that is given.
    #[arg(short, long)]
    pub watch: bool,
}

/// Manifests that name objects.
#[derive(Debug, Clone, Default, Args)]
pub struct ManifestFlags {
    /// Select the objects in manifests: a file, a directory, or - for stdin; may be repeated.
    #[arg(short, long, value_name = "FILE")]
    pub filename: Vec<PathBuf>,
    /// With -f: also read subdirectories.
    #[arg(short = 'R', long, requires = "filename", hide_short_help = true)]
    pub recursive: bool,
    /// Select the objects of a kustomization, which kubectl builds.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "filename", hide_short_help = true)]
    pub kustomize: Option<PathBuf>,
}

impl ManifestFlags {
    /// The flag that was given, if any.
    #[must_use]
    pub fn given(&self) -> Option<&'static str> {
        let files = (!self.filename.is_empty()).then_some("-f");
        files.or_else(|| self.kustomize.is_some().then_some("-k"))
    }
}

impl Options {
    /// Whether all steps up to a risk are approved.
    #[must_use]
    pub fn approves_by_risk(&self) -> bool {
        self.yes || self.approve.is_some()
    }
}

impl Selection {
    /// The given flag that replaces names, if any.
    #[must_use]
    pub fn not_named(&self) -> Option<&'static str> {
        let given = [
            (self.selector.is_some(), "--selector"),
            (self.all_namespaces, "--all-namespaces"),
            (!self.manifests.filename.is_empty(), "--filename"),
            (self.manifests.kustomize.is_some(), "--kustomize"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag)
    }
}

/// How to print the report, and what may be done.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags are bools")]
pub struct Options {
    /// Output format.
    ///
    /// Only table and wide offer steps on a terminal.
    #[arg(short, long, global = true, value_name = "FORMAT", default_value = "table")]
    pub output: Output,
    /// Diagnose a survey file instead of a cluster.
    #[arg(long, global = true, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Read the logs of controllers in every case.
    ///
    /// By default they are read for objects that are late and whose reason nothing else tells.
    /// Needs permission to get pods/log. Only records about the objects are kept, and what looks
    /// like a credential is masked.
    #[arg(long, global = true, hide_short_help = true)]
    pub logs: bool,
    /// Read no logs, as with `UNSTICK_LOGS=never`.
    #[arg(long, global = true, hide_short_help = true, conflicts_with = "logs")]
    pub no_logs: bool,
    /// Carry out the harmless steps without asking.
    #[arg(short, long, global = true, help_heading = STEPS)]
    pub yes: bool,
    /// Carry out the steps up to this risk without asking.
    #[arg(long, global = true, value_name = "RISK", help_heading = STEPS)]
    pub approve: Option<MaxRisk>,
    /// Carry out exactly the steps that -o json showed with this digest.
    ///
    /// Carries out nothing if the remedy has changed since then. May be repeated.
    #[arg(long, global = true, value_name = "DIGEST", help_heading = STEPS, hide_short_help = true)]
    pub approve_plan: Vec<String>,
    /// With --approve loses-data: the names of all targets.
    ///
    /// If several targets have the same name, write NAMESPACE/NAME, TYPE/NAME or
    /// TYPE/NAMESPACE/NAME.
    #[arg(long, global = true, value_name = "NAME", value_delimiter = ',', help_heading = STEPS, hide_short_help = true)]
    pub confirm: Vec<String>,
    /// Ask for each object, instead of once for all objects that are held in the same way.
    #[arg(long, global = true, help_heading = STEPS, hide_short_help = true)]
    pub one_by_one: bool,
    /// Change nothing: only show the commands, or let the server check each step.
    #[arg(long, global = true, value_name = "WHERE", default_value = "none", num_args = 0..=1, require_equals = true, default_missing_value = "client", help_heading = STEPS)]
    pub dry_run: DryRun,
    /// How long to wait for the effect of all steps, such as 30s or 2m.
    ///
    /// By default as long as it usually takes: a minute, plus the grace period of a pod. With -w:
    /// how long to watch; by default, and with 0, without a limit.
    #[arg(long, global = true, value_name = "DURATION", value_parser = duration, help_heading = STEPS, hide_short_help = true)]
    pub timeout: Option<Duration>,
    /// Whether several reports follow each other.
    #[arg(skip)]
    pub is_stream: bool,
    /// Do not treat an object that does not exist as an error.
    #[arg(long, global = true)]
    pub ignore_not_found: bool,
    /// When to use colours; `NO_COLOR` is respected.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
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
    fn flags_that_contradict_each_other_are_refused_by_name() {
        for (line, one, other) in [
            ("x ns a --delete -w", "--delete", "--watch"),
            ("x ns a --delete --finalize", "--delete", "--finalize"),
            ("x ns a --one-by-one --delete", "--delete", "--one-by-one"),
            ("x pods --delete -A", "--delete", "--all-namespaces"),
            ("x pods -l a=b --delete", "--delete", "--selector"),
            ("x ns a --finalize -w", "--finalize", "--watch"),
            ("x -f a.yaml --finalize", "--finalize", "--filename"),
        ] {
            let said = read(line).expect_err(line).to_string();
            let first = said.lines().next().unwrap_or_default();
            assert!(
                first.contains(one) && first.contains(other) && first.contains("cannot be used with"),
                "{line}: {said}"
            );
        }
        assert!(read("x -f a.yaml --delete").is_ok());
    }

    #[test]
    fn a_command_may_follow_any_flag() {
        for flags in ["-o json", "-ojson", "--color=never", "-n shop -v=6", "-v 6 --from s.yaml", "--dry-run"] {
            for command in Cli::line().get_subcommands().filter(|command| command.get_name() != "help") {
                let name = command.get_name();
                if flags.contains("json") && ["completion", "explain", "options", "survey"].contains(&name) {
                    continue;
                }
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
    fn a_term_of_two_words_needs_no_quotation_marks() {
        let command = read("x explain behind it").unwrap().command;
        assert!(matches!(command, Some(Command::Explain { words }) if words == ["behind", "it"]));
    }

    #[test]
    fn a_scan_can_be_watched() {
        let command = read("x scan -w").unwrap().command;
        assert!(matches!(command, Some(Command::Scan { watch: true, .. })));
    }

    #[test]
    fn products_with_a_name_is_a_type() {
        assert!(matches!(read("x products -n shop").unwrap().command, Some(Command::Products)));
        let typed = read("x -n shop products a b --delete").unwrap();
        assert!(typed.command.is_none() && typed.delete);
        assert_eq!(typed.words, ["products/a", "products/b"]);
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
