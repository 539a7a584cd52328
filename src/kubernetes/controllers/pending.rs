//! What else a controller does once it comes back: it finishes every deletion that
//! waits for it, wherever that is, not only those that somebody asked about.

use crate::facts::{Facts, Known, Unknown};
use crate::knowledge::catalogue::{self, Entry};
use crate::kubernetes::controllers::drivers::{is_any_drivers, is_served_by_another};
use crate::kubernetes::controllers::reach::Reach;
use crate::report::Ref;
use crate::survey::{Form, Object, Reason, Resource, Seen, Unread, is_collectors};
use std::collections::BTreeSet;

/// So many kinds are looked through.
const KINDS: usize = 100;
/// Kinds of the core group that there are many of, and that nobody's data hangs on.
const CROWDED: [&str; 4] = ["pods", "events", "secrets", "configmaps"];

/// The deletions that wait for a controller besides those of a finding.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    /// How many.
    pub(crate) count: usize,
    /// Those of them that nobody has asked about here and that destroy something when they
    /// are finished, with what; `None` where that is not known.
    pub(crate) destroying: Vec<(Ref, Option<&'static str>)>,
    /// The others that nobody has asked about.
    pub(crate) harmless: Vec<Ref>,
    /// What the rest of them destroys.
    pub(crate) asked_for: Vec<&'static str>,
    /// What could not be looked through, with the reason.
    pub(crate) unread: Vec<String>,
}

/// Whose deletions are looked for.
struct Whose<'f> {
    finalizer: &'f str,
    entry: Option<&'static Entry>,
    workload: &'f str,
    kind: &'f Resource,
    reach: Reach,
}

/// What waits, in all namespaces, for the controller `workload` that is to take
/// `finalizer` off `objects`, besides these.
///
/// # Errors
/// When some of it was not surveyed yet.
pub(crate) fn besides(objects: &[Seen<'_>], finalizer: &str, workload: Seen<'_>, facts: &Facts<'_>) -> Known<Pending> {
    let Seen { resource: kind, object: first } = objects[0];
    let reach = Reach::of(workload, first.metadata.namespace.as_deref(), facts)?;
    let entry = catalogue::lookup(finalizer);
    let whose = Whose { finalizer, entry, workload: workload.object.name(), kind, reach };
    let kinds = whose.kinds(facts);
    let reads: Vec<_> =
        kinds.iter().take(KINDS).map(|resource| (*resource, facts.list(&resource.id, None, Form::Metadata))).collect();
    let at_hand: BTreeSet<&str> = objects.iter().map(|seen| seen.object.uid()).collect();
    let mut pending = Pending { unread: whose.reach.unread.clone(), ..Pending::default() };
    let mut complete = true;
    for (resource, read) in reads {
        match read {
            Ok(found) => {
                let others = found.iter().filter(|object| object.is_deleting() && !at_hand.contains(object.uid()));
                for seen in others.map(|object| Seen { resource, object }) {
                    let run: Vec<&String> = whose.run_of(resource, seen.object).collect();
                    let shared = !run.is_empty() && run.iter().all(|finalizer| is_any_drivers(finalizer));
                    match if shared { is_served_by_another(seen, workload.object, facts) } else { Ok(false) } {
                        Ok(true) => {}
                        Err(Unknown::NotSurveyed) => complete = false,
                        _ => pending.add(&run, seen, facts),
                    }
                }
            }
            Err(Unknown::Unread { why, .. }) if why.reason == Reason::NotServed => {}
            Err(Unknown::Unread { why, .. }) => {
                let why = Unread { message: String::new(), ..why };
                pending.unread.push(format!("{}: {why}", resource.id));
            }
            Err(Unknown::NotSurveyed) => complete = false,
        }
    }
    if kinds.len() > KINDS {
        pending.unread.push(format!("{} more kinds: too many to look through", kinds.len() - KINDS));
    }
    if complete { Ok(pending) } else { Err(Unknown::NotSurveyed) }
}

/// All that waits for `workload`, in all namespaces.
///
/// # Errors
/// When some of it was not surveyed yet.
pub(crate) fn all(workload: Seen<'_>, facts: &Facts<'_>) -> Known<Pending> {
    besides(&[workload], "", workload, facts)
}

impl Pending {
    /// Adds an object of which it is to take off the finalizers `run`.
    fn add(&mut self, run: &[&String], seen: Seen<'_>, facts: &Facts<'_>) {
        if run.is_empty() {
            return;
        }
        self.count += 1;
        let entries: Vec<Option<&Entry>> = run.iter().map(|finalizer| catalogue::lookup(finalizer)).collect();
        let destroyed = entries.iter().find_map(|entry| (*entry)?.if_finished);
        let is_known = entries.iter().all(Option::is_some);
        if facts.is_asked_about(seen) {
            self.asked_for.extend(destroyed);
        } else if destroyed.is_some() || !is_known {
            self.destroying.push((seen.into(), destroyed));
        } else {
            self.harmless.push(seen.into());
        }
    }
}

impl Whose<'_> {
    /// The kinds that the controller may be at work on: the one that is held, those
    /// of the catalogue, the rest of the API group where that is a product's own, and all
    /// that it may write or that came with it.
    fn kinds<'s>(&self, facts: &Facts<'s>) -> Vec<&'s Resource> {
        let of_catalogue: BTreeSet<&str> = catalogue::entries()
            .iter()
            .filter(|entry| self.is_of(entry))
            .flat_map(|entry| entry.kinds.iter().copied())
            .collect();
        let mut kinds: Vec<(usize, &Resource)> = facts
            .discovery()
            .listable()
            .filter_map(|resource| {
                let crowded = resource.id.group.is_empty() && CROWDED.contains(&resource.id.plural.as_str());
                let same = resource.id.group == self.kind.id.group;
                let near = if same && resource.id.plural == self.kind.id.plural {
                    0
                } else if of_catalogue.contains(resource.kind.as_str()) && !crowded {
                    1
                } else if self.is_own(resource) {
                    2
                } else if self.reach.names(resource) && !crowded {
                    3
                } else if self.reach.holds(resource) && !is_built_in(resource) {
                    4
                } else {
                    return None;
                };
                Some((near, resource))
            })
            .collect();
        kinds.sort_by_key(|(near, _)| *near);
        kinds.into_iter().map(|(_, resource)| resource).collect()
    }

    /// Whether the catalogue says that the controller takes this finalizer off.
    fn is_of(&self, entry: &Entry) -> bool {
        // Installers put the name of a release before it.
        let is_name = |name: &str| {
            let before = self.workload.strip_suffix(name);
            before.is_some_and(|before| before.is_empty() || before.ends_with('-') && name.contains('-'))
        };
        let mut words = entry.controller.split(|part: char| !part.is_ascii_alphanumeric() && !"-.".contains(part));
        self.entry.is_some_and(|own| own.controller == entry.controller)
            || words.any(|word| !word.is_empty() && is_name(word))
    }

    /// Whether a kind is of the product's own API groups: that of the held kind, and
    /// those that the finalizer is named after.
    fn is_own(&self, resource: &Resource) -> bool {
        let group = &resource.id.group;
        let named = domain(self.finalizer).and_then(|domain| group.strip_suffix(domain));
        let named = named.is_some_and(|before| before.is_empty() || before.ends_with('.'));
        !is_built_in(resource) && (named || *group == self.kind.id.group)
    }

    /// The finalizers of an object that the controller may be the one to take off. Of what
    /// is not built in and its own or may be written by it, that is each of which nothing
    /// else is known.
    fn run_of<'o>(&'o self, resource: &'o Resource, object: &'o Object) -> impl Iterator<Item = &'o String> {
        let own_group = self.is_own(resource);
        let in_reach = own_group || (!is_built_in(resource) && self.reach.holds(resource));
        let runs = move |finalizer: &&String| {
            if *finalizer == self.finalizer {
                return true;
            }
            match (catalogue::lookup(finalizer), self.entry) {
                _ if is_collectors(finalizer) => false,
                (Some(entry), _) if self.is_of(entry) => true,
                (Some(entry), Some(own)) => in_reach && own.product == entry.product,
                (Some(_), None) => own_group,
                (None, _) if is_built_in(resource) => {
                    domain(finalizer).is_some() && domain(finalizer) == domain(self.finalizer)
                }
                (None, _) => in_reach,
            }
        };
        object.metadata.finalizers.iter().filter(runs)
    }
}

/// `acme.io` of `acme.io/backup`.
fn domain(finalizer: &str) -> Option<&str> {
    finalizer.split('/').next().filter(|domain| domain.contains('.'))
}

/// Whether a kind is of Kubernetes itself: many controllers work on those.
pub(crate) fn is_built_in(resource: &Resource) -> bool {
    let group = &resource.id.group;
    !group.contains('.') || (group.ends_with(".k8s.io") && !group.ends_with(".x-k8s.io"))
}
