//! The commands besides the diagnosis.

use super::ManifestFlags;
use super::examples;
use super::mcp::McpFlags;
use super::values::{Cascading, Shell};
use crate::transport::duration::duration;
use clap::Subcommand;
use std::time::Duration;

/// The commands besides the diagnosis.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Explain a rule, a finalizer, a condition or a word, offline.
    #[command(after_help = examples::named(examples::EXPLAIN))]
    Explain {
        /// What to explain; without it, list everything that can be explained.
        #[arg(value_name = "WORD")]
        words: Vec<String>,
    },
    /// List the aggregated APIs that fail, say why, and offer the way out.
    ///
    /// Lists APIs that are unavailable, and APIs that report available but answer with errors or
    /// not at all. Each of them blocks the deletion of every namespace. Exit code 1 if anything is
    /// listed.
    #[command(after_long_help = examples::named(examples::APIS))]
    Apis,
    /// List everything that is stuck, by root cause, with its first remedy.
    ///
    /// Reads every kind in all namespaces, or only in that of -n. Changes nothing. Deletions within
    /// their usual time are only counted. Exit code 1 if anything is stuck, 2 if that could not be
    /// found out.
    #[command(after_help = examples::named(examples::SCAN))]
    Scan {
        /// Scan all namespaces; the default without -n.
        #[arg(short = 'A', long)]
        all_namespaces: bool,
        /// Only objects with these labels (app=web, tier!=db).
        ///
        /// For a namespace, its own labels count.
        #[arg(short = 'l', long, value_name = "LABELS")]
        selector: Option<String>,
        /// Scan the clusters of these contexts of the kubeconfig.
        #[arg(long, value_name = "CONTEXTS", value_delimiter = ',')]
        contexts: Vec<String>,
        /// Repeat it until nothing is being deleted.
        ///
        /// Ends after --timeout, if that is given. In a pipe, each scan is printed that differs from
        /// the one before.
        #[arg(short, long)]
        watch: bool,
    },
    /// List orphans, and what is left in namespaces that no longer exist.
    ///
    /// Lists objects stranded by a forced finalize, leftovers that reappeared in a new namespace of
    /// the same name, and owner references to missing owners. With -n, only in the namespace of
    /// that name. Exit code 1 if anything is listed.
    #[command(after_long_help = examples::named(examples::ORPHANS))]
    Orphans,
    /// Write what a diagnosis reads to stdout, for a report or --from.
    #[command(after_help = examples::named(examples::SURVEY))]
    Survey {
        /// TYPE NAME..., TYPE/NAME..., `preflight` before these, `apis`, `orphans` or `scan`.
        ///
        /// By default every terminating namespace.
        #[arg(value_name = "TYPE NAME")]
        words: Vec<String>,
        /// With `preflight`: what would happen to the dependents, as with kubectl delete.
        #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "background")]
        cascade: Option<Cascading>,
    },
    /// Show who owns an object, what it owns, and which of these are stuck.
    #[command(after_help = examples::named(examples::OWNERS))]
    Owners {
        /// TYPE NAME..., or TYPE/NAME...
        #[arg(value_name = "TYPE NAME")]
        words: Vec<String>,
        /// Search all namespaces for the dependents of a namespaced object.
        #[arg(short = 'A', long)]
        all_namespaces: bool,
    },
    /// Say what would get stuck in a deletion, and the order to delete in.
    ///
    /// Looks for finalizers whose controllers are gone or would be deleted first, APIs and webhooks
    /// that do not answer or are served from within, and volumes in use. Writes nothing, but sends
    /// dry runs of DELETE: for the named objects, and for objects that are deleted with them if a
    /// webhook or policy is registered for these. Webhooks are called for these dry runs. Exit code
    /// 1 if anything would get stuck, 2 if that could not be found out.
    #[command(after_long_help = examples::named(examples::PREFLIGHT))]
    Preflight {
        /// TYPE NAME..., TYPE/NAME..., or INSTALLER/NAME of what is installed.
        ///
        /// INSTALLER is helm, olm, flux, argocd, fleet, carvel, kapp, crossplane, or instance for
        /// what has the label app.kubernetes.io/instance.
        #[arg(value_name = "TYPE NAME")]
        words: Vec<String>,
        /// Which objects, if they are not named.
        #[command(flatten)]
        manifests: ManifestFlags,
        /// Take the manifests as installed and at work, and contact no cluster.
        ///
        /// A check of one's own chart, whose directory -f also takes: helm renders it. An object of each
        /// kind that it defines and lets somebody change is imagined, with a finalizer.
        #[arg(long, hide_short_help = true)]
        as_installed: bool,
        /// What would happen to the dependents, as with kubectl delete.
        #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "background")]
        cascade: Option<Cascading>,
    },
    /// List what is installed, by whom, and whether it can be removed now.
    ///
    /// Finds releases, operators and applications by the marks that installers leave on what they
    /// make, with the kinds that each defines and what is left of these. Reads metadata, and nothing
    /// of Secrets. With a NAME after it, `products` is a TYPE. Exit code 2 when not everything could
    /// be read.
    #[command(after_help = examples::named(examples::PRODUCTS))]
    Products,
    /// List what was written to clusters, or show one run.
    ///
    /// Shows who wrote and when, every request, and what undo needs of every object. Needs no
    /// cluster. The journal is the directory with this program's name below `$XDG_STATE_HOME`, or
    /// ~/.local/state. It contains the metadata of objects and what undo needs, and nothing secret.
    #[command(after_long_help = examples::named(examples::JOURNAL))]
    Journal {
        /// The name of a run, a unique prefix of it, or `last`; `prune` removes old runs.
        run: Option<String>,
        /// With `prune`: remove runs that began longer ago than this, such as 90d or 720h.
        #[arg(long, value_name = "DURATION", value_parser = duration)]
        older_than: Option<Duration>,
    },
    /// Undo the changes of a run step by step, the last step first.
    ///
    /// APIServices and webhook configurations are created again and get new uids; webhook and
    /// policy settings, conversions, replicas and taints get their old values. Objects that have
    /// changed since then are left alone. A removed finalizer cannot be restored. --yes and
    /// --approve approve the steps up to their risk. Exit code 1 if not everything is undone.
    #[command(after_long_help = examples::named(examples::UNDO))]
    Undo {
        /// The name of a run in the journal; by default the last one that can be undone.
        ///
        /// The default is the last run on this cluster that changed something and is not undone.
        run: Option<String>,
    },
    /// Diagnose a recorded, broken cluster; needs no cluster.
    #[command(after_help = examples::named(examples::DEMO))]
    Demo,
    /// Serve agents with the Model Context Protocol; only reads.
    ///
    /// Serves on stdin and stdout, or on HTTP. Its tools are diagnose, scan, preflight, verify,
    /// owners and explain; an answer has at most 16 KB unless more is asked for. No tool changes
    /// anything: an answer ends with the command that a person runs. preflight, verify and diagnose
    /// send dry runs. The connection flags apply to all calls. On stdin and stdout each call may
    /// name a context, and the server ends when stdin ends; on HTTP it serves one cluster, to
    /// clients that send the token.
    #[command(after_help = examples::named(examples::MCP))]
    Mcp(McpFlags),
    /// Print a completion script, for a shell or for kubectl's own completion.
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
    /// List the connection flags, which every command that uses a cluster accepts.
    #[command(after_long_help = examples::named(examples::OPTIONS))]
    Options,
    /// Print the versions of this program and of the server.
    #[command(after_help = examples::named(examples::VERSION))]
    Version {
        /// Print only the version of this program; contacts no server.
        #[arg(long, num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
        client: bool,
    },
}
