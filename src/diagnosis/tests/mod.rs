//! Small clusters in memory: what the engine and the rules make of them.

mod admission;
mod controllers;
mod growth;
mod stale_words;
mod worlds;
