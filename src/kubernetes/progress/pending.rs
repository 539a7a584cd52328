//! What else a controller does once it comes back: it finishes every deletion that
//! waits for it, wherever that is, not only those that somebody asked about.

use crate::facts::{Facts, Gap, Known, Readable, for_each};
use crate::knowledge::catalogue::{self, Entry};
use crate::kubernetes::ownership::drivers::{is_any_drivers, is_served_by_another};
use crate::kubernetes::ownership::reach::Reach;
use crate::report::Ref;
use crate::survey::{Form, Object, Reason, Resource, Seen, Unread, is_collectors};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// How many kinds are looked through.
const MAX_KINDS: usize = 100;
/// Kinds of the core group that there are many of, and that nobody's data hangs on.
const CROWDED: [&str; 4] = ["pods", "events", "secrets", "configmaps"];
/// Those of them that operators keep beside their own objects. They are looked through where the
/// objects of a finding are, and not in the whole cluster.
const BESIDE: [&str; 2] = ["secrets", "configmaps"];
/// How many namespaces are looked through for them.
const MAX_PLACES: usize = 3;

/// How many things of a kind are named.
pub(crate) const MAX_NAMED: usize = 3;

/// The deletions that wait for a controller besides those of a finding.
#[derive(Debug)]
pub(crate) struct Pending {
    /// How many.
    pub(crate) count: usize,
    /// How many of them nobody has asked about here.
    pub(crate) unasked: usize,
    /// The first few of these, those that destroy something before the others.
    pub(crate) named: Vec<Ref>,
    /// Whether one of these destroys something when it is finished, or may.
    pub(crate) destroys_unasked: bool,
    /// What is destroyed, each once, by those that somebody asked about first.
    pub(crate) destroyed: Vec<&'static str>,
    /// The first of which nobody asked about and that destroys what is not known, and how many
    /// there are.
    pub(crate) unknown: Option<(Ref, usize)>,
    /// What could not be looked through, with the reason.
    pub(crate) unread: Vec<String>,
}

/// The controller whose deletions are looked for.
struct DeletionsOf<'f> {
    finalizer: &'f str,
    entry: Option<&'static Entry>,
    workload: &'f str,
    kind: &'f Resource,
    reach: Rc<Reach>,
    /// The namespaces of the objects of the finding.
    places: BTreeSet<&'f str>,
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
    let places = objects.iter().filter_map(|seen| seen.object.metadata.namespace.as_deref());
    let places: BTreeSet<&str> = if finalizer.is_empty() { BTreeSet::new() } else { places.take(MAX_PLACES).collect() };
    let whose = DeletionsOf { finalizer, entry, workload: workload.object.name(), kind, reach, places };
    let key = format!("{finalizer} {} {} {} {:?}", whose.kind.id, Ref::from(workload), whose.reach.key, whose.places);
    let all = facts.once(&key, || Deletions::of(&whose, workload.object, facts))?;
    Ok(all.besides(objects))
}

/// All that waits for `workload`, in all namespaces.
///
/// # Errors
/// When some of it was not surveyed yet.
pub(crate) fn all(workload: Seen<'_>, facts: &Facts<'_>) -> Known<Pending> {
    besides(&[workload], "", workload, facts)
}

/// What becomes of a deletion when it is finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Somebody has asked about it.
    AskedFor,
    /// It destroys something, or nobody knows whether it does.
    Destroying {
        known: bool,
    },
    Harmless,
}

/// All deletions that wait for a controller: worked out once, however many findings ask what
/// waits beside their own.
#[derive(Debug, Default)]
struct Deletions {
    found: Vec<(Ref, Ending)>,
    places: HashMap<String, Vec<usize>>,
    destroying: Vec<usize>,
    harmless: Vec<usize>,
    unknown: Vec<usize>,
    /// What is destroyed by those that were asked about, and by the others.
    destroyed: [Vec<(&'static str, Vec<usize>)>; 2],
    unread: Vec<String>,
}

impl Deletions {
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
            all.unread.push(format!("{} more kinds: too many to look through", kinds.len() - MAX_KINDS));
        }
        Ok(all)
    }

    /// Adds an object that is being deleted, if that waits for the controller.
    fn add(&mut self, whose: &DeletionsOf<'_>, workload: &Object, seen: Seen<'_>, facts: &Facts<'_>) -> Known {
        let run: Vec<&String> = whose.run_of(seen.resource, seen.object).collect();
        if run.is_empty()
            || run.iter().all(|finalizer| is_any_drivers(finalizer))
                && is_served_by_another(seen, workload, facts).if_readable()? == Some(true)
        {
            return Ok(());
        }
        let entries: Vec<Option<&Entry>> = run.iter().map(|finalizer| catalogue::lookup(finalizer)).collect();
        let destroyed = entries.iter().find_map(|entry| (*entry)?.if_finished);
        let is_known = entries.iter().all(Option::is_some);
        let place = self.found.len();
        let end = if facts.is_asked_about(seen) {
            Ending::AskedFor
        } else if destroyed.is_some() || !is_known {
            self.destroying.push(place);
            Ending::Destroying { known: destroyed.is_some() }
        } else {
            self.harmless.push(place);
            Ending::Harmless
        };
        if end == (Ending::Destroying { known: false }) {
            self.unknown.push(place);
        }
        if let Some(text) = destroyed {
            let texts = &mut self.destroyed[usize::from(end != Ending::AskedFor)];
            match texts.iter_mut().find(|(known, _)| *known == text) {
                Some((_, places)) => places.push(place),
                None => texts.push((text, vec![place])),
            }
        }
        self.found.push((seen.into(), end));
        self.places.entry(seen.object.uid().to_owned()).or_default().push(place);
        Ok(())
    }

    /// What is left of it without `objects`. Takes time in the number of these alone.
    fn besides(&self, objects: &[Seen<'_>]) -> Pending {
        let own = objects.iter().filter_map(|seen| self.places.get(seen.object.uid())).flatten().copied();
        let own: HashSet<usize> = own.collect();
        let rest = |places: &'_ [usize]| -> Vec<usize> {
            places.iter().copied().filter(|place| !own.contains(place)).take(MAX_NAMED).collect()
        };
        let left = |places: &[usize], is_one: &dyn Fn(Ending) -> bool| {
            places.len() - own.iter().filter(|place| is_one(self.found[**place].1)).count()
        };
        let destroying = left(&self.destroying, &|end| matches!(end, Ending::Destroying { .. }));
        let unknown = left(&self.unknown, &|end| end == Ending::Destroying { known: false });
        let named = rest(&self.destroying).into_iter().chain(rest(&self.harmless)).take(MAX_NAMED);
        let name = |place: usize| self.found[place].0.clone();
        let mut destroyed = Vec::new();
        for texts in &self.destroyed {
            let mut texts: Vec<(usize, &str)> =
                texts.iter().filter_map(|(text, places)| Some((*rest(places).first()?, *text))).collect();
            texts.sort_unstable();
            destroyed.extend(texts.into_iter().map(|(_, text)| text));
        }
        Pending {
            count: self.found.len() - own.len(),
            unasked: destroying + left(&self.harmless, &|end| end == Ending::Harmless),
            named: named.map(name).collect(),
            destroys_unasked: destroying > 0,
            destroyed,
            unknown: rest(&self.unknown).first().map(|first| (name(*first), unknown)),
            unread: self.unread.clone(),
        }
    }
}

impl DeletionsOf<'_> {
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

    /// The crowded kinds that a role of the controller names: it keeps something in them.
    fn beside<'s>(&self, facts: &Facts<'s>) -> Vec<&'s Resource> {
        let kinds = BESIDE.iter().filter_map(|plural| facts.preferred("", plural));
        kinds.filter(|kind| kind.id != self.kind.id && self.reach.names(kind)).collect()
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

    /// The finalizers of an object that may be the controller's to take off. On a custom kind that
    /// is its own, or that it may write, that includes each finalizer that nothing else is known
    /// of.
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
