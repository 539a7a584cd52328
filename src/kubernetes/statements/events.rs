//! The events about an object.

use crate::facts::{Facts, Known, flat_each};
use crate::survey::{Form, Object, Seen};
use jiff::Timestamp;

/// The `max` latest events about `seen`, whole. An event's name begins with that of its object.
pub(crate) fn about<'s>(seen: Seen<'_>, max: usize, facts: &Facts<'s>) -> Known<Vec<&'s Object>> {
    let Some(events) = facts.preferred("", "events") else { return Ok(Vec::new()) };
    // Events about cluster-scoped objects are in this namespace.
    let namespace = seen.object.metadata.namespace.as_deref().unwrap_or("default");
    let listed = facts.list(&events.id, Some(namespace), Form::Metadata)?;
    let mut about = facts.beginning(listed, &format!("{}.", seen.object.name()));
    about.sort_by_key(|event| std::cmp::Reverse(event.metadata.creation_timestamp));
    let read = flat_each(about.into_iter().take(max), |event| {
        facts.get(&events.id, Some(namespace), event.name(), Form::Whole)
    })?;
    let is_about_it = |event: &&Object| event.text("/involvedObject/uid") == Some(seen.object.uid());
    Ok(read.into_iter().filter(is_about_it).collect())
}

/// When an event was last seen.
pub(crate) fn last_seen(event: &Object) -> Option<Timestamp> {
    ["/series/lastObservedTime", "/lastTimestamp", "/eventTime", "/firstTimestamp"]
        .iter()
        .find_map(|pointer| event.text(pointer)?.parse().ok())
}
