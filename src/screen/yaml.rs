//! YAML: `-o yaml`, with the same report as `-o json`, and objects on the screen of a run.

use crate::screen::Shown;
use serde::Serialize;

/// A report as YAML.
pub fn yaml(report: &impl Serialize) -> Shown {
    // A string takes one line, whatever it contains: line breaks are escaped.
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    let text = serde_saphyr::to_string_with_options(report, options)
        .unwrap_or_else(|error| format!("error: {:?}\n", error.to_string()));
    Shown::finished(crate::screen::clean_lines(&text))
}
