//! Runs programs and measures them.

use nix::sys::resource::{UsageWho, getrusage};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// How long a command takes.
///
/// # Panics
/// If it fails. Exit code 1 means that something is stuck.
pub fn timed(command: &mut Command) -> Duration {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status().expect("the command runs");
    let took = start.elapsed();
    assert!(matches!(status.code(), Some(0 | 1)), "{command:?} failed: {status}");
    took
}

/// The medians of two commands, run in turn after a warm-up of each, so that other load affects
/// both.
pub fn in_turn(runs: usize, a: impl Fn() -> Command, b: impl Fn() -> Command) -> (Duration, Duration) {
    timed(&mut a());
    timed(&mut b());
    let pairs: Vec<(Duration, Duration)> = (0..runs).map(|_| (timed(&mut a()), timed(&mut b()))).collect();
    let (a, b) = pairs.into_iter().unzip();
    (median(a), median(b))
}

/// The median of some runs.
pub fn typical(runs: usize, command: impl Fn() -> Command) -> Duration {
    median((0..runs).map(|_| timed(&mut command())).collect())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The name under which this program measures another one's memory.
pub const PEAK_MEMORY: &str = "peak-memory";

/// The peak memory of a command in KiB, measured by a process whose only child it is; and how long
/// it took.
pub fn memory(command: &Command) -> (u64, Duration) {
    let mut around = Command::new(std::env::current_exe().expect("this program"));
    around.arg(PEAK_MEMORY).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => around.env(name, value),
            None => around.env_remove(name),
        };
    }
    let start = Instant::now();
    let output = around.stdin(Stdio::null()).output().expect("it runs");
    let took = start.elapsed();
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    let kib = last.parse().unwrap_or_else(|error| panic!("no figure of memory: {error}: {text}"));
    (kib, took)
}

/// Runs the command and prints its peak memory.
#[expect(clippy::print_stdout, reason = "that is its answer")]
pub fn peak_memory(command: &[String]) -> ExitCode {
    timed(Command::new(&command[0]).args(&command[1..]));
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system accounts for children");
    println!("{}", usage.max_rss());
    ExitCode::SUCCESS
}
