//! A cluster in memory that answers the wants of a survey.

use super::fact::{Fact, Reason, Unread};
use super::log::Log;
use super::object::Object;
use super::probe::Probed;
use super::resource::{Discovery, ResourceId};
use super::snapshot::Survey;
use super::want::{Form, Want};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many rounds are answered; more indicate an endless loop.
const MAX_ROUNDS: usize = 64;

/// Answers wants until there are no more; `None` if there is no end. `survey` then has all that was
/// read.
pub fn answered<T>(
    survey: &mut Survey,
    mut answer: impl FnMut(&Want) -> Fact,
    mut ask: impl FnMut(&Survey) -> (T, BTreeSet<Want>),
) -> Option<T> {
    for _ in 0..MAX_ROUNDS {
        let (told, wants) = ask(survey);
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

/// A cluster in memory. Everything in it may be read, and it accepts every dry run, unless it was
/// told otherwise.
#[derive(Clone, Default)]
pub struct InMemory {
    /// Its clock.
    pub now: Timestamp,
    /// The resources that it serves.
    pub discovery: Discovery,
    /// The objects by group and plural name.
    objects: BTreeMap<(String, String), Vec<Arc<Object>>>,
    /// The kinds that may not be read, by plural name.
    unread: BTreeMap<String, Hidden>,
    trials: Option<Trials>,
    is_exact: bool,
}

/// The answers to dry runs.
type Trials = Arc<dyn Fn(&Want) -> Fact + Send + Sync>;

/// A kind that may not be read, or not listed.
#[derive(Debug, Clone)]
struct Hidden {
    why: Unread,
    lists_only: bool,
}

impl InMemory {
    /// A cluster without objects.
    #[must_use]
    pub fn serving(now: Timestamp, discovery: Discovery) -> Self {
        Self { now, discovery, ..Self::default() }
    }

    /// The same cluster that sends no more than a server does: the asked part of an object, lists
    /// without managedFields, and nothing of a kind that it does not serve.
    #[must_use]
    pub fn exact(self) -> Self {
        Self { is_exact: true, ..self }
    }

    /// Adds an object.
    pub fn add(&mut self, resource: &ResourceId, object: Object) {
        self.objects.entry(key(resource)).or_default().push(Arc::new(object));
    }

    /// The objects of a resource.
    pub fn of(&self, resource: &ResourceId) -> impl Iterator<Item = &Object> {
        self.stored(resource).iter().map(AsRef::as_ref)
    }

    /// Keeps only these objects.
    pub fn retain(&mut self, stays: impl Fn(&Object) -> bool) {
        self.objects.values_mut().for_each(|objects| objects.retain(|object| stays(object)));
    }

    /// All objects, to be changed. Objects that a clone of the cluster shares are copied only then.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Arc<Object>> {
        self.objects.values_mut().flatten()
    }

    fn stored(&self, resource: &ResourceId) -> &[Arc<Object>] {
        self.objects.get(&key(resource)).map_or(&[], Vec::as_slice)
    }

    /// A survey that has read nothing yet.
    #[must_use]
    pub fn survey(&self) -> Survey {
        Survey::new(self.now, self.discovery.clone())
    }

    /// The answer to a want.
    #[must_use]
    pub fn answer(&self, want: &Want) -> Fact {
        if want.probe.is_some() {
            return self.trials.as_ref().map_or(Fact::Probed(Probed::Passed), |answer| answer(want));
        }
        let hidden = self.unread.get(&want.resource.plural);
        if let Some(hidden) = hidden.filter(|hidden| want.name.is_none() || !hidden.lists_only) {
            return Fact::Unread(hidden.why.clone());
        }
        if want.log.is_some() {
            return Fact::Logged(Log::default());
        }
        if self.is_exact && self.discovery.preferred(&want.resource.group, &want.resource.plural).is_none() {
            return Fact::Unread(Unread { reason: Reason::NotServed, message: String::new() });
        }
        let is_there = |object: &&Arc<Object>| {
            want.namespace.is_none() || object.metadata.namespace.as_deref() == want.namespace.as_deref()
        };
        let mut all = self.stored(&want.resource).iter().filter(is_there);
        if let Some(name) = &want.name {
            let found = all.find(|object| object.name() == name);
            return found.map_or(Fact::Missing, |object| Fact::Found(Box::new(self.sent(object, want.form))));
        }
        let listed = all.filter(|object| match (want.form, &want.node) {
            (Form::Owned, _) => !object.metadata.owner_references.is_empty(),
            (Form::Deleting, _) => object.is_deleting(),
            (_, Some(node)) => object.text("/spec/nodeName") == Some(node),
            (_, None) => true,
        });
        Fact::Listed(listed.map(|object| self.sent_in_list(object, want.form)).collect())
    }

    fn sent(&self, object: &Object, form: Form) -> Object {
        if self.is_exact && form != Form::Whole { object.metadata.clone().into() } else { object.clone() }
    }

    fn sent_in_list(&self, object: &Object, form: Form) -> Object {
        let mut sent = self.sent(object, form);
        if self.is_exact {
            sent.metadata.managed_fields = serde_json::Value::Null;
        }
        sent
    }
}

fn key(resource: &ResourceId) -> (String, String) {
    (resource.group.clone(), resource.plural.clone())
}

/// Small clusters for tests.
#[cfg(test)]
impl InMemory {
    /// A cluster at this time that serves these kinds, with these objects by the plural names of
    /// their kinds.
    pub(crate) fn holding(
        now: &str,
        resources: impl IntoIterator<Item = super::Resource>,
        objects: impl IntoIterator<Item = (&'static str, serde_json::Value)>,
    ) -> Self {
        let discovery = Discovery { resources: resources.into_iter().collect(), stale: Vec::new() };
        let mut cluster = Self::serving(now.parse().expect("a time"), discovery);
        for (plural, object) in objects {
            cluster.put(plural, object);
        }
        cluster
    }

    /// Adds an object of the kind with this plural name.
    pub(crate) fn put(&mut self, plural: &str, object: serde_json::Value) {
        self.insert(plural, Object::single(object).expect("an object"));
    }

    /// The same for an object that was read already.
    pub(crate) fn insert(&mut self, plural: &str, object: Object) {
        let kind = self.discovery.resources.iter().find(|resource| resource.id.plural == plural);
        let id = kind.unwrap_or_else(|| panic!("{plural} are not served")).id.clone();
        self.add(&id, object);
    }

    /// Does not let objects of this kind be read.
    pub(crate) fn hide(&mut self, plural: &str, reason: Reason, message: &str) {
        let why = Unread { reason, message: message.into() };
        self.unread.insert(plural.into(), Hidden { why, lists_only: false });
    }

    /// Does not let this kind be listed; each of its objects can be read by its name.
    pub(crate) fn hide_lists(&mut self, plural: &str, reason: Reason, message: &str) {
        self.hide(plural, reason, message);
        self.unread.entry(plural.into()).and_modify(|hidden| hidden.lists_only = true);
    }

    /// Answers dry runs.
    pub(crate) fn try_out(&mut self, answer: impl Fn(&Want) -> Fact + Send + Sync + 'static) {
        self.trials = Some(Arc::new(answer));
    }

    /// Asks until nothing more is wanted, and returns the last answer.
    pub(crate) fn told<T>(&self, ask: impl FnMut(&Survey) -> (T, BTreeSet<Want>)) -> T {
        answered(&mut self.survey(), |want| self.answer(want), ask).expect("it comes to an end")
    }

    /// A survey that has read this.
    pub(crate) fn read(&self, wants: impl IntoIterator<Item = Want>) -> Survey {
        let mut survey = self.survey();
        for want in wants {
            let fact = self.answer(&want);
            survey.record(want, fact);
        }
        survey
    }

    /// Reads what `ask` wants until it wants nothing more, and returns all of it.
    pub(crate) fn surveyed(&self, mut ask: impl FnMut(&Survey) -> BTreeSet<Want>) -> Survey {
        let mut survey = self.survey();
        answered(&mut survey, |want| self.answer(want), |survey| ((), ask(survey))).expect("it comes to an end");
        survey
    }
}
