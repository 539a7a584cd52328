//! `kubectl unstick`: what holds a Kubernetes object in Terminating, which controller should have
//! released it, why it has not, and the safest remedy.
//!
//! The rooms, from top to bottom. Each uses only rooms below it, which `tests/house.rs` checks:
//!
//! - [`commands`] and [`cli`]: the command line; one file per command, glue only.
//! - [`confirm`]: the questions before anything is written.
//! - [`export`]: the report for programs and pages, one file per format.
//! - [`screen`]: the screens of the terminal.
//! - [`mod@write`]: carries out and undoes steps: nothing else sends changes.
//! - [`read`]: discovery, wants turned into facts, and watches.
//! - [`transport`]: requests to an API server, and the meaning of its answers.
//! - [`journal`]: the record of writes, with the objects as they were before.
//! - [`diagnosis`]: the engine: from facts to the report; a pure function.
//! - [`rules`]: one file per cause, each with its explanation.
//! - [`reasons`]: why a controller has not released an object; one file per reason, each with its explanation.
//! - [`findings`]: turns judgements into sentences, needs and remedies.
//! - [`needs`]: the interface between the engine and the rules.
//! - [`plan`]: the writes, their guards and their verification.
//! - [`installers`]: which installer made which objects, by the marks on them.
//! - [`kubernetes`]: how Kubernetes behaves, one folder per subject: judgements alone.
//! - [`facts`]: reading a survey: known, unread, wanted.
//! - [`knowledge`]: the catalogue of finalizers, and explanations.
//! - [`report`]: the data of all output.
//! - [`survey`]: the questions to a server and its answers, and the file for them.
//! - [`failure`]: errors for people, and the exit codes.
//! - [`server`]: the name of an API server.
//! - [`plugin`]: the name of the plugin, and the kubectl that started it.
//! - [`inert`]: makes text from the cluster inert for its readers.
//!
//! From `survey` up to `diagnosis` nothing does I/O or reads a clock: the same survey always gives
//! the same report.

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
#[path = "../fuzz/parsers/mod.rs"]
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
pub mod reasons;
pub mod report;
pub mod rules;
pub mod screen;
pub mod server;
pub mod survey;
pub mod transport;
pub mod write;
