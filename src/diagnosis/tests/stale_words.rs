//! A namespace whose controller was refused: whether the refusal still holds.

use super::{NOW, served_by_the_server};
use crate::diagnosis::targets::diagnose;
use crate::kubernetes::admission::GROUP;
use crate::report::{Cause, Report, Step, StepKind, Why};
use crate::survey::{Fact, InMemory, Probed, Refused, Resource, ResourceId, TargetName};
use serde_json::json;

const DENIED: &str = "admission webhook \"keep.acme.io\" denied the request: kept";

fn refused() -> Fact {
    Fact::Probed(Probed::Refused(Refused { code: 403, reason: String::new(), message: DENIED.into() }))
}

fn passed() -> Fact {
    Fact::Probed(Probed::Passed)
}

/// Two widgets are left; `answers` are those to a trial deletion of each.
fn report(answers: [fn() -> Fact; 2]) -> Report {
    let kinds = [
        Resource::tested("", "namespaces", "Namespace", false),
        Resource::tested("acme.io", "widgets", "Widget", true),
        Resource::tested(GROUP, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false),
        Resource::tested("apiregistration.k8s.io", "apiservices", "APIService", false),
    ];
    let shop = json!({
        "metadata": {"name": "shop", "uid": "ns", "deletionTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"finalizers": ["kubernetes"]},
        "status": {"phase": "Terminating", "conditions": [{"type": "NamespaceDeletionContentFailure",
            "status": "True", "reason": "ContentDeletionFailed", "message": DENIED,
            "lastTransitionTime": "2026-01-01T00:00:05Z"}]}});
    let keep = json!({"metadata": {"name": "keep", "uid": "c"},
        "webhooks": [{"name": "keep.acme.io", "failurePolicy": "Fail", "clientConfig": {"url": "https://x.example.com"},
            "rules": [{"apiGroups": ["acme.io"], "apiVersions": ["*"], "operations": ["DELETE"], "resources": ["widgets"]}]}]});
    let objects = [
        ("namespaces", shop),
        ("widgets", json!({"metadata": {"name": "a", "namespace": "shop", "uid": "a"}})),
        ("widgets", json!({"metadata": {"name": "b", "namespace": "shop", "uid": "b"}})),
        ("validatingwebhookconfigurations", keep),
        served_by_the_server("v1."),
        served_by_the_server("v1.acme.io"),
    ];
    let mut cluster = InMemory::holding(NOW, kinds, objects);
    cluster.try_out(move |want| answers[usize::from(want.name.as_deref() == Some("b"))]());
    let name = TargetName { resource: ResourceId::new("", "v1", "namespaces"), namespace: None, name: "shop".into() };
    super::report(&cluster, |survey| diagnose(survey, std::slice::from_ref(&name)))
}

fn judged(report: &Report) -> (Why, Option<StepKind>) {
    let [finding] = &report.findings.iter().filter(|finding| finding.cause == Cause::Admission).collect::<Vec<_>>()[..]
    else {
        panic!("{:?}", report.findings)
    };
    let steps = report.remedies_of(finding).flat_map(|remedy| &remedy.steps);
    (finding.why, steps.map(Step::kind).next())
}

#[test]
fn a_denial_is_proven_while_any_trial_is_refused() {
    assert_eq!(judged(&report([refused, passed])), (Why::Proven, None));
    assert_eq!(judged(&report([passed, refused])), (Why::Proven, None));
}

#[test]
fn a_past_denial_is_likely_and_the_controller_is_nudged() {
    let report = report([passed, passed]);
    assert_eq!(judged(&report), (Why::Likely, Some(StepKind::NudgeNamespace)));
    assert!(report.findings[0].summary.contains("a trial deletion is accepted now"), "{}", report.findings[0].summary);
}
