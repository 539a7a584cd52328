//! How Kubernetes behaves, a folder a subject. What is said here is true of every
//! cluster; products are known by name only in `knowledge`.

pub mod admission;
pub mod aggregation;
mod content;
pub mod control_plane;
pub mod controllers;
pub mod definitions;
pub mod eviction;
pub mod garbage_collection;
pub(crate) mod inventory;
pub mod kubelet;
pub(crate) mod mended;
pub mod namespaces;
pub mod outside;
pub mod services;
pub mod storage;
