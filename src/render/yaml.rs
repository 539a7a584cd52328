//! `-o yaml`: the same report as `-o json`.

use serde::Serialize;

/// A report as YAML.
#[must_use]
pub fn yaml(report: &impl Serialize) -> String {
    let text = serde_saphyr::to_string(report).unwrap_or_else(|error| format!("error: {:?}\n", error.to_string()));
    super::clean_lines(&text)
}
