//! What a product consists of: what goes when it is removed, what the installer would leave, and
//! what only carries its marks.

use super::find::{Installed, Rows};
use super::installer::label;
use super::inventory::Inventory;
use super::olm;
use super::table::owner;
use crate::facts::{Facts, Known, Readable, each, flat_each, is_namespace};
use crate::survey::{Object, Seen};
use std::collections::{BTreeSet, HashMap, HashSet};

/// An object with the marks of a product that did not come with it, as far as can be seen.
pub(crate) struct Apart<'s> {
    pub(crate) seen: Seen<'s>,
    pub(crate) why: String,
}

/// What a product consists of.
#[derive(Default)]
pub(crate) struct Made<'s> {
    /// The installer's own objects that nothing else of them owns.
    pub(crate) own: Vec<Seen<'s>>,
    /// What it has made and would remove.
    pub(crate) members: Vec<Seen<'s>>,
    /// What it has made and would leave, and why.
    pub(crate) keeps: Vec<(Seen<'s>, &'static str)>,
    /// What carries its marks and is listed apart.
    pub(crate) apart: Vec<Apart<'s>>,
    /// Why the deletion of its own object would leave everything.
    pub(crate) stays: Option<&'static str>,
}

/// The namespaces that the system has for itself, in which charts grant rights: no tenant writes
/// there.
const SYSTEM: [&str; 2] = ["kube-system", "kube-public"];

/// Looks up what a product consists of.
///
/// # Errors
/// When some of it was not surveyed yet.
pub(crate) fn made<'s>(product: &Installed<'s>, rows: &Rows<'s>, facts: &Facts<'s>) -> Known<Made<'s>> {
    let mut made = Made::default();
    let mut known: HashSet<&str> = product.own.iter().map(|seen| seen.object.uid()).collect();
    let mut next = product.own.clone();
    let mut inventories = false;
    let mut members: Vec<Seen<'s>> = Vec::new();
    while let Some(seen) = next.pop() {
        let mut more: Vec<Seen<'s>> = rows.of(seen).iter().filter(|it| goes_with(**it, &known)).copied().collect();
        if let Some(installer) = owner(seen)
            && let Some(whole) = facts.whole(seen)?
        {
            let inventory = (installer.inventory)(whole);
            made.stays = made.stays.or(inventory.stays);
            let entries = listed(seen, &inventory, facts)?;
            inventories |= !entries.is_empty();
            more.extend(entries);
            if let Some((key, value)) = inventory.label {
                more.extend(rows.all.iter().filter(|it| label(&it.object.metadata, key) == Some(value)));
            }
        }
        for it in more {
            if known.insert(it.object.uid()) {
                members.push(it);
                next.push(it);
            }
        }
    }
    let marked: Vec<Seen<'s>> = product.marked.iter().filter(|it| known.insert(it.object.uid())).copied().collect();
    let (marked, apart) = sorted(product, &marked, inventories, &members, facts)?;
    made.apart = apart;
    members.extend(marked);
    let is_owned =
        |seen: &&Seen<'s>| seen.object.metadata.owner_references.iter().any(|it| known.contains(it.uid.as_str()));
    made.own = product.own.iter().filter(|seen| !is_owned(seen) && !olm::is_summary(**seen)).copied().collect();
    made.own.sort_by_key(|seen| product.installer.place_of(*seen));
    for seen in members {
        match (product.installer.keeps)(&seen.object.metadata) {
            Some(why) => made.keeps.push((seen, why)),
            None => made.members.push(seen),
        }
    }
    Ok(made)
}

/// Everything that an installer's own object lists and that exists.
fn listed<'s>(seen: Seen<'s>, inventory: &Inventory<'_>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let around = seen.object.metadata.namespace.as_deref();
    let found = flat_each(&inventory.entries, |entry| entry.seen(around, facts))?;
    Ok(found.into_iter().filter(|entry| entry.object.uid() != seen.object.uid()).collect())
}

/// Whether an object goes with what is known to go: it has no other owner.
fn goes_with(seen: Seen<'_>, known: &HashSet<&str>) -> bool {
    seen.object.metadata.owner_references.iter().all(|owner| known.contains(owner.uid.as_str()))
}

/// Separates what is marked into what came with the product and what did not, as far as can be seen.
/// Who may write an object may mark it.
fn sorted<'s>(
    product: &Installed<'s>,
    marked: &[Seen<'s>],
    inventories: bool,
    members: &[Seen<'s>],
    facts: &Facts<'s>,
) -> Known<(Vec<Seen<'s>>, Vec<Apart<'s>>)> {
    let wholes = each(marked, |seen| Ok(facts.whole(*seen).if_readable()?.flatten()))?;
    let managers: Vec<BTreeSet<String>> = wholes.iter().map(|whole| whole.map(managers).unwrap_or_default()).collect();
    let usual = most_common(managers.iter().flatten());
    let homes = homes(product, marked, members);
    let (mut own, mut apart) = (Vec::new(), Vec::new());
    for (seen, managers) in marked.iter().copied().zip(managers) {
        match why_apart(seen, &managers, &usual, &homes, inventories) {
            Some(why) => apart.push(Apart { seen, why }),
            None => own.push(seen),
        }
    }
    Ok((own, apart))
}

fn why_apart(
    seen: Seen<'_>,
    managers: &BTreeSet<String>,
    usual: &BTreeSet<String>,
    homes: &HashSet<&str>,
    inventories: bool,
) -> Option<String> {
    if inventories {
        return Some("the installer does not list it".into());
    }
    if let (Some(who), Some(others)) = (managers.first(), usual.first())
        && managers.is_disjoint(usual)
    {
        return Some(format!("{who} wrote it, and {others} wrote the others"));
    }
    let namespace = seen.object.metadata.namespace.as_deref()?;
    (!homes.is_empty() && !homes.contains(namespace) && !SYSTEM.contains(&namespace))
        .then(|| format!("namespace {namespace} is not that of the product"))
}

/// The namespaces of a product: that of its name, those of its own objects and those that come with
/// it; else those of its workloads.
fn homes<'p>(product: &'p Installed<'_>, marked: &'p [Seen<'_>], members: &'p [Seen<'_>]) -> HashSet<&'p str> {
    let all = || marked.iter().chain(members);
    let namespaces = all().filter(|seen| is_namespace(seen.resource)).map(|seen| seen.object.name());
    let mut homes: HashSet<&str> = namespaces.chain(product.mark.namespace.as_deref()).collect();
    if product.mark.namespace.is_none() {
        let workloads = all().filter(|seen| seen.resource.id.group == "apps");
        homes.extend(workloads.filter_map(|seen| seen.object.metadata.namespace.as_deref()));
    }
    homes
}

/// Who has written an object, but for its status.
fn managers(object: &Object) -> BTreeSet<String> {
    let status: HashSet<String> = object.status_written_by().map(|it| it.name).collect();
    let all: Vec<String> = object.managers().map(|it| it.name).collect();
    let others: BTreeSet<String> = all.iter().filter(|name| !status.contains(*name)).cloned().collect();
    if others.is_empty() { all.into_iter().collect() } else { others }
}

/// Those that have written the most objects: of several all of them.
fn most_common<'n>(names: impl Iterator<Item = &'n String>) -> BTreeSet<String> {
    let mut counts: HashMap<&String, usize> = HashMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    let most = counts.values().copied().max();
    counts.into_iter().filter(|(_, count)| Some(*count) == most).map(|(name, _)| name.clone()).collect()
}
