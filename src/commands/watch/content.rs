//! The remaining objects of a kind in one place, and their changes.

use super::watched::Watched;
use crate::screen::{Called, LeftOfKind};
use crate::survey::{Fact, Form, Object, Resource, Survey, Want};
use std::collections::{BTreeMap, HashMap};

/// The remaining objects of one kind in one place.
#[derive(Debug, Default)]
pub(super) struct KindContent {
    /// kubectl's name of the kind.
    pub(super) called: Called,
    /// The objects by uid.
    pub(super) objects: HashMap<String, Remaining>,
}

impl KindContent {
    /// No object of this kind yet.
    pub(super) fn of(resource: &Resource) -> Self {
        Self { called: Called { many: resource.id.short(), one: resource.one() }, objects: HashMap::new() }
    }

    pub(super) fn add(&mut self, object: &Object) {
        self.objects.insert(object.uid().to_owned(), object.into());
    }
}

/// The facts about a remaining object.
#[derive(Debug, PartialEq)]
pub(super) struct Remaining {
    pub(super) going: bool,
    pub(super) finalizers: Vec<String>,
}

impl From<&Object> for Remaining {
    fn from(object: &Object) -> Self {
        Self { going: object.is_deleting(), finalizers: object.metadata.finalizers.clone() }
    }
}

/// The changes since the last line was printed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Change {
    /// How many objects disappeared.
    pub went: usize,
    /// How many objects were created.
    pub came: usize,
    /// How many objects began to be deleted.
    pub doomed: usize,
}

/// Changes by target and kind.
pub type Changes = BTreeMap<(usize, Called), Change>;

/// Counts a change of an object. Returns whether its finalizers changed.
pub(super) fn note(change: &mut Change, before: Option<&Remaining>, now: &Remaining) -> bool {
    match before {
        None => change.came += 1,
        Some(before) if now.going && !before.going => change.doomed += 1,
        Some(before) => return before.finalizers != now.finalizers,
    }
    false
}

/// If the target is a definition: its objects, from the list that the diagnosis has read.
pub(super) fn instances(target: &Watched, survey: &Survey) -> Option<(Want, KindContent)> {
    if target.name.resource.plural != "customresourcedefinitions" {
        return None;
    }
    let mut lists = survey.facts().filter(|(want, _)| {
        want.namespace.is_none() && want.name.is_none() && want.resource.short() == target.name.name
    });
    let (want, objects) = lists.find_map(|(want, fact)| match fact {
        Fact::Listed(objects) if !objects.is_empty() => Some((want, objects)),
        _ => None,
    })?;
    let mut content = KindContent::of(survey.discovery.preferred(&want.resource.group, &want.resource.plural)?);
    for object in objects {
        content.add(object);
    }
    Some((Want::list(&want.resource, None, Form::Metadata), content))
}

/// How many objects there are of each kind, most first.
pub(super) fn counted<'a>(lists: impl Iterator<Item = &'a KindContent>) -> Vec<LeftOfKind> {
    let mut kinds: BTreeMap<&Called, (usize, usize)> = BTreeMap::new();
    for content in lists.filter(|content| !content.objects.is_empty()) {
        let (count, going) = kinds.entry(&content.called).or_default();
        *count += content.objects.len();
        *going += content.objects.values().filter(|held| held.going).count();
    }
    let left = kinds.into_iter().map(|(kind, (count, going))| LeftOfKind { kind: kind.clone(), count, going });
    let mut left: Vec<LeftOfKind> = left.collect();
    left.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.kind.cmp(&b.kind)));
    left
}
