//! Admission that a controller met at its work, by its own words.

use super::obstacle::is_named;
use super::{Admission, Gate, Obstacle, Operation, Proof, read};
use crate::facts::{Facts, Known};
use crate::report::Ref;
use crate::survey::Seen;

/// Who refused something to the controller of `objects`, by the `message` that it left on the
/// first of them. Which write that was does not show, so that whoever the words name counts,
/// whatever it is asked about. Of a webhook that could not be asked and that can be asked
/// now nothing is said: that is mended.
///
/// # Errors
/// When something was not surveyed yet.
pub fn met<'s>(objects: &[Seen<'s>], message: &str, facts: &Facts<'s>) -> Known<Vec<Obstacle<'s>>> {
    let admission = Admission::read(facts)?;
    let mut met = Vec::new();
    for words in read(message) {
        let mut meant = admission.gates().filter(|gate: &Gate<'s>| is_named(&words, gate));
        let Some(gate) = meant.next() else { continue };
        let backend = if words.is_unanswered() { gate.backend(facts)? } else { None };
        if words.is_unanswered() && !gate.fails_closed() {
            continue;
        }
        met.push(Obstacle {
            part: "",
            gate: Some(gate),
            others: meant.collect(),
            operation: Operation::Update,
            words: Some(words),
            proof: Proof::Said { object: Ref::from(objects[0]), message: message.to_owned() },
            backend,
            objects: objects.to_vec(),
            finalizers: Vec::new(),
        });
    }
    Ok(met)
}
