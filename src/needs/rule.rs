//! What a rule is.

use super::Findings;
use crate::facts::{Facts, Known, Target};

/// A rule: its name (file stem, scenario prefix, `explain` argument and JSON
/// field; it never changes meaning), its explanation and what it does.
#[derive(Debug)]
pub struct Rule {
    /// The kebab-case name.
    pub name: &'static str,
    /// Markdown with fixed headings.
    pub explanation: &'static str,
    /// Adds what it finds for one target.
    pub diagnose: fn(&Target<'_>, &Facts<'_>, &mut Findings) -> Known,
}
