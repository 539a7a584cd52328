//! Starts other programs. No other file does.

#![expect(clippy::disallowed_types, reason = "charts and kustomizations are built by the user's own programs")]

use std::ffi::OsStr;
use std::io;
use std::process::{Command, Output, Stdio};

/// Runs a program that parses its words as kubectl and helm do: no word after `--` is a flag, whatever
/// it is called.
pub(super) fn output(program: &str, command: &str, operands: &[&OsStr]) -> io::Result<Output> {
    Command::new(program).arg(command).arg("--").args(operands).stdin(Stdio::null()).output()
}
