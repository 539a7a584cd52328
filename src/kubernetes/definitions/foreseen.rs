//! Kinds that nobody could convert any more without a namespace.

use crate::facts::{Facts, Known, Unknown};
use crate::kubernetes::definitions::Definition;
use crate::survey::{Discovery, Resource, ResourceId};
use std::collections::{BTreeMap, BTreeSet};

/// So many definitions are looked at: they are large.
const DEFINITIONS: usize = 60;

/// The definitions of several versions whose rows are converted by a webhook in
/// `namespace`, where there are Services: first of the kinds that live there. One that
/// cannot be read is on record and left out.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn converted_in<'s>(namespace: &str, facts: &Facts<'s>) -> Known<Vec<Definition<'s>>> {
    let content = facts.sweep(namespace)?.objects;
    if !content.iter().any(|seen| seen.resource.id.group.is_empty() && seen.resource.id.plural == "services") {
        return Ok(Vec::new());
    }
    let here: BTreeSet<&ResourceId> = content.iter().map(|seen| &seen.resource.id).collect();
    let mut kinds: Vec<&Resource> = of_several_versions(facts.discovery());
    kinds.sort_by_key(|kind| !here.contains(&kind.id));
    let read: Vec<Known<Option<Definition<'s>>>> =
        kinds.into_iter().take(DEFINITIONS).map(|kind| Definition::of(kind, facts)).collect();
    let mut found = Vec::new();
    for definition in read {
        match definition {
            Ok(definition) => found.extend(definition.filter(|it| is_converted_in(it, namespace))),
            Err(Unknown::NotSurveyed) => return Err(Unknown::NotSurveyed),
            Err(Unknown::Unread { what, why }) => facts.note_unread(what, &why),
        }
    }
    Ok(found)
}

/// The kinds of definitions that are served in more than one version.
fn of_several_versions(discovery: &Discovery) -> Vec<&Resource> {
    let mut versions: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for resource in &discovery.resources {
        *versions.entry((&resource.id.group, &resource.id.plural)).or_default() += 1;
    }
    let several = |resource: &&Resource| versions[&(resource.id.group.as_str(), resource.id.plural.as_str())] > 1;
    let custom = |resource: &&Resource| resource.id.group.contains('.') && !resource.id.group.ends_with(".k8s.io");
    discovery.listable().filter(several).filter(custom).collect()
}

fn is_converted_in(definition: &Definition<'_>, namespace: &str) -> bool {
    let service = definition.webhook().and_then(|webhook| webhook.pointer("/service/namespace")?.as_str());
    service == Some(namespace)
}
