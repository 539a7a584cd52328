//! Whether workloads run, and if not, why.

pub mod health;
pub mod placement;
pub mod scalers;
