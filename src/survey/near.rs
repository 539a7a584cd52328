//! Names that may have been meant by a mistyped one.

/// How many letters a known name differs in from the typed one, if these are few.
pub(crate) fn near(typed: &str, known: &str) -> Option<usize> {
    let distance = strsim::damerau_levenshtein(known, typed);
    (distance <= 1 + typed.len() / 4).then_some(distance)
}
