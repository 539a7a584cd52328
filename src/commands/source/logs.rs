//! When logs are read, by the flags and the environment.

#![expect(clippy::disallowed_methods, reason = "one variable turns the reading of logs off")]

use crate::cli::Options;
use crate::failure::Failure;
use crate::survey::LogReading;

/// The variable that turns the reading of logs off.
const VARIABLE: &str = "UNSTICK_LOGS";

/// When logs of controllers are read.
///
/// # Errors
/// When `UNSTICK_LOGS` has a value without a meaning.
pub(super) fn reading(options: &Options) -> Result<LogReading, Failure> {
    let variable = std::env::var_os(VARIABLE).map(|value| value.to_string_lossy().into_owned());
    chosen(options, variable.as_deref())
}

fn chosen(options: &Options, variable: Option<&str>) -> Result<LogReading, Failure> {
    match (options.logs, options.no_logs, variable) {
        (true, ..) => Ok(LogReading::Always),
        (_, true, _) | (_, _, Some("never")) => Ok(LogReading::Never),
        (_, _, None | Some("")) => Ok(LogReading::IfNeeded),
        (_, _, Some(other)) => {
            Err(Failure::unknown(format!("{VARIABLE}={other} has no meaning")).hint("set it to never, or unset it"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;

    #[test]
    fn flags_count_before_the_variable() {
        let chosen = |words: &[&str], variable: Option<&str>| {
            let words: Vec<_> = ["kubectl-unstick", "ns", "shop"].iter().chain(words).map(Into::into).collect();
            chosen(&Cli::read(&words).unwrap().options, variable).ok()
        };
        assert_eq!(chosen(&[], None), Some(LogReading::IfNeeded));
        assert_eq!(chosen(&["--logs"], Some("never")), Some(LogReading::Always));
        assert_eq!(chosen(&["--no-logs"], None), Some(LogReading::Never));
        assert_eq!(chosen(&[], Some("never")), Some(LogReading::Never));
        assert_eq!(chosen(&[], Some("")), Some(LogReading::IfNeeded));
        assert_eq!(chosen(&[], Some("sometimes")), None);
    }
}
