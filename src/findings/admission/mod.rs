//! Findings about webhooks and policies that refuse something.

mod exception;
pub(crate) mod foreseen;
pub mod refusal;
