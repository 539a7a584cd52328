//! The known finalizers and causes: the catalogue, and the pages that `explain` prints.
//!
//! - `finalizers.yaml`: the catalogue as people review it; the comments at its top explain each
//!   field.
//! - `compile`: checks that file and makes Rust tables of it, in the build script.
//! - [`catalogue`]: these tables, looked up by finalizer.
//! - [`explain`]: finds the page for a word: a rule, a condition, a term or a finalizer.
//! - `page`: the five headings of every page, and the pages that are made from an entry of the
//!   catalogue.
//! - `terms` and `terms/*.md`: the pages about conditions and terms. Those about rules are beside
//!   the rules.
//! - `near`: similar words.
//!
//! To add a finalizer, add its block to `finalizers.yaml` in its place. To add a term, write
//! `terms/your-term.md` and name it in `terms`.
//!
//! Everything here is compiled in: no file is opened, no server is asked.

pub mod apis;
pub mod catalogue;
#[cfg(test)]
mod compile;
pub mod explain;
mod glossary;
pub mod groups;
mod near;
mod page;
mod terms;
