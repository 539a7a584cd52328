//! `explain`: the meaning of a rule, a finalizer, a condition or a term, and files that are compiled in. Works
//! offline.

use super::out;
use crate::cli::Output;
use crate::export::Printer;
use crate::failure::{Exit, Failure};
use crate::knowledge::explain;
use crate::plugin::COMMAND;
use crate::rules::explanations;

/// The word that prints the role with the rights to read, and this role, as `kubectl apply` takes it.
pub const CLUSTERROLE: &str = "clusterrole";
const ROLE: &str = include_str!("../../deploy/clusterrole.yaml");

/// Explains what the words name, or lists everything that can be explained.
///
/// # Errors
/// When it is unknown.
pub fn run(words: &[String], output: Output) -> Result<Exit, Failure> {
    let word = (!words.is_empty()).then(|| words.join(" "));
    if let Some(word) = &word {
        super::words::is_short_enough(word)?;
    }
    if let Printer::Own(print) = output.printer() {
        if let Some(word) = &word {
            return Err(Failure::contradiction(format!(
                "-o argocd prints the scripts of all kinds: leave out {word:?}"
            )));
        }
        out::data(&print());
    } else {
        out::file(&text(word.as_deref())?);
    }
    Ok(Exit::Fine)
}

/// The explanation of `word`, or the list of everything that can be explained.
///
/// # Errors
/// When the word is unknown.
pub fn text(word: Option<&str>) -> Result<String, Failure> {
    let Some(word) = word else { return Ok(explain::index(&explanations())) };
    if word == CLUSTERROLE {
        return Ok(ROLE.to_owned());
    }
    explain::explain(word, &explanations()).map_err(|unknown| {
        let failure = Failure::unknown(format!("nothing is known about {word:?}"));
        if unknown.near.is_empty() {
            failure.hint("this lists all that can be explained").command(format!("{COMMAND} explain"))
        } else {
            failure.hint(format!("did you mean {}?", unknown.near.join(", ")))
        }
    })
}
