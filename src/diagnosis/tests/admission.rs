//! Small clusters in memory: which gates are named, and on what evidence.

use super::{NOW, served_by_the_server};
use crate::diagnosis::targets::diagnose;
use crate::kubernetes::admission::GROUP;
use crate::report::{Cause, Report, Sentence, State, Step, StepKind, Why};
use crate::survey::{Fact, InMemory, Probe, Probed, Reason, Refused, Resource, ResourceId, TargetName, Unread, Want};
use serde_json::{Value, json};

const UID: &str = "u1";
const DELETED: &str = "2026-01-01T00:00:00Z";

/// A cluster with a widget that waits for its finalizer.
struct WebhookCluster(InMemory);

fn kinds() -> Vec<Resource> {
    vec![
        Resource::tested("", "namespaces", "Namespace", false),
        Resource::tested("", "services", "Service", true),
        Resource::tested("acme.io", "widgets", "Widget", true),
        Resource::tested(GROUP, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false),
        Resource::tested(GROUP, "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", false),
        Resource::tested("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition", false),
        Resource::tested("apiregistration.k8s.io", "apiservices", "APIService", false),
    ]
}

fn widget() -> TargetName {
    TargetName {
        resource: ResourceId::new("acme.io", "v1", "widgets"),
        namespace: Some("shop".into()),
        name: "w".into(),
    }
}

impl WebhookCluster {
    /// A cluster with these webhooks; `answer` is that to dry runs.
    fn new(webhooks: &[Value], answer: impl Fn(&Want) -> Fact + Send + Sync + 'static) -> Self {
        let metadata = json!({"name": "w", "namespace": "shop", "uid": UID, "deletionTimestamp": DELETED,
            "finalizers": ["acme.io/x"]});
        let objects = [
            ("widgets", json!({"metadata": metadata})),
            ("namespaces", json!({"metadata": {"name": "shop", "uid": "ns", "labels": {"a": "b"}}})),
            (
                "validatingwebhookconfigurations",
                json!({"metadata": {"name": "guard", "uid": "c"}, "webhooks": webhooks}),
            ),
            served_by_the_server("v1."),
            served_by_the_server("v1.acme.io"),
        ];
        let mut cluster = InMemory::holding(NOW, kinds(), objects);
        cluster.try_out(answer);
        Self(cluster)
    }

    /// The report, and the probes that it needed.
    fn report(&self) -> (Report, Vec<Probe>) {
        diagnosed(&self.0, &[widget()])
    }

    fn admission(&self) -> Vec<(Sentence, Why)> {
        let (report, _) = self.report();
        assert_eq!(report.targets[0].state, State::Stuck);
        let findings = report.findings.into_iter().filter(|finding| finding.cause == Cause::Admission && finding.root);
        findings.map(|finding| (finding.summary, finding.why)).collect()
    }
}

/// The report about `names`, and the probes that it needed.
fn diagnosed(cluster: &InMemory, names: &[TargetName]) -> (Report, Vec<Probe>) {
    let mut probes = Vec::new();
    let report = cluster.told(|survey| {
        let diagnosis = diagnose(survey, names);
        probes.extend(diagnosis.wants.iter().filter_map(|want| Some(want.probe.as_ref()?.what.clone())));
        (diagnosis.report, diagnosis.wants)
    });
    (report, probes)
}

fn webhook(operation: &str, policy: &str) -> Value {
    json!({"name": "guard.acme.io", "failurePolicy": policy,
        "clientConfig": {"service": {"namespace": "ops", "name": "guard"}},
        "rules": [{"apiGroups": ["acme.io"], "apiVersions": ["*"], "operations": [operation], "resources": ["widgets"]}]})
}

fn by_url() -> Value {
    json!({"name": "url.acme.io", "failurePolicy": "Fail", "clientConfig": {"url": "https://x.example.com"},
        "rules": [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}]})
}

fn refused(message: &str) -> Fact {
    Fact::Probed(Probed::Refused(Refused { code: 500, reason: String::new(), message: message.into() }))
}

fn unread(reason: Reason) -> Fact {
    Fact::Unread(Unread { reason, message: String::new() })
}

const NOT_FOUND: &str = "Internal error occurred: failed calling webhook \"guard.acme.io\": failed to call webhook: Post \"https://guard.ops.svc:443/?timeout=10s\": service \"guard\" not found";

#[test]
fn the_servers_message_proves_the_webhook() {
    let named = WebhookCluster::new(&[webhook("UPDATE", "Fail")], |_| refused(NOT_FOUND)).admission();
    assert!(matches!(&named[..], [(summary, Why::Proven)] if summary.contains("guard.acme.io")), "{named:?}");
}

#[test]
fn without_the_right_to_dry_run_a_dead_webhook_is_likely() {
    let named = WebhookCluster::new(&[webhook("UPDATE", "Fail")], |_| unread(Reason::Forbidden)).admission();
    assert!(matches!(&named[..], [(_, Why::Likely)]), "{named:?}");
    let (report, _) = WebhookCluster::new(&[webhook("UPDATE", "Fail")], |_| unread(Reason::Forbidden)).report();
    assert!(report.unread.iter().any(|note| note.what.contains("trial removal")), "{:?}", report.unread);
}

#[test]
fn a_passed_dry_run_accuses_nobody() {
    let passes = WebhookCluster::new(&[webhook("UPDATE", "Fail")], |_| Fact::Probed(Probed::Passed)).admission();
    assert!(passes.is_empty(), "{passes:?}");
}

#[test]
fn a_webhook_that_does_not_match_is_no_obstacle() {
    for odd in [webhook("CREATE", "Fail"), webhook("DELETE", "Fail")] {
        let (report, probes) = WebhookCluster::new(&[odd], |_| refused(NOT_FOUND)).report();
        assert_eq!(probes, vec![Probe::RemoveFinalizer("acme.io/x".into())], "what is asked if nothing else tells why");
        assert!(!report.findings.iter().any(|finding| finding.cause == Cause::Admission));
    }
}

#[test]
fn a_webhook_that_ignores_failures_blocks_nothing() {
    let ignored = WebhookCluster::new(&[webhook("UPDATE", "Ignore")], |_| unread(Reason::Forbidden)).admission();
    assert!(ignored.is_empty(), "{ignored:?}");
}

#[test]
fn a_hanging_webhook_is_likely_and_none_of_several_is_picked() {
    let alone = WebhookCluster::new(&[by_url()], |_| unread(Reason::TimedOut)).admission();
    assert!(matches!(&alone[..], [(summary, Why::Likely)] if summary.contains("url.acme.io")), "{alone:?}");
    let two = WebhookCluster::new(&[by_url(), by_url()], |_| unread(Reason::TimedOut)).admission();
    assert!(matches!(&two[..], [(summary, Why::Likely)] if summary.contains("another of 2")), "{two:?}");
}

#[test]
fn an_unregistered_webhook_is_named_by_the_servers_message() {
    let message = "admission webhook \"static.example.com\" denied the request: no";
    let named = WebhookCluster::new(&[webhook("UPDATE", "Fail")], move |_| refused(message)).admission();
    assert!(named.iter().any(|(summary, _)| summary.contains("static.example.com")), "{named:?}");
}

#[test]
fn a_live_webhook_may_deny_only_this_user() {
    let denies = "admission webhook \"url.acme.io\" denied the request: not you";
    let named = WebhookCluster::new(&[by_url()], move |_| refused(denies)).admission();
    assert!(matches!(&named[..], [(summary, Why::Likely)] if summary.ends_with("not you")), "{named:?}");
}

/// A webhook whose expression excludes the requests in question.
fn on_a_condition() -> Value {
    let mut webhook = webhook("UPDATE", "Fail");
    webhook["matchConditions"] = json!([{"name": "alive", "expression": "!has(object.metadata.deletionTimestamp)"}]);
    webhook
}

#[test]
fn a_conditional_webhook_is_blamed_only_by_the_servers_message() {
    let (report, _) = WebhookCluster::new(&[on_a_condition()], |_| unread(Reason::Forbidden)).report();
    assert!(report.findings.iter().all(|finding| finding.cause != Cause::Admission), "{:?}", report.findings);
    let told = report
        .unread
        .iter()
        .any(|note| note.what.contains("guard.acme.io") && note.what.contains("matchConditions decide"));
    assert!(told, "{:?}", report.unread);
    let said = WebhookCluster::new(&[on_a_condition()], |_| refused(NOT_FOUND)).admission();
    assert!(matches!(&said[..], [(_, Why::Proven)]), "{said:?}");
    let mut other = on_a_condition();
    other["name"] = json!("other.acme.io");
    let other = WebhookCluster::new(&[other, webhook("UPDATE", "Fail")], |_| refused(NOT_FOUND)).admission();
    assert!(matches!(&other[..], [(summary, Why::Proven)] if summary.contains("guard.acme.io")), "{other:?}");
}

#[test]
fn a_terminating_kind_is_probed_though_discovery_hides_updates() {
    let mut world = WebhookCluster::new(&[webhook("UPDATE", "Fail")], |_| refused(NOT_FOUND));
    for resource in &mut world.0.discovery.resources {
        resource.verbs = ["get", "list", "delete"].map(Into::into).to_vec();
    }
    let (report, _) = world.report();
    let proven = |finding: &crate::report::Finding| {
        finding.cause == Cause::Admission && finding.root && finding.why == Why::Proven
    };
    assert!(report.findings.iter().any(proven), "{:?}", report.findings);
}

/// A namespace with more kinds than the number of dry runs, a healthy webhook that matches them all and a
/// dead one for the last.
#[test]
fn kinds_behind_a_dead_webhook_are_probed_first() {
    let kinds: Vec<String> = (10..40).map(|number| format!("kind{number}s")).collect();
    let resources = kinds.iter().map(|plural| Resource::tested("acme.io", plural, plural, true));
    let mut dead = webhook("UPDATE", "Fail");
    dead["rules"][0]["resources"] = json!(["kind39s"]);
    let shop = json!({"metadata": {"name": "shop", "uid": "ns", "deletionTimestamp": DELETED},
        "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Terminating",
            "conditions": [{"type": "NamespaceFinalizersRemaining", "status": "True",
                "lastTransitionTime": DELETED, "message": "Some content: acme.io/x in 30 resource instances"}]}});
    let guard = json!({"metadata": {"name": "guard", "uid": "c"}, "webhooks": [by_url(), dead]});
    let objects = [
        ("namespaces", shop),
        ("validatingwebhookconfigurations", guard),
        served_by_the_server("v1."),
        served_by_the_server("v1.acme.io"),
    ];
    let mut cluster = InMemory::holding(NOW, self::kinds().into_iter().chain(resources), objects);
    for plural in &kinds {
        let metadata = json!({"name": "x", "namespace": "shop", "uid": plural, "deletionTimestamp": DELETED,
            "finalizers": ["acme.io/x"]});
        cluster.put(plural, json!({"metadata": metadata}));
    }
    cluster.try_out(|want| match want.resource.plural.as_str() {
        "kind39s" => refused(NOT_FOUND),
        _ => Fact::Probed(Probed::Passed),
    });
    let name = TargetName { resource: ResourceId::new("", "v1", "namespaces"), namespace: None, name: "shop".into() };
    let (report, _) = diagnosed(&cluster, &[name]);
    let proven = report.findings.iter().find(|finding| finding.cause == Cause::Admission && finding.root);
    assert!(proven.is_some_and(|finding| finding.why == Why::Proven), "{:?}", report.findings);
    assert!(report.unread.iter().any(|note| note.why.starts_with("not tried")), "{:?}", report.unread);
}

#[test]
fn of_many_targets_that_the_same_webhook_matches_the_first_are_tried() {
    let mut world = WebhookCluster::new(&[webhook("UPDATE", "Fail")], |_| refused(NOT_FOUND));
    let name = |number: usize| TargetName { name: format!("w{number}"), ..widget() };
    let names: Vec<TargetName> = (0..50).map(name).collect();
    for TargetName { name, .. } in &names {
        let metadata = json!({"name": name, "namespace": "shop", "uid": name, "deletionTimestamp": DELETED,
            "finalizers": ["acme.io/x"]});
        world.0.put("widgets", json!({"metadata": metadata}));
    }
    let (report, probes) = diagnosed(&world.0, &names);
    assert_eq!(probes.len(), 20, "one for each of the first targets");
    let cause = report.findings.iter().find(|it| it.cause == Cause::Admission && it.root).expect("the webhook");
    assert_eq!((cause.why, cause.blocks.len()), (Why::Proven, 50), "{cause:?}");
}

/// The result for a mutating webhook that changes every update of a widget.
fn mutated(message: &'static str, generation: i64) -> Vec<(Cause, bool)> {
    let mut world = WebhookCluster::new(&[], move |_| {
        Fact::Probed(Probed::Refused(Refused { code: 422, reason: "Invalid".into(), message: message.into() }))
    });
    let webhooks = json!({"metadata": {"name": "defaults", "uid": "m"}, "webhooks": [by_url()]});
    world.0.put("mutatingwebhookconfigurations", webhooks);
    let definition = json!({"metadata": {"name": "widgets.acme.io", "uid": "d", "generation": generation}});
    world.0.put("customresourcedefinitions", definition);
    let (report, _) = world.report();
    let about = [Cause::Admission, Cause::Crd];
    report.findings.iter().filter(|it| about.contains(&it.cause)).map(|it| (it.cause, it.root)).collect()
}

#[test]
fn mutations_are_distinguished_from_schema_violations() {
    let immutable = "Widget.acme.io \"w\" is invalid: spec.size: Invalid value: \"integer\": Value is immutable";
    assert_eq!(mutated(immutable, 2), [(Cause::Admission, true)]);
    let custom = "Widget.acme.io \"w\" is invalid: spec.size: Invalid value: \"integer\": sizes stay";
    assert_eq!(mutated(custom, 1), [(Cause::Admission, true)]);
    assert_eq!(mutated(custom, 2), [(Cause::Crd, true)]);
}

#[test]
fn only_a_webhook_that_the_server_itself_names_is_relaxed() {
    let steps = |message: &'static str| {
        let (report, _) = WebhookCluster::new(&[by_url()], move |_| refused(message)).report();
        report.remedies.iter().flat_map(|remedy| remedy.steps.iter().map(Step::kind)).collect::<Vec<_>>()
    };
    let said = "Internal error occurred: failed calling webhook \"url.acme.io\": failed to call webhook: EOF";
    assert!(steps(said).contains(&StepKind::IgnoreWebhook));
    // A value that a tenant has put into an object, as the server quotes it; and the message of another
    // webhook.
    for quoted in [
        "Widget.acme.io \"w\" is invalid: spec.note: Invalid value: \"failed calling webhook \\\"url.acme.io\\\": failed \
         to call webhook: EOF\": too long",
        "Widget.acme.io \"w\" is invalid: spec.note: Invalid value: \"x failed calling webhook \"url.acme.io\": EOF",
        "admission webhook \"other.acme.io\" denied the request: failed calling webhook \"url.acme.io\": EOF",
    ] {
        assert!(!steps(quoted).contains(&StepKind::IgnoreWebhook), "{quoted}");
    }
}
