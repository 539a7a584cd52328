//! Small clusters in memory: what the engine and the rules make of them.

mod admission;
mod controllers;
mod foreseen;
mod growth;
mod scans;
mod stale_words;
mod worlds;
