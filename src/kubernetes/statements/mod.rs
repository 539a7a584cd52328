//! Statements about an object, in its conditions, its status, its annotations and its events.

pub(crate) mod annotations;
pub(crate) mod events;
pub(crate) mod other_objects;
pub(crate) mod said_in;
pub(crate) mod siblings;
pub(crate) mod statement;
