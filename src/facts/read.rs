//! What rules read through. A fact that was not surveyed yet becomes a want,
//! which the caller fetches before the diagnosis runs again; a fact that could
//! not be read is passed on as such.

use super::dependents::{Dependents, Index, is_watched};
use super::kinds::{is_event, is_pod};
use super::known::{Known, Unknown};
use crate::report::{Note, Ref};
use crate::survey::{
    Discovery, Fact, Form, LogLine, LogOf, Object, Probe, Probed, Reason, Resource, ResourceId, Seen, Survey, Topic,
    Unread, Want,
};
use jiff::Timestamp;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The facts of a survey, and the wants that reading them turned up.
#[derive(Debug)]
pub struct Facts<'s> {
    survey: &'s Survey,
    wants: RefCell<BTreeSet<Want>>,
    unread: RefCell<BTreeSet<Note>>,
    /// The kinds that were asked for and that the server failed to list.
    failing: RefCell<BTreeSet<ResourceId>>,
    /// The lists that nobody could read, with their namespaces.
    lists_unread: RefCell<BTreeSet<(ResourceId, Option<String>)>>,
    /// Indexes made in this round, by namespace; `None` for all namespaces.
    dependents: RefCell<BTreeMap<Option<String>, Rc<Index>>>,
    /// What logs were read about in this round.
    topics: RefCell<BTreeSet<Topic>>,
}

impl<'s> Facts<'s> {
    /// Facts of `survey`.
    #[must_use]
    pub fn new(survey: &'s Survey) -> Self {
        Self {
            survey,
            wants: RefCell::default(),
            unread: RefCell::default(),
            failing: RefCell::default(),
            lists_unread: RefCell::default(),
            dependents: RefCell::default(),
            topics: RefCell::default(),
        }
    }

    /// The time of the survey.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.survey.taken_at
    }

    /// Whether this program has itself released something since it first looked:
    /// then a count that falls tells nothing of a controller.
    #[must_use]
    pub fn wrote(&self) -> bool {
        self.survey.wrote
    }

    /// Whether an object is one of those that were asked about, or goes with one: with its
    /// namespace, or with its definition.
    #[must_use]
    pub fn is_asked_about(&self, seen: Seen<'_>) -> bool {
        let (id, metadata) = (&seen.resource.id, &seen.object.metadata);
        self.survey.targets.iter().any(|target| {
            match (target.resource.group.as_str(), target.resource.plural.as_str()) {
                ("", "namespaces") if metadata.namespace.as_deref() == Some(&target.name) => true,
                ("apiextensions.k8s.io", "customresourcedefinitions") => {
                    target.name == format!("{}.{}", id.plural, id.group)
                }
                (group, plural) => {
                    (group, plural) == (id.group.as_str(), id.plural.as_str())
                        && target.name == metadata.name
                        && target.namespace == metadata.namespace
                }
            }
        })
    }

    /// What the server serves.
    #[must_use]
    pub fn discovery(&self) -> &'s Discovery {
        &self.survey.discovery
    }

    /// The wants so far.
    #[must_use]
    pub fn into_wants(self) -> (BTreeSet<Want>, BTreeSet<Note>) {
        (self.wants.into_inner(), self.unread.into_inner())
    }

    /// A list in all namespaces, if somebody has read it; nobody is asked for it.
    #[must_use]
    pub fn known_list(&self, resource: &ResourceId, form: Form) -> Option<&'s [Object]> {
        match self.survey.fact(&Want::list(resource, None, form)) {
            Some(Fact::Listed(objects)) => Some(objects),
            _ => None,
        }
    }

    /// A list.
    ///
    /// # Errors
    /// When it was not surveyed yet or could not be read.
    pub fn list(&self, resource: &ResourceId, namespace: Option<&str>, form: Form) -> Known<&'s [Object]> {
        let want = Want::list(resource, namespace, form);
        match self.look_up(&want)? {
            Fact::Listed(objects) => Ok(objects),
            Fact::Unread(why) => {
                if why.is_the_servers() {
                    self.failing.borrow_mut().insert(resource.clone());
                }
                self.lists_unread.borrow_mut().insert((resource.clone(), namespace.map(Into::into)));
                Err(unread(&want, why))
            }
            Fact::Found(_) | Fact::Logged(_) | Fact::Probed(_) | Fact::Missing => Ok(&[]),
        }
    }

    /// One object; `None` when the server says that it does not exist.
    ///
    /// # Errors
    /// When it was not surveyed yet or could not be read.
    pub fn get(
        &self,
        resource: &ResourceId,
        namespace: Option<&str>,
        name: &str,
        form: Form,
    ) -> Known<Option<&'s Object>> {
        let want = Want::get(resource, namespace, name, form);
        match self.look_up(&want)? {
            Fact::Found(object) => Ok(Some(object)),
            Fact::Unread(why) => Err(unread(&want, why)),
            Fact::Missing | Fact::Listed(_) | Fact::Logged(_) | Fact::Probed(_) => Ok(None),
        }
    }

    /// One object's metadata, from a list of its kind where one was read.
    ///
    /// # Errors
    /// When it was not surveyed yet or could not be read.
    pub fn metadata(&self, resource: &ResourceId, namespace: Option<&str>, name: &str) -> Known<Option<&'s Object>> {
        let listed = self.survey.fact(&Want::list(resource, namespace, Form::Metadata));
        if let Some(Fact::Listed(objects)) = listed
            && let Some(object) = objects.iter().find(|object| object.name() == name)
        {
            return Ok(Some(object));
        }
        self.get(resource, namespace, name, Form::Metadata)
    }

    /// Whether logs may be read: only when that was asked for.
    #[must_use]
    pub fn may_read_logs(&self) -> bool {
        self.survey.logs
    }

    /// Whether logs may be read for what they say about `topic`: only about the
    /// first few things that somebody wants to know of.
    #[must_use]
    pub fn may_read_logs_about(&self, topic: &Topic) -> bool {
        let mut topics = self.topics.borrow_mut();
        let room = topics.len() < TOPICS;
        self.may_read_logs() && (topics.contains(topic) || room && topics.insert(topic.clone()))
    }

    /// The lines of a container's log that are about something, the most telling
    /// first; `None` when there is no such log, and when it may not be read.
    ///
    /// # Errors
    /// When it was not surveyed yet or could not be read.
    pub fn log(&self, namespace: &str, pod: &str, log: LogOf) -> Known<Option<&'s [LogLine]>> {
        if !self.may_read_logs_about(&log.about) {
            return Ok(None);
        }
        self.logged(&Want::log(namespace, pod, log))
    }

    /// What the kubelet of a node says about something; `None` when it cannot say
    /// and when it may not be asked.
    ///
    /// # Errors
    /// When it was not surveyed yet or could not be read.
    pub fn node_log(&self, node: &str, log: LogOf) -> Known<Option<&'s [LogLine]>> {
        if !self.may_read_logs_about(&log.about) {
            return Ok(None);
        }
        self.logged(&Want::node_log(node, log))
    }

    fn logged(&self, want: &Want) -> Known<Option<&'s [LogLine]>> {
        match self.look_up(want)? {
            Fact::Logged(lines) => Ok(Some(lines)),
            Fact::Unread(why) => Err(unread(want, why)),
            Fact::Listed(_) | Fact::Found(_) | Fact::Probed(_) | Fact::Missing => Ok(None),
        }
    }

    /// What the server says to a dry run of `probe`; `None` where the object is
    /// gone, where its kind does not take such a request, and where nobody has
    /// asked for what is tried: of an object that is not being deleted no finalizer
    /// is removed, and a DELETE is tried of it only where its namespace goes, or where
    /// it is to be foreseen what a deletion would meet.
    ///
    /// # Errors
    /// When it was not tried yet, or the server gave no verdict: the caller has
    /// not the right, or no answer came in time.
    ///
    /// An aggregated API is never tried: whether the server behind it heeds `dryRun`
    /// is its own affair.
    pub fn probe(&self, seen: Seen<'_>, probe: Probe) -> Known<Option<&'s Probed>> {
        // While a definition goes, discovery leaves out the verbs that change its
        // objects; PATCH is served all the same (kubernetes/kubernetes:
        // `staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_discovery_controller.go`).
        let served = seen.resource.can("delete") || (probe != Probe::Delete && seen.resource.can("patch"));
        let foreseen = self.survey.preflight.is_some() && probe == Probe::Delete;
        let asked = foreseen
            || seen.object.is_deleting()
            || (probe == Probe::Delete && self.is_in_going_namespace(seen.object)?);
        if !asked || !served || seen.object.uid().is_empty() || self.may_be_aggregated(seen.resource)? {
            return Ok(None);
        }
        let want = Want::probe(seen, probe);
        match self.look_up(&want)? {
            Fact::Probed(probed) => Ok(Some(probed)),
            Fact::Unread(why) => Err(unread(&want, why)),
            Fact::Listed(_) | Fact::Found(_) | Fact::Logged(_) | Fact::Missing => Ok(None),
        }
    }

    /// Whether a server behind the API server answers for a kind. Where the `APIService`s
    /// cannot be read, that is assumed of all that is neither built in nor has a definition.
    ///
    /// # Errors
    /// When that was not surveyed yet.
    pub fn may_be_aggregated(&self, resource: &Resource) -> Known<bool> {
        if resource.id.is_built_in() {
            return Ok(false);
        }
        let apis = ResourceId::new("apiregistration.k8s.io", "v1", "apiservices");
        let Fact::Listed(apis) = self.look_up(&Want::list(&apis, None, Form::Whole))? else {
            let definitions = ResourceId::new("apiextensions.k8s.io", "v1", "customresourcedefinitions");
            return match self.metadata(&definitions, None, &resource.id.short()) {
                Err(Unknown::NotSurveyed) => Err(Unknown::NotSurveyed),
                definition => Ok(!matches!(definition, Ok(Some(_)))),
            };
        };
        let answers = |api: &&Object| {
            let text = |pointer| api.text(pointer).unwrap_or_default();
            text("/spec/group") == resource.id.group && text("/spec/version") == resource.id.version
        };
        let api = apis.iter().find(answers);
        Ok(api.and_then(|api| api.at("/spec/service")).is_some_and(|service| !service.is_null()))
    }

    fn is_in_going_namespace(&self, object: &Object) -> Known<bool> {
        let Some(name) = object.metadata.namespace.as_deref() else { return Ok(false) };
        let namespaces = crate::survey::ResourceId::new("", "v1", "namespaces");
        Ok(self.metadata(&namespaces, None, name)?.is_some_and(Object::is_deleting))
    }

    /// Everything in a namespace: one metadata list for each namespaced kind
    /// that can be deleted. The others, such as the metrics of pods, hold up no
    /// namespace: its controller leaves them alone.
    ///
    /// # Errors
    /// When some of it was not surveyed yet.
    pub fn sweep(&self, namespace: &str) -> Known<Sweep<'s>> {
        self.sweep_as(namespace, Form::Metadata)
    }

    /// As [`Self::sweep`], in another form: from the store or from the cache alone.
    ///
    /// # Errors
    /// When some of it was not surveyed yet.
    pub fn sweep_as(&self, namespace: &str, form: Form) -> Known<Sweep<'s>> {
        let mut sweep = Sweep { objects: Vec::new(), unread: Vec::new() };
        let (mut seen, mut complete) = (BTreeSet::new(), true);
        for resource in self.discovery().listable_namespaced().filter(|resource| resource.can("delete")) {
            match self.look_up(&Want::list(&resource.id, Some(namespace), form)) {
                Ok(Fact::Listed(objects)) => {
                    // The same row may be served under two groups: events.
                    let new = objects.iter().filter(|object| seen.insert(object.uid()) || object.uid().is_empty());
                    sweep.objects.extend(new.map(|object| Seen { resource, object }));
                }
                Ok(Fact::Unread(why)) if why.reason != Reason::NotServed => {
                    sweep.unread.push((resource, why));
                }
                Ok(_) => {}
                Err(_) => complete = false,
            }
        }
        if complete { Ok(sweep) } else { Err(Unknown::NotSurveyed) }
    }

    /// Who names whom as its owner in a namespace.
    ///
    /// # Errors
    /// When some of it was not surveyed yet.
    pub fn dependents_in(&self, namespace: &str) -> Known<Dependents<'s>> {
        self.dependents_among(self.discovery().listable_namespaced(), Some(namespace), Form::Metadata)
    }

    /// Who names whom as its owner anywhere: one list for each kind that the
    /// garbage collector keeps an eye on.
    ///
    /// # Errors
    /// When some of it was not surveyed yet.
    pub fn dependents_anywhere(&self) -> Known<Dependents<'s>> {
        self.dependents_among(self.discovery().listable(), None, Form::Owned)
    }

    fn dependents_among(
        &self,
        resources: impl Iterator<Item = &'s Resource>,
        namespace: Option<&str>,
        form: Form,
    ) -> Known<Dependents<'s>> {
        let (mut lists, mut unread, mut complete) = (Vec::new(), Vec::new(), true);
        for resource in resources.filter(|resource| is_watched(resource)) {
            match self.look_up(&Want::list(&resource.id, namespace, form)) {
                Ok(Fact::Listed(objects)) => lists.push((resource, &objects[..])),
                Ok(Fact::Unread(why)) if why.reason != Reason::NotServed => unread.push((resource, why)),
                Ok(_) => {}
                Err(_) => complete = false,
            }
        }
        if !complete {
            return Err(Unknown::NotSurveyed);
        }
        let mut known = self.dependents.borrow_mut();
        let index = known.entry(namespace.map(str::to_owned)).or_insert_with(|| Rc::new(Index::new(&lists)));
        Ok(Dependents::new(Rc::clone(index), lists, unread))
    }

    /// The kinds that were asked for so far and that the server failed to list.
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

    /// Puts on record that something which matters could not be read.
    pub fn note_unread(&self, what: impl Into<String>, why: &Unread) {
        self.unread.borrow_mut().insert(Note { what: what.into(), why: why.to_string() });
    }

    /// Puts on record that something which matters was not looked at.
    pub fn note_unknown(&self, what: impl Into<String>, why: impl Into<String>) {
        self.unread.borrow_mut().insert(Note { what: what.into(), why: why.into() });
    }

    fn look_up(&self, want: &Want) -> Known<&'s Fact> {
        self.survey.fact(want).ok_or_else(|| {
            self.wants.borrow_mut().insert(want.clone());
            Unknown::NotSurveyed
        })
    }
}

/// Logs are read about so many things.
const TOPICS: usize = 3;

/// All that is in a namespace, as far as it could be read.
#[derive(Debug)]
pub struct Sweep<'s> {
    /// Every object, in the order of discovery.
    pub objects: Vec<Seen<'s>>,
    /// The kinds that could not be listed. A kind that does not serve LIST at
    /// all is not among them: it holds up no namespace.
    pub unread: Vec<(&'s Resource, &'s Unread)>,
}

impl<'s> Sweep<'s> {
    /// The objects that are being deleted.
    pub fn deleting(&self) -> impl Iterator<Item = Seen<'s>> {
        self.objects.iter().copied().filter(|seen| seen.object.is_deleting())
    }

    /// The pods.
    pub fn pods(&self) -> impl Iterator<Item = Seen<'s>> {
        self.objects.iter().copied().filter(|seen| is_pod(seen.resource))
    }

    /// What is in the namespace besides pods and events.
    pub fn rest(&self) -> impl Iterator<Item = Seen<'s>> {
        self.objects.iter().copied().filter(|seen| !is_pod(seen.resource) && !is_event(seen.resource))
    }

    /// `3 configmaps, 1 widgets.acme.io`: what these objects are, most first.
    #[must_use]
    pub fn count(objects: &[Ref]) -> String {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for object in objects {
            let name = object.kubectl();
            let kind = name.rsplit_once('/').map_or(name.as_str(), |(kind, _)| kind);
            *counts.entry(kind.to_owned()).or_default() += 1;
        }
        let mut counts: Vec<(usize, String)> = counts.into_iter().map(|(kind, count)| (count, kind)).collect();
        counts.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let named: Vec<String> = counts.iter().take(3).map(|(count, kind)| format!("{count} {kind}")).collect();
        let more: usize = counts.iter().skip(3).map(|(count, _)| count).sum();
        if more == 0 { named.join(", ") } else { format!("{}, {more} more", named.join(", ")) }
    }
}

fn unread(want: &Want, why: &Unread) -> Unknown {
    Unknown::Unread { what: want.to_string(), why: why.clone() }
}
