//! The facts that rules read. A fact that was not surveyed yet becomes a want, which the caller
//! fetches before the diagnosis runs again; a fact that could not be read is passed on as unread.

use super::known::{Known, Unknown};
use super::memo::{Asked, Memo, asked};
use super::owned::OwnedFinalizer;
use crate::report::{Note, NoteSubject, Ref, Sentence, and_more};
#[cfg(test)]
use crate::survey::InMemory;
use crate::survey::{
    Discovery, Fact, Form, Log, LogReading, Object, Reason, Resource, ResourceId, Seen, Sought, Survey, Topic, Unread,
    Want, is_path_segment,
};
use indexmap::IndexSet;
use jiff::Timestamp;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The facts of a survey, and the wants that arose while reading them.
#[derive(Debug)]
pub struct Facts<'s> {
    pub(super) survey: &'s Survey,
    wants: RefCell<IndexSet<Want>>,
    unread: RefCell<BTreeSet<Note>>,
    /// The kinds that were needed and that the server failed to list.
    failing: RefCell<BTreeSet<ResourceId>>,
    /// The lists that could not be read, with their namespaces.
    lists_unread: RefCell<BTreeSet<(ResourceId, Option<String>)>>,
    /// The nodes whose pods are listed node by node.
    nodes: RefCell<BTreeSet<String>>,
    /// The topics for which logs were read in this round.
    topics: RefCell<BTreeSet<Topic>>,
    /// The results computed so far.
    pub(super) memo: Memo,
    /// The finalizers that only one rule reports.
    pub(super) owned: Vec<OwnedFinalizer>,
    /// The targets of the survey.
    pub(super) asked: HashSet<Asked<'s>>,
    /// The kinds that can be listed.
    pub(super) listable: Vec<&'s Resource>,
    /// The kinds in their preferred versions, by plural name and group.
    preferred: HashMap<(&'s str, &'s str), &'s Resource>,
}

impl<'s> Facts<'s> {
    /// The facts of `survey`.
    #[must_use]
    pub fn new(survey: &'s Survey) -> Self {
        Self {
            survey,
            wants: RefCell::default(),
            unread: RefCell::default(),
            failing: RefCell::default(),
            lists_unread: RefCell::default(),
            nodes: RefCell::default(),
            topics: RefCell::default(),
            memo: Memo::default(),
            owned: Vec::new(),
            asked: survey.targets.iter().map(asked).collect(),
            listable: survey.discovery.listable().collect(),
            // The server lists the preferred version first, so it must be the last one collected.
            preferred: survey.discovery.resources.iter().rev().map(by_name).collect(),
        }
    }

    /// Sets the finalizers that only one rule reports.
    #[must_use]
    pub fn with_owned(mut self, owned: impl Iterator<Item = OwnedFinalizer>) -> Self {
        self.owned = owned.collect();
        self
    }

    /// Whether only one rule reports this finalizer on an object of this kind.
    #[must_use]
    pub fn is_owned(&self, resource: &Resource, finalizer: &str) -> bool {
        self.owned.iter().any(|owned| owned.is(resource, finalizer))
    }

    /// The time of the survey.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.survey.taken_at
    }

    /// Whether this program itself has released something since the first survey: a falling count then
    /// shows nothing about a controller.
    #[must_use]
    pub fn wrote(&self) -> bool {
        self.survey.wrote
    }

    /// The minor version of the server, such as 36 of `v1.36.1`.
    #[must_use]
    pub fn server_minor(&self) -> Option<u32> {
        self.survey.server.as_deref()?.strip_prefix("v1.")?.split('.').next()?.parse().ok()
    }

    /// The resources that the server serves.
    #[must_use]
    pub fn discovery(&self) -> &'s Discovery {
        &self.survey.discovery
    }

    /// The resource with this group and plural name in its preferred version.
    #[must_use]
    pub fn preferred(&self, group: &str, plural: &str) -> Option<&'s Resource> {
        self.preferred.get(&(plural, group)).copied()
    }

    /// Whether something is still to be read: then this diagnosis is only a step, and is never shown.
    #[must_use]
    pub fn wants_more(&self) -> bool {
        !self.wants.borrow().is_empty()
    }

    /// The wants so far, and the notes about unread facts.
    #[must_use]
    pub fn into_wants(self) -> (BTreeSet<Want>, BTreeSet<Note>) {
        let cut = if self.wants_more() { BTreeMap::new() } else { self.cut_short() };
        for (what, count) in cut {
            self.note_unknown(
                format!("a part of {what}{}", and_more(count - 1)),
                "too large: only the beginning of such an object is read",
            );
        }
        (self.wants.into_inner().into_iter().collect(), self.unread.into_inner())
    }

    /// The objects that were not read to their end: the first one of each kind and namespace, and how many
    /// there are.
    fn cut_short(&self) -> BTreeMap<String, usize> {
        let mut all: BTreeMap<(&ResourceId, Option<&str>), BTreeSet<&str>> = BTreeMap::new();
        for (want, fact) in self.survey.facts_unsorted() {
            for object in fact.objects().iter().filter(|object| object.metadata.left_out > 0) {
                let place = (&want.resource, object.metadata.namespace.as_deref());
                all.entry(place).or_default().insert(object.name());
            }
        }
        let named = |((kind, place), names): ((&ResourceId, Option<&str>), BTreeSet<&str>)| {
            let place = place.map(|place| format!("{place}/")).unwrap_or_default();
            Some((format!("{kind} {place}{}", names.first()?), names.len()))
        };
        all.into_iter().filter_map(named).collect()
    }

    /// A list in all namespaces, if it has been read; otherwise it does not become a want.
    #[must_use]
    pub fn known_list(&self, resource: &ResourceId, form: Form) -> Option<&'s [Object]> {
        match self.survey.find(Sought::list(resource, None, form)) {
            Some(Fact::Listed(objects)) => Some(objects),
            _ => None,
        }
    }

    /// A list.
    pub fn list(&self, resource: &ResourceId, namespace: Option<&str>, form: Form) -> Known<&'s [Object]> {
        self.listed(Sought::list(resource, namespace, form), resource, namespace)
    }

    fn listed(&self, sought: Sought<'_>, resource: &ResourceId, namespace: Option<&str>) -> Known<&'s [Object]> {
        match self.look_up(sought)? {
            Fact::Listed(objects) => Ok(objects),
            Fact::Unread(why) => {
                if why.is_the_servers() {
                    self.failing.borrow_mut().insert(resource.clone());
                }
                self.lists_unread.borrow_mut().insert((resource.clone(), namespace.map(Into::into)));
                Err(unread(sought, why))
            }
            Fact::Found(_) | Fact::Logged(_) | Fact::Probed(_) | Fact::Missing => Ok(&[]),
        }
    }

    /// The pods of a node, as whole objects: from the list of all pods if that has been read or if the
    /// pods of many nodes are needed.
    pub fn pods_on(&self, pods: &ResourceId, node: &str) -> Known<Vec<&'s Object>> {
        let listed = match self.known_list(pods, Form::Whole) {
            Some(all) => all,
            None if self.is_one_of_many(node) => self.list(pods, None, Form::Whole)?,
            None => self.listed(Sought::pods_on(pods, node), pods, None)?,
        };
        Ok(listed.iter().filter(|pod| pod.text("/spec/nodeName") == Some(node)).collect())
    }

    /// Whether the pods of more than a few other nodes were needed.
    fn is_one_of_many(&self, node: &str) -> bool {
        let mut nodes = self.nodes.borrow_mut();
        if nodes.len() < FEW_NODES && !nodes.contains(node) {
            nodes.insert(node.to_owned());
        }
        !nodes.contains(node)
    }

    /// One object; `None` if the server says that it does not exist, or if nothing can have the name.
    pub fn get(
        &self,
        resource: &ResourceId,
        namespace: Option<&str>,
        name: &str,
        form: Form,
    ) -> Known<Option<&'s Object>> {
        if !is_path_segment(name) {
            return Ok(None);
        }
        match self.answer(Sought::get(resource, namespace, name, form))? {
            Fact::Found(object) => Ok(Some(object)),
            _ => Ok(None),
        }
    }

    /// The whole object, of which only the metadata may have been seen; `None` if it no longer exists.
    pub fn whole(&self, seen: Seen<'_>) -> Known<Option<&'s Object>> {
        let metadata = &seen.object.metadata;
        self.get(&seen.resource.id, metadata.namespace.as_deref(), &metadata.name, Form::Whole)
    }

    /// One object in the wanted form or, until that has been read, its metadata: where objects form a long chain, the
    /// metadata may already lead to the next object, so that not every link takes a round.
    pub fn get_or_metadata(&self, want: &Want) -> Known<Option<&'s Object>> {
        let (namespace, name) = (want.namespace.as_deref(), want.name.as_deref().unwrap_or_default());
        match self.get(&want.resource, namespace, name, want.form) {
            Err(Unknown::NotSurveyed) => self.metadata(&want.resource, namespace, name),
            read => read,
        }
    }

    /// One object's metadata, from a list of its kind if one was read.
    pub fn metadata(&self, resource: &ResourceId, namespace: Option<&str>, name: &str) -> Known<Option<&'s Object>> {
        let listed = self.survey.find(Sought::list(resource, namespace, Form::Metadata));
        if let Some(Fact::Listed(objects)) = listed
            && let Some(object) = self.named(objects, name)
        {
            return Ok(Some(object));
        }
        self.get(resource, namespace, name, Form::Metadata)
    }

    /// The object that a reference names, with its metadata, if it still has that uid.
    pub fn seen(&self, object: &Ref) -> Known<Option<Seen<'s>>> {
        let target = object.target();
        let kind = self.discovery().resources.iter().find(|kind| kind.id == target.resource);
        let Some(resource) = kind else { return Ok(None) };
        let found = self.metadata(&target.resource, target.namespace.as_deref(), &target.name)?;
        Ok(found.filter(|found| found.uid() == object.uid).map(|object| Seen { resource, object }))
    }

    /// When logs are read.
    #[must_use]
    pub fn log_reading(&self) -> LogReading {
        self.survey.logs
    }

    /// Whether a log was read.
    #[must_use]
    pub fn holds_logs(&self) -> bool {
        self.survey.holds_logs
    }

    /// Whether logs may be read about `topic`: only the first few topics are.
    #[must_use]
    pub fn may_read_logs_about(&self, topic: &Topic) -> bool {
        let mut topics = self.topics.borrow_mut();
        let room = topics.len() < MAX_TOPICS;
        !self.survey.logs.is_never() && (topics.contains(topic) || room && topics.insert(topic.clone()))
    }

    /// The lines of the log that is wanted, of a container or of a node's kubelet, about its topic, the most
    /// informative first; `None` if there is no such log, or if it may not be read.
    pub fn log(&self, want: &Want) -> Known<Option<&'s Log>> {
        if !want.log.as_ref().is_some_and(|log| self.may_read_logs_about(&log.about)) {
            return Ok(None);
        }
        match self.answer(want.sought())? {
            Fact::Logged(log) => Ok(Some(log)),
            _ => Ok(None),
        }
    }

    /// The kinds needed so far that the server failed to list.
    #[must_use]
    pub fn failing(&self) -> BTreeSet<ResourceId> {
        self.failing.borrow().clone()
    }

    /// The kinds whose list in this namespace, or in all of them, could not be read.
    #[must_use]
    pub fn unread_in(&self, namespace: Option<&str>) -> Vec<ResourceId> {
        let lists = self.lists_unread.borrow();
        lists.iter().filter(|(_, place)| place.as_deref() == namespace).map(|(kind, _)| kind.clone()).collect()
    }

    /// Notes a fact that matters and could not be read.
    pub fn note_unread(&self, what: impl Into<NoteSubject>, why: &Unread) {
        let forbidden = (why.reason == Reason::Forbidden).then(|| why.message.clone());
        self.unread.borrow_mut().insert(Note { forbidden, ..Note::about(what, why) });
    }

    /// Notes a fact that matters and was not checked.
    pub fn note_unknown(&self, what: impl Into<NoteSubject>, why: impl Into<Sentence>) {
        self.unread.borrow_mut().insert(Note::about(what, why));
    }

    /// A fact that could be read.
    pub(super) fn answer(&self, sought: Sought<'_>) -> Known<&'s Fact> {
        match self.look_up(sought)? {
            Fact::Unread(why) => Err(unread(sought, why)),
            fact => Ok(fact),
        }
    }

    pub(super) fn look_up(&self, sought: Sought<'_>) -> Known<&'s Fact> {
        #[cfg(test)]
        LOOKED_UP.set(LOOKED_UP.get() + 1);
        self.survey.find(sought).ok_or_else(|| {
            let mut wants = self.wants.borrow_mut();
            if !wants.contains(&sought) {
                wants.insert(sought.want());
            }
            Unknown::NotSurveyed
        })
    }
}

#[cfg(test)]
thread_local! {
    /// How often facts were looked up, for tests that count what a diagnosis does.
    pub(crate) static LOOKED_UP: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
impl Facts<'_> {
    /// Asks about a cluster in memory until nothing more is wanted. Returns the last answer, and the
    /// notes about facts that may not be read.
    pub(crate) fn of<T>(cluster: &InMemory, ask: impl Fn(&Facts<'_>) -> Known<T>) -> (T, BTreeSet<Note>) {
        let (told, notes) = cluster.told(|survey| {
            let facts = Facts::new(survey);
            let told = ask(&facts);
            let (wants, notes) = facts.into_wants();
            ((told, notes), wants)
        });
        (told.expect("it is known"), notes)
    }
}

fn by_name(resource: &Resource) -> ((&str, &str), &Resource) {
    ((&resource.id.plural, &resource.id.group), resource)
}

/// The maximum number of nodes whose pods are listed node by node.
const FEW_NODES: usize = 8;

/// The maximum number of topics for which logs are read.
const MAX_TOPICS: usize = 20;

fn unread(sought: Sought<'_>, why: &Unread) -> Unknown {
    Unknown::Unread { what: subject(&sought.want()), why: why.clone() }
}

pub(super) fn subject(want: &Want) -> NoteSubject {
    let is_list = want.name.is_none() && want.node.is_none() && want.probe.is_none() && want.log.is_none();
    if is_list { NoteSubject::list(&want.resource, want.to_string()) } else { want.to_string().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks for the pods of `nodes` nodes; returns those of the last one and the wants.
    fn ask(survey: &Survey, nodes: usize) -> (Option<Vec<String>>, Vec<String>) {
        let facts = Facts::new(survey);
        let answers = (0..nodes).map(|number| facts.pods_on(&pods(), &format!("n{number}")));
        let last = answers.last().and_then(Result::ok);
        let names = last.map(|pods| pods.iter().map(|pod| pod.name().to_owned()).collect());
        (names, facts.into_wants().0.iter().map(ToString::to_string).collect())
    }

    fn pods() -> ResourceId {
        ResourceId::new("", "v1", "pods")
    }

    fn pod(name: &str, node: &str) -> Object {
        serde_json::from_value(serde_json::json!({"metadata": {"name": name}, "spec": {"nodeName": node}})).unwrap()
    }

    #[test]
    fn pods_of_a_few_nodes_are_asked_for_node_by_node() {
        let mut survey = Survey::new(Timestamp::UNIX_EPOCH, Discovery::default());
        assert_eq!(ask(&survey, 2), (None, vec!["pods on node n0".into(), "pods on node n1".into()]));
        assert_eq!(ask(&survey, FEW_NODES + 3).1.len(), FEW_NODES + 1, "and those of the others together");
        survey.record(Sought::pods_on(&pods(), "n0").want(), Fact::Listed(vec![pod("a", "n0")]));
        assert_eq!(ask(&survey, 1), (Some(vec!["a".into()]), vec![]));
        survey.record(Want::list(&pods(), None, Form::Whole), Fact::Listed(vec![pod("a", "n0"), pod("b", "n1")]));
        assert_eq!(ask(&survey, 2), (Some(vec!["b".into()]), vec![]), "what is known is not asked for");
    }
}
