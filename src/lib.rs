//! `kubectl unstick`: what holds a Kubernetes object in Terminating, who should
//! have released it, why that has not happened, and the safest way out.
//!
//! The rooms, from the top to the bottom; each uses only rooms below it, which
//! `tests/house.rs` checks:
//!
//! - [`commands`] and [`cli`]: the command line; one file per command, glue only.
//! - [`confirm`]: the questions that are asked before anything is written.
//! - [`export`]: the report for programs and pages, a file a format.
//! - [`screen`]: what a terminal shows.
//! - [`mod@write`]: one step is carried out, several, put back: nothing else sends what changes something.
//! - [`read`]: what is served, wants into facts, changes as they come.
//! - [`transport`]: requests to an API server, and what its answers mean.
//! - [`journal`]: what was done, with the objects as they were before.
//! - [`diagnosis`]: the engine: from facts to the report; a pure function.
//! - [`rules`]: one file per cause, each with its explanation.
//! - [`findings`]: judgements become sentences, needs and remedies.
//! - [`needs`]: what the engine and the rules say to each other.
//! - [`plan`]: what is written, guarded by what, verified how.
//! - [`kubernetes`]: how Kubernetes behaves, a folder a subject: judgements alone.
//! - [`facts`]: reading a survey: known, unread, wanted.
//! - [`knowledge`]: the catalogue of finalizers, and explanations.
//! - [`report`]: the data that everybody prints.
//! - [`survey`]: what was asked and answered, and the file it is kept in.
//! - [`failure`]: errors as people read them, and the exit codes.
//! - [`server`]: what an API server is called.
//! - [`plugin`]: what the plugin is called.
//! - [`inert`]: text from the cluster, made inert for whoever reads it.
//!
//! From `survey` up to `diagnosis` nothing does I/O or looks at a clock: the same
//! survey gives the same report for ever.

pub mod cli;
pub mod commands;
pub mod confirm;
pub mod diagnosis;
pub mod export;
pub mod facts;
pub mod failure;
pub mod findings;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
pub mod inert;
pub mod installers;
pub mod journal;
pub mod knowledge;
pub mod kubernetes;
pub mod needs;
pub mod plan;
pub mod plugin;
#[cfg(test)]
#[path = "../tests/support/random.rs"]
#[expect(dead_code, reason = "the tests of generated states use more of it")]
mod random;
pub mod read;
pub mod report;
pub mod rules;
pub mod screen;
pub mod server;
pub mod survey;
pub mod transport;
pub mod write;
