//! `kubectl-unstick`: argv in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    kubectl_unstick::commands::run(std::env::args_os()).into()
}
