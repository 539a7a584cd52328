//! `explain`: the meaning of a rule, a finalizer, a condition or a term. Works offline.

use super::out;
use crate::failure::{Exit, Failure};
use crate::knowledge::explain;
use crate::plugin::COMMAND;
use crate::rules::explanations;

/// Explains `word`, or lists everything that can be explained.
///
/// # Errors
/// When the word is unknown.
pub fn run(word: Option<&str>) -> Result<Exit, Failure> {
    out::file(&text(word)?);
    Ok(Exit::Fine)
}

/// The explanation of `word`, or the list of everything that can be explained.
///
/// # Errors
/// When the word is unknown.
pub fn text(word: Option<&str>) -> Result<String, Failure> {
    let Some(word) = word else { return Ok(explain::index(&explanations())) };
    explain::explain(word, &explanations()).map_err(|unknown| {
        let failure = Failure::unknown(format!("nothing is known about {word:?}"));
        if unknown.near.is_empty() {
            failure.hint("this lists all that can be explained").command(format!("{COMMAND} explain"))
        } else {
            failure.hint(format!("did you mean {}?", unknown.near.join(", ")))
        }
    })
}
