//! The controller that should release an object: the traces that point at it, the permissions for
//! it, and the choice among the candidates.

pub(crate) mod access;
pub(crate) mod candidates;
pub(crate) mod configured_finalizers;
mod driver_leases;
pub(crate) mod drivers;
pub(crate) mod external_controllers;
pub(crate) mod leaders;
mod lost;
pub(crate) mod lost_rights;
pub(crate) mod marks;
pub(crate) mod named_workloads;
pub(crate) mod owner;
mod passed_over;
pub(crate) mod permits;
pub(crate) mod power;
pub(crate) mod reach;
pub(crate) mod scope;
pub(crate) mod settings;
mod subjects;
mod tenants;
pub(crate) mod traces;
pub(crate) mod unbound;
mod vouchers;
pub(crate) mod zones;
