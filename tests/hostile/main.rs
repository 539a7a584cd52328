//! Servers that mean harm, or are broken beyond measure: each ends the program in time, within
//! a gibibyte, with a sentence that says what is wrong, and with the right exit code.
//!
//! The servers speak HTTP from a thread of the test, so that no control plane is needed.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run programs and read files")]

mod cases;
mod crowds;
mod large;
mod redirects;
mod run;
#[path = "../support/server.rs"]
#[expect(dead_code, reason = "the tests of other clusters read what is sent to it, too")]
mod server;
mod table;
