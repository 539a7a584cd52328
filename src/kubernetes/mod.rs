//! How Kubernetes behaves, a folder a subject: judgements, which are data. What people read is
//! made of them in `findings`. What is said here is true of every cluster; products are known by
//! name only in `knowledge`.

pub mod admission;
pub mod aggregation;
mod content;
pub mod control_plane;
pub mod definitions;
pub mod eviction;
pub mod garbage_collection;
pub mod held;
pub(crate) mod inventory;
pub mod kubelet;
pub(crate) mod mended;
pub(crate) mod messages;
pub mod namespaces;
pub mod outside;
pub(crate) mod ownership;
pub mod progress;
pub mod services;
pub(crate) mod statements;
pub mod storage;
pub mod workloads;
