//! What is known of finalizers and of the causes: the catalogue, and the pages
//! that `explain` prints.
//!
//! - `finalizers.yaml`: the catalogue as people review it; its head says what
//!   each field means.
//! - `compile`: checks that file and makes tables of Rust from it, in the build
//!   script.
//! - [`catalogue`]: these tables as the rules ask them, by finalizer.
//! - [`explain`]: finds the page for a word: a rule, a condition, a term or a
//!   finalizer.
//! - `page`: the five headings of every page, and the pages that are made from
//!   an entry of the catalogue.
//! - `terms` and `terms/*.md`: the pages about conditions and words. Those about
//!   rules stand beside the rules.
//! - `near`: near misses.
//!
//! To add a finalizer: add its block to `finalizers.yaml` in its place. To add
//! a term: write `terms/your-term.md` and name it in `terms`.
//!
//! Everything here is compiled in: no file is opened, no server is asked.

pub mod apis;
pub mod catalogue;
#[cfg(test)]
mod compile;
pub mod explain;
mod glossary;
mod near;
mod page;
mod terms;
