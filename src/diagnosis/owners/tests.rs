//! Trees of a few objects, and of very many.

use super::*;
use crate::survey::{Form, InMemory, Reason, Resource, ResourceId};
use serde_json::{Value, json};

fn config_maps() -> ResourceId {
    ResourceId::new("", "v1", "configmaps")
}

/// A cluster with these objects in the namespace `shop`.
fn cluster(objects: Vec<Value>) -> InMemory {
    let kinds =
        [Resource::tested("", "configmaps", "ConfigMap", true), Resource::tested("", "namespaces", "Namespace", false)];
    let shop = ("namespaces", json!({"metadata": {"name": "shop", "uid": "ns"}}));
    let objects = objects.into_iter().map(|object| ("configmaps", object));
    InMemory::holding("2026-01-02T00:00:00Z", kinds, objects.chain([shop]))
}

fn config_map(name: &str, owner: Option<&str>, finalizers: &[&str]) -> Value {
    let owners: Vec<Value> = owner
        .map(|owner| json!({"apiVersion": "v1", "kind": "ConfigMap", "name": owner, "uid": owner, "blockOwnerDeletion": true}))
        .into_iter()
        .collect();
    json!({"metadata": {"name": name, "namespace": "shop", "uid": name, "ownerReferences": owners,
        "finalizers": finalizers, "deletionTimestamp": "2026-01-01T00:00:00Z"}})
}

fn named(name: &str) -> TargetName {
    TargetName { resource: config_maps(), namespace: Some("shop".into()), name: name.into() }
}

/// Asks until nothing more is wanted, which must not take many rounds. Returns the last answer.
fn told<T>(cluster: &InMemory, mut ask: impl FnMut(&Survey) -> (T, BTreeSet<Want>)) -> T {
    let mut rounds = 0;
    let told = cluster.told(|survey| {
        rounds += 1;
        ask(survey)
    });
    assert!(rounds <= 16, "{rounds} rounds");
    told
}

#[test]
fn a_chain_of_thousands_is_followed_to_its_end() {
    let length = 1000;
    let name = |number: usize| format!("c{number}");
    let mut chain: Vec<Value> = (0..length)
        .map(|number| config_map(&name(number), (number > 0).then(|| name(number - 1)).as_deref(), &[FOREGROUND]))
        .collect();
    chain.push(config_map("end", Some(&name(length - 1)), &["acme.io/hold"]));
    let cluster = cluster(chain);
    let targets = [named("c0")];
    let report = told(&cluster, |survey| {
        let diagnosis = diagnose(survey, &targets);
        (diagnosis.report, diagnosis.wants)
    });
    let roots: Vec<&Finding> = report.findings.iter().filter(|finding| finding.root).collect();
    assert_eq!(roots.len(), 1, "{roots:#?}");
    assert_eq!(roots[0].subject.name, "end");
    assert_eq!(report.targets[0].state, State::Stuck);
    let tree = told(&cluster, |survey| trees(survey, &targets, false));
    assert_eq!(tree.nodes().map(|node| node.more).sum::<usize>(), 1);
    assert_eq!(tree.targets[0].deletion, Some(State::Stuck));
}

#[test]
fn thousands_of_owners_and_dependents_take_no_time() {
    let mut objects: Vec<Value> = (0..4000).map(|n| config_map(&format!("d{n}"), Some("owner"), &[])).collect();
    objects.push(config_map("owner", Some("owner"), &[FOREGROUND]));
    let cluster = cluster(objects);
    let tree = told(&cluster, |survey| trees(survey, &[named("owner")], false));
    let owner = &tree.targets[0];
    assert_eq!((owner.dependents.len(), owner.owners[0].state), (4001, OwnerState::Cycle));
    assert!(tree.findings.iter().any(|finding| finding.rule == "ownership-ring"), "{:#?}", tree.findings);
}

#[test]
fn the_height_of_a_tree_is_limited() {
    let name = |number: usize| format!("c{number}");
    let chain = (0..2 * MAX_HEIGHT)
        .map(|number| config_map(&name(number), number.checked_sub(1).map(name).as_deref(), &["acme.io/hold"]));
    let cluster = cluster(chain.collect());
    let last = named(&name(2 * MAX_HEIGHT - 1));
    let tree = told(&cluster, |survey| trees(survey, std::slice::from_ref(&last), false));
    let mut node = &tree.targets[0];
    for level in 1..=MAX_HEIGHT {
        assert_eq!(node.more, 0, "{level}");
        node = &node.owners[0];
    }
    assert!(node.owners.is_empty());
    assert_eq!(node.more, 1);
}

#[test]
fn the_size_of_a_tree_is_limited_and_the_rest_is_counted() {
    let count = MAX_NODES + 10;
    let mut objects: Vec<Value> = (0..count).map(|n| config_map(&format!("d{n}"), Some("owner"), &[])).collect();
    objects.push(config_map("owner", None, &[]));
    let cluster = cluster(objects);
    let tree = told(&cluster, |survey| trees(survey, &[named("owner")], false));
    let owner = &tree.targets[0];
    assert_eq!(owner.dependents.len(), MAX_NODES - 1);
    assert_eq!(owner.dependents.len() + owner.more, count);
}

#[test]
fn an_owner_that_is_not_there_is_missing() {
    let cluster = cluster(vec![
        config_map("owned", Some("owner"), &["acme.io/hold"]),
        config_map("owner", Some("nobody"), &["acme.io/hold"]),
    ]);
    let tree = told(&cluster, |survey| trees(survey, &[named("owned")], false));
    let owner = &tree.targets[0].owners[0];
    assert_eq!((owner.state, owner.object.missing), (OwnerState::Terminating, false));
    let nobody = &owner.owners[0];
    assert_eq!((nobody.state, nobody.object.missing), (OwnerState::Missing, true));
}

#[test]
fn a_living_owner_keeps_a_shared_dependent() {
    let going = config_map("going", None, &["acme.io/hold"]);
    let mut staying = config_map("staying", None, &[]);
    staying["metadata"]["deletionTimestamp"] = Value::Null;
    let mut shared = config_map("shared", Some("staying"), &[]);
    let other = config_map("other", Some("going"), &[])["metadata"]["ownerReferences"][0].take();
    shared["metadata"]["ownerReferences"].as_array_mut().unwrap().push(other);
    shared["metadata"]["deletionTimestamp"] = Value::Null;
    let cluster = cluster(vec![going, staying, shared]);
    let treatment = |owner: &str| {
        let tree = told(&cluster, |survey| trees(survey, &[named(owner)], false));
        tree.targets[0].dependents[0].treatment.clone()
    };
    let keeps = "ConfigMap shop/staying keeps it: the garbage collector only removes this reference";
    assert_eq!(treatment("going").as_deref(), Some(keeps));
    assert_eq!(treatment("staying"), None);
}

#[test]
fn unlistable_dependents_are_unread() {
    let mut cluster = cluster(vec![config_map("owner", None, &[FOREGROUND])]);
    cluster.hide_lists("configmaps", Reason::Forbidden, "no");
    let namespaces = ResourceId::new("", "v1", "namespaces");
    let survey = cluster.read([
        named("owner").want(),
        Want::list(&config_maps(), Some("shop"), Form::Metadata),
        Want::list(&config_maps(), None, Form::Owned),
        Want::list(&namespaces, None, Form::Owned),
        Want::get(&namespaces, None, "shop", Form::Metadata),
    ]);
    let diagnosis = diagnose(&survey, &[named("owner")]);
    assert!(diagnosis.wants.is_empty(), "{:?}", diagnosis.wants);
    let finding = diagnosis.report.findings.iter().find(|finding| finding.rule == "garbage-collector-idle");
    let remedies: Vec<_> = diagnosis.report.remedies_of(finding.expect("a finding")).collect();
    assert!(remedies.iter().all(|remedy| remedy.risk != crate::report::Risk::Harmless), "{remedies:#?}");
    assert!(!diagnosis.report.unread.is_empty());
    let (tree, _) = trees(&survey, &[named("owner")], false);
    assert!(tree.targets[0].dependents.is_empty() && !tree.unread.is_empty());
}

#[test]
fn the_depth_of_a_tree_is_limited() {
    let name = |number: usize| format!("c{number}");
    let chain = (0..MAX_DEPTH + 5)
        .map(|number| config_map(&name(number), number.checked_sub(1).map(name).as_deref(), &["acme.io/hold"]));
    let cluster = cluster(chain.collect());
    let tree = told(&cluster, |survey| trees(survey, &[named("c0")], false));
    assert_eq!(tree.nodes().count(), MAX_DEPTH + 1);
    assert_eq!(tree.nodes().map(|node| node.more).sum::<usize>(), 1);
}

#[test]
fn further_owners_are_counted() {
    let mut owned = config_map("owned", None, &[]);
    let reference =
        |number: usize| json!({"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": number.to_string()});
    owned["metadata"]["ownerReferences"] = (0..MAX_OWNERS + 3).map(reference).collect();
    let cluster = cluster(vec![owned]);
    let tree = told(&cluster, |survey| trees(survey, &[named("owned")], false));
    assert_eq!((tree.targets[0].owners.len(), tree.targets[0].more), (MAX_OWNERS, 3));
}

#[test]
fn a_shared_dependent_names_the_owner_that_keeps_it() {
    let alive = |mut object: Value| {
        object["metadata"]["deletionTimestamp"] = Value::Null;
        object
    };
    let owned = |owners: &[&str]| {
        let mut shared = alive(config_map("shared", None, &[]));
        let owner = |owner: &&str| config_map("", Some(owner), &[])["metadata"]["ownerReferences"][0].take();
        shared["metadata"]["ownerReferences"] = owners.iter().map(owner).collect();
        shared
    };
    let treatment = |owner: &str, shared: Value| {
        let [staying, third] = ["staying", "third"].map(|name| alive(config_map(name, None, &[])));
        let cluster = cluster(vec![config_map("going", None, &["acme.io/hold"]), staying, third, shared]);
        let tree = told(&cluster, |survey| trees(survey, &[named(owner)], false));
        tree.targets[0].dependents[0].treatment.clone()
    };
    let keeps = "ConfigMap shop/staying keeps it: the garbage collector only removes this reference";
    assert_eq!(treatment("going", owned(&["staying", "going", "third"])).as_deref(), Some(keeps));
    assert_eq!(treatment("third", owned(&["staying", "third"])), None, "this owner is not being deleted");
    let mut deleted = owned(&["staying", "going"]);
    deleted["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    assert_eq!(treatment("going", deleted), None, "it goes anyway");
}

#[test]
fn only_the_first_shared_dependents_show_their_other_owners() {
    let owned = |name: String, owners: &[&str]| {
        let mut object = config_map(&name, None, &[]);
        let owner = |owner: &&str| config_map("", Some(owner), &[])["metadata"]["ownerReferences"][0].take();
        object["metadata"]["ownerReferences"] = owners.iter().map(owner).collect();
        object
    };
    let mut objects = vec![config_map("a", None, &[]), config_map("b", None, &[])];
    objects.extend((0..5).map(|number| owned(format!("alone-{number}"), &["a"])));
    objects.extend((0..MAX_SHARED + 5).map(|number| owned(format!("shared-{number}"), &["a", "b"])));
    let cluster = cluster(objects);
    let tree = told(&cluster, |survey| trees(survey, &[named("a")], false));
    let dependents = &tree.targets[0].dependents;
    assert_eq!(dependents.len(), MAX_SHARED + 10);
    assert_eq!(dependents.iter().filter(|node| !node.owners.is_empty()).count(), MAX_SHARED);
}
