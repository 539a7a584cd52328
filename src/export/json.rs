//! `-o json`: the contract.

use crate::inert::clean_json;
use crate::screen::{Shown, yaml};
use serde::Serialize;

/// A report as indented JSON.
pub fn json(report: &impl Serialize) -> Shown {
    written(serde_json::to_string_pretty(report))
}

/// A report as JSON in one line.
pub fn json_line(report: &impl Serialize) -> Shown {
    written(serde_json::to_string(report))
}

/// A report as one of several YAML documents.
pub fn yaml_document(report: &impl Serialize) -> Shown {
    Shown::finished(format!("---\n{}", yaml(report)))
}

fn written(json: serde_json::Result<String>) -> Shown {
    let text = json.unwrap_or_else(|error| format!("{{\"error\": {:?}}}", error.to_string()));
    // serde_json escapes the C0 controls; C1 and DEL are legal in JSON, but not here.
    Shown::finished(clean_json(text) + "\n")
}
