//! The draft of a finding.

use super::{Graph, Ring, Waiting};
use crate::kubernetes::messages::reason;
use crate::report::{
    Cause, Certainty, Controller, Evidence, Finding, Link, LinkState, Need, NeedState, Outside, Product, Ref, Remedy,
    Said, Sentence, SetBy, StepKind, Verb, Why,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A finding in the making.
#[derive(Debug, Clone)]
#[must_use]
pub struct Draft {
    pub(crate) finding: Finding,
    pub(crate) remedies: Vec<Remedy>,
    /// The need that is not met because of it, if that is not about its objects themselves.
    explains: Option<Need>,
    /// The request that admission refuses for each of its objects.
    refuses: Option<Verb>,
    /// The requests that must be accepted for each of its objects: nothing else is missing.
    accepted: BTreeSet<Verb>,
    /// The other needs that must be met first.
    rests_on: Vec<Need>,
    /// Pairs of its objects that wait for each other: the first waits for the second.
    ring: Vec<(Ref, Ref)>,
    /// Whether the object that it waits for works, as far as can be seen.
    works: bool,
    /// How its objects wait for its finalizer.
    pub(crate) waiting: Waiting,
    /// The common reason of its objects, which distinguishes it from other findings with the same
    /// controller.
    pub(crate) reason: String,
}

impl Draft {
    /// A draft that `subject` waits because of `cause`; a root and proven unless said otherwise.
    pub fn new(cause: Cause, subject: Ref, summary: impl Into<Sentence>) -> Self {
        let finding = Finding {
            id: String::new(),
            rule: "",
            reason: None,
            cause,
            objects: vec![subject.clone()],
            subject,
            waits_for: None,
            finalizer: None,
            more_finalizers: Vec::new(),
            root: true,
            on_time: false,
            avoidable: false,
            blocks: Vec::new(),
            unnamed: 0,
            certainty: Certainty::Proven,
            why: Why::Proven,
            summary: summary.into(),
            evidence: Vec::new(),
            chain: Vec::new(),
            broken_link: None,
            set_by: None,
            product: None,
            guards: None,
            outside: Vec::new(),
            says: None,
            looked_at: None,
            controller: None,
            owners: Vec::new(),
            remedies: Vec::new(),
        };
        Self {
            finding,
            remedies: Vec::new(),
            explains: None,
            refuses: None,
            accepted: BTreeSet::new(),
            rests_on: Vec::new(),
            ring: Vec::new(),
            works: false,
            waiting: Waiting::default(),
            reason: String::new(),
        }
    }

    /// A draft that all `objects` wait for `finalizer`; the line calls them `who`.
    pub fn waiting(cause: Cause, objects: &[Ref], who: impl Into<Sentence>, finalizer: &str, waiting: Waiting) -> Self {
        let summary = waiting.line(who, objects.len() == 1, &[finalizer]);
        Self::new(cause, objects[0].clone(), summary).finalizer(finalizer).rest(waiting)
    }

    /// Sets how its line continues after the finalizer, which is needed to word the line again.
    pub fn rest(mut self, waiting: Waiting) -> Self {
        self.waiting = waiting;
        self
    }

    /// Sets the name of the reason why its controller has not released the objects.
    pub fn by_reason(mut self, name: &'static str) -> Self {
        self.finding.reason = Some(name);
        self
    }

    /// Sets the common reason of its objects, without the differences between them.
    pub fn reason(mut self, reason: String) -> Self {
        self.reason = reason;
        self
    }

    /// Words the line again for the present number of objects and finalizers, if they wait for a
    /// finalizer.
    pub fn count_again(&mut self) {
        let Finding { finalizer: Some(finalizer), more_finalizers, objects, .. } = &self.finding else { return };
        let finalizers: Vec<&str> = std::iter::once(finalizer).chain(more_finalizers).map(String::as_str).collect();
        self.finding.summary = self.waiting.line(self.who(), objects.len() == 1, &finalizers);
    }

    /// Its objects, in words.
    pub(crate) fn who(&self) -> Sentence {
        match &self.finding.objects[..] {
            [only] => only.into(),
            all => Sentence::from(format!("{} objects", all.len())),
        }
    }

    /// Sets that it explains why `need` is not met.
    pub fn explains(mut self, need: Need) -> Self {
        self.explains = Some(need);
        self
    }

    /// Sets that admission refuses `verb` for each of its objects.
    pub fn refuses(mut self, verb: Verb) -> Self {
        self.refuses = Some(verb);
        self
    }

    /// Sets that its controller exists: only `verb` has to be accepted for each object.
    pub fn needs_accepted(mut self, verb: Verb) -> Self {
        self.accepted.insert(verb);
        self
    }

    /// Adds that `need` must be met first.
    pub fn rests_on(mut self, need: Need) -> Self {
        self.rests_on.push(need);
        self
    }

    /// Sets that its objects wait for each other.
    pub fn ring(mut self, ring: &Ring) -> Self {
        self.ring = ring.waits.iter().map(|wait| (wait.waiting.clone(), wait.on.clone())).collect();
        self
    }

    /// The needs that it says are not met, for each of its objects.
    #[must_use]
    pub fn needs(&self) -> Vec<Need> {
        if let Some(need) = &self.explains {
            return vec![need.clone()];
        }
        // One copy for all objects.
        let finalizer: Option<Arc<str>> = self.finding.finalizer.as_deref().map(Into::into);
        let need = |object: &Ref| match (self.refuses, &finalizer) {
            (Some(verb), _) => Need::Accepted(verb, object.clone()),
            (None, Some(finalizer)) => Need::Released(object.clone(), Arc::clone(finalizer)),
            (None, None) if self.finding.cause == Cause::Api => {
                Need::of_part(object).unwrap_or_else(|| Need::Done(object.clone(), Cause::Api))
            }
            (None, None) => Need::Done(object.clone(), self.finding.cause),
        };
        self.finding.objects.iter().map(need).collect()
    }

    /// The needs that must be met first, according to the finding itself.
    #[must_use]
    pub fn further(&self) -> &[Need] {
        &self.rests_on
    }

    /// Whether its controller exists and only needs its requests accepted.
    #[must_use]
    pub fn only_waits(&self) -> bool {
        !self.accepted.is_empty()
    }

    /// Whether it continues by itself, within its usual time.
    #[must_use]
    pub fn is_on_its_way(&self) -> bool {
        self.finding.cause == Cause::Progressing
    }

    /// Drops the evidence and the remedies, which are not shown: its cause and its objects still lead to further
    /// reads.
    pub fn keep_objects(&mut self) {
        self.finding.evidence = Vec::new();
        self.remedies = Vec::new();
    }

    /// Enters the states of its needs into the graph, with their dependencies and dependents.
    pub fn enter(&self, graph: &mut Graph) {
        if let Some(verb) = self.refuses {
            graph.refuses(verb);
        }
        let behind = self.behind();
        for ((need, _), (on, _)) in behind.iter().zip(behind.iter().skip(1)) {
            graph.rests(need.clone(), on.clone());
        }
        let needs = self.needs();
        // Its chain may begin above the need that it explains.
        let own = behind.iter().position(|(need, _)| self.explains.as_ref() == Some(need));
        let first = behind.get(own.map_or(0, |own| own + 1)).map(|(first, _)| first);
        for (place, object) in self.finding.objects.iter().enumerate() {
            let need = needs.get(place).unwrap_or(&needs[0]);
            if self.is_of_its_objects() {
                graph.rests(Need::Deleted(object.clone()), need.clone());
            }
            for verb in &self.accepted {
                graph.rests_on_acceptance(need.clone(), *verb, object);
            }
            for on in &self.rests_on {
                graph.rests(need.clone(), on.clone());
            }
            match first {
                Some(on @ Need::Deleted(_)) => graph.leads(need.clone(), on.clone()),
                Some(on) => graph.rests(need.clone(), on.clone()),
                None => {}
            }
        }
        for (waiting, on) in &self.ring {
            let place = self.finding.objects.iter().position(|object| object == waiting);
            if let Some(need) = place.and_then(|place| needs.get(place)) {
                graph.turns(need.clone(), Need::Deleted(on.clone()));
            }
        }
        for (need, state) in behind {
            if let Some(state) = state {
                graph.shows(need, state);
            }
        }
        for need in needs {
            if self.finding.root && self.finding.is_trouble() {
                graph.breaks(need);
            } else {
                graph.shows(need, NeedState::Underway);
            }
        }
    }

    /// Whether its objects are deleted only after what it reports has happened.
    #[must_use]
    pub fn is_of_its_objects(&self) -> bool {
        self.explains.is_none() && self.finding.cause != Cause::Api
    }

    /// The need for the object that it waits for. A user or a dependent must be deleted.
    fn awaited(&self, part: &Ref, holder: Option<NeedState>) -> Option<(Need, Option<NeedState>)> {
        let need = Need::of_part(part);
        let goes = matches!(self.finding.cause, Cause::Storage | Cause::InUse | Cause::Dependents | Cause::Crd);
        let is_user = part.kind == "Pod" || self.finding.cause == Cause::InUse;
        if goes && !part.missing && (need.is_none() || is_user) {
            return Some((Need::Deleted(part.clone()), None));
        }
        let state = if self.works { NeedState::Met } else { holder.unwrap_or(NeedState::Broken) };
        need.map(|need| (need, Some(state)))
    }

    /// The needs that it depends on, as far as they were followed. Each depends on the next.
    fn behind(&self) -> Vec<(Need, Option<NeedState>)> {
        let Finding { chain, waits_for, controller, objects, .. } = &self.finding;
        let mut behind = Vec::new();
        let holder =
            controller.as_ref().filter(|holder| holder.workload == *waits_for).map(|holder| holder.state.into());
        let awaited = waits_for.as_ref().filter(|part| !objects.contains(part));
        behind.extend(awaited.and_then(|part| self.awaited(part, holder)));
        for link in chain {
            let Some(need) = Need::of_part(&link.object) else { continue };
            behind.retain(|(known, _)| *known != need);
            behind.push((need, Some(link.state.into())));
        }
        behind
    }

    /// Sets the object that it waits for, if that is known.
    pub fn waits_for(mut self, object: impl Into<Option<Ref>>) -> Self {
        self.finding.waits_for = object.into().or(self.finding.waits_for);
        self
    }

    /// Sets that the object that it waits for works, as far as can be seen.
    pub fn works(mut self) -> Self {
        self.works = true;
        self
    }

    /// Sets the finalizer that holds its objects.
    pub fn finalizer(mut self, key: &str) -> Self {
        self.finding.finalizer = Some(key.into());
        self
    }

    /// Sets the facts that were checked without finding a reason.
    pub fn looked_at(mut self, what: Option<Sentence>) -> Self {
        self.finding.looked_at = what;
        self
    }

    /// Sets the controller that should release its objects.
    pub fn controller(mut self, controller: Controller) -> Self {
        self.finding.controller = Some(controller);
        self
    }

    /// Sets the chain of links that must work, down to the first that does not.
    pub fn chain(mut self, links: Vec<Link>) -> Self {
        self.set_chain(links);
        self
    }

    /// Like [`Self::chain`], in place.
    pub fn set_chain(&mut self, links: Vec<Link>) {
        let is_object = |link: &&Link| link.object.kind != "Namespace" && !link.object.name.starts_with('/');
        let broken = links.iter().find(|link| link.state == LinkState::Broken).filter(is_object);
        self.finding.broken_link = broken.map(|link| link.object.clone());
        self.finding.chain = links;
    }

    /// Sets the objects that wait for the same cause; the first is the subject.
    pub fn objects(mut self, objects: Vec<Ref>) -> Self {
        self.finding.objects = objects;
        self
    }

    /// Makes it likely: the evidence points there but proves nothing.
    pub fn likely(mut self) -> Self {
        self.finding.certainty = Certainty::Likely;
        self.why(Why::Likely)
    }

    /// Sets how well the reason is known, unless less is known already.
    pub fn why(mut self, why: Why) -> Self {
        self.finding.why = self.finding.why.max(why);
        self
    }

    /// Makes it underway: nothing is broken by itself, and it continues when something else has
    /// happened.
    pub fn underway(mut self) -> Self {
        self.finding.root = false;
        self
    }

    /// Makes it underway, without any write until then.
    pub fn follows(mut self) -> Self {
        self.give_way();
        self
    }

    /// Removes the evidence from a field.
    pub fn without(mut self, field: &str) -> Self {
        self.finding.evidence.retain(|evidence| evidence.field.as_deref() != Some(field));
        self
    }

    /// Sets that it only says that nothing is late yet.
    pub fn on_time(mut self) -> Self {
        self.finding.on_time = true;
        self
    }

    /// Sets that another order of deletion avoids it.
    pub fn avoidable(mut self) -> Self {
        self.finding.avoidable = true;
        self
    }

    /// Adds the evidence that `finalizer` keeps `object`, which is being deleted.
    pub fn kept_by(self, finalizer: &str, object: &Ref) -> Self {
        self.evidence(format!("is being deleted and has finalizer {finalizer}"), object, "metadata.finalizers")
    }

    /// Adds evidence, with its object and field.
    pub fn evidence(mut self, text: impl Into<Sentence>, object: &Ref, field: &str) -> Self {
        self.finding.evidence.push(Evidence::read(text, object, field));
        self
    }

    /// Adds evidence before all other evidence, because it is stronger.
    pub fn evidence_first(mut self, text: impl Into<Sentence>, object: &Ref, field: &str) -> Self {
        self.finding.evidence.insert(0, Evidence::read(text, object, field));
        self
    }

    /// Sets that the last evidence says no more than the line.
    pub fn in_summary(mut self) -> Self {
        if let Some(last) = self.finding.evidence.last_mut() {
            last.in_summary = true;
        }
        self
    }

    /// Adds a text as evidence, and repeats it.
    pub fn quoted(self, text: impl Into<Sentence>, object: &Ref, field: &str) -> Self {
        let text = text.into();
        self.evidence(&text, object, field).quoting(text, Some(object))
    }

    /// Adds a message as evidence, and quotes its reason.
    pub fn message(self, message: &str, object: &Ref, field: &str) -> Self {
        let source = format!("{object} {field}");
        let words = Sentence::quoted(reason(message), &source);
        self.evidence(Sentence::quoted(message, source), object, field).quoting(words, Some(object))
    }

    /// Sets a message, as it was read in `object`, unless one is set; it is the first that the line does not
    /// repeat.
    pub fn quoting(mut self, words: impl Into<Sentence>, object: Option<&Ref>) -> Self {
        self.finding.says.get_or_insert_with(|| Said { words: words.into(), object: object.cloned() });
        self
    }

    /// Sets the setter of the finalizer of `object`, and how long ago that was, in words.
    pub fn set_by(mut self, by: SetBy, when: &str, object: &Ref) -> Self {
        self = self.evidence(format!("set by {}{when}", by.manager), object, "metadata.managedFields");
        self.finding.set_by = Some(by);
        self
    }

    /// Sets the product that the finalizer belongs to.
    pub fn product(mut self, name: &str, controller: &str) -> Self {
        let is_its_controller = controller.eq_ignore_ascii_case(name);
        self.finding.product = Some(Product { name: name.into(), controller: controller.into(), is_its_controller });
        self.remark(format!("belongs to {name}, released by {controller}"))
    }

    /// Sets what the finalizer guards.
    pub fn guards(mut self, what: &str) -> Self {
        self.finding.guards = Some(what.into());
        self.remark(format!("guards: {what}"))
    }

    /// Adds the external resource that `object` represents, according to one of its fields.
    pub fn outside(mut self, what: &str, object: &Ref, field: &str) -> Self {
        self.finding.outside.push(Outside { what: what.into(), object: object.clone() });
        self.evidence(format!("outside the cluster: {what}"), object, field)
    }

    /// Its line.
    pub fn summary(&self) -> &Sentence {
        &self.finding.summary
    }

    /// Replaces its line.
    pub fn says(mut self, summary: impl Into<Sentence>) -> Self {
        (self.finding.summary, self.waiting) = (summary.into(), Waiting::default());
        self
    }

    /// Adds evidence that is no field of an object.
    pub fn remark(mut self, text: impl Into<Sentence>) -> Self {
        self.finding.evidence.push(Evidence { text: text.into(), object: None, field: None, in_summary: false });
        self
    }

    /// Adds a remedy before all others.
    pub fn remedy_first(mut self, remedy: Remedy) -> Self {
        self.remedies.insert(0, remedy);
        self
    }

    /// Adds a remedy before the removal of a finalizer.
    pub fn remedy_before_removal(mut self, remedy: Remedy) -> Self {
        let removes = |it: &Remedy| it.steps.iter().any(|step| step.kind() == StepKind::RemoveFinalizer);
        let place = self.remedies.iter().position(removes).unwrap_or(self.remedies.len());
        self.remedies.insert(place, remedy);
        self
    }

    /// Adds a remedy after the others; milder ones come first.
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }

    /// Adds remedies after the others.
    pub fn remedies(mut self, remedies: impl IntoIterator<Item = Remedy>) -> Self {
        self.remedies.extend(remedies);
        self
    }

    /// Adds something for each item: for several items, or for one that may be absent.
    pub fn with_each<T>(self, items: impl IntoIterator<Item = T>, add: impl FnMut(Self, T) -> Self) -> Self {
        items.into_iter().fold(self, add)
    }
}
