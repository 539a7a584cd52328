//! Findings about webhooks and policies that refuse something.

pub(crate) mod exception;
pub(crate) mod foreseen;
mod parameter;
pub mod refusal;
