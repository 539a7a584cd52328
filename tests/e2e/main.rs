//! End to end: the real program against a real API server with its real controllers, which these
//! tests build and start themselves.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run programs and read files")]

mod alternatives;
mod apis;
mod approvals;
mod bad_input;
mod bad_servers;
mod baseline;
mod batches;
mod comebacks;
#[path = "../support/compact.rs"]
mod compact;
mod completion;
mod connection;
mod controllers;
mod credentials;
mod deploy;
#[path = "../support/diet.rs"]
mod diet;
mod documented;
mod dry_runs;
mod edges;
mod faults;
mod finalize;
mod flags;
mod forecasts;
mod healthy;
mod journal;
mod kubeconfigs;
mod logs;
mod mcp;
mod memberships;
mod one_namespace;
mod orphans;
mod owners;
mod plans;
mod preflight;
mod prompts;
mod races;
#[path = "../support/random.rs"]
#[expect(dead_code, reason = "the generator uses more of it")]
mod random;
mod real_products;
mod releases;
mod removals;
mod scan;
#[path = "../support/scenario.rs"]
#[expect(dead_code, reason = "the recorded tests use more of it")]
mod scenario;
mod secrets;
mod signed;
mod state;
mod survey_files;
mod sweeps;
mod targets;
mod tls;
mod tutorial;
mod two_products;
mod watch;
#[path = "../support"]
mod support {
    pub mod baseline;
    #[expect(dead_code, reason = "the generator marks what it goes back to")]
    pub mod control_plane;
    pub mod digests;
    #[expect(dead_code, reason = "the packaging tests use more of it")]
    pub mod go;
    pub mod pages;
    pub mod program;
    pub mod proxy;
    #[expect(dead_code, reason = "the tests of hostile servers use more of it")]
    pub mod server;
    pub mod terminal;
    pub mod wait;
}
