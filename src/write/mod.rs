//! Changes a cluster, and checks right before and after each change.
//!
//! [`apply`] carries out one step and [`batch`] several, [`rights`] finds writes that the caller
//! may not make, and [`existence`] checks whether objects are gone. Only `send` sends a request
//! that changes something.

pub mod apply;
pub mod batch;
pub mod existence;
pub mod rights;
mod send;
