//! Stuck states from a seed: built from blocks on a real control plane among a crowd of other
//! operators, diagnosed by the real program, repaired by it and checked from outside. The truth
//! about a state follows from how it was built.
//!
//! | variable | |
//! |---|---|
//! | `UNSTICK_STATES=600` | the number of states, instead of as many as fit into two minutes |
//! | `UNSTICK_SEED=7` | the first seed; each state has the next one |
//! | `UNSTICK_BLOCKS=a,b` | only these blocks |
//! | `UNSTICK_PLANES=4` | the number of control planes side by side |
//! | `UNSTICK_MISSES=DIR` | the folder for the smallest forms of failing states |
//! | `UNSTICK_TRIES=12` | how many smaller forms of a failing state are tried |
//! | `UNSTICK_RECORD=1` | writes `docs/accuracy.md` |
//! | `UNSTICK_PROGRAM=FILE` | judges this program instead of the one that was built |

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run programs and read files")]

mod api;
mod blocks;
mod crowd;
mod decoys;
mod draft;
mod nodes;
mod object;
mod operator;
#[path = "../support/random.rs"]
mod random;
mod recipe;
mod run;
mod shrink;
#[path = "../support"]
mod support {
    #[expect(dead_code, reason = "the end-to-end tests use more of it")]
    pub mod control_plane;
    pub mod digests;
    #[expect(dead_code, reason = "the packaging tests use more of it")]
    pub mod go;
}
mod table;
mod touched;
mod truth;

use blocks::BLOCKS;
use recipe::Recipe;
use run::{Outcome, Place};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use support::go::tell;
use table::Table;

/// How long states are created, unless `UNSTICK_STATES` sets their number.
const TIME: Duration = Duration::from_mins(2);

/// The minimum number of states in that time.
const FEWEST: u64 = 5;

/// The seed unless `UNSTICK_SEED` names another.
const SEED: u64 = 1;

/// The settings from the environment.
struct Wanted {
    first: u64,
    /// `None`: as many as fit into the time.
    states: Option<u64>,
    planes: usize,
    blocks: Vec<usize>,
    misses: PathBuf,
}

impl Wanted {
    fn read() -> Self {
        let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect(name));
        let planes = number("UNSTICK_PLANES").unwrap_or(4);
        let blocks = match std::env::var("UNSTICK_BLOCKS") {
            Ok(names) => names.split(',').map(blocks::named).collect(),
            Err(_) => (0..BLOCKS.len()).collect(),
        };
        let misses = std::env::var_os("UNSTICK_MISSES").map(PathBuf::from);
        Self {
            first: number("UNSTICK_SEED").unwrap_or(SEED),
            states: number("UNSTICK_STATES"),
            planes: usize::try_from(planes).expect("a few"),
            blocks,
            misses: misses.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("misses")),
        }
    }
}

#[test]
fn every_state_is_diagnosed_and_released() {
    let wanted = Wanted::read();
    let (next, started) = (AtomicU64::new(0), Instant::now());
    let table = Mutex::new(Table::default());
    let in_time = |number: u64| wanted.states.map_or_else(|| started.elapsed() < TIME, |states| number < states);
    thread::scope(|scope| {
        for _ in 0..wanted.planes {
            scope.spawn(|| {
                let place = Place::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if !in_time(number) {
                        return;
                    }
                    let recipe = Recipe::draw(wanted.first + number, &wanted.blocks);
                    try_one(&place, recipe, &wanted, &table);
                }
            });
        }
    });
    let table = table.into_inner().expect("no thread has failed");
    let text = table.markdown();
    tell(&format!("\n{text}"));
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        record(&text);
    }
    assert!(table.states() >= FEWEST.min(wanted.states.unwrap_or(FEWEST)), "too few states could be made");
    let twice = table.wrong_twice();
    assert!(
        twice.is_empty(),
        "wrong twice; the smallest forms are in {}\n{}",
        wanted.misses.display(),
        twice.join("\n")
    );
}

fn try_one(place: &Place, recipe: Recipe, wanted: &Wanted, table: &Mutex<Table>) {
    let outcome = place.run(&recipe);
    if let Some(why) = &outcome.broken {
        tell(&format!("NOT MADE  {recipe}\n  {why}"));
        return;
    }
    table.lock().expect("no thread has failed").add(&recipe, &outcome);
    if outcome.foretold == Some(false) {
        tell(&format!("NOT FORETOLD  {recipe}"));
    }
    if outcome.is_right() {
        tell(&format!("right     {recipe} ({})", outcome.took()));
        return;
    }
    tell(&format!("WRONG     {recipe} ({})\n  {}", outcome.took(), outcome.lines().join("\n  ")));
    // On a busy machine, the controllers of the control plane may be too late to bring the state
    // about. The table counts such states; they fail no test.
    let again = place.run(&recipe);
    if again.broken.is_some() || again.is_right() {
        tell(&format!("ONCE      {recipe}\n  {}", again.broken.as_deref().unwrap_or("right when it was made again")));
        keep(&recipe, &outcome, &wanted.misses);
        return;
    }
    table.lock().expect("no thread has failed").add_twice(format!("{recipe}\n  {}", again.lines().join("\n  ")));
    let (smallest, of) = shrink::shrink(place, recipe, outcome);
    let folder = keep(&smallest, &of, &wanted.misses);
    tell(&format!("SMALLEST  {smallest}\n  {}\n  kept in {}", of.lines().join("\n  "), folder.display()));
}

/// Stores a failing state and the outputs about it.
fn keep(recipe: &Recipe, outcome: &Outcome, misses: &Path) -> PathBuf {
    let folder = misses.join(format!("seed-{}", recipe.seed));
    let truths: Vec<String> = recipe.build(443).truths().iter().map(|truth| format!("{truth:#?}")).collect();
    let about = format!("{recipe}\n{}\n\n{}\n", outcome.lines().join("\n"), truths.join("\n"));
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text);
    let kept = std::fs::create_dir_all(&folder)
        .and_then(|()| write("truth.txt", &about))
        .and_then(|()| write("said.txt", &outcome.said))
        .and_then(|()| write("survey.yaml", outcome.survey.as_deref().unwrap_or_default()));
    kept.expect("the failing state is kept");
    folder
}

/// The heading in `docs/accuracy.md` below which everything is recorded.
const HEADING: &str = "## Generated states\n";

fn record(table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/accuracy.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (above, _) = page.split_once(HEADING).expect("the heading of the tables");
    let text = format!(
        "{above}{HEADING}\nMade by `cargo test --test generator` with `UNSTICK_RECORD=1` and `UNSTICK_STATES`: stuck states \
         from\nseeds, each on a real control plane among 44 other operators, a third of them parked or\ncrashing. The row \
         `all` says how many there were. Each is judged as it was the first time.\n\n{table}"
    );
    std::fs::write(path, text).expect("the tables are written");
}
