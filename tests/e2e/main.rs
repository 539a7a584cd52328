//! End to end: the real program against a real API server with its real
//! controllers, which these tests build and start themselves.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run programs and read files")]

mod apis;
mod bad_input;
mod connection;
mod controllers;
mod edges;
mod faults;
mod finalize;
mod healthy;
mod journal;
mod krew;
mod live;
mod logs;
mod orphans;
mod owners;
mod preflight;
mod prompts;
mod races;
mod survey_files;
mod targets;
mod watch;
mod support {
    pub mod control_plane;
    pub mod go;
    pub mod proxy;
}
#[path = "../support/scenario.rs"]
#[expect(dead_code, reason = "the recorded tests use more of it")]
mod scenario;
