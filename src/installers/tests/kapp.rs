//! Apps of kapp, whose numbers contain the time at which kapp made them.

use super::{GivenRow, kinds, survey, with};
use crate::facts::Facts;
use crate::installers::{Rows, all};
use serde_json::{Value, json};

/// The number of an app that was made at [`MADE`].
const NUMBER: &str = "1767225600123456789";
const MADE: &str = "2026-01-01T00:00:00Z";
/// More than a minute later.
const LATER: &str = "2026-01-01T00:01:02Z";

/// A signed object of the app, or one that only has its number.
fn numbered(plural: &'static str, kind: &'static str, namespace: &str, name: &str, is_signed: bool) -> GivenRow {
    let group = if kind == "ConfigMap" { "" } else { "apps" };
    let identity = format!("v1;{namespace}/{group}/{kind}/{name};v1");
    let annotations = if is_signed { json!({"kapp.k14s.io/identity": identity}) } else { json!({}) };
    let marks = json!({"labels": {"kapp.k14s.io/app": NUMBER}, "annotations": annotations, "creationTimestamp": LATER});
    (group, plural, kind, with(json!({"namespace": namespace, "name": name}), &marks))
}

/// The app's objects, of which none is where its record is.
fn parts() -> Vec<GivenRow> {
    vec![
        numbered("deployments", "Deployment", "one", "web", true),
        numbered("deployments", "Deployment", "two", "web", true),
        numbered("configmaps", "ConfigMap", "three", "settings", true),
        numbered("configmaps", "ConfigMap", "tenant", "unsigned", false),
    ]
}

fn config(namespace: &str, name: &str, created: &str, labels: &Value) -> GivenRow {
    let metadata = json!({"labels": labels, "creationTimestamp": created});
    ("", "configmaps", "ConfigMap", with(json!({"namespace": namespace, "name": name}), &metadata))
}

fn change(namespace: &str, number: &str, created: &str) -> GivenRow {
    let labels = json!({"kapp.k14s.io/is-app-change": "", "kapp.k14s.io/app-change-app": "demo",
        "kapp.k14s.io/app-change-app-label": number});
    config(namespace, "demo-change-x", created, &labels)
}

/// The words of all products, each with the words of those that claim the same objects.
fn words(rows: &[GivenRow]) -> Vec<(String, Vec<String>)> {
    let survey = survey(rows);
    let facts = Facts::new(&survey);
    let rows = Rows::read(&facts).unwrap();
    let rivals = |it: &crate::installers::Installed<'_>| it.rivals.iter().map(|mark| it.words_of(mark)).collect();
    all(&rows).iter().map(|it| (it.words(), rivals(it))).collect()
}

fn is_whole(rows: &[GivenRow]) {
    let found = kinds("kapp/demo -n state", rows);
    assert_eq!(found.members, ["ConfigMap", "Deployment", "Deployment"]);
    assert_eq!(
        found.apart,
        [("ConfigMap".to_owned(), "the installer has signed the other objects, but not this one".to_owned())]
    );
}

#[test]
fn an_app_over_three_namespaces_is_whole() {
    is_whole(&[parts(), vec![change("state", NUMBER, MADE)]].concat());
    // kapp keeps only the later changes of an old app, and the app's own record.
    for name in ["demo", "demo.apps.k14s.io"] {
        let own = config("state", name, "2025-12-31T23:59:01Z", &json!({"kapp.k14s.io/is-app": ""}));
        is_whole(&[parts(), vec![own, change("state", NUMBER, LATER)]].concat());
    }
    // The record of another app proves nothing.
    let other = config("state", "other", MADE, &json!({"kapp.k14s.io/is-app": ""}));
    let rows = [parts(), vec![other, change("state", NUMBER, LATER)]].concat();
    assert_eq!(words(&rows), [(format!("kapp/{NUMBER}"), Vec::new())]);
}

#[test]
fn a_record_made_later_takes_nothing_over() {
    // A tenant signs an object of the tenant's own, and may make an app, too.
    let own = numbered("configmaps", "ConfigMap", "tenant", "own", true);
    let (app, forged) = (config("tenant", "demo", LATER, &json!({"kapp.k14s.io/is-app": ""})), |number| {
        change("tenant", number, LATER)
    });
    for number in [NUMBER, "1767225662123456789", "17"] {
        let rows = [parts(), vec![change("state", NUMBER, MADE), own.clone(), app.clone(), forged(number)]].concat();
        assert_eq!(words(&rows), [("kapp/demo -n state".to_owned(), Vec::new())], "{number}");
    }
    // Without a record of that time, the tenant's names the objects, and only those of the tenant belong to it.
    let rows = [parts(), vec![own, app, forged(NUMBER)]].concat();
    let found = kinds("kapp/demo -n tenant", &rows);
    assert_eq!((found.members, found.apart.len()), (vec!["ConfigMap".to_owned()], 4));
}

#[test]
fn a_proven_number_proves_no_other_number() {
    // The tenant's own app is of the right age, and a later record of the tenant names another number.
    let mut second = change("tenant", "1767225662123456789", LATER);
    second.3["metadata"]["name"] = "demo-change-y".into();
    let own = numbered("configmaps", "ConfigMap", "tenant", "own", true);
    let mut theirs = numbered("configmaps", "ConfigMap", "tenant", "theirs", true);
    theirs.3["metadata"]["labels"]["kapp.k14s.io/app"] = "1767225662123456789".into();
    let rows = [parts(), vec![own, theirs, second, change("tenant", NUMBER, "2026-01-01T12:00:00Z")]].concat();
    let found = kinds("kapp/demo -n tenant", &rows);
    assert_eq!(found.members, ["ConfigMap", "ConfigMap"]);
}

#[test]
fn two_records_of_that_time_are_refused() {
    let rows =
        [parts(), vec![change("state", NUMBER, MADE), change("tenant", NUMBER, "2026-01-01T00:00:59Z")]].concat();
    let both = ["state", "tenant"].map(|namespace| format!("kapp/demo -n {namespace}"));
    assert_eq!(words(&rows), [(format!("kapp/{NUMBER}"), both.to_vec())]);
}
