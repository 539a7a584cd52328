//! Other users of a product's kinds: by owner references, by permissions, by names.

use super::elsewhere;
use crate::facts::{Facts, Known, Readable, for_each};
use crate::installers::{Installed, Made, Rows};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::users::names_it;
use crate::kubernetes::ownership::access;
use crate::report::{InstalledKind, ObjectNote, Ref, and_more};
use crate::survey::{Form, Object, Resource, Seen};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How many users are reported.
const MAX_USERS: usize = 50;
/// How many kinds of other products are searched for names.
const MAX_KINDS: usize = 4;
/// How many objects of a kind are compared.
const MAX_OBJECTS: usize = 200;

/// The users of the kinds that `made` defines.
pub(super) fn of<'s>(
    made: &Made<'s>,
    kinds: &[InstalledKind],
    rows: &Rows<'s>,
    found: &[Installed<'s>],
    facts: &Facts<'s>,
) -> Known<Vec<ObjectNote>> {
    let members = || made.own.iter().chain(&made.members).chain(made.keeps.iter().map(|(seen, _)| seen));
    let own: HashSet<&str> = members().map(|seen| seen.object.uid()).collect();
    let kinds: HashSet<&str> = kinds.iter().map(|kind| kind.resource.as_str()).collect();
    let served: Vec<&Resource> =
        facts.discovery().listable().filter(|resource| kinds.contains(resource.id.short().as_str())).collect();
    let is_ours = |resource: &Resource| served.iter().any(|kind| kind.id == resource.id);
    if served.is_empty() {
        return Ok(Vec::new());
    }
    let instances: Vec<Seen<'s>> = rows.all.iter().filter(|seen| is_ours(seen.resource)).copied().collect();
    let by_owner = owners(&instances, rows, &own, &is_ours);
    let accounts = accounts(&served, rows, &own, facts)?;
    let named = names(&instances, &accounts, &is_ours, facts)?;
    let of_accounts = accounts.into_iter().map(|(seen, role, kind)| {
        let product = found.iter().find(|it| it.has(seen.object.uid()));
        let product = product.map(|it| format!(", of {}", it.words())).unwrap_or_default();
        note(seen, format!("{role} lets it use {kind}{product}"))
    });
    Ok(by_owner.into_iter().chain(named).chain(of_accounts).take(MAX_USERS).collect())
}

fn note(seen: Seen<'_>, why: String) -> ObjectNote {
    ObjectNote { object: seen.into(), why: why.into() }
}

/// Objects of other kinds that own one of these: their controller creates them again, or misses
/// them.
fn owners<'s>(
    instances: &[Seen<'s>],
    rows: &Rows<'s>,
    own: &HashSet<&str>,
    is_ours: &impl Fn(&Resource) -> bool,
) -> Vec<ObjectNote> {
    let wanted: HashSet<&str> =
        instances.iter().flat_map(|seen| &seen.object.metadata.owner_references).map(|it| it.uid.as_str()).collect();
    let is_other = |seen: &&Seen<'s>| !own.contains(seen.object.uid()) && !is_ours(seen.resource);
    let owners: HashMap<&str, Seen<'s>> = (rows.all.iter())
        .filter(|seen| wanted.contains(seen.object.uid()))
        .filter(is_other)
        .map(|seen| (seen.object.uid(), *seen))
        .collect();
    let mut owned: BTreeMap<Ref, (Seen<'s>, Vec<Ref>)> = BTreeMap::new();
    for seen in instances {
        for reference in &seen.object.metadata.owner_references {
            if let Some(owner) = owners.get(reference.uid.as_str()) {
                owned.entry((*owner).into()).or_insert_with(|| (*owner, Vec::new())).1.push((*seen).into());
            }
        }
    }
    let all = owned.into_values().map(|(owner, all)| {
        let more = and_more(all.len() - 1);
        note(owner, format!("it owns {}{more}", all[0]))
    });
    all.collect()
}

/// The accounts outside of the product whose roles name one of these kinds, with the role and the kind.
fn accounts<'s>(
    served: &[&'s Resource],
    rows: &Rows<'s>,
    own: &HashSet<&str>,
    facts: &Facts<'s>,
) -> Known<Vec<(Seen<'s>, String, String)>> {
    let (roles, bindings) = access::roles_and_bindings(None, facts);
    let (roles, bindings) = (roles.or_note(facts)?.unwrap_or_default(), bindings.or_note(facts)?.unwrap_or_default());
    let of_role: HashMap<&str, &Resource> = roles
        .iter()
        .filter(|role| role.at("/aggregationRule").is_none())
        .filter_map(|role| Some((role.name(), *served.iter().find(|kind| names_kind(role, kind))?)))
        .collect();
    let mut found: BTreeMap<&str, (Seen<'s>, String, String)> = BTreeMap::new();
    for binding in bindings {
        let role = binding.text("/roleRef/name").unwrap_or_default();
        let Some(kind) = of_role.get(role) else { continue };
        for subject in binding.array("/subjects") {
            let text = |field: &str| subject.get(field).and_then(Value::as_str);
            if text("kind") != Some("ServiceAccount") {
                continue;
            }
            let is_it = |seen: &&Seen<'s>| {
                seen.resource.id.is("", "serviceaccounts")
                    && Some(seen.object.name()) == text("name")
                    && seen.object.metadata.namespace.as_deref() == text("namespace")
            };
            let account = rows.all.iter().find(is_it).filter(|seen| !own.contains(seen.object.uid()));
            if let Some(seen) = account {
                let what = binding.text("/roleRef/kind").unwrap_or("ClusterRole");
                found.entry(seen.object.uid()).or_insert((*seen, format!("{what} {role}"), kind.id.short()));
            }
        }
    }
    Ok(found.into_values().collect())
}

/// Whether a role names a kind. A role for everything does not.
fn names_kind(role: &Object, kind: &Resource) -> bool {
    let has = |rule: &Value, field: &str, wanted: &str| {
        rule.get(field).and_then(Value::as_array).into_iter().flatten().any(|value| value.as_str() == Some(wanted))
    };
    let group = |rule: &Value| has(rule, "apiGroups", &kind.id.group);
    role.array("/rules").iter().any(|rule| group(rule) && has(rule, "resources", &kind.id.plural))
}

/// Objects that name one of these, of the kinds that other products' accounts work on.
fn names<'s>(
    instances: &[Seen<'s>],
    accounts: &[(Seen<'s>, String, String)],
    is_ours: &impl Fn(&Resource) -> bool,
    facts: &Facts<'s>,
) -> Known<Vec<ObjectNote>> {
    let homes: BTreeSet<&str> =
        accounts.iter().filter_map(|(seen, ..)| seen.object.metadata.namespace.as_deref()).collect();
    let mut kinds: Vec<&Resource> = Vec::new();
    for_each(homes, |home| {
        for kind in elsewhere::written_from(home, facts)? {
            if is_custom(&kind.id.group) && !is_ours(kind) && !kinds.iter().any(|known| known.id == kind.id) {
                kinds.push(kind);
            }
        }
        Ok(())
    })?;
    let mut found = Vec::new();
    for_each(kinds.into_iter().take(MAX_KINDS), |resource| {
        let objects = facts.list(&resource.id, None, Form::Whole).or_note(facts)?.unwrap_or_default();
        for object in objects.iter().take(MAX_OBJECTS) {
            let user = Seen { resource, object };
            if let Some(used) = instances.iter().take(MAX_OBJECTS).find(|used| names_it(user, **used)) {
                found.push(note(user, format!("it names {}", Ref::from(*used))));
            }
        }
        Ok(())
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn wildcard_roles_name_no_kind() {
        let kind = Resource::tested("acme.io", "widgets", "Widget", true);
        let role = |group: &str, resource: &str| {
            let rules = json!([{"apiGroups": [group], "resources": [resource], "verbs": ["get"]}]);
            serde_json::from_value::<Object>(json!({"metadata": {"name": "r"}, "rules": rules})).unwrap()
        };
        assert!(names_kind(&role("acme.io", "widgets"), &kind));
        assert!(!names_kind(&role("*", "*"), &kind) && !names_kind(&role("acme.io", "gears"), &kind));
    }
}
