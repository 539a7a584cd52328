//! The packaging: the files that `krew-manifest/build.sh` creates, the verdict of krew's own
//! checker, and the plugin as the real krew installs it and the real kubectl runs it. Nothing is
//! downloaded, and no server is needed.
//!
//! `cargo test --test packaging` runs it; a plain `cargo test` runs only tests that need nothing
//! but Rust. `-- --skip krew::` skips the tests that need krew.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run programs and read files")]

#[path = "../support/compact.rs"]
mod compact;
#[path = "../support/diet.rs"]
#[expect(dead_code, reason = "the recorded tests use more of it")]
mod diet;
#[cfg(target_os = "linux")]
mod glibc;
mod krew;
mod recipes;
mod release;
mod sandbox;
#[path = "../support/scenario.rs"]
#[expect(dead_code, reason = "the recorded tests use more of it")]
mod scenario;
mod script;
#[path = "../support"]
mod support {
    #[expect(dead_code, reason = "the end-to-end tests use more of it")]
    pub mod go;
    #[expect(dead_code, reason = "the tests of hostile servers use more of it")]
    pub mod server;
}
