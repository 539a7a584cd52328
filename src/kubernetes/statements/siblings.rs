//! A controller's warnings about other objects with the same finalizer: the same trouble may affect this
//! one.

use crate::facts::{Facts, Known, flat_each};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::domain;
use crate::kubernetes::finalizers::names::goes_by;
use crate::kubernetes::messages::trouble::tells_why;
use crate::kubernetes::statements::events;
use crate::kubernetes::statements::other_objects::{SaidElsewhere, warning};
use crate::kubernetes::statements::statement::Statement;
use crate::survey::{Form, Object, Seen};

/// How many other objects are checked for events.
const MAX_SIBLINGS: usize = 4;

/// How many events of each are read.
const MAX_EVENTS: usize = 2;

/// Words of names that identify no program.
const GENERIC: [&str; 7] = ["controller", "manager", "operator", "system", "io", "com", "k8s"];

/// The warnings about objects of the kind of `seen` that have `finalizer`, too: from a component with one
/// of `names`, or one that the finalizer's domain names, and with the same reason on several objects. A
/// failure on a single object may be that object's own.
pub(crate) fn about<'s>(
    seen: Seen<'s>,
    finalizer: &str,
    names: &[String],
    facts: &Facts<'s>,
    gaps: &Gaps,
) -> Known<Vec<SaidElsewhere>> {
    let Some((all, listed)) = with_events(seen, facts, gaps)? else { return Ok(Vec::new()) };
    let siblings = all.iter().filter(|other| {
        other.uid() != seen.object.uid()
            && other.metadata.finalizers.iter().any(|key| key == finalizer)
            && !facts.beginning(listed, &format!("{}.", other.name())).is_empty()
    });
    let is_its =
        |component: &str| goes_by(component, names) || domain(finalizer).split('.').any(|label| label == component);
    let said = flat_each(siblings.take(MAX_SIBLINGS), |object| {
        let sibling = Seen { resource: seen.resource, object };
        let events = gaps.pass(events::about(sibling, MAX_EVENTS, facts))?.unwrap_or_default();
        let said = events.into_iter().filter_map(move |event| {
            let text = |pointer: &str| event.text(pointer).unwrap_or_default();
            let by = [text("/reportingComponent"), text("/source/component")].into_iter().find(|by| !by.is_empty())?;
            let message = warning(event, facts)?;
            let tells = tells_why(&message, &[object.name(), &seen.resource.kind]);
            (tells && is_its(by)).then(|| SaidElsewhere { by: sibling.into(), message })
        });
        Ok(said.collect::<Vec<_>>())
    })?;
    let is_shared = |one: &SaidElsewhere| {
        said.iter().any(|other| other.by != one.by && reason(&other.message) == reason(&one.message))
    };
    let shared: Vec<bool> = said.iter().map(is_shared).collect();
    Ok(said.into_iter().zip(shared).filter_map(|(said, shared)| shared.then_some(said)).collect())
}

/// Whether the component of an event warns with the same reason about objects of this kind that are
/// not being deleted: then it audits or scans them all, and does not affect the deletion. The
/// controller itself does not count, since its failures may be the same everywhere; it is
/// recognized by one of `names`, or by a word of these.
pub(crate) fn share<'s>(said: &Statement<'s>, names: &[String], facts: &Facts<'s>, gaps: &Gaps) -> Known<bool> {
    let seen = said.of;
    let Some(by) = said.by().filter(|by| said.trouble && !said.is_calm_event && !goes_by(by, names)) else {
        return Ok(false);
    };
    let words = |name: &str| name.split(['-', '.', '/']).map(str::to_lowercase).collect::<Vec<_>>();
    let own = names.iter().chain([&seen.resource.id.group, &seen.resource.id.plural, &seen.resource.kind]);
    let own: Vec<String> = own.flat_map(|name| words(name)).collect();
    if words(by).iter().any(|word| !GENERIC.contains(&word.as_str()) && own.contains(word)) {
        return Ok(false);
    }
    let Some((all, listed)) = with_events(seen, facts, gaps)? else { return Ok(false) };
    let is_living =
        |other: &&Object| !other.is_deleting() && !facts.beginning(listed, &format!("{}.", other.name())).is_empty();
    let told = flat_each(all.iter().filter(is_living).take(MAX_SIBLINGS), |object| {
        let events = gaps.pass(events::about(Seen { resource: seen.resource, object }, MAX_EVENTS, facts))?;
        let is_its = |event: &&Object| {
            let parts = ["/reportingComponent", "/source/component"];
            parts.iter().any(|part| event.text(part) == Some(by)) && event.text("/type") == Some("Warning")
        };
        let own = events.unwrap_or_default().into_iter().filter(is_its);
        Ok(own.filter_map(|event| event.text("/reason")).collect::<Vec<_>>())
    })?;
    Ok(told.contains(&reason(&said.message)))
}

/// The objects of the kind and the namespace of `seen`, and the events of that namespace.
fn with_events<'s>(seen: Seen<'_>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Option<(&'s [Object], &'s [Object])>> {
    let (Some(place), Some(kind)) = (seen.object.metadata.namespace.as_deref(), facts.preferred("", "events")) else {
        return Ok(None);
    };
    let all = gaps.pass(facts.list(&seen.resource.id, Some(place), Form::Metadata));
    let listed = gaps.pass(facts.list(&kind.id, Some(place), Form::Metadata));
    Ok(all?.zip(listed?))
}

/// The reason before the message of an event.
fn reason(message: &str) -> &str {
    message.split(": ").next().unwrap_or_default()
}
