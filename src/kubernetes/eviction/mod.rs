//! Evictions: the nodes that are drained for a deletion, and the pods that a
//! `PodDisruptionBudget` keeps on them.

mod budgets;
pub(crate) mod drain;
mod hooks;
mod node_content;
mod requests;

pub(crate) use budgets::{EvictionRefusal, count_of, refusals};
pub(crate) use drain::Drain;
pub(crate) use hooks::{Hook, hooks, of as hooks_of};
pub(crate) use node_content::{NodeContent, NodePods, left, unused};
pub(crate) use requests::{EvictionState, EvictionUnderway};
