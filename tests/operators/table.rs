//! `docs/operators.md`: every state, its truth, and the program's answer.

use crate::answer::Answer;
use crate::product::Product;
use crate::state::State;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operators.md");

/// The beginning of the last cell of a state with a known wrong answer.
const KNOWN_WRONG: &str = "known wrong";

/// The rows of this run, by the cells for product and state.
static ROWS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// Keeps the row of a state, and writes it at once if requested: a run of an hour may be cut off.
pub fn note(product: &Product, state: &State, forecast: &Answer, answer: &Answer, is_as_expected: bool) {
    let truth = &state.truth;
    let first = truth.first.as_ref().map(|first| format!("→ {first}"));
    let mut is = vec![format!("{} ({})", truth.state, truth.exit)];
    is.extend((!truth.roots.is_empty()).then(|| truth.roots.join(", ")));
    is.extend(truth.controller.clone());
    is.extend(first);
    let right = match (is_as_expected, state.is_known_wrong()) {
        (true, false) => "yes".to_owned(),
        (true, true) => format!("{KNOWN_WRONG}: {}", state.known.why),
        (false, _) => "no".to_owned(),
    };
    let key = format!("| {} | {} |", product.name, state.name);
    let row = format!(
        "{key} {} | {} | {} | {} | {} | {} | {right} |",
        cell(&state.shows),
        cell(&state.about),
        cell(&truth.forecast),
        cell(&is.join("; ")),
        cell(&forecast.line()),
        cell(&answer.line()),
    );
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    rows.insert(key, row);
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        write(&Product::all(), rows.clone());
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ").trim().to_owned()
}

/// Writes the page. Rows of states that did not run stay.
fn write(products: &[Product], mut rows: BTreeMap<String, String>) {
    let states: Vec<String> = products
        .iter()
        .flat_map(|product| {
            State::all(product).into_iter().map(|state| format!("| {} | {} |", product.name, state.name))
        })
        .collect();
    let before = std::fs::read_to_string(PATH).unwrap_or_default();
    for state in &states {
        if let Some(old) = before.lines().find(|line| line.starts_with(state.as_str())) {
            rows.entry(state.clone()).or_insert_with(|| old.to_owned());
        }
    }
    let written = std::fs::write(Path::new(PATH), page(products, &rows));
    written.expect("docs/operators.md is written");
}

fn page(products: &[Product], rows: &BTreeMap<String, String>) -> String {
    let last = |row: &str| row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default().to_owned();
    let count = |word: &str| rows.values().filter(|row| last(row).starts_with(word)).count();
    let mut page = format!(
        "# Real operators\n\nWhat the program says of states that were made with the real programs of real products, \
         under their\nown manifests. `UNSTICK_RECORD=1 cargo test --test operators` writes this page; \
         [CONTRIBUTING.md](../CONTRIBUTING.md)\nsays what it needs. {} states were tried last: {} right, {} known to be wrong in a part, \
         {} wrong.\n\n## Products\n\n",
        rows.len(),
        count("yes"),
        count(KNOWN_WRONG),
        count("no"),
    );
    for product in products {
        let _ = writeln!(page, "- **{}**: {}.", product.name, product.about());
        for (kind, why) in product.lacks() {
            let _ = writeln!(page, "  Has no state “{kind}”: {why}.");
        }
    }
    page += "\n## States\n\nThe exit code is in brackets; the first remedy follows the arrow.\n\n\
             | product | state | shows | made so | forecast: truth | truth | forecast | answer | right? |\n\
             |---|---|---|---|---|---|---|---|---|\n";
    for row in rows.values() {
        let _ = writeln!(page, "{row}");
    }
    page
}
