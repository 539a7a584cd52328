//! Turns judgements into sentences, needs and remedies. Below the rules, only this room contains texts.

pub(crate) mod admission;
pub(crate) mod aggregation;
pub(crate) mod controller_manager;
pub(crate) mod drains;
pub(crate) mod in_use;
pub(crate) mod kubelet;
pub(crate) mod loss;
pub(crate) mod overload;
pub(crate) mod owner_references;
pub(crate) mod removal;
pub(crate) mod services;
pub(crate) mod start;
pub(crate) mod state;
pub(crate) mod storage;
pub(crate) mod trigger;
