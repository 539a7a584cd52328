//! The objects of a product: those that are deleted when it is removed, those that the installer
//! would leave, and those that only carry its marks.

use super::find::{Installed, Rows, counts};
use super::installer::{Installer, Role, label};
use super::inventory::Inventory;
use super::table::owner;
use crate::facts::{Facts, Known, Readable, each, flat_each, goes_with, is_namespace};
use crate::survey::{Object, ResourceId, Seen, each_text};
use std::collections::{BTreeSet, HashMap, HashSet};

/// An object that has the marks of a product but, so far as can be seen, was not installed with it.
pub(crate) struct Apart<'s> {
    pub(crate) seen: Seen<'s>,
    pub(crate) why: String,
}

/// The objects of a product.
#[derive(Default)]
pub(crate) struct Made<'s> {
    /// The installer's own objects that are not deleted with another one of them.
    pub(crate) own: Vec<Seen<'s>>,
    /// The last of `own` whose deletion removes the product.
    pub(crate) remover: Option<Seen<'s>>,
    /// The installer's own objects that only count the components.
    pub(crate) counts: Vec<Seen<'s>>,
    /// The objects that it created and would remove.
    pub(crate) members: Vec<Seen<'s>>,
    /// The objects that it created and would leave, and why.
    pub(crate) keeps: Vec<(Seen<'s>, &'static str)>,
    /// The objects with its marks that are listed apart.
    pub(crate) apart: Vec<Apart<'s>>,
    /// The reason why the deletion of its own object would leave everything.
    pub(crate) stays: Option<&'static str>,
}

/// The objects reached from the installer's own objects.
#[derive(Default)]
struct Led<'s> {
    /// The uids of everything that is known to belong to the product.
    known: HashSet<&'s str>,
    /// The objects that these own and list.
    members: Vec<Seen<'s>>,
    /// The objects with a label that these name.
    labelled: Vec<Seen<'s>>,
    /// The namespaces that these name.
    namespaces: HashSet<&'s str>,
    /// Whether these list every object that they created.
    is_listed: bool,
    /// The reason why their deletion would leave everything.
    stays: Option<&'static str>,
}

/// The namespaces reserved for Kubernetes itself, in which charts grant permissions: no tenant
/// writes there.
const SYSTEM: [&str; 2] = ["kube-system", "kube-public"];

/// Determines the objects of a product.
///
/// # Errors
/// When some of it was not surveyed yet.
pub(crate) fn made<'s>(product: &Installed<'s>, rows: &Rows<'s>, facts: &Facts<'s>) -> Known<Made<'s>> {
    let mut led = led(product, rows, facts)?;
    let marked = product.marked.iter().chain(&led.labelled).copied();
    let marked: Vec<Seen<'s>> = marked.filter(|it| led.known.insert(it.object.uid())).collect();
    let (marked, apart) = sorted(product, &marked, &led, facts)?;
    let mut made = Made { apart, stays: led.stays, ..Made::default() };
    led.members.extend(marked);
    divide(&product.own, product.installer, &mut led, &mut made);
    for seen in led.members {
        match (product.installer.keeps)(&seen.object.metadata) {
            Some(why) => made.keeps.push((seen, why)),
            None => made.members.push(seen),
        }
    }
    Ok(made)
}

/// Follows the installer's own objects to the objects that they own and list.
fn led<'s>(product: &Installed<'s>, rows: &Rows<'s>, facts: &Facts<'s>) -> Known<Led<'s>> {
    let mut led = Led { known: product.own.iter().map(|seen| seen.object.uid()).collect(), ..Led::default() };
    let mut next = product.own.clone();
    while let Some(seen) = next.pop() {
        let mut more: Vec<Seen<'s>> = rows.of(seen).iter().filter(|it| goes_with(**it, &led.known)).copied().collect();
        if let Some(installer) = owner(seen)
            && let Some(whole) = facts.whole(seen)?
        {
            let inventory = (installer.inventory)(whole);
            led.stays = led.stays.or(inventory.stays);
            let entries = listed(seen, &inventory, facts)?;
            led.is_listed |= !entries.is_empty() && !inventory.is_part;
            more.extend(entries);
            led.namespaces.extend(inventory.namespaces);
            if let Some((key, value)) = inventory.label {
                let has_it = |it: &&Seen<'s>| label(&it.object.metadata, key) == Some(value) && counts(**it);
                led.labelled.extend(rows.all.iter().filter(has_it));
            }
        }
        for it in more {
            if led.known.insert(it.object.uid()) {
                led.members.push(it);
                next.push(it);
            }
        }
    }
    Ok(led)
}

/// Separates the installer's own objects that are to be deleted from those deleted with them.
fn divide<'s>(own: &[Seen<'s>], installer: &Installer, led: &mut Led<'s>, made: &mut Made<'s>) {
    let role = |seen: &Seen<'s>| installer.role_of(*seen);
    let is_owned =
        |seen: &Seen<'s>| seen.object.metadata.owner_references.iter().any(|it| led.known.contains(it.uid.as_str()));
    let removes = own.iter().any(|seen| role(seen) == Role::Removes);
    for seen in own {
        match role(seen) {
            Role::Counts => made.counts.push(*seen),
            Role::Follows if removes => led.members.push(*seen),
            _ if is_owned(seen) => led.members.push(*seen),
            _ => made.own.push(*seen),
        }
    }
    made.own.sort_by_key(|seen| installer.place_of(*seen));
    made.remover = made.own.iter().rfind(|seen| !matches!(role(seen), Role::Asks(_))).copied();
}

/// All existing objects that an installer's own object lists.
fn listed<'s>(seen: Seen<'s>, inventory: &Inventory<'_>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let around = seen.object.metadata.namespace.as_deref();
    let found = flat_each(&inventory.entries, |entry| entry.seen(around, facts))?;
    Ok(found.into_iter().filter(|entry| entry.object.uid() != seen.object.uid()).collect())
}

/// Separates the objects with marks into those that were installed with the product and those that
/// were not, so far as can be seen. Anyone who may write an object may mark it.
fn sorted<'s>(
    product: &Installed<'s>,
    marked: &[Seen<'s>],
    led: &Led<'s>,
    facts: &Facts<'s>,
) -> Known<(Vec<Seen<'s>>, Vec<Apart<'s>>)> {
    let wholes = each(marked, |seen| Ok(facts.whole(*seen).if_readable()?.flatten()))?;
    let managers: Vec<BTreeSet<String>> = wholes.iter().map(|whole| whole.map(managers).unwrap_or_default()).collect();
    let signed = |seen: &Seen<'s>| product.installer.signed.map(|signed| signed(*seen));
    let others = Others {
        are_listed: led.is_listed,
        are_signed: marked.iter().any(|seen| signed(seen) == Some(true)),
        managers: most_common(managers.iter().flatten()),
        homes: homes(product, marked, led, &wholes),
        need_a_home: !product.installer.own.is_empty(),
    };
    let (mut own, mut apart) = (Vec::new(), Vec::new());
    for (seen, managers) in marked.iter().copied().zip(managers) {
        match others.why_apart(seen, signed(&seen), &managers) {
            Some(why) => apart.push(Apart { seen, why }),
            None => own.push(seen),
        }
    }
    Ok((own, apart))
}

/// Facts about the other objects with the marks of a product.
struct Others<'p> {
    are_listed: bool,
    are_signed: bool,
    /// The field managers that wrote the most of them.
    managers: BTreeSet<String>,
    /// The namespaces of the product.
    homes: HashSet<&'p str>,
    /// Whether a namespaced object counts only in a namespace where the product is known to be: if the
    /// installer's own object is missing, marks alone prove too little.
    need_a_home: bool,
}

impl Others<'_> {
    fn why_apart(&self, seen: Seen<'_>, signed: Option<bool>, managers: &BTreeSet<String>) -> Option<String> {
        if self.are_listed {
            return Some("the installer does not list it".into());
        }
        match signed {
            Some(true) => return None,
            Some(false) if self.are_signed => return Some("the installer has signed the others, and not this".into()),
            _ => {}
        }
        if let (Some(who), Some(others)) = (managers.first(), self.managers.first())
            && managers.is_disjoint(&self.managers)
        {
            return Some(format!("{who} wrote it, and {others} wrote the others"));
        }
        if is_namespace(seen.resource) && !self.homes.contains(seen.object.name()) {
            return Some("no object of the product outside of it names it".into());
        }
        let namespace = seen.object.metadata.namespace.as_deref()?;
        if self.homes.is_empty() {
            return self.need_a_home.then(|| format!("nothing else of the product is in namespace {namespace}"));
        }
        (!self.homes.contains(namespace) && !SYSTEM.contains(&namespace))
            .then(|| format!("namespace {namespace} is not that of the product"))
    }
}

/// The namespaces of a product: those that its installer names, those that carry its marks and are named
/// by another of its objects, and the namespace in its mark. If the installer has objects of its own,
/// that namespace may hold nothing else; then the namespaces of its workloads count, too, or else those
/// of their accounts, or else, during the removal, those of all that is left. Anyone can create a
/// `ConfigMap`, and some can create a namespace.
fn homes<'p>(
    product: &'p Installed<'_>,
    marked: &'p [Seen<'_>],
    led: &'p Led<'_>,
    wholes: &[Option<&Object>],
) -> HashSet<&'p str> {
    let all = || marked.iter().chain(&led.members);
    let is_named = |seen: &&Seen<'_>| {
        let name = seen.object.name();
        let outside = wholes.iter().flatten().filter(|it| it.metadata.namespace.as_deref() != Some(name));
        outside.flat_map(|it| it.body.values()).any(|value| {
            let mut is_there = false;
            each_text(value, &mut |text| is_there |= text == name);
            is_there
        })
    };
    let namespaces = marked.iter().filter(|seen| is_namespace(seen.resource)).filter(is_named);
    let created = led.members.iter().filter(|seen| is_namespace(seen.resource));
    let namespaces = namespaces.chain(created).map(|seen| seen.object.name());
    let mut homes: HashSet<&str> = namespaces.chain(product.mark.namespace.as_deref()).collect();
    homes.extend(&led.namespaces);
    if product.mark.namespace.is_none() || !product.installer.own.is_empty() {
        let kinds: [fn(&ResourceId) -> bool; 3] =
            [|id| id.group == "apps", |id| id.is("", "serviceaccounts"), |id| !id.is_private()];
        let of = |is_it: fn(&ResourceId) -> bool| -> HashSet<&str> {
            let them = all().filter(|seen| is_it(&seen.resource.id));
            them.filter_map(|seen| seen.object.metadata.namespace.as_deref()).collect()
        };
        homes.extend(kinds.into_iter().map(of).find(|found| !found.is_empty()).unwrap_or_default());
    }
    homes
}

/// The field managers of an object, except those of its status.
fn managers(object: &Object) -> BTreeSet<String> {
    let status: HashSet<String> = object.status_written_by().map(|it| it.name).collect();
    let all: Vec<String> = object.managers().map(|it| it.name).collect();
    let others: BTreeSet<String> = all.iter().filter(|name| !status.contains(*name)).cloned().collect();
    if others.is_empty() { all.into_iter().collect() } else { others }
}

/// The managers that wrote the most objects; if several wrote as many, all of them.
fn most_common<'n>(names: impl Iterator<Item = &'n String>) -> BTreeSet<String> {
    let mut counts: HashMap<&String, usize> = HashMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    let most = counts.values().copied().max();
    counts.into_iter().filter(|(_, count)| Some(*count) == most).map(|(name, _)| name.clone()).collect()
}
