//! What a product consists of: what goes when it is removed, what the installer would leave, and
//! what only carries its marks.

use super::find::{Installed, Rows, counts};
use super::installer::{Installer, Role, label};
use super::inventory::Inventory;
use super::table::owner;
use crate::facts::{Facts, Known, Readable, each, flat_each, is_namespace};
use crate::survey::{Object, ResourceId, Seen};
use std::collections::{BTreeSet, HashMap, HashSet};

/// An object with the marks of a product that did not come with it, as far as can be seen.
pub(crate) struct Apart<'s> {
    pub(crate) seen: Seen<'s>,
    pub(crate) why: String,
}

/// What a product consists of.
#[derive(Default)]
pub(crate) struct Made<'s> {
    /// The installer's own objects that do not go with another one of them.
    pub(crate) own: Vec<Seen<'s>>,
    /// The last of them that removes what it has made.
    pub(crate) remover: Option<Seen<'s>>,
    /// The installer's own objects that only count what is there.
    pub(crate) counts: Vec<Seen<'s>>,
    /// What it has made and would remove.
    pub(crate) members: Vec<Seen<'s>>,
    /// What it has made and would leave, and why.
    pub(crate) keeps: Vec<(Seen<'s>, &'static str)>,
    /// What carries its marks and is listed apart.
    pub(crate) apart: Vec<Apart<'s>>,
    /// Why the deletion of its own object would leave everything.
    pub(crate) stays: Option<&'static str>,
}

/// Where the installer's own objects lead.
#[derive(Default)]
struct Led<'s> {
    /// The uids of everything that is known to belong to the product.
    known: HashSet<&'s str>,
    /// What they own and list.
    members: Vec<Seen<'s>>,
    /// The objects with a label that they name.
    labelled: Vec<Seen<'s>>,
    /// The namespaces that they name.
    namespaces: HashSet<&'s str>,
    /// Whether everything that they have made is listed.
    is_listed: bool,
    /// Why their deletion would leave everything.
    stays: Option<&'static str>,
}

/// The namespaces that the system has for itself, in which charts grant rights: no tenant writes
/// there.
const SYSTEM: [&str; 2] = ["kube-system", "kube-public"];

/// Looks up what a product consists of.
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

/// Follows the installer's own objects to what they own and list.
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

/// Tells the installer's own objects that are deleted from those that go with them.
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
        homes: homes(product, marked, led),
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
    /// Who has written the most of them.
    managers: BTreeSet<String>,
    /// The namespaces of the product.
    homes: HashSet<&'p str>,
    /// Whether what is in a namespace counts only where the product is known to be: without the
    /// installer's own object, marks alone would tell it.
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
        let namespace = seen.object.metadata.namespace.as_deref()?;
        if self.homes.is_empty() {
            return self.need_a_home.then(|| format!("nothing else of the product is in namespace {namespace}"));
        }
        (!self.homes.contains(namespace) && !SYSTEM.contains(&namespace))
            .then(|| format!("namespace {namespace} is not that of the product"))
    }
}

/// The namespaces of a product: those that its installer names or has made, and that of its name. This
/// may be where the installer's own object is, or was, and nothing else: then those of its workloads,
/// else of their accounts, and while it is being taken out, of what is left. Anybody makes a `ConfigMap`.
fn homes<'p>(product: &'p Installed<'_>, marked: &'p [Seen<'_>], led: &'p Led<'_>) -> HashSet<&'p str> {
    let all = || marked.iter().chain(&led.members);
    let namespaces = all().filter(|seen| is_namespace(seen.resource)).map(|seen| seen.object.name());
    let mut homes: HashSet<&str> = namespaces.chain(product.mark.namespace.as_deref()).collect();
    homes.extend(&led.namespaces);
    if product.mark.namespace.is_none() || !product.installer.own.is_empty() {
        let kinds: [fn(&ResourceId) -> bool; 3] = [
            |id| id.group == "apps",
            |id| id.group.is_empty() && id.plural == "serviceaccounts",
            |id| !id.is_private(),
        ];
        let of = |is_it: fn(&ResourceId) -> bool| -> HashSet<&str> {
            let them = all().filter(|seen| is_it(&seen.resource.id));
            them.filter_map(|seen| seen.object.metadata.namespace.as_deref()).collect()
        };
        homes.extend(kinds.into_iter().map(of).find(|found| !found.is_empty()).unwrap_or_default());
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
