//! Changes a cluster, and checks right before and after each change.
//!
//! [`apply`] carries out one step and [`batch`] several, [`rights`] finds out which writes the caller may
//! not make, and [`existence`] tells whether objects are gone. `send` alone sends a request that changes
//! something.

pub mod apply;
pub mod batch;
pub mod existence;
pub mod rights;
mod send;
