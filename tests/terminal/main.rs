//! Questions in a real pseudo-terminal: each key, and its effect on a cluster.
//!
//! The cluster is a stand-in in a thread of the test, so no control plane is needed.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run programs and read files")]

mod choices;
mod keys;
mod lines;
#[path = "../support/server.rs"]
#[expect(dead_code, reason = "the hostile servers use more of it")]
mod server;
mod shop;
#[path = "../support"]
mod support {
    pub mod terminal;
    pub mod wait;
}
mod windows;
