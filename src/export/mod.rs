//! The report for programs and pages: one file per format, and a table of all formats.
//!
//! Text from the cluster is untrusted: every format escapes it for its own readers.

mod argocd;
mod dot;
mod formats;
mod graph;
mod headline;
#[cfg(test)]
mod hostile;
mod html;
mod json;
mod junit;
mod markdown;
mod markup;
mod mermaid;
mod name;
mod outline;
mod prometheus;

pub use crate::screen::yaml;
pub use argocd::argocd;
pub use dot::dot;
pub use formats::{Output, Printer};
pub use html::html;
pub use json::{json, json_line};
pub use junit::junit;
pub use markdown::markdown;
pub use mermaid::mermaid;
pub use name::names;
pub use prometheus::prometheus;
