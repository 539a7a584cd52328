//! A cluster in memory that answers the wants of a survey.

use super::fact::Fact;
use super::object::Object;
use super::probe::Probed;
use super::resource::{Discovery, ResourceId};
use super::snapshot::Survey;
use super::want::{Form, Want};
use std::collections::{BTreeMap, BTreeSet};

/// How many rounds are answered; more indicate an endless loop.
const MAX_ROUNDS: usize = 64;

/// Answers wants until there are no more; `None` if there is no end.
pub(crate) fn answered<T>(
    mut survey: Survey,
    mut answer: impl FnMut(&Want) -> Fact,
    ask: impl Fn(&Survey) -> (T, BTreeSet<Want>),
) -> Option<T> {
    for _ in 0..MAX_ROUNDS {
        let (told, wants) = ask(&survey);
        if wants.is_empty() {
            return Some(told);
        }
        for want in wants {
            let fact = answer(&want);
            survey.record(want, fact);
        }
    }
    None
}

/// A cluster in memory. It accepts every dry run.
#[derive(Debug, Default)]
pub(crate) struct InMemory {
    /// The resources that it serves.
    pub(crate) discovery: Discovery,
    /// The objects by group and plural name.
    objects: BTreeMap<(String, String), Vec<Object>>,
}

impl InMemory {
    /// A cluster without objects.
    pub(crate) fn serving(discovery: Discovery) -> Self {
        Self { discovery, objects: BTreeMap::new() }
    }

    /// A cluster with these objects, by the plural names of their kinds. Objects of kinds that it
    /// does not serve are left out.
    #[cfg(test)]
    pub(crate) fn holding(discovery: Discovery, objects: impl IntoIterator<Item = (&'static str, Object)>) -> Self {
        let mut cluster = Self::serving(discovery);
        for (plural, object) in objects {
            let kind = cluster.discovery.resources.iter().find(|resource| resource.id.plural == plural);
            if let Some(id) = kind.map(|kind| kind.id.clone()) {
                cluster.add(&id, object);
            }
        }
        cluster
    }

    /// Adds an object.
    pub(crate) fn add(&mut self, resource: &ResourceId, object: Object) {
        self.objects.entry(key(resource)).or_default().push(object);
    }

    /// The objects of a resource.
    pub(crate) fn of(&self, resource: &ResourceId) -> &[Object] {
        self.objects.get(&key(resource)).map_or(&[], Vec::as_slice)
    }

    /// The answer to a want.
    pub(crate) fn answer(&self, want: &Want) -> Fact {
        if want.probe.is_some() {
            return Fact::Probed(Probed::Passed);
        }
        if want.log.is_some() {
            return Fact::Logged(Vec::new());
        }
        let is_there = |object: &&Object| {
            want.namespace.is_none() || object.metadata.namespace.as_deref() == want.namespace.as_deref()
        };
        let mut all = self.of(&want.resource).iter().filter(is_there);
        if let Some(name) = &want.name {
            return all.find(|it| it.name() == name).map_or(Fact::Missing, |it| Fact::Found(Box::new(it.clone())));
        }
        let listed = all.filter(|object| match (want.form, &want.node) {
            (Form::Owned, _) => !object.metadata.owner_references.is_empty(),
            (Form::Deleting, _) => object.is_deleting(),
            (_, Some(node)) => object.text("/spec/nodeName") == Some(node),
            (_, None) => true,
        });
        Fact::Listed(listed.cloned().collect())
    }
}

fn key(resource: &ResourceId) -> (String, String) {
    (resource.group.clone(), resource.plural.clone())
}
