//! Findings about pods that wait for their kubelet.

pub(crate) mod ask;
pub(crate) mod devices;
pub(crate) mod force;
pub(crate) mod foreseen;
pub(crate) mod holdings;
pub(crate) mod machine;
pub(crate) mod network;
pub(crate) mod server;
pub(crate) mod virtual_node;
pub(crate) mod volumes;
