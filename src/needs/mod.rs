//! What the engine and the rules say to each other.

mod findings;

pub use findings::Findings;
