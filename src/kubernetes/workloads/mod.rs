//! What runs, what does not, and why.

pub mod health;
pub mod placement;
pub mod scalers;
