//! The results of many states, in tables.

use crate::blocks::BLOCKS;
use crate::recipe::Recipe;
use crate::run::Outcome;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The sums of all results.
#[derive(Debug, Default)]
pub struct Table {
    all: Sums,
    by_block: BTreeMap<&'static str, Sums>,
    calibration: BTreeMap<String, (usize, usize)>,
    wrong_twice: Vec<String>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Sums {
    states: usize,
    foretold: usize,
    forecasts: usize,
    roots: usize,
    named: usize,
    false_roots: usize,
    wrong_proven: usize,
    wrong_state: usize,
    releasable: usize,
    released: usize,
    touched: usize,
}

impl Table {
    /// Counts a state.
    pub fn add(&mut self, recipe: &Recipe, outcome: &Outcome) {
        self.all.add(outcome);
        let mut blocks: Vec<&'static str> = recipe.causes.iter().map(|part| BLOCKS[part.index].name).collect();
        blocks.sort_unstable();
        blocks.dedup();
        for block in blocks {
            self.by_block.entry(block).or_default().add(outcome);
        }
        for (what, (right, of)) in &outcome.verdict.calibration {
            let entry = self.calibration.entry(what.clone()).or_default();
            entry.0 += right;
            entry.1 += of;
        }
    }

    /// How many states were created and judged.
    pub fn states(&self) -> u64 {
        self.all.states as u64
    }

    /// Adds a state that was wrong, and wrong again after it was created again.
    pub fn add_twice(&mut self, what: String) {
        self.wrong_twice.push(what);
    }

    /// The states that were wrong each time, with the mistakes.
    pub fn wrong_twice(&self) -> &[String] {
        &self.wrong_twice
    }

    /// The tables in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "| cause | states | foretold | roots named | false roots | wrong Proven | wrong state | released | touched others |\n\
             |---|---|---|---|---|---|---|---|---|\n",
        );
        for (name, sums) in self.by_block.iter().map(|(name, sums)| (*name, sums)).chain([("all", &self.all)]) {
            let Sums {
                states,
                foretold,
                forecasts,
                roots,
                named,
                false_roots,
                wrong_proven,
                wrong_state,
                releasable,
                released,
                touched,
            } = sums;
            writeln!(
                text,
                "| {name} | {states} | {foretold} of {forecasts} | {named} of {roots} | {false_roots} | {wrong_proven} | {wrong_state} | \
                 {released} of {releasable} | {touched} |"
            )
            .expect("a text takes it");
        }
        text.push_str("\n| said | right | of | |\n|---|---|---|---|\n");
        for (what, (right, of)) in &self.calibration {
            let percent = 100 * right / (*of).max(1);
            writeln!(text, "| {what} | {right} | {of} | {percent} % |").expect("a text takes it");
        }
        text
    }
}

impl Sums {
    fn add(&mut self, outcome: &Outcome) {
        let verdict = &outcome.verdict;
        self.states += 1;
        self.forecasts += usize::from(outcome.foretold.is_some());
        self.foretold += usize::from(outcome.foretold == Some(true));
        self.roots += verdict.roots;
        self.named += verdict.roots - verdict.missed.len();
        self.false_roots += verdict.false_roots.len();
        self.wrong_proven += verdict.wrong_proven.len();
        self.wrong_state += verdict.wrong_state.len();
        self.releasable += usize::from(outcome.releasable);
        self.released += usize::from(outcome.releasable && outcome.released);
        self.touched += usize::from(!outcome.touched.is_empty());
    }
}
