//! Objects in the rest of the cluster that lose their controller with the target: nothing gets stuck
//! now, but everything that is deleted later does.

use crate::facts::{All, Facts, Known, Readable, for_each};
use crate::kubernetes::control_plane::releases;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::ownership::access;
use crate::kubernetes::ownership::access::Lets;
use crate::needs::Going;
use crate::reasons::find;
use crate::report::Ref;
use crate::survey::{Form, Object, Resource, Seen};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The kinds of workloads that run controllers.
const WORKLOADS: [&str; 3] = ["deployments", "statefulsets", "daemonsets"];
/// How many kinds are searched.
const MAX_KINDS: usize = 20;
/// How many finalizers of each kind are checked for their controllers.
const MAX_FINALIZERS: usize = 3;

/// Whether an object is a workload that may run a controller.
pub(super) fn runs(seen: &Seen<'_>) -> bool {
    seen.resource.id.group == "apps" && WORKLOADS.contains(&&*seen.resource.id.plural)
}

/// The remaining objects that lose the controller of their finalizers.
pub(super) fn stranded<'s>(homes: &BTreeSet<&str>, going: &Going<'_>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let mut known = BTreeSet::new();
    Ok(lost(homes, going, facts)?.into_iter().filter(|seen| known.insert(seen.object.uid())).collect())
}

fn lost<'s>(homes: &BTreeSet<&str>, going: &Going<'_>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let mut found = Vec::new();
    for_each(homes, |home| {
        let kinds = written_from(home, facts)?;
        for_each(kinds, |kind| {
            // Objects that lose their controller count in the verdict, and an unread list may contain such objects.
            let objects = facts.list(&kind.id, None, Form::Metadata).or_note(facts)?.unwrap_or_default();
            for_each(held(kind, objects, going), |(finalizer, objects)| {
                if loses(finalizer, &objects, going, facts).or_note(facts)?.flatten().is_some() {
                    found.extend(objects);
                }
                Ok(())
            })
        })
    })?;
    Ok(found)
}

/// The remaining objects, by finalizer.
fn held<'s>(resource: &'s Resource, objects: &'s [Object], going: &Going<'_>) -> Vec<(&'s str, Vec<Seen<'s>>)> {
    let mut by_finalizer: BTreeMap<&str, Vec<Seen<'s>>> = BTreeMap::new();
    let stays =
        |object: &&Object| !going.holds(object.metadata.namespace.as_deref()) && !going.uids.contains(object.uid());
    for object in objects.iter().filter(stays) {
        for finalizer in object.metadata.finalizers.iter().filter(|key| !releases(key)) {
            by_finalizer.entry(finalizer).or_default().push(Seen { resource, object });
        }
    }
    by_finalizer.into_iter().take(MAX_FINALIZERS).collect()
}

fn loses<'s>(finalizer: &str, objects: &[Seen<'s>], going: &Going<'_>, facts: &Facts<'s>) -> Known<Option<Ref>> {
    let held = HeldObjects::read_whole(objects, facts)?;
    let found = find(finalizer, &held, facts)?;
    Ok(found.profile.controller.workload.filter(|workload| going.takes(workload)))
}

/// The kinds of definitions that service accounts of a namespace may write everywhere, by roles that
/// name their groups.
pub(super) fn written_from<'s>(namespace: &str, facts: &Facts<'s>) -> Known<Vec<&'s Resource>> {
    let (roles, bindings) = access::roles_and_bindings(None, facts);
    let (roles, bindings) = (roles.or_note(facts), bindings.or_note(facts)).all()?;
    let (roles, bindings) = (roles.unwrap_or_default(), bindings.unwrap_or_default());
    let bound: BTreeSet<&str> = bindings
        .iter()
        .filter(|binding| binding.array("/subjects").iter().any(|subject| is_of(subject, namespace)))
        .filter_map(|binding| binding.text("/roleRef/name"))
        .collect();
    let granted: Vec<&Value> =
        roles.iter().filter(|role| bound.contains(role.name())).flat_map(|role| role.array("/rules")).collect();
    let custom = |resource: &&Resource| is_custom(&resource.id.group) && resource.can("delete");
    // An account that may write everything need not be a controller.
    let written =
        |resource: &&Resource| granted.iter().any(|rule| access::lets_write(rule, &resource.id) == Some(Lets::Named));
    Ok(facts.discovery().listable().filter(custom).filter(written).take(MAX_KINDS).collect())
}

fn is_of(subject: &Value, namespace: &str) -> bool {
    let text = |field: &str| subject.get(field).and_then(Value::as_str);
    text("kind") == Some("ServiceAccount") && text("namespace") == Some(namespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_service_accounts_live_in_a_namespace() {
        let account = json!({"kind": "ServiceAccount", "namespace": "ops", "name": "operator"});
        assert!(is_of(&account, "ops") && !is_of(&account, "shop"));
        assert!(!is_of(&json!({"kind": "User", "namespace": "ops", "name": "carl"}), "ops"));
    }
}
