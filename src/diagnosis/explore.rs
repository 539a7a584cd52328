//! Runs the rules for an object, and follows the needs of their findings until nothing new has to be
//! explained: objects that are deleted first, kinds that controllers must be able to list, and APIs
//! that must answer.

use super::missing_pods;
use crate::facts::{Facts, Gap, Known, Readable, Target, is_namespace};
use crate::needs::{Draft, Explains, Findings, NotRead, Rule};
use crate::report::{Need, Ref};
use crate::rules::RULES;
use crate::survey::{Form, Object, Resource, ResourceId, Seen, Survey, TargetName};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How many objects are diagnosed because a target waits for them. The next survey, after their deletion,
/// shows the others.
const MAX_FOLLOWED: usize = 50;
/// How many kinds are listed as controllers list them.
const MAX_KINDS: usize = 10;

/// Adds the findings about everything that the findings for `target` depend on.
pub(super) fn onward(target: &TargetName, facts: &Facts<'_>, survey: &Survey, found: &mut Findings) {
    let mut exploration = Exploration {
        target,
        facts,
        survey,
        objects: [target.clone()].into(),
        kinds: BTreeSet::new(),
        is_ordered: false,
    };
    found.following = true;
    let (mut objects, mut drafts, mut done) = (0, 0, false);
    loop {
        if let Some(name) = found.followed.get(objects).cloned() {
            objects += 1;
            exploration.deleted(&name, found);
        } else if let Some(draft) = found.drafts.get(drafts) {
            drafts += 1;
            for need in draft.further().to_vec() {
                exploration.explore(&need, found);
            }
        } else if std::mem::replace(&mut done, true) || found.explains_it() {
            return;
        } else {
            // If the facts give no reason, the kinds that could not be read may be the reason.
            facts.failing().iter().for_each(|kind| exploration.readable(kind, found));
        }
    }
}

/// The state of the exploration for one target.
struct Exploration<'a, 's> {
    target: &'a TargetName,
    facts: &'a Facts<'s>,
    survey: &'s Survey,
    objects: BTreeSet<TargetName>,
    kinds: BTreeSet<ResourceId>,
    is_ordered: bool,
}

impl Exploration<'_, '_> {
    fn explore(&mut self, need: &Need, found: &mut Findings) {
        match need {
            // If the target is a namespace, its content is checked anyway.
            Need::Deleted(object) if !self.is_in_target(object) => found.followed.push(object.target()),
            Need::Readable(kind) => self.readable(kind, found),
            Need::Serving(api) if api.kind == "APIService" => self.serving(need, found),
            // Other rules report these, or the needs above them do.
            _ => {}
        }
    }

    fn is_in_target(&self, object: &Ref) -> bool {
        is_namespace(&resource_of(self.target, self.survey)) && object.namespace.as_deref() == Some(&self.target.name)
    }

    /// Runs the rules for an object that must be deleted first, if it is being deleted.
    fn deleted(&mut self, name: &TargetName, found: &mut Findings) {
        if self.objects.len() > MAX_FOLLOWED || !self.objects.insert(name.clone()) {
            return;
        }
        let read = self.facts.get_or_metadata(&name.want()).ok_or_note(self.facts).flatten();
        if let Some(object) = read.filter(|object| object.is_deleting()) {
            self.order_target(found);
            run_rules(Seen { resource: &resource_of(name, self.survey), object }, self.facts, found);
        }
    }

    /// Reads the order in which the objects of the target itself are deleted: it matters as soon as other
    /// objects are checked as well.
    fn order_target(&mut self, found: &mut Findings) {
        if std::mem::replace(&mut self.is_ordered, true) {
            return;
        }
        if let Ok(Some(object)) = read(self.target, self.facts) {
            let resource = resource_of(self.target, self.survey);
            rings(&Target { seen: Seen { resource: &resource, object } }, self.facts, true, found);
        }
    }

    /// Lists a kind as its controllers do, and finds out why it cannot be listed. The result is only
    /// likely, since nothing shows which kinds a controller lists.
    fn readable(&mut self, kind: &ResourceId, found: &mut Findings) {
        if self.kinds.len() >= MAX_KINDS || !self.kinds.insert(kind.clone()) {
            return;
        }
        let Some(resource) = self.facts.discovery().resources.iter().find(|resource| resource.id == *kind) else {
            return;
        };
        if let Ok(Err(Gap { why, .. })) = self.facts.list(kind, None, Form::Cached).surveyed() {
            let explained = why_unreadable(&NotRead { kind: resource, object: None, why: &why }, self.facts);
            found
                .drafts
                .extend(explained.into_iter().map(|draft| draft.explains(Need::Readable(kind.clone())).likely()));
        }
    }

    /// Finds out why an API does not answer. The result is only likely, since it rests on one message.
    fn serving(&self, need: &Need, found: &mut Findings) {
        if found.drafts.iter().any(|draft| draft.needs().contains(need)) {
            return;
        }
        let drafts = why_unserved(self.facts).into_iter();
        found.drafts.extend(drafts.filter(|draft| draft.needs().contains(need)).map(Draft::likely));
    }
}

/// The findings of a rule, under its name.
pub(super) fn under_its_name(
    rule: &'static str,
    drafts: impl IntoIterator<Item = Draft>,
) -> impl Iterator<Item = Draft> {
    drafts.into_iter().map(move |mut draft| {
        draft.finding.rule = rule;
        draft
    })
}

/// The target as the survey shows it; `None` if it does not exist.
pub(super) fn read<'s>(name: &TargetName, facts: &Facts<'s>) -> Known<Option<&'s Object>> {
    let want = name.want();
    facts.get(&want.resource, want.namespace.as_deref(), &name.name, want.form)
}

/// The rules' explanations of the APIs that do not answer.
fn why_unserved(facts: &Facts<'_>) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (rule, explains) in RULES.iter().flat_map(Rule::explained) {
        let Explains::Serving(explain) = explains else { continue };
        drafts.extend(under_its_name(rule, explain(&[], facts).ok_or_note(facts).into_iter().flatten()));
    }
    missing_pods::look(&mut drafts, facts).ok_or_note(facts);
    drafts
}

/// The rules' explanations of an object or a kind that cannot be read.
pub(super) fn why_unreadable(unreadable: &NotRead<'_>, facts: &Facts<'_>) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (rule, explains) in RULES.iter().flat_map(Rule::explained) {
        let Explains::Readable(explain) = explains else { continue };
        drafts.extend(under_its_name(rule, explain(unreadable, facts).ok_or_note(facts).flatten()));
    }
    drafts
}

/// The resource of a target; one that discovery does not contain keeps the name that was requested.
pub(crate) fn resource_of<'s>(name: &TargetName, survey: &'s Survey) -> Cow<'s, Resource> {
    let known = survey.discovery.resources.iter().find(|resource| resource.id == name.resource);
    let unknown = || Resource {
        id: name.resource.clone(),
        kind: name.resource.plural.clone(),
        namespaced: name.namespace.is_some(),
        singular: String::new(),
        short_names: Vec::new(),
        verbs: Vec::new(),
    };
    known.map_or_else(|| Cow::Owned(unknown()), Cow::Borrowed)
}

pub(crate) fn run_rules(seen: Seen<'_>, facts: &Facts<'_>, found: &mut Findings) {
    let target = Target { seen };
    let start = found.drafts.len();
    rings(&target, facts, found.is_following(), found);
    for (rule, explain) in RULES.iter().filter_map(|rule| Some((rule, rule.of_target()?))) {
        let before = found.drafts.len();
        explain(&target, facts, found).ok_or_note(facts);
        for draft in &mut found.drafts[before..] {
            draft.finding.rule = rule.name;
        }
        // Without its namespace, no controller can act on an object: no other finding holds.
        if found.is_stranded_since(start) {
            return;
        }
    }
    let mut drafts = found.drafts.split_off(start);
    missing_pods::look(&mut drafts, facts).ok_or_note(facts);
    found.drafts.append(&mut drafts);
}

/// Asks the rules for the order of deletions, finds the rings in it, and has the rules explain the new
/// ones. `others_too` says that other objects were checked besides the target.
fn rings(target: &Target<'_>, facts: &Facts<'_>, others_too: bool, found: &mut Findings) {
    let mut waits = Vec::new();
    for (_, explains) in RULES.iter().flat_map(Rule::explained) {
        let Explains::Order(order) = explains else { continue };
        waits.extend(order(target, facts, others_too).ok_or_note(facts).unwrap_or_default());
    }
    for ring in found.ordered(waits) {
        for (rule, explains) in RULES.iter().flat_map(Rule::explained) {
            let Explains::Ring(explain) = explains else { continue };
            found.drafts.extend(under_its_name(rule, explain(&ring, facts).ok_or_note(facts).flatten()));
        }
    }
}
