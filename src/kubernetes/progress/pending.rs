//! The other effects of a controller that comes back: it finishes every deletion that waits for it,
//! in all namespaces, and not only those of the report.

use crate::facts::{Facts, Gap, Known, Readable, for_each, is_namespace};
use crate::knowledge::catalogue::{self, CatalogueEntry};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::namespaces::is_closed;
use crate::kubernetes::ownership::drivers::{is_any_drivers, is_served_by_another};
use crate::kubernetes::ownership::reach::Reach;
use crate::report::{Deletion, Ref};
use crate::survey::{Form, Object, Reason, Resource, ResourceId, Seen, Unread, is_collectors};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// How many kinds are searched.
const MAX_KINDS: usize = 100;
/// Kinds of the core group with many objects, on which nobody's data depends.
const CROWDED: [&str; 4] = ["pods", "events", "secrets", "configmaps"];
/// The crowded kinds that operators keep beside their own objects. They are searched in the
/// namespaces of a finding's objects only, not in the whole cluster.
const BESIDE: [&str; 2] = ["secrets", "configmaps"];
/// How many namespaces are searched for these kinds.
const MAX_PLACES: usize = 3;

/// How many namespaces are checked for being deleted themselves.
const MAX_BEYOND: usize = 20;

/// How many things of a kind are named.
pub(crate) const MAX_NAMED: usize = 3;

/// The deletions that wait for a controller besides those of a finding.
#[derive(Debug)]
pub(crate) struct Pending {
    /// How many there are.
    pub(crate) count: usize,
    /// How many places the deletions are in, those of the finding included. A place is a namespace,
    /// or the cluster itself. The number does not depend on the targets.
    pub(crate) places: usize,
    /// How many of them are not among the targets.
    pub(crate) unasked: usize,
    /// The first few deletions that are not among the targets; those that destroy something come
    /// first.
    pub(crate) named: Vec<Deletion>,
    /// The things that are destroyed, each once: by deletions among the targets, and by others.
    pub(crate) destroyed: [Vec<&'static str>; 2],
    /// The kinds that could not be searched, with the reason.
    pub(crate) unread: Vec<String>,
}

/// The controller whose pending deletions are searched.
struct DeletionsOf<'f> {
    finalizer: &'f str,
    entry: Option<&'static CatalogueEntry>,
    workload: &'f str,
    kind: &'f Resource,
    reach: Rc<Reach>,
    /// The namespaces of the finding's objects.
    places: BTreeSet<&'f str>,
}

/// The deletions in all namespaces, besides those of `objects`, that wait for the controller `workload`,
/// which should remove `finalizer` from `objects`.
pub(crate) fn besides(objects: &[Seen<'_>], finalizer: &str, workload: Seen<'_>, facts: &Facts<'_>) -> Known<Pending> {
    Ok(deletions(objects, finalizer, workload, facts)?.besides(objects))
}

fn deletions(
    objects: &[Seen<'_>],
    finalizer: &str,
    workload: Seen<'_>,
    facts: &Facts<'_>,
) -> Known<Rc<PendingDeletions>> {
    let Seen { resource: kind, object: first } = objects[0];
    let reach = Reach::of(workload, first.metadata.namespace.as_deref(), facts)?;
    let entry = catalogue::lookup(finalizer);
    let places = objects.iter().filter_map(|seen| seen.object.metadata.namespace.as_deref());
    let places: BTreeSet<&str> = if finalizer.is_empty() { BTreeSet::new() } else { places.take(MAX_PLACES).collect() };
    let whose = DeletionsOf { finalizer, entry, workload: workload.object.name(), kind, reach, places };
    let key = format!("{finalizer} {} {} {} {:?}", whose.kind.id, Ref::from(workload), whose.reach.key, whose.places);
    facts.once(&key, || PendingDeletions::of(&whose, workload.object, facts))
}

/// The first deletion that waits for the controller, is of another kind than `objects`, destroys
/// something or may destroy it, and would not be finished with its namespace anyway.
pub(crate) fn beyond(
    objects: &[Seen<'_>],
    finalizer: &str,
    workload: Seen<'_>,
    facts: &Facts<'_>,
) -> Known<Option<Ref>> {
    let all = deletions(objects, finalizer, workload, facts)?;
    let is_alike = |kind: &ResourceId| objects.iter().any(|seen| seen.resource.id == *kind);
    let others = all.destroying_by_kind.iter().filter(|(kind, _)| !is_alike(kind)).flat_map(|(_, first)| first);
    let stays = |first: &&Ref| !first.namespace.as_deref().is_some_and(|name| is_closed(name, facts));
    // All are requested before the first answer counts: the namespaces are read in one round.
    let stay: Vec<&Ref> = others.map(|(_, first)| first).take(MAX_BEYOND).filter(stays).collect();
    Ok(stay.first().copied().cloned())
}

/// All deletions that wait for `workload`, in all namespaces.
pub(crate) fn all(workload: Seen<'_>, facts: &Facts<'_>) -> Known<Pending> {
    besides(&[workload], "", workload, facts)
}

/// All deletions that wait for a controller: computed once for all findings.
#[derive(Debug, Default)]
struct PendingDeletions {
    /// Each of them, and whether it is among the targets.
    found: Vec<(Deletion, bool)>,
    /// Their places: namespaces, and the cluster itself.
    places: BTreeSet<Option<String>>,
    by_uid: HashMap<String, Vec<usize>>,
    /// Those that are not among the targets: the ones that destroy something or may, and the others.
    destroying: Vec<usize>,
    harmless: Vec<usize>,
    /// The things that are destroyed by deletions among the targets, and by the others.
    destroyed: [IndexMap<&'static str, Vec<usize>>; 2],
    /// The first deletion in each place that destroys something or may, by kind.
    destroying_by_kind: BTreeMap<ResourceId, BTreeMap<Option<String>, Ref>>,
    unread: Vec<String>,
}

/// The place of an object, whose content one request deletes: its namespace, or itself if it is a
/// namespace.
fn place(seen: Seen<'_>) -> Option<String> {
    let own = is_namespace(seen.resource).then(|| seen.object.name().to_owned());
    own.or_else(|| seen.object.metadata.namespace.as_deref().map(ToOwned::to_owned))
}

impl PendingDeletions {
    fn of(whose: &DeletionsOf<'_>, workload: &Object, facts: &Facts<'_>) -> Known<Self> {
        let kinds = whose.kinds(facts);
        let mut all = Self { unread: whose.reach.unread.clone(), ..Self::default() };
        let everywhere = kinds.iter().take(MAX_KINDS).map(|kind| (*kind, None, Form::Deleting));
        let beside = whose.beside(facts);
        let beside =
            beside.iter().flat_map(|kind| whose.places.iter().map(|place| (*kind, Some(*place), Form::Metadata)));
        for_each(everywhere.chain(beside), |(kind, place, form)| {
            let going = match facts.list(&kind.id, place, form).surveyed()? {
                Ok(objects) => objects.iter().filter(|object| object.is_deleting()),
                Err(Gap { why, .. }) => {
                    let why = Unread { message: String::new(), ..why };
                    all.unread.extend((why.reason != Reason::NotServed).then(|| format!("{}: {why}", kind.id)));
                    return Ok(());
                }
            };
            for_each(going, |object| all.add(whose, workload, Seen { resource: kind, object }, facts))
        })?;
        if kinds.len() > MAX_KINDS {
            all.unread.push(format!("more kinds, too many to list ({})", kinds.len() - MAX_KINDS));
        }
        Ok(all)
    }

    /// Adds an object that is being deleted, if it waits for the controller.
    fn add(&mut self, whose: &DeletionsOf<'_>, workload: &Object, seen: Seen<'_>, facts: &Facts<'_>) -> Known {
        let run: Vec<&String> = whose.run_of(seen.resource, seen.object).collect();
        if run.is_empty()
            || run.iter().all(|finalizer| is_any_drivers(finalizer))
                && is_served_by_another(seen, workload, facts).if_readable()? == Some(true)
        {
            return Ok(());
        }
        let entries: Vec<Option<&CatalogueEntry>> = run.iter().map(|finalizer| catalogue::lookup(finalizer)).collect();
        let destroyed = entries.iter().find_map(|entry| (*entry)?.if_finished);
        let destroys = destroyed.is_some() || entries.iter().any(Option::is_none);
        let (number, is_asked) = (self.found.len(), facts.is_asked_about(seen));
        if destroys {
            let of_kind = self.destroying_by_kind.entry(seen.resource.id.clone()).or_default();
            of_kind.entry(place(seen)).or_insert_with(|| seen.into());
        }
        if !is_asked {
            if destroys { &mut self.destroying } else { &mut self.harmless }.push(number);
        }
        if let Some(text) = destroyed {
            self.destroyed[usize::from(!is_asked)].entry(text).or_default().push(number);
        }
        self.places.insert(place(seen));
        let deletion = Deletion { object: seen.into(), since: seen.object.deletion_asked() };
        self.found.push((deletion, is_asked));
        self.by_uid.entry(seen.object.uid().to_owned()).or_default().push(number);
        Ok(())
    }

    /// The deletions besides those of `objects`. The time that this takes depends on the number of
    /// `objects` only.
    fn besides(&self, objects: &[Seen<'_>]) -> Pending {
        let own = objects.iter().filter_map(|seen| self.by_uid.get(seen.object.uid())).flatten().copied();
        let own: HashSet<usize> = own.collect();
        let rest = |numbers: &'_ [usize]| -> Vec<usize> {
            numbers.iter().copied().filter(|number| !own.contains(number)).take(MAX_NAMED).collect()
        };
        let own_unasked = own.iter().filter(|number| !self.found[**number].1).count();
        let named = rest(&self.destroying).into_iter().chain(rest(&self.harmless)).take(MAX_NAMED);
        let name = |number: usize| self.found[number].0.clone();
        let destroyed = self.destroyed.each_ref().map(|texts| {
            let mut texts: Vec<(usize, &str)> =
                texts.iter().filter_map(|(text, numbers)| Some((*rest(numbers).first()?, *text))).collect();
            texts.sort_unstable();
            texts.into_iter().map(|(_, text)| text).collect()
        });
        // The finding's deletions also count if their kind cannot be listed.
        let going = objects.iter().filter(|seen| seen.object.is_deleting()).map(|seen| place(*seen));
        let unlisted: BTreeSet<Option<String>> = going.filter(|place| !self.places.contains(place)).collect();
        Pending {
            count: self.found.len() - own.len(),
            places: self.places.len() + unlisted.len(),
            unasked: self.destroying.len() + self.harmless.len() - own_unasked,
            named: named.map(name).collect(),
            destroyed,
            unread: self.unread.clone(),
        }
    }
}

impl DeletionsOf<'_> {
    /// The kinds that the controller may work on: the held one, those in the catalogue, the rest of the
    /// API group if that is a product's own, and all that it may write or that were installed with it.
    fn kinds<'s>(&self, facts: &Facts<'s>) -> Vec<&'s Resource> {
        let entries = catalogue::entries().iter().filter(|entry| self.is_of(entry));
        let of_catalogue: BTreeSet<&str> = entries.flat_map(|entry| entry.kinds.iter().copied()).collect();
        let mut kinds: Vec<(usize, &Resource)> = facts
            .discovery()
            .listable()
            .filter_map(|resource| {
                let crowded = resource.id.group.is_empty() && CROWDED.contains(&resource.id.plural.as_str());
                let near = if resource.id.is(&self.kind.id.group, &self.kind.id.plural) {
                    0
                } else if of_catalogue.contains(resource.kind.as_str()) && !crowded {
                    1
                } else if self.is_own(resource) {
                    2
                } else if self.reach.names(resource) && !crowded {
                    3
                } else if self.reach.holds(resource) && is_custom(&resource.id.group) {
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

    /// The crowded kinds that a role of the controller names, since it keeps something in them.
    fn beside<'s>(&self, facts: &Facts<'s>) -> Vec<&'s Resource> {
        let kinds = BESIDE.iter().filter_map(|plural| facts.preferred("", plural));
        kinds.filter(|kind| kind.id != self.kind.id && self.reach.names(kind)).collect()
    }

    /// Whether the catalogue says that the controller removes this finalizer.
    fn is_of(&self, entry: &CatalogueEntry) -> bool {
        // Installers put the name of a release before the controller's.
        let is_name = |name: &str| {
            let before = self.workload.strip_suffix(name);
            before.is_some_and(|before| before.is_empty() || before.ends_with('-') && name.contains('-'))
        };
        let has_its_names = |own: &CatalogueEntry| !own.names.is_empty() && own.names == entry.names;
        let is_own = |own: &CatalogueEntry| std::ptr::eq(own, entry) || has_its_names(own);
        self.entry.is_some_and(is_own) || entry.names.iter().any(|name| is_name(name))
    }

    /// Whether a kind is in the product's own API groups: that of the held kind, and those that the
    /// finalizer names.
    fn is_own(&self, resource: &Resource) -> bool {
        let group = &resource.id.group;
        let named = domain(self.finalizer).and_then(|domain| group.strip_suffix(domain));
        let named = named.is_some_and(|before| before.is_empty() || before.ends_with('.'));
        is_custom(&resource.id.group) && (named || *group == self.kind.id.group)
    }

    /// The finalizers of an object that the controller may have to remove. On a custom kind that is its
    /// own, or that it may write, they include each finalizer that the catalogue does not know.
    fn run_of<'o>(&'o self, resource: &'o Resource, object: &'o Object) -> impl Iterator<Item = &'o String> {
        let own_group = self.is_own(resource);
        let in_reach = own_group || (is_custom(&resource.id.group) && self.reach.holds(resource));
        let runs = move |finalizer: &&String| {
            if *finalizer == self.finalizer {
                return true;
            }
            match (catalogue::lookup(finalizer), self.entry) {
                _ if is_collectors(finalizer) => false,
                (Some(entry), _) if self.is_of(entry) => true,
                (Some(entry), Some(own)) => in_reach && own.product == entry.product,
                (Some(_), None) => own_group,
                (None, _) if !is_custom(&resource.id.group) => {
                    domain(finalizer).is_some() && domain(finalizer) == domain(self.finalizer)
                }
                (None, _) => in_reach,
            }
        };
        object.metadata.finalizers.iter().filter(runs)
    }
}

/// `acme.io` for `acme.io/backup`.
fn domain(finalizer: &str) -> Option<&str> {
    finalizer.split('/').next().filter(|domain| domain.contains('.'))
}
