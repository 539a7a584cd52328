//! Flaws that can be seen before a deletion: the source of an object, which its clean-up needs, reports
//! that access is denied or fails, or its own credentials do not exist.

use crate::facts::{Facts, Known, Readable, flat_each, for_each};
use crate::kubernetes::external;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::messages::trouble::{is_about_access, is_about_an_end};
use crate::kubernetes::progress::absent::{ReferenceRole, part};
use crate::kubernetes::progress::references::{SpecReference, references};
use crate::kubernetes::statements::statement::complaints;
use crate::report::Ref;
use crate::survey::{Form, Seen};

/// How many sources of an object are read.
const MAX_SOURCES: usize = 3;

/// A flaw that exists already.
#[derive(Debug)]
pub(crate) enum Flaw {
    /// The object itself, or its source, reports it.
    Says { by: Ref, message: String },
    /// The source of the object names something that does not exist.
    Lacks { by: Ref, what: Ref, field: String },
}

/// The flaw that the clean-up of the first held object would meet.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn flaw(held: &HeldObjects<'_>, facts: &Facts<'_>) -> Known<Option<Flaw>> {
    let Some(seen) = held.read().next().filter(|seen| is_custom(&seen.resource.id.group)) else { return Ok(None) };
    // An object that represents no external resource has nothing to clean up there, unless its messages
    // are about its end.
    let is_anywhere = !external::of(seen.object).is_empty();
    let counts = |flaw: &Flaw| is_anywhere || matches!(flaw, Flaw::Says { message, .. } if is_about_an_end(message));
    if let Some(says) = says(seen).filter(counts) {
        return Ok(Some(says));
    }
    let own = &seen.resource.id.group;
    let sources = references(seen, facts.discovery()).into_iter().filter(|reference| {
        is_custom(&reference.resource.id.group)
            && matches!(part(reference, own), ReferenceRole::Source | ReferenceRole::Kin)
    });
    let mut found = None;
    for_each(sources.take(MAX_SOURCES), |SpecReference { resource, namespace, name, .. }| {
        let object = facts.get(&resource.id, namespace.as_deref(), &name, Form::Whole).or_note(facts)?.flatten();
        let Some(object) = object.filter(|_| found.is_none()) else { return Ok(()) };
        let source = Seen { resource, object };
        found = match says(source) {
            Some(says) => Some(says),
            None => lacks(source, facts)?,
        };
        Ok(())
    })?;
    Ok(found)
}

/// The report of an object that access is denied or fails.
fn says(seen: Seen<'_>) -> Option<Flaw> {
    complaint(seen).map(|message| Flaw::Says { by: seen.into(), message })
}

/// The message of an object which says that access is denied or fails.
pub(crate) fn complaint(seen: Seen<'_>) -> Option<String> {
    let is_custom = is_custom(&seen.resource.id.group);
    complaints(seen.object).into_iter().filter(|_| is_custom).find(|message| is_about_access(message))
}

/// The missing credentials that a source names.
fn lacks(source: Seen<'_>, facts: &Facts<'_>) -> Known<Option<Flaw>> {
    let own = &source.resource.id.group;
    let data = references(source, facts.discovery())
        .into_iter()
        .filter(|reference| reference.resource.id.group.is_empty() && part(reference, own) != ReferenceRole::Other);
    let lacking = flat_each(data, |SpecReference { resource, namespace, name, field, .. }| {
        let is_absent = facts.metadata(&resource.id, namespace.as_deref(), &name).or_note(facts)? == Some(None);
        Ok(is_absent.then(|| Flaw::Lacks { by: source.into(), what: Ref::absent(resource, namespace, name), field }))
    })?;
    Ok(lacking.into_iter().next())
}
