//! How Kubernetes behaves, a folder a subject: judgements, which are data. What people read is
//! made of them in `findings`. What is said here is true of every cluster; products are known by
//! name only in `knowledge`.

pub mod admission;
pub mod aggregation;
mod content;
pub mod control_plane;
pub mod definitions;
pub mod eviction;
pub mod external;
pub mod finalizers;
pub mod garbage_collection;
pub(crate) mod inventory;
pub mod kubelet;
pub(crate) mod messages;
pub mod namespaces;
pub(crate) mod ownership;
pub(crate) mod past_obstacle;
pub mod progress;
pub mod services;
pub(crate) mod statements;
pub mod storage;
pub mod workloads;
