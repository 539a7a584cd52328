//! What is said of an object, by its conditions, its status and its events.

pub(crate) mod elsewhere;
pub(crate) mod events;
pub(crate) mod statement;
