//! The commands besides the diagnosis.

use super::duration::duration;
use super::examples;
use super::values::{Cascading, Shell};
use clap::Subcommand;
use std::time::Duration;

/// The commands besides the diagnosis.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Explain a rule, a finalizer, a condition or a word, offline.
    #[command(after_help = examples::named(examples::EXPLAIN))]
    Explain {
        /// What to explain; without it, everything that can be explained is listed.
        word: Option<String>,
    },
    /// List the aggregated APIs that fail, and why; offer the way out.
    ///
    /// Lists APIs that are unavailable, and APIs that pass for available but answer with errors or
    /// not at all: each of them blocks the deletion of every namespace. Exit code 1 when anything
    /// is listed.
    #[command(after_help = examples::named(examples::APIS))]
    Apis,
    /// List everything that is stuck, a line for each root cause, with its first remedy.
    ///
    /// Looks at every kind in all namespaces, or only in that of -n. Changes nothing. Deletions
    /// that are within their usual time are only counted. Exit code 1 when anything is stuck, 2
    /// when that could not be found out.
    #[command(after_help = examples::named(examples::SCAN))]
    Scan {
        /// In all namespaces: the default without -n.
        #[arg(short = 'A', long)]
        all_namespaces: bool,
        /// Only objects with these labels (app=web, tier!=db); for a namespace, its own labels
        /// count.
        #[arg(short = 'l', long, value_name = "LABELS")]
        selector: Option<String>,
        /// Scan the clusters of these contexts of the kubeconfig.
        #[arg(long, value_name = "CONTEXTS", value_delimiter = ',')]
        contexts: Vec<String>,
    },
    /// List what is left in namespaces that no longer exist, and objects without owners; offer the
    /// way out.
    ///
    /// Lists objects stranded by a forced finalize, leftovers that reappeared in a new namespace of
    /// the same name, and owner references to missing owners. With -n, only in the namespace of
    /// that name. Exit code 1 when anything is listed.
    #[command(after_help = examples::named(examples::ORPHANS))]
    Orphans,
    /// Write what a diagnosis reads to stdout: for a bug report or for --from.
    #[command(after_help = examples::named(examples::SURVEY))]
    Survey {
        /// TYPE NAME..., TYPE/NAME..., `preflight` before these, `apis`, `orphans` or `scan`; nothing means every terminating namespace.
        #[arg(value_name = "TYPE NAME")]
        words: Vec<String>,
        /// With `preflight`: what would happen to the dependents, as with kubectl delete.
        #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "background")]
        cascade: Option<Cascading>,
    },
    /// Show who owns an object and what it owns, and which of these hang.
    #[command(after_help = examples::named(examples::OWNERS))]
    Owners {
        /// TYPE NAME..., or TYPE/NAME...
        #[arg(value_name = "TYPE NAME", required = true)]
        words: Vec<String>,
        /// Look for the dependents of a namespaced object in all namespaces.
        #[arg(short = 'A', long)]
        all_namespaces: bool,
    },
    /// Say what would get stuck if an object or a namespace were deleted, and in which order to
    /// delete.
    ///
    /// Looks for finalizers whose controllers are gone or would be deleted first, APIs and webhooks
    /// that do not answer or are served from within, and volumes in use. Writes nothing, but sends
    /// dry runs of DELETE: for what is named, and for what is deleted with it if a webhook or
    /// policy is registered for that. Webhooks see these dry runs. Exit code 1 when anything would
    /// get stuck, 2 when that could not be found out.
    #[command(after_help = examples::named(examples::PREFLIGHT))]
    Preflight {
        /// TYPE NAME..., or TYPE/NAME...
        #[arg(value_name = "TYPE NAME", required = true)]
        words: Vec<String>,
        /// What would happen to the dependents, as with kubectl delete.
        #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "background")]
        cascade: Option<Cascading>,
    },
    /// List what was written to clusters, or show one run: who, when, every request, what undo
    /// needs of every object.
    ///
    /// Needs no cluster. The journal is the folder with this program's name below
    /// `$XDG_STATE_HOME`, or ~/.local/state. It contains the metadata of objects and what undo
    /// needs, and nothing secret.
    #[command(after_help = examples::named(examples::JOURNAL))]
    Journal {
        /// A run as it is listed, a unique prefix of its name, or `last`; `prune` removes old runs.
        run: Option<String>,
        /// With `prune`: remove runs that began longer ago than this, such as 90d or 720h.
        #[arg(long, value_name = "DURATION", value_parser = duration)]
        older_than: Option<Duration>,
    },
    /// Put back what a run has changed, step by step, the last first.
    ///
    /// APIServices and webhook configurations are created again and get new uids; webhook and
    /// policy settings, conversions, replicas and taints become what they were. What somebody has
    /// changed since is not touched. A removed finalizer cannot be put back. --yes and --approve
    /// approve the steps up to their risk. Exit code 1 when not everything is put back.
    #[command(after_help = examples::named(examples::UNDO))]
    Undo {
        /// A run as `journal` lists it; by default the last one on this cluster that changed something and is not undone.
        run: Option<String>,
    },
    /// Diagnose a recorded, broken cluster: needs no cluster.
    #[command(after_help = examples::named(examples::DEMO))]
    Demo,
    /// Answer agents: a server of the Model Context Protocol on stdin and stdout, which only reads.
    ///
    /// Its tools are diagnose, scan, preflight, owners and explain; each answers with the first
    /// screen and with the report as in -o json. No tool changes anything: the report says what to
    /// do, and a person does it. preflight and diagnose send dry runs. The connection flags apply
    /// to all calls; each call may name a context. Ends when stdin ends.
    #[command(after_help = examples::named(examples::MCP))]
    Mcp,
    /// Print a completion script: for a shell, or for kubectl's own completion.
    ///
    /// kubectl's own completion runs another program of the plugin, anywhere on PATH, to get its
    /// words: TYPEs, NAMEs (those that are being deleted first), namespaces, contexts and the
    /// values of flags. The first example installs it; krew does not. In shells that complete
    /// kubectl already, nothing else is needed.
    #[command(after_help = examples::named(examples::COMPLETION))]
    Completion {
        /// The shell, or kubectl.
        shell: Shell,
    },
    /// Print the versions of this program and of the server.
    #[command(after_help = examples::named(examples::VERSION))]
    Version {
        /// Only this program's version: no server is contacted.
        #[arg(long, num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
        client: bool,
    },
}
