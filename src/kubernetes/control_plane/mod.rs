//! The control plane: whether its controller manager runs, which finalizers it takes off,
//! and whether the API server is overloaded.

mod finalizers;
mod manager;
pub mod overload;
mod stopped;
mod work;

pub(crate) use finalizers::releases;
pub(crate) use manager::{
    Manager, RELEASED_BY, controller_manager, manager, protection_was_not_taken_off, see_to_the_controller_manager,
};
pub(crate) use stopped::{Stopped, stopped};
pub(crate) use work::worked_since;
