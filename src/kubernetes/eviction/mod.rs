//! Evictions: which nodes are drained for what is being deleted, and which pods a
//! `PodDisruptionBudget` keeps on them.

mod budgets;
mod drains;

pub(crate) use budgets::{EvictionRefusal, count_of, refusals, refused};
pub(crate) use drains::{Drain, drains};
