//! The targets of a scan, objects without owners, and objects that wait for a target.

use super::worlds::SmallCluster;
use crate::diagnosis::{diagnose_survey, orphans, owners, scan, targets};
use crate::report::{About, OwnerState, Report};
use crate::survey::{Cascade, Purpose, ResourceId, Scan, Scope, Survey, TargetName};
use serde_json::{Value, json};

fn namespace(name: &str, deleted: bool) -> (&'static str, Value) {
    let mut namespace = json!({"metadata": {"name": name, "uid": name}});
    if deleted {
        namespace["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        namespace["spec"] = json!({"finalizers": ["kubernetes"]});
        namespace["status"] = json!({"phase": "Terminating"});
    }
    ("namespaces", namespace)
}

fn object(kind: &'static str, namespace: &str, name: &str, deleted: bool, more: &Value) -> (&'static str, Value) {
    let mut object = json!({"metadata": {"name": name, "namespace": namespace, "uid": name}});
    if deleted {
        object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        object["metadata"]["finalizers"] = json!(["acme.io/hold"]);
    }
    for (field, value) in more.as_object().into_iter().flatten() {
        object["metadata"][field] = value.clone();
    }
    (kind, object)
}

fn names(report: &Report) -> Vec<&str> {
    let mut names: Vec<&str> = report.targets.iter().map(|target| target.object.name.as_str()).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_scan_covers_terminating_objects_outside_terminating_namespaces() {
    let labels = |app: &str| json!({"labels": {"app": app}});
    let objects = vec![
        namespace("shop", true),
        namespace("bar", false),
        object("widgets", "shop", "inside", true, &json!({})),
        object("widgets", "bar", "stuck", true, &labels("web")),
        object("widgets", "bar", "alive", false, &labels("web")),
        object("widgets", "bar", "other", true, &labels("db")),
    ];
    let world = SmallCluster { objects, ..SmallCluster::default() };
    let looks_at = |scan: &Scan| world.answer(|survey| scan::diagnose(survey, scan));
    let report = looks_at(&Scan::default());
    assert_eq!((report.about, names(&report)), (About::Scan, vec!["other", "shop", "stuck"]));
    let chosen = Scan { selector: Some("app=web".into()), namespace: None };
    assert_eq!(names(&looks_at(&chosen)), ["stuck"]);
    let inside = Scan { selector: None, namespace: Some("bar".into()) };
    assert_eq!(names(&looks_at(&inside)), ["other", "stuck"]);
}

#[test]
fn only_objects_without_owners_are_checked_again() {
    let owner = json!({"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "gone", "uid": "gone"}],
        "creationTimestamp": "2025-12-31T00:00:00Z"});
    let objects = vec![
        namespace("shop", false),
        object("configmaps", "shop", "left", false, &owner),
        // Objects whose namespace is gone are reported already.
        object("configmaps", "vanished", "twice", false, &owner),
        object("widgets", "vanished", "stranded", false, &json!({"creationTimestamp": "2025-12-31T00:00:00Z"})),
    ];
    let report = SmallCluster { objects, ..SmallCluster::default() }
        .answer(|survey| orphans::diagnose(survey, &Scope::default()));
    let subjects: Vec<&str> = report.findings.iter().map(|finding| finding.subject.name.as_str()).collect();
    assert!(subjects.len() > 1, "{subjects:?}");
    assert_eq!(orphans::without_owners(&report), ["left".to_owned()].into());
}

#[test]
fn a_terminating_application_waits_for_what_it_created() {
    let (kind, mut shop) = namespace("shop", true);
    shop["metadata"]["labels"] = json!({"argocd.argoproj.io/instance": "blog"});
    let objects = vec![
        (kind, shop),
        namespace("argocd", false),
        object("applications", "argocd", "blog", true, &json!({})),
        object("applications", "argocd", "wiki", true, &json!({})),
        object("applications", "team", "blog", false, &json!({"uid": "other"})),
    ];
    let world = SmallCluster { objects, ..SmallCluster::default() };
    let target = TargetName { resource: ResourceId::new("", "v1", "namespaces"), namespace: None, name: "shop".into() };
    let report = world.answer(|survey| targets::diagnose(survey, std::slice::from_ref(&target)));
    let waiting: Vec<String> = report.waiters.iter().map(|note| note.object.to_string()).collect();
    assert_eq!(waiting, ["Application argocd/blog"], "{:?}", report.waiters);
}

#[test]
fn an_owner_that_may_not_be_read_is_shown_and_named_as_unread() {
    let owner =
        json!({"ownerReferences": [{"apiVersion": "acme.io/v1", "kind": "Widget", "name": "top", "uid": "top"}]});
    let objects = vec![namespace("shop", false), object("configmaps", "shop", "owned", false, &owner)];
    let world = SmallCluster { objects, forbidden: vec!["widgets"], refusal: None };
    let resource = ResourceId::new("", "v1", "configmaps");
    let target = TargetName { resource, namespace: Some("shop".into()), name: "owned".into() };
    let tree = world.told(|survey| owners::trees(survey, std::slice::from_ref(&target), false));
    assert_eq!(tree.targets[0].owners[0].state, OwnerState::Unread);
    assert!(tree.unread.iter().any(|note| format!("{note:?}").contains("top")), "{:?}", tree.unread);
}

#[test]
fn a_survey_is_diagnosed_for_its_purpose() {
    let about = |taken: &dyn Fn(&mut Survey)| {
        let world = SmallCluster { objects: vec![namespace("shop", false)], ..SmallCluster::default() };
        let report = world.answer(|survey| {
            let mut survey = survey.clone();
            taken(&mut survey);
            diagnose_survey(&survey)
        });
        report.about
    };
    assert_eq!(about(&|_| {}), About::Targets);
    assert_eq!(about(&|survey| survey.purpose = Purpose::Scan(Scan::default())), About::Scan);
    assert_eq!(about(&|survey| survey.purpose = Purpose::Orphans(Scope::default())), About::Orphans);
    assert_eq!(about(&|survey| survey.purpose = Purpose::preflight(Cascade::Background)), About::Preflight);
    assert_eq!(about(&|survey| survey.purpose = Purpose::Apis), About::Apis(0));
}

#[test]
fn the_search_for_orphans_names_unlistable_kinds() {
    let unread = |forbidden: &[&'static str]| {
        let world =
            SmallCluster { objects: vec![namespace("shop", false)], forbidden: forbidden.to_vec(), refusal: None };
        world.answer(|survey| orphans::diagnose(survey, &Scope::default())).unread
    };
    assert!(unread(&[]).is_empty());
    assert!(unread(&["gadgets"]).iter().any(|note| format!("{note:?}").contains("gadgets.acme.io")));
}
