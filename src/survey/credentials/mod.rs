//! Credentials in the texts of people and controllers.

mod mask;
mod named;

pub use mask::{MASK, mask, with_masks};
