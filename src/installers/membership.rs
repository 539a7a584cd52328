//! Which of the objects with the marks of a product were installed with it, so far as can be seen.

use super::find::Installed;
use super::installer::Installer;
use super::led::Led;
use super::proof::{MarkedObject, SYSTEM, Says, is_out_of_reach, place};
use crate::facts::{Facts, Known, Readable, each, is_namespace};
use crate::kubernetes::ownership::access;
use crate::survey::{Object, ResourceId, Seen, each_text};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Facts about the objects with the marks of a product.
pub(super) struct Others<'p> {
    installer: &'static Installer,
    are_listed: bool,
    are_signed: bool,
    /// The uids of the objects that a record proves to be members.
    proven: &'p HashSet<&'p str>,
    /// The field managers of each object, by its uid.
    managers: HashMap<&'p str, BTreeSet<String>>,
    /// The field managers that wrote the most objects of those that count.
    usual: BTreeSet<String>,
    /// The namespaces of the product.
    homes: HashSet<&'p str>,
    /// The namespace of the product itself, in which its marks suffice.
    home: Option<&'p str>,
    /// The only namespace that those of the objects name that are out of the reach of tenants.
    spoken_of: Option<&'p str>,
    /// Whether a namespaced object counts only in a namespace where the product is known to be: if the
    /// installer's own object is missing, marks alone prove too little.
    need_a_home: bool,
}

impl<'p> Others<'p> {
    /// # Errors
    /// When some of it was not surveyed yet.
    pub(super) fn of<'s: 'p>(
        product: &'p Installed<'s>,
        within: Option<&'p str>,
        marked: &'p [MarkedObject<'s>],
        led: &'p Led<'s>,
        facts: &Facts<'s>,
    ) -> Known<Self> {
        let wholes = each(marked, |it| Ok(facts.whole(it.seen).if_readable()?.flatten()))?;
        let signed = |it: &MarkedObject<'s>| product.installer.signed.is_some_and(|signed| signed(it.seen));
        let within = within.filter(|_| product.mark.namespace.is_none() && product.own.is_empty());
        let homes = within.map_or_else(|| homes(product, marked, led, &wholes), |home| [home].into());
        let managers: HashMap<&str, BTreeSet<String>> = (marked.iter().zip(&wholes))
            .map(|(it, whole)| (it.seen.object.uid(), whole.map(managers).unwrap_or_default()))
            .collect();
        // Nobody's objects elsewhere outvote those of the product.
        let counts = |it: &&MarkedObject<'s>| {
            is_out_of_reach(it.seen) || place(it.seen).is_some_and(|namespace| homes.contains(namespace))
        };
        let voters = marked.iter().filter(counts).flat_map(|it| &managers[it.seen.object.uid()]);
        let usual = most_common(voters);
        let spoken_of = spoken_of(marked, &wholes).filter(|_| product.own.is_empty());
        Ok(Self {
            installer: product.installer,
            are_listed: led.is_listed,
            are_signed: marked.iter().any(signed),
            proven: &product.proven,
            managers,
            usual,
            homes,
            home: product.mark.namespace.as_deref(),
            spoken_of,
            need_a_home: !product.installer.own.is_empty(),
        })
    }

    /// The reason why an object is no member, or `None` if it is one.
    pub(super) fn why_apart(&self, candidate: &MarkedObject<'_>, facts: &Facts<'_>) -> Known<Option<String>> {
        let MarkedObject { seen, says } = *candidate;
        if self.are_listed {
            return Ok(Some("the installer does not list it".into()));
        }
        if self.proven.contains(seen.object.uid()) {
            return Ok(None);
        }
        if !self.installer.is_sure && says == Says::Name {
            return Ok(Some("perhaps: many products have this label, and it names no namespace".into()));
        }
        let signed = self.installer.signed.map(|signed| signed(seen));
        if signed == Some(false) && self.are_signed {
            return Ok(Some("the installer has signed the other objects, but not this one".into()));
        }
        if signed != Some(true)
            && let Some(why) = self.why_elsewhere(seen)
        {
            return Ok(Some(why));
        }
        if says == Says::Name && !self.is_trusted(seen, facts)? {
            let home = self.home.map(|it| format!(" in namespace {it}")).unwrap_or_default();
            return Ok(Some(format!(
                "perhaps: its label or annotation does not say that it belongs to the product{home}"
            )));
        }
        let managers = &self.managers[seen.object.uid()];
        Ok(match (managers.first(), self.usual.first()) {
            (Some(who), Some(others)) if signed != Some(true) && managers.is_disjoint(&self.usual) => {
                Some(format!("{who} wrote it, and {others} wrote the others"))
            }
            _ => None,
        })
    }

    /// The reason why an object is not where the product is.
    fn why_elsewhere(&self, seen: Seen<'_>) -> Option<String> {
        if is_namespace(seen.resource) && !self.homes.contains(seen.object.name()) {
            return Some("no object of the product outside of this namespace names it".into());
        }
        let namespace = place(seen)?;
        if self.homes.is_empty() {
            return self.need_a_home.then(|| format!("nothing else of the product is in namespace {namespace}"));
        }
        (!self.homes.contains(namespace) && !SYSTEM.contains(&namespace))
            .then(|| format!("namespace {namespace} is not that of the product"))
    }

    /// Whether an object that says only the name of the product belongs to it: it is in the product's namespace;
    /// or whoever may write there could delete it anyway; or all objects of that name that are out of the reach of
    /// tenants name that namespace, and no other.
    fn is_trusted(&self, seen: Seen<'_>, facts: &Facts<'_>) -> Known<bool> {
        let is_named = is_out_of_reach(seen)
            && self.spoken_of.is_some_and(|it| self.home.map_or(self.homes.contains(it), |home| home == it));
        match (self.home, place(seen)) {
            _ if is_named => Ok(true),
            (None, Some(namespace)) => Ok(self.homes.contains(namespace)),
            (None, None) => Ok(false),
            (Some(home), namespace) if namespace == Some(home) => Ok(true),
            (Some(home), _) => access::may_delete_from(home, seen, facts),
        }
    }
}

/// The only namespace that the objects name which are out of the reach of tenants: that of an account, of a
/// Service behind a webhook or an API.
fn spoken_of<'p>(marked: &[MarkedObject<'p>], wholes: &[Option<&'p Object>]) -> Option<&'p str> {
    let mut named = BTreeSet::new();
    for (_, whole) in marked.iter().zip(wholes).filter(|(it, _)| is_out_of_reach(it.seen)) {
        whole.iter().flat_map(|whole| whole.body.values()).for_each(|value| namespaces(value, &mut named));
    }
    named.retain(|name| !SYSTEM.contains(name));
    named.first().copied().filter(|_| named.len() == 1)
}

/// The values of all fields called `namespace`.
fn namespaces<'v>(value: &'v Value, found: &mut BTreeSet<&'v str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("namespace").and_then(Value::as_str));
            fields.values().for_each(|value| namespaces(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| namespaces(item, found)),
        _ => {}
    }
}

/// The namespaces of a product: those that its installer names, those that carry its marks and are named
/// by another of its objects, and the namespace in its mark. If the installer has objects of its own,
/// that namespace may hold nothing else; then the namespaces of its workloads count, too, or else those
/// of their accounts, or else, during the removal, those of all that is left. Anyone can create a
/// `ConfigMap`, and some can create a namespace.
fn homes<'p, 's: 'p>(
    product: &'p Installed<'s>,
    marked: &'p [MarkedObject<'s>],
    led: &'p Led<'s>,
    wholes: &[Option<&'s Object>],
) -> HashSet<&'p str> {
    let all = || marked.iter().map(|it| it.seen).chain(led.members.iter().map(|(seen, _)| *seen));
    let is_named = |seen: &Seen<'_>| {
        let name = seen.object.name();
        let is_outside = |it: &Object| it.metadata.namespace.as_deref() != Some(name);
        wholes.iter().flatten().filter(|it| is_outside(it)).flat_map(|it| it.body.values()).any(|value| {
            let mut is_there = false;
            each_text(value, &mut |text| is_there |= text == name);
            is_there
        })
    };
    let namespaces = marked.iter().map(|it| it.seen).filter(|seen| is_namespace(seen.resource)).filter(is_named);
    let created = led.members.iter().map(|(seen, _)| *seen).filter(|seen| is_namespace(seen.resource));
    let namespaces = namespaces.chain(created).map(|seen| seen.object.name());
    let mut homes: HashSet<&str> = namespaces.chain(product.mark.namespace.as_deref()).collect();
    homes.extend(&led.namespaces);
    if product.mark.namespace.is_none() || !product.installer.own.is_empty() {
        let kinds: [fn(&ResourceId) -> bool; 3] =
            [|id| id.group == "apps", |id| id.is("", "serviceaccounts"), |id| !id.is_private()];
        let of = |is_it: fn(&ResourceId) -> bool| -> HashSet<&str> {
            all().filter(|seen| is_it(&seen.resource.id)).filter_map(place).collect()
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
