//! `cargo bench`: how fast the main job is, as ratios within one run.
//!
//! On a control plane of its own, the program is compared with the commands that people paste
//! today, and with the raw limit: a client that reads the same lists and discards the answers.
//! Types, namespaces, objects and targets become more and the link slower, step by step. The run
//! fails if a bound is missed or a figure cannot be measured.
//!
//! | | |
//! |---|---|
//! | `cargo bench -- --quick` | less of everything, in about three minutes |
//! | `cargo bench -- --only PHASE,…` | these phases: types, links, crowd, large, objects,
//! targets, followed, removals, sweeps |
//! | `UNSTICK_RECORD=1` | writes `docs/performance.md` and its plot |
//! | `UNSTICK_PROGRAM=FILE` | measures this program instead of the one that was built |

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a benchmark runs programs, looks at the clock and prints a table"
)]

mod calm;
mod clock;
mod figure;
mod filling;
mod link;
mod page;
mod phases;
mod plot;
mod raw;
mod store;
#[path = "../../tests/support"]
mod support {
    #[expect(dead_code, reason = "the end-to-end tests use more of it")]
    pub mod control_plane;
    #[expect(dead_code, reason = "the end-to-end tests use more of it")]
    pub mod go;
    pub mod wait;
}

use phases::Bench;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some(raw::RAW_CLIENT) => raw::run(&arguments[1], &arguments[2..]),
        Some(raw::REMOVALS) => raw::remove(&arguments[1]),
        Some(clock::PEAK_MEMORY) => clock::peak_memory(&arguments[1..]),
        _ => bench(&arguments),
    }
}

fn bench(arguments: &[String]) -> ExitCode {
    let only = arguments.iter().skip_while(|argument| *argument != "--only").nth(1);
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let records = std::env::var_os("UNSTICK_RECORD").is_some();
    assert!(!records || (only.is_none() && !quick), "only a run of everything is put on record");
    let mut bench = Bench::start(quick);
    bench.run(only.map(String::as_str));
    println!("\n{}", figure::table(&bench.figures));
    if records {
        page::write(&bench);
    }
    if bench.figures.iter().all(figure::Figure::is_met) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
