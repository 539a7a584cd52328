//! The steps that may get into an approval, and those that may not.

use super::*;
use crate::diagnosis::diagnose;
use crate::plan::steps::{conversion_none, force_delete_pod, ignore_webhook, recreate_namespace, remove_finalizer};
use crate::report::{Named, StepKind};
use crate::survey::{Discovery, Survey};

fn object(resource: &str, namespace: Option<&str>, name: &str, uid: &str) -> Ref {
    Ref::from(Named {
        api_version: "v1".into(),
        resource: resource.into(),
        namespace: namespace.map(Into::into),
        name: name.into(),
        uid: uid.into(),
        ..Named::default()
    })
}

fn removal(object: &Ref) -> Step {
    remove_finalizer::step(object, &["a.io/x".to_owned()], "a.io/x")
}

fn report(targets: &[&Ref], steps: &[(Step, Risk)]) -> Report {
    let survey = Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), Discovery::default());
    let mut report = diagnose(&survey, &[]).report;
    let target = |object: &&Ref| TargetReport {
        object: (*object).clone(),
        state: State::Stuck,
        since: None,
        summary: "".into(),
    };
    report.targets = targets.iter().map(target).collect();
    report.remedies = steps.iter().map(|(step, risk)| Remedy::new(step.clone(), *risk, "")).collect();
    report
}

/// The steps that a rule of this risk covers in the reports, the first of which has fixed the targets.
fn shown(most: Risk, targets: &[&Ref], reports: &[&Report]) -> Approval {
    let targets = targets.iter().map(|target| (*target).clone()).collect();
    let mut approval = Approval::new(By::Rule(most), targets, reports[0]);
    for report in reports {
        approval.show(report, |_, _| true);
    }
    approval
}

#[test]
fn a_rule_covers_shown_steps_up_to_its_risk() {
    let shop = object("namespaces", None, "shop", "u1");
    let map = object("configmaps", Some("shop"), "a", "u2");
    let first = report(&[&shop], &[(removal(&map), Risk::Leaks), (force_delete_pod::step(&map), Risk::LosesData)]);
    let approval = shown(Risk::Leaks, &[&shop], &[&first]);
    assert!(approval.covers(&removal(&map), Risk::Leaks));
    assert!(!approval.covers(&removal(&map), Risk::LosesData), "it costs more by now");
    assert!(!approval.covers(&force_delete_pod::step(&map), Risk::LosesData));
    let record = approval.record(&removal(&map).identity()).unwrap();
    assert_eq!(record, json!({"by": "a rule: up to leaks", "risk": "leaks", "later": false}));
}

#[test]
fn later_steps_join_only_for_fixed_targets_and_named_objects() {
    let (shop, other) = (object("namespaces", None, "shop", "u1"), object("namespaces", None, "other", "u3"));
    let inside = object("configmaps", Some("shop"), "b", "u4");
    let elsewhere = object("configmaps", Some("other"), "c", "u5");
    let guard = object("validatingwebhookconfigurations", None, "guard", "u6");
    let first = report(&[&shop], &[]);
    let hidden = ignore_webhook::step(&guard, 0, "a.acme.io");
    let steps = [
        (removal(&inside), Risk::Leaks),
        (removal(&elsewhere), Risk::Leaks),
        (removal(&other), Risk::Leaks),
        (hidden.clone(), Risk::Disruptive),
    ];
    let later = report(&[&shop, &other], &steps);
    let approval = shown(Risk::Leaks, &[&shop], &[&first, &later]);
    assert!(approval.covers(&removal(&inside), Risk::Leaks));
    assert_eq!(approval.record(&removal(&inside).identity()).unwrap()["later"], true);
    for step in [removal(&elsewhere), removal(&other), hidden.clone()] {
        assert!(!approval.permits(&step.identity()), "{}", step.title());
    }
    assert_eq!(approval.new_targets(&later), [&other]);
    // A step may join later if the first report named its object.
    let named = report(&[&shop], &[(hidden.clone(), Risk::LosesData)]);
    let approval = shown(Risk::Leaks, &[&shop], &[&named, &later]);
    assert!(approval.covers(&hidden, Risk::Disruptive));
    assert!(!approval.permits(&removal(&elsewhere).identity()));
}

#[test]
fn only_steps_of_the_first_report_join_a_deletion() {
    let shop = object("namespaces", None, "shop", "u1");
    let (inside, new) = (object("configmaps", Some("shop"), "a", "u2"), object("configmaps", Some("shop"), "b", "u3"));
    let first = report(&[&shop], &[(removal(&inside), Risk::Leaks)]);
    let later = report(&[&shop], &[(removal(&inside), Risk::Leaks), (removal(&new), Risk::Leaks)]);
    let mut approval = Approval::new(By::Rule(Risk::Leaks), vec![shop.clone()], &first).of_named_alone();
    approval.show(&later, |_, _| true);
    assert!(approval.permits(&removal(&inside).identity()) && !approval.permits(&removal(&new).identity()));
}

#[test]
fn namesakes_of_targets_and_their_content_are_not_approved() {
    let (shop, again) = (object("namespaces", None, "shop", "u1"), object("namespaces", None, "shop", "u9"));
    let inside = object("configmaps", Some("shop"), "b", "u4");
    let steps = [(removal(&inside), Risk::Leaks), (removal(&again), Risk::Leaks)];
    let (first, later) = (report(&[&shop], &[]), report(&[&again], &steps));
    let approval = shown(Risk::LosesData, &[&shop], &[&first, &later]);
    assert!(!approval.permits(&removal(&inside).identity()) && !approval.permits(&removal(&again).identity()));
    assert!(approval.is_of_new_target(&inside, &later) && approval.is_of_new_target(&again, &later));
    // A watch may have fixed the targets before the report that names their namesakes.
    let approval = shown(Risk::LosesData, &[&shop], &[&later]);
    assert!(!approval.permits(&removal(&inside).identity()) && !approval.permits(&removal(&again).identity()));
}

#[test]
fn digests_and_persons_approve_only_agreed_steps() {
    let map = object("configmaps", Some("shop"), "a", "u2");
    let again = object("configmaps", Some("shop"), "a", "u3");
    let first = report(&[&map], &[(removal(&map), Risk::Leaks)]);
    for by in [By::Person, By::Digest] {
        let mut approval = Approval::new(by, vec![map.clone()], &first);
        approval.show(&first, |_, _| true);
        assert!(!approval.permits(&removal(&map).identity()));
        approval.agree(removal(&map).identity(), Risk::Leaks);
        assert!(approval.covers(&removal(&map), Risk::Leaks) && !approval.has_changed(&removal(&map), Risk::Leaks));
        assert!(!approval.covers(&removal(&again), Risk::Leaks), "a namesake");
        assert!(approval.has_changed(&removal(&again), Risk::Leaks));
        assert!(approval.has_changed(&removal(&map), Risk::LosesData), "at a higher risk");
        let conversion = |shown: &str| conversion_none::step(&map, &json!(shown));
        approval.agree(conversion("shown").identity(), Risk::Leaks);
        let other = conversion("other");
        assert!(!approval.covers(&other, Risk::Leaks) && approval.has_changed(&other, Risk::Leaks), "another value");
        assert!(!approval.has_changed(&force_delete_pod::step(&map), Risk::Leaks), "nobody agreed to that at all");
    }
}

#[test]
fn a_namespace_is_recreated_for_named_objects_and_may_be_removed() {
    let stranded = object("configmaps", Some("gone"), "a", "u2");
    let made = object("namespaces", None, "gone", "u9");
    let first = report(&[], &[(removal(&stranded), Risk::Leaks)]);
    let steps = [(recreate_namespace::step("gone"), Risk::Leaks), (recreate_namespace::step("other"), Risk::Leaks)];
    let later = report(&[], &steps);
    let mut approval = shown(Risk::Leaks, &[], &[&first, &later]);
    assert!(approval.permits(&recreate_namespace::step("gone").identity()));
    assert!(!approval.permits(&recreate_namespace::step("other").identity()));
    let last = report(&[], &[(removal(&made), Risk::Leaks)]);
    approval.show(&last, |_, _| true);
    assert!(!approval.permits(&removal(&made).identity()), "somebody else made it");
    approval.has_made(&recreate_namespace::step("gone").object);
    approval.show(&last, |_, _| true);
    assert!(approval.permits(&removal(&made).identity()));
    assert_eq!(removal(&made).kind(), StepKind::RemoveFinalizer);
}
