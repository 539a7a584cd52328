//! A namespace whose controller was refused: whether the refusal still holds.

use super::resource;
use crate::diagnosis::targets::diagnose;
use crate::kubernetes::admission::GROUP;
use crate::report::{Cause, Report, Step, StepKind, Why};
use crate::survey::{Discovery, Fact, Object, Probed, Refused, ResourceId, TargetName, Want};
use serde_json::{Value, json};

const DENIED: &str = "admission webhook \"keep.acme.io\" denied the request: kept";

fn object(value: Value) -> Object {
    Object::single(value).unwrap()
}

fn refused() -> Fact {
    Fact::Probed(Probed::Refused(Refused { code: 403, reason: String::new(), message: DENIED.into() }))
}

fn passed() -> Fact {
    Fact::Probed(Probed::Passed)
}

/// Two widgets are left; `answers` are those to a trial deletion of each.
fn fact(want: &Want, answers: [fn() -> Fact; 2]) -> Fact {
    if want.probe.is_some() {
        return answers[usize::from(want.name.as_deref() == Some("b"))]();
    }
    let widget = |name: &str| object(json!({"metadata": {"name": name, "namespace": "shop", "uid": name}}));
    match (want.resource.plural.as_str(), &want.name) {
        ("namespaces", Some(_)) => Fact::Found(Box::new(object(json!({
            "metadata": {"name": "shop", "uid": "ns", "deletionTimestamp": "2026-01-01T00:00:00Z"},
            "spec": {"finalizers": ["kubernetes"]},
            "status": {"phase": "Terminating", "conditions": [{"type": "NamespaceDeletionContentFailure",
                "status": "True", "reason": "ContentDeletionFailed", "message": DENIED,
                "lastTransitionTime": "2026-01-01T00:00:05Z"}]}})))),
        ("widgets", None) => Fact::Listed(vec![widget("a"), widget("b")]),
        ("validatingwebhookconfigurations", None) => Fact::Listed(vec![object(json!({
            "metadata": {"name": "keep", "uid": "c"},
            "webhooks": [{"name": "keep.acme.io", "failurePolicy": "Fail", "clientConfig": {"url": "https://x.example.com"},
                "rules": [{"apiGroups": ["acme.io"], "apiVersions": ["*"], "operations": ["DELETE"], "resources": ["widgets"]}]}]}))]),
        ("apiservices", None) => super::served_by_the_server(&["v1.", "v1.acme.io"]),
        (_, Some(_)) => Fact::Missing,
        (_, None) => Fact::Listed(Vec::new()),
    }
}

fn report(answers: [fn() -> Fact; 2]) -> Report {
    let discovery = Discovery {
        resources: vec![
            resource("", "namespaces", "Namespace", false),
            resource("acme.io", "widgets", "Widget", true),
            resource(GROUP, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false),
        ],
        stale: Vec::new(),
    };
    let name = TargetName { resource: ResourceId::new("", "v1", "namespaces"), namespace: None, name: "shop".into() };
    super::report(
        super::survey(discovery),
        |want| fact(want, answers),
        |survey| diagnose(survey, std::slice::from_ref(&name)),
    )
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
