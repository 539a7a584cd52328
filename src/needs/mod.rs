//! What the engine and the rules say to each other.

mod findings;
mod rule;

pub use findings::Findings;
pub use rule::Rule;
