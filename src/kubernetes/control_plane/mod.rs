//! The control plane: whether its controller manager runs, which finalizers it removes,
//! and whether the API server is overloaded.

mod finalizers;
mod manager;
mod stopped;
mod work;

pub(crate) use finalizers::releases;
pub(crate) use manager::{Manager, Stopped, manager};
pub(crate) use stopped::stopped;
pub(crate) use work::worked_since;
