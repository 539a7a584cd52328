//! How much a survey file leaves out, for the person who takes it.

use super::super::credentials::mask;
use std::fmt;

/// How much a survey file leaves out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Values of fields.
    pub fields: usize,
    /// Annotations.
    pub annotations: usize,
    /// Texts in which something was masked.
    pub masked: usize,
}

impl LeftOut {
    /// Masks possible credentials in a text.
    pub(super) fn masked(&mut self, text: &mut String) {
        if let Some(masked) = mask(text) {
            *text = masked;
            self.masked += 1;
        }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |number: usize, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
        write!(
            f,
            "left out, since no rule reads them: {} of fields, {}; masked as a credential: {}",
            count(self.fields, "value"),
            count(self.annotations, "annotation"),
            count(self.masked, "text")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_out_parts_are_summarized_in_one_line() {
        let left_out = LeftOut { fields: 12, annotations: 1, masked: 0 };
        assert_eq!(
            left_out.to_string(),
            "left out, since no rule reads them: 12 values of fields, 1 annotation; masked as a credential: 0 texts"
        );
    }
}
