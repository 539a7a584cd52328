//! The tree of owners and dependents around an object, with whatever holds those that are being
//! deleted.

use crate::diagnosis::answer::Diagnosis;
use crate::diagnosis::explore::{read, resource_of};
use crate::diagnosis::targets::diagnose;
use crate::facts::{Dependent, Facts, Known, Readable, refers_rightly};
use crate::kubernetes::garbage_collection::{Hindrance, hindrance, standing, unlisted_dependents, upward};
use crate::report::{Finding, Node, OwnerState, OwnershipReport, Propagation, Ref, Reference, Report, State};
use crate::rules;
use crate::survey::file::API_VERSION;
use crate::survey::{
    FOREGROUND, Form, ORPHAN, Object, Resource, Seen, Survey, TargetName, Unread, Want, deletes_dependents, has,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// How many levels of dependents a tree has.
const MAX_DEPTH: usize = 64;
/// How many levels of owners a tree has: fewer, since each may take a read of its own.
const MAX_HEIGHT: usize = 12;
/// How many objects a tree has.
const MAX_NODES: usize = 20_000;
/// How many owners of one object are read.
const MAX_OWNERS: usize = 100;
/// How many dependents with several owners are checked for their other owners.
const MAX_SHARED: usize = 200;
/// How many objects are read whole, for their conditions: each takes a read.
const MAX_WHOLE: usize = 50;
/// How many objects that are being deleted are diagnosed.
const MAX_DIAGNOSED: usize = 50;

/// The trees of `targets`, and the reads that would make them final. With `anywhere`, dependents are
/// searched in all namespaces.
#[must_use]
pub fn trees(survey: &Survey, targets: &[TargetName], anywhere: bool) -> (OwnershipReport, BTreeSet<Want>) {
    let facts = rules::facts(survey);
    let mut tree = Tree {
        facts: &facts,
        anywhere,
        expanded: HashSet::new(),
        terminating: Vec::new(),
        room: MAX_NODES,
        shared: MAX_SHARED,
        whole: MAX_WHOLE,
        not_looked_at: BTreeSet::new(),
    };
    let mut nodes: Vec<Node> = targets.iter().map(|target| tree.target(target, survey)).collect();
    let (terminating, not_looked_at) = (tree.terminating, tree.not_looked_at);
    let Diagnosis { report, wants: mut wanted } = diagnose(survey, &terminating);
    judge(&mut nodes, &report);
    let (wants, unread) = facts.into_wants();
    wanted.extend(wants);
    let unread: BTreeSet<_> = unread.into_iter().chain(report.unread).collect();
    let report = OwnershipReport {
        api_version: API_VERSION,
        kind: "Ownership",
        taken_at: survey.taken_at,
        context: survey.context.clone(),
        server: survey.server.clone(),
        targets: nodes,
        findings: report.findings.into_iter().map(|finding| Finding { remedies: Vec::new(), ..finding }).collect(),
        unread: unread.into_iter().collect(),
        not_looked_at: not_looked_at.into_iter().collect(),
    };
    (report, wanted)
}

/// A tree under construction.
struct Tree<'f, 's> {
    facts: &'f Facts<'s>,
    anywhere: bool,
    /// The objects whose dependents are in this target's tree already.
    expanded: HashSet<&'s str>,
    terminating: Vec<TargetName>,
    room: usize,
    shared: usize,
    /// How many more objects may be read whole.
    whole: usize,
    not_looked_at: BTreeSet<String>,
}

impl<'s> Tree<'_, 's> {
    fn target(&mut self, name: &TargetName, survey: &'s Survey) -> Node {
        self.expanded.clear();
        let resource = self.facts.discovery().resources.iter().find(|resource| resource.id == name.resource);
        let named = || Ref::named(&resource_of(name, survey), name);
        match (read(name, self.facts).ok_or_note(self.facts), resource) {
            (Some(Some(object)), Some(resource)) => {
                let seen = Seen { resource, object };
                let mut node = self.node(seen, None);
                node.owners = self.owners(object, &mut vec![object.uid()]);
                node.more += object.metadata.owner_references.len().saturating_sub(MAX_OWNERS);
                self.grow(&mut node, seen, 0);
                node
            }
            (Some(None), _) => plain(named().missing(), OwnerState::Missing, None),
            (Some(_), None) => plain(named(), OwnerState::UnknownKind, None),
            (None, _) => plain(named(), OwnerState::Unread, None),
        }
    }

    /// An object without its owners and dependents.
    fn node(&mut self, seen: Seen<'s>, reference: Option<&OwnerReference>) -> Node {
        let object = seen.object;
        self.room = self.room.saturating_sub(1);
        let state = if object.is_deleting() { OwnerState::Terminating } else { OwnerState::Present };
        let mut node = plain(seen.into(), state, reference);
        node.since = object.deletion_asked();
        node.created = object.metadata.creation_timestamp;
        node.ready = self.ready(seen);
        node.finalizers.clone_from(&object.metadata.finalizers);
        if object.is_deleting() {
            node.propagation = propagation(object);
            let name = TargetName::of(&seen.resource.id, object);
            if self.terminating.len() >= MAX_DIAGNOSED {
                self.not_looked_at
                    .insert(format!("what holds the objects being deleted after the first {MAX_DIAGNOSED}"));
            } else if !self.terminating.contains(&name) {
                self.terminating.push(name);
            }
        }
        node
    }

    /// Whether an object is Ready, by its conditions; `None` if it has none, or there are too many objects.
    fn ready(&mut self, seen: Seen<'s>) -> Option<String> {
        self.whole = self.whole.checked_sub(1)?;
        let (id, object) = (&seen.resource.id, seen.object);
        let read = self.facts.get(id, object.metadata.namespace.as_deref(), object.name(), Form::Whole);
        // An unread object says nothing about ownership.
        let whole = read.ok().flatten()?;
        let condition = whole.condition("Ready").or_else(|| whole.condition("Available"))?;
        let status = condition.status();
        let reason = condition.reason();
        Some(if status == "True" || reason.is_empty() { status.to_owned() } else { format!("{status} ({reason})") })
    }

    /// The owners of an object, upward; `below` are the uids on the path down.
    fn owners(&mut self, object: &'s Object, below: &mut Vec<&'s str>) -> Vec<Node> {
        let namespace = object.metadata.namespace.as_deref();
        let references = object.metadata.owner_references.iter().take(MAX_OWNERS);
        references.map(|reference| self.owner(reference, namespace, below, true)).collect()
    }

    fn owner(
        &mut self,
        reference: &'s OwnerReference,
        namespace: Option<&str>,
        below: &mut Vec<&'s str>,
        upward: bool,
    ) -> Node {
        let mut object = upward::named(reference, namespace, self.facts);
        if below.contains(&reference.uid.as_str()) {
            return explained(plain(object, OwnerState::Cycle, Some(reference)));
        }
        let standing = standing(reference, namespace, self.facts).ok_or_note(self.facts);
        let (mut state, seen) = standing.unwrap_or((OwnerState::Unread, None));
        if let Some(seen) = seen {
            let mut node = self.node(seen, Some(reference));
            if !upward {
                return node;
            }
            if below.len() < MAX_HEIGHT && self.room > 0 {
                below.push(&reference.uid);
                node.owners = self.owners(seen.object, below);
                below.pop();
            } else {
                node.more += seen.object.metadata.owner_references.len();
            }
            return node;
        }
        if matches!(state, OwnerState::Missing | OwnerState::Replaced)
            && let Ok(Some(elsewhere)) = upward::elsewhere(reference, namespace, self.facts)
        {
            (object, state) = (elsewhere, OwnerState::OtherNamespace);
        }
        explained(plain(object.missing_if(state == OwnerState::Missing), state, Some(reference)))
    }

    /// Adds the dependents of an object, downward.
    fn grow(&mut self, node: &mut Node, seen: Seen<'s>, depth: usize) {
        if !self.expanded.insert(seen.object.uid()) {
            node.elsewhere = true;
            return;
        }
        let Some(dependents) = self.dependents(seen).ok_or_note(self.facts) else { return };
        if depth >= MAX_DEPTH || self.room == 0 {
            node.more += dependents.len();
            return;
        }
        for (place, dependent) in dependents.iter().enumerate() {
            if self.room == 0 {
                node.more += dependents.len() - place;
                return;
            }
            let child = self.dependent(*dependent, seen, depth);
            node.dependents.push(child);
        }
    }

    fn dependent(&mut self, dependent: Dependent<'s>, owner: Seen<'s>, depth: usize) -> Node {
        let object = dependent.seen.object;
        let mut node = self.node(dependent.seen, Some(dependent.reference));
        node.blocks = dependent.blocks() && deletes_dependents(owner.object);
        node.treatment = self.treatment(dependent, owner);
        if object.metadata.owner_references.len() > 1 && self.shared > 0 {
            self.shared -= 1;
            let others = object.metadata.owner_references.iter().filter(|other| other.uid != owner.object.uid());
            let namespace = object.metadata.namespace.as_deref();
            // The owners of the other owners are not part of this tree.
            let others = others.take(MAX_OWNERS);
            node.owners = others.map(|other| self.owner(other, namespace, &mut Vec::new(), false)).collect();
        }
        if object.uid() == owner.object.uid() {
            node.state = OwnerState::Cycle;
            return explained(node);
        }
        self.grow(&mut node, dependent.seen, depth + 1);
        node
    }

    /// The objects that name `owner`. For a namespaced owner, other namespaces are searched if the user asks
    /// for it, or if no dependent nearby explains why it still exists.
    fn dependents(&mut self, owner: Seen<'s>) -> Known<Vec<Dependent<'s>>> {
        let namespace = owner.object.metadata.namespace.as_deref();
        let near = namespace.map(|namespace| self.facts.dependents_in(namespace)).transpose()?;
        let found = near.as_ref().map(|near| near.of(owner.object)).unwrap_or_default();
        let held = owner.object.is_deleting() && propagation(owner.object).is_some();
        let explained = !held || found.iter().any(Dependent::blocks);
        if let (Some(namespace), Some(near)) = (namespace, &near)
            && explained
            && !self.anywhere
        {
            self.not_looked_at.insert("dependents in other namespaces (-A includes them)".into());
            self.unread(&near.unread(), &format!("in namespace {namespace}"));
            return Ok(found);
        }
        let all = self.facts.dependents_anywhere()?;
        self.unread(&all.unread(), "in all namespaces");
        let mut everywhere = all.of(owner.object);
        let known: HashSet<&str> = everywhere.iter().map(|it| it.seen.object.uid()).collect();
        // A user who may not list everywhere may still list nearby.
        everywhere.extend(found.into_iter().filter(|near| !known.contains(near.seen.object.uid())));
        Ok(everywhere)
    }

    fn unread(&self, kinds: &[(&Resource, &Unread)], place: &str) {
        if let Some((_, why)) = kinds.first() {
            self.facts.note_unread(unlisted_dependents(kinds, place), why);
        }
    }

    /// The garbage collector's treatment of a dependent, if it is unusual.
    fn treatment(&self, dependent: Dependent<'s>, owner: Seen<'s>) -> Option<String> {
        let object = dependent.seen.object;
        let (here, there) = (&object.metadata.namespace, &owner.object.metadata.namespace);
        if here.is_none() && there.is_some() {
            return Some("it is cluster-scoped and its owner is not: the garbage collector never deletes it".into());
        }
        if there.is_some() && here != there {
            return Some(
                "its owner is in another namespace, so it counts as missing and the garbage collector deletes the \
                object"
                    .into(),
            );
        }
        if !refers_rightly(dependent.reference, owner) {
            return Some(format!(
                "names its owner as {} {}, which does not exist: the garbage collector treats the owner as missing",
                dependent.reference.kind, dependent.reference.name
            ));
        }
        if object.is_deleting() || object.metadata.owner_references.len() < 2 || self.shared == 0 {
            return None;
        }
        match hindrance(object, self.facts).ok()? {
            Hindrance::Kept(other) if other.uid != owner.object.uid() && owner.object.is_deleting() => {
                Some(format!("{other} keeps it: the garbage collector only removes this reference"))
            }
            Hindrance::UnknownKind(other) => Some(format!(
                "an owner is of kind {}, which is not served: the garbage collector never deletes it",
                other.kind
            )),
            Hindrance::Unread(other) => Some(format!("could not read whether {other} keeps it")),
            Hindrance::Kept(_) | Hindrance::Impossible(_) | Hindrance::None => None,
        }
    }
}

fn plain(object: Ref, state: OwnerState, reference: Option<&OwnerReference>) -> Node {
    Node {
        object,
        state,
        reference: reference.map(|reference| Reference {
            controller: reference.controller == Some(true),
            block_owner_deletion: reference.block_owner_deletion == Some(true),
        }),
        ..Node::default()
    }
}

fn propagation(object: &Object) -> Option<Propagation> {
    if has(object, FOREGROUND) {
        Some(Propagation::Foreground)
    } else {
        has(object, ORPHAN).then_some(Propagation::Orphan)
    }
}

/// Adds the garbage collector's treatment of an owner, unless the owner simply exists.
fn explained(mut node: Node) -> Node {
    node.treatment = match node.state {
        OwnerState::Missing => Some("counts as missing"),
        OwnerState::Replaced => Some("another object has the name of the owner now, so the owner counts as missing"),
        OwnerState::UnknownKind => Some("its kind is not served: the garbage collector never deletes what it owns"),
        OwnerState::Cycle => Some(
            "a ring: the garbage collector breaks it, unless all of its objects are deleted in the foreground at \
                once",
        ),
        OwnerState::OtherNamespace => Some(
            "its dependent is in another namespace, so the owner counts as missing and the garbage collector deletes \
            the dependent",
        ),
        OwnerState::Impossible => {
            Some("it is namespaced and its dependent is not: the garbage collector never deletes the dependent")
        }
        OwnerState::Present | OwnerState::Terminating | OwnerState::Unread => None,
    }
    .map(Into::into);
    node
}

/// Adds the state and the cause of each deletion to the trees.
fn judge(nodes: &mut [Node], report: &Report) {
    let states: BTreeMap<&str, State> =
        report.targets.iter().map(|target| (target.object.uid.as_str(), target.state)).collect();
    let mut causes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.is_root_cause()) {
        for held in &finding.blocks {
            causes.entry(held.uid.as_str()).or_default().push(finding.id.clone());
        }
    }
    let mut next: Vec<&mut Node> = nodes.iter_mut().collect();
    while let Some(node) = next.pop() {
        if node.since.is_some() {
            node.deletion = states.get(node.object.uid.as_str()).copied();
            node.stuck_on = causes.get(node.object.uid.as_str()).cloned().unwrap_or_default();
        }
        next.extend(node.owners.iter_mut().chain(&mut node.dependents));
    }
}

#[cfg(test)]
mod tests;
