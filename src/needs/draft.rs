//! How a finding is written down.

use super::{Graph, Ring};
use crate::report::{
    Cause, Certainty, Controller, Evidence, Finding, Link, Need, NeedState, Ref, Remedy, StepKind, Verb,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A finding in the making.
#[derive(Debug, Clone)]
pub struct Draft {
    pub(crate) finding: Finding,
    pub(crate) remedies: Vec<Remedy>,
    /// What is not met because of it, where that is not its objects themselves.
    explains: Option<Need>,
    /// What is refused of each of its objects.
    refuses: Option<Verb>,
    /// What must be accepted of each of its objects: nothing else is missing.
    accepted: BTreeSet<Verb>,
    /// What else must be met first.
    rests_on: Vec<Need>,
    /// Which of its objects wait for which, where they do for each other.
    ring: Vec<(Ref, Ref)>,
    /// Whether what it waits for does its part, as far as that shows.
    works: bool,
}

impl Draft {
    /// `subject` waits because of `cause`; a root and proven unless said otherwise.
    #[must_use]
    pub fn new(cause: Cause, subject: Ref, summary: impl Into<String>) -> Self {
        let finding = Finding {
            id: String::new(),
            rule: "",
            cause,
            objects: vec![subject.clone()],
            subject,
            waits_for: None,
            finalizer: None,
            root: true,
            on_time: false,
            avoidable: false,
            blocks: Vec::new(),
            certainty: Certainty::Proven,
            summary: summary.into(),
            evidence: Vec::new(),
            chain: Vec::new(),
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
        }
    }

    /// It says why `need` is not met.
    #[must_use]
    pub fn explains(mut self, need: Need) -> Self {
        self.explains = Some(need);
        self
    }

    /// Admission refuses `verb` of each of its objects.
    #[must_use]
    pub fn refuses(mut self, verb: Verb) -> Self {
        self.refuses = Some(verb);
        self
    }

    /// The controller that does the work is there: `verb` has only to be accepted for each object.
    #[must_use]
    pub fn needs_accepted(mut self, verb: Verb) -> Self {
        self.accepted.insert(verb);
        self
    }

    /// It cannot be met before `need` is.
    #[must_use]
    pub fn rests_on(mut self, need: Need) -> Self {
        self.rests_on.push(need);
        self
    }

    /// Its objects wait for each other.
    #[must_use]
    pub fn ring(mut self, ring: &Ring) -> Self {
        self.ring = ring.waits.iter().map(|wait| (wait.waiting.clone(), wait.on.clone())).collect();
        self
    }

    /// What it says is not met, for each of its objects.
    #[must_use]
    pub fn needs(&self) -> Vec<Need> {
        if let Some(need) = &self.explains {
            return vec![need.clone()];
        }
        // One copy for all of the objects.
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

    /// What must be met first, as far as it says so itself.
    #[must_use]
    pub fn further(&self) -> &[Need] {
        &self.rests_on
    }

    /// Whether whoever does the work is there and just waits to be let.
    #[must_use]
    pub fn only_waits(&self) -> bool {
        !self.accepted.is_empty()
    }

    /// Whether it goes on by itself, within its usual time.
    #[must_use]
    pub fn is_on_its_way(&self) -> bool {
        self.finding.cause == Cause::Progressing
    }

    /// Forgets what is said and offered: nobody will see it, but its cause and its objects
    /// lead on to what is still to be read.
    pub fn keep_objects(&mut self) {
        self.finding.evidence = Vec::new();
        self.remedies = Vec::new();
    }

    /// Puts on record how its needs stand, what they rest on, and what rests on them.
    pub fn enter(&self, graph: &mut Graph) {
        if let Some(verb) = self.refuses {
            graph.refuses(verb);
        }
        let behind = self.behind();
        for ((need, _), (on, _)) in behind.iter().zip(behind.iter().skip(1)) {
            graph.rests(need.clone(), on.clone());
        }
        let needs = self.needs();
        // Its chain may begin above what it explains.
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

    /// Whether its objects go only after what it says has happened.
    #[must_use]
    pub fn is_of_its_objects(&self) -> bool {
        self.explains.is_none() && self.finding.cause != Cause::Api
    }

    /// What is needed of what it waits for. An object that uses something or depends on it must go.
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

    /// What stands behind it, one resting on the next, as far as it was followed.
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

    /// What it waits for.
    #[must_use]
    pub fn waits_for(mut self, object: Ref) -> Self {
        self.finding.waits_for = Some(object);
        self
    }

    /// What it waits for does its part, as far as that shows.
    #[must_use]
    pub fn works(mut self) -> Self {
        self.works = true;
        self
    }

    /// The finalizer that holds it.
    #[must_use]
    pub fn finalizer(mut self, key: &str) -> Self {
        self.finding.finalizer = Some(key.into());
        self
    }

    /// The controller that should release it.
    #[must_use]
    pub fn controller(mut self, controller: Controller) -> Self {
        self.finding.controller = Some(controller);
        self
    }

    /// What must work one behind the other, down to the first that does not.
    #[must_use]
    pub fn chain(mut self, links: Vec<Link>) -> Self {
        self.finding.chain = links;
        self
    }

    /// Everything that waits for the same cause; the first is the subject.
    #[must_use]
    pub fn objects(mut self, objects: Vec<Ref>) -> Self {
        self.finding.objects = objects;
        self
    }

    /// The evidence points there but does not prove it.
    #[must_use]
    pub fn likely(mut self) -> Self {
        self.finding.certainty = Certainty::Likely;
        self
    }

    /// It is underway: nothing is broken by itself, and it goes on when something else has
    /// happened.
    #[must_use]
    pub fn underway(mut self) -> Self {
        self.finding.root = false;
        self
    }

    /// The same, and until then nothing is written for it.
    #[must_use]
    pub fn follows(mut self) -> Self {
        self.remedies.retain(|remedy| remedy.steps.is_empty());
        self.underway()
    }

    /// Without what was read in a field.
    #[must_use]
    pub fn without(mut self, field: &str) -> Self {
        self.finding.evidence.retain(|evidence| evidence.field.as_deref() != Some(field));
        self
    }

    /// It says no more than that nothing is late yet.
    #[must_use]
    pub fn on_time(mut self) -> Self {
        self.finding.on_time = true;
        self
    }

    /// It need not happen: another order of deletion avoids it.
    #[must_use]
    pub fn avoidable(mut self) -> Self {
        self.finding.avoidable = true;
        self
    }

    /// What was read, in which object and field.
    #[must_use]
    pub fn evidence(mut self, text: impl Into<String>, object: &Ref, field: &str) -> Self {
        let field = (!field.is_empty()).then(|| field.to_owned());
        self.finding.evidence.push(Evidence { text: text.into(), object: Some(object.clone()), field });
        self
    }

    /// What weighs more than all evidence so far.
    #[must_use]
    pub fn evidence_first(mut self, text: impl Into<String>, object: &Ref, field: &str) -> Self {
        let field = (!field.is_empty()).then(|| field.to_owned());
        self.finding.evidence.insert(0, Evidence { text: text.into(), object: Some(object.clone()), field });
        self
    }

    /// Its line.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.finding.summary
    }

    /// Its line in other words.
    #[must_use]
    pub fn says(mut self, summary: impl Into<String>) -> Self {
        self.finding.summary = summary.into();
        self
    }

    /// Evidence that is no field of an object.
    #[must_use]
    pub fn remark(mut self, text: impl Into<String>) -> Self {
        self.finding.evidence.push(Evidence { text: text.into(), object: None, field: None });
        self
    }

    /// What is to be done before all other ways to let go of it.
    #[must_use]
    pub fn remedy_first(mut self, remedy: Remedy) -> Self {
        self.remedies.insert(0, remedy);
        self
    }

    /// What is to be made sure of before a finalizer is removed.
    #[must_use]
    pub fn remedy_before_removal(mut self, remedy: Remedy) -> Self {
        let removes = |it: &Remedy| it.steps.iter().any(|step| step.kind == StepKind::RemoveFinalizer);
        let place = self.remedies.iter().position(removes).unwrap_or(self.remedies.len());
        self.remedies.insert(place, remedy);
        self
    }

    /// The next way to let go of it, milder ones first.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }
}
