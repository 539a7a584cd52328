//! Dependents in words, and the removal of a single reference.

use crate::facts::Dependent;
use crate::plan::steps;
use crate::report::{Ref, Step};
use crate::survey::Object;

/// The command that removes exactly one reference from a dependent.
pub(crate) fn drop_reference(dependent: &Object, named: &Ref, uid: &str) -> String {
    drop_reference_step(dependent, named, uid).map(|step| step.command).unwrap_or_default()
}

/// The step that removes the reference to the owner with `uid` from a dependent.
pub(crate) fn drop_reference_step(dependent: &Object, named: &Ref, uid: &str) -> Option<Step> {
    let references = &dependent.metadata.owner_references;
    let index = references.iter().position(|reference| reference.uid == uid)?;
    Some(steps::drop_owner_reference::step(named, &references[index], index))
}

/// `Pod shop/web-1`, or `3 dependents` for several.
pub(crate) fn dependents_in_words(dependents: &[Dependent<'_>]) -> String {
    match dependents {
        [only] => Ref::from(only.seen).to_string(),
        several => format!("{} dependents", several.len()),
    }
}
