//! `cargo bench --bench growth`: how the time of a diagnosis grows with its input. It needs no
//! cluster: recorded surveys are multiplied and diagnosed in memory.
//!
//! [`figures`] measures and prints a line for each case. The run fails if a case misses its bound.
//! The fastest of several runs counts, since a busy machine only adds time. Each run is a process
//! of its own, as for a user, so that memory that an earlier run has fragmented does not count. The
//! bounds are for a release build, which `cargo bench` makes.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a benchmark reads surveys, runs itself, looks at the clock of its process and prints a table"
)]

mod multiply;

use comfy_table::{Table, presets};
use kubectl_unstick::diagnosis::{close, diagnose_survey};
use kubectl_unstick::export::json;
use kubectl_unstick::screen::{Look, screen};
use kubectl_unstick::survey::{Survey, file};
use nix::sys::resource::{UsageWho, getrusage};
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

/// What is multiplied: a scenario, and the numbers of copies of its target.
const CASES: [(&str, &str, &[usize]); 6] = [
    ("objects of one finalizer", "controller-gone--owned", &[1_000, 5_000, 20_000, 50_000]),
    ("pods on one node that is gone", "pod-node-gone", &[1_000, 5_000, 20_000, 50_000]),
    ("owners deleted in the foreground", "foreground-deletion-waits", &[1_000, 5_000, 20_000, 50_000]),
    ("namespaces of a controller without rights", "permissions-missing--rights-lost", &[1_000, 5_000, 20_000]),
    ("namespaces behind one dead API", "apiservice-unavailable", &[1_000, 5_000, 20_000]),
    ("namespaces of one parked operator", "scaled-to-zero--operator-at-zero", &[1_000, 5_000, 20_000]),
];
/// The maximum growth, as an exponent: 1 is linear.
const EXPONENT: f64 = 1.1;
/// The number of objects of one cause, and the maximum number of seconds.
const AT_ONCE: (usize, f64) = (5_000, 3.0);

/// How often a size is measured: [`RUNS`] times, or as often as fits into [`ENOUGH`] seconds, but
/// at least [`FEWEST`] times. Measured only once, the largest size alone would suffer from a busy
/// machine.
const RUNS: usize = 7;
const FEWEST: usize = 5;
const ENOUGH: f64 = 3.0;

/// The argument of a process that measures once, followed by a scenario and the number of its
/// targets.
const ONCE: &str = "--once";

/// The measurements of one case.
struct Figure {
    what: &'static str,
    /// The numbers of targets, and the processor time in seconds.
    times: Vec<(usize, f64)>,
    exponent: f64,
    met: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [once, scenario, count, ..] = &arguments[..]
        && once == ONCE
    {
        let survey = multiply::multiply(&recorded(scenario), count.parse().expect("a number"));
        println!("{}", seconds(survey));
        return ExitCode::SUCCESS;
    }
    let figures = figures();
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["what", "seconds of processor time", "exponent", "bound", ""]);
    for Figure { what, times, exponent, met } in &figures {
        let times: Vec<String> = times.iter().map(|(count, seconds)| format!("{count}: {seconds:.2}")).collect();
        let met = if *met { "met" } else { "MISSED" };
        table.add_row([
            (*what).to_owned(),
            times.join("  "),
            format!("{exponent:.2}"),
            format!("{EXPONENT}"),
            met.into(),
        ]);
    }
    println!("{table}");
    if !figures.is_empty() && figures.iter().all(|figure| figure.met) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Measures all cases.
fn figures() -> Vec<Figure> {
    // `cargo bench --bench growth -- pods` measures the cases with this name.
    let called = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    CASES
        .into_iter()
        .filter(|(what, ..)| what.contains(&called))
        .map(|(what, scenario, counts)| {
            let times: Vec<(usize, f64)> = counts.iter().map(|count| (*count, best(scenario, *count))).collect();
            let exponent = exponent(&times);
            let slow = times.iter().any(|(count, seconds)| *count <= AT_ONCE.0 && *seconds > AT_ONCE.1);
            Figure { what, exponent, met: exponent <= EXPONENT && !slow, times }
        })
        .collect()
}

/// The survey of a scenario.
fn recorded(scenario: &str) -> Survey {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios").join(scenario);
    let text =
        |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let survey = file::read_on(&text(&folder.join("survey.yaml")), |base| file::read(&text(&folder.join(base))));
    survey.unwrap_or_else(|error| panic!("{scenario}: {error}"))
}

/// The fastest of [`RUNS`] runs, or of as many as fit into [`ENOUGH`] seconds, but at least
/// [`FEWEST`].
fn best(scenario: &str, count: usize) -> f64 {
    let (mut best, mut all) = (f64::INFINITY, 0.0);
    for run in 1..=RUNS {
        let seconds = once(scenario, count);
        (best, all) = (seconds.min(best), all + seconds);
        if all > ENOUGH && run >= FEWEST {
            break;
        }
    }
    best
}

/// One run, in a process of its own.
fn once(scenario: &str, count: usize) -> f64 {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program).args([ONCE, scenario, &count.to_string()]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// The processor time of a diagnosis and of printing it.
fn seconds(mut survey: Survey) -> f64 {
    let start = processor_time();
    loop {
        let diagnosis = diagnose_survey(&survey);
        if diagnosis.wants.is_empty() {
            drop(black_box(json(&diagnosis.report)));
            drop(black_box(screen(&diagnosis.report, Look { width: 100, colour: false, all: false })));
            return processor_time() - start;
        }
        close(&mut survey, diagnosis.wants);
    }
}

/// The processor time of this process in seconds.
fn processor_time() -> f64 {
    let time = getrusage(UsageWho::RUSAGE_SELF).expect("the usage of this process").user_time();
    #[expect(clippy::cast_precision_loss, reason = "seconds of a benchmark")]
    let seconds = time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds
}

/// The slope of the line that fits the logarithms best.
fn exponent(times: &[(usize, f64)]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few thousand targets")]
    let points: Vec<(f64, f64)> = times.iter().map(|(count, seconds)| ((*count as f64).ln(), seconds.ln())).collect();
    #[expect(clippy::cast_precision_loss, reason = "a few points")]
    let count = points.len() as f64;
    let (sum_x, sum_y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let above: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let below: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    above / below
}
