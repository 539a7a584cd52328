//! Kinds that cannot be converted any more once a namespace is deleted.

use crate::facts::{Facts, Known};
use crate::kubernetes::definitions::{Definition, of_several_versions};
use crate::survey::{ResourceId, Seen};
use std::collections::BTreeSet;

/// The definitions of several versions whose conversion webhook is in `namespace`, if that has
/// Services: those of kinds that the namespace contains come first. A definition that cannot be
/// read is noted and left out.
pub(crate) fn converted_in<'s>(namespace: &str, facts: &Facts<'s>) -> Known<Vec<Definition<'s>>> {
    let content = facts.sweep(namespace)?.objects;
    if !content.iter().any(|seen| seen.resource.id.is("", "services")) {
        return Ok(Vec::new());
    }
    let here: BTreeSet<&ResourceId> = content.iter().map(|seen| &seen.resource.id).collect();
    let found = of_several_versions(facts, |kind| here.contains(&kind.id))?;
    let is_in = |it: &Definition<'_>| it.conversion_service().is_some_and(|service| service.namespace == namespace);
    Ok(found.into_iter().filter(is_in).collect())
}

/// The definitions of several versions whose conversion webhook is behind this Service. A
/// definition that cannot be read is noted and left out.
pub(crate) fn converted_behind<'s>(seen: Seen<'_>, facts: &Facts<'s>) -> Known<Vec<Definition<'s>>> {
    let Some(namespace) = seen.object.metadata.namespace.as_deref() else { return Ok(Vec::new()) };
    if !seen.resource.id.is("", "services") {
        return Ok(Vec::new());
    }
    let found = of_several_versions(facts, |_| true)?;
    let is_behind = |it: &Definition<'_>| {
        it.conversion_service()
            .is_some_and(|service| service.namespace == namespace && service.name == seen.object.name())
    };
    Ok(found.into_iter().filter(is_behind).collect())
}
