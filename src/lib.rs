//! `kubectl unstick`: what holds a Kubernetes object in Terminating, who should
//! have released it, why that has not happened, and the safest way out.
//!
//! The rooms, in the order in which an answer passes through them:
//!
//! - [`cli`] and [`commands`]: the command line; one file per command, glue only.
//! - [`cluster`]: the only room that talks to an API server: connect, discover,
//!   gather, apply.
//! - [`survey`]: facts, and the file they are kept in.
//! - [`diagnosis`]: from facts to findings; a pure function.
//! - [`rules`]: one file per cause.
//! - [`knowledge`]: the catalogue of finalizers, and explanations.
//! - [`plan`]: remedies made of typed steps; what is written, guarded by what.
//! - [`journal`]: what was done, with the objects as they were before.
//! - [`confirm`]: the questions that are asked before anything is written.
//! - [`render`]: the report as table, JSON and YAML.
//! - [`failure`]: errors as people read them, and the exit codes.
//!
//! `survey`, `diagnosis`, `rules`, `knowledge` and `plan` do no I/O and look at
//! no clock: the same survey gives the same report for ever.

pub mod cli;
pub mod cluster;
pub mod commands;
pub mod confirm;
pub mod diagnosis;
pub mod failure;
pub mod journal;
pub mod knowledge;
pub mod plan;
pub mod render;
pub mod rules;
pub mod survey;
