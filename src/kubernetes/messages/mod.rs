//! How the API server, controllers and webhooks word things.

pub mod admission;
pub(crate) mod conversion;
mod mention;
pub(crate) mod trouble;

pub(crate) use mention::mentions;
