//! How Kubernetes behaves, one folder for each subject. The modules return judgements as data, from
//! which `findings` makes texts. What they know is true of every cluster; only `knowledge` knows
//! products by name.

pub mod admission;
pub mod aggregation;
pub(crate) mod built_in;
mod content;
pub mod control_plane;
pub mod definitions;
pub mod eviction;
pub mod external;
pub(crate) mod faults;
pub mod finalizers;
pub mod garbage_collection;
pub mod kubelet;
pub(crate) mod lease;
pub mod mentions;
pub(crate) mod messages;
pub mod namespaces;
pub(crate) mod ownership;
pub(crate) mod past_obstacle;
pub mod progress;
pub mod services;
pub(crate) mod statements;
pub mod storage;
pub mod workloads;
