//! Small clusters in memory: who is named, and on what evidence.

use super::*;
use crate::diagnosis::{Cause, Certainty, Report, State, diagnose};
use crate::survey::{Discovery, Fact, Probe, Probed, Reason, Refused, ResourceId, Survey, TargetName, Unread, Want};
use serde_json::json;

const UID: &str = "u1";

struct World {
    webhooks: Vec<Value>,
    answer: Box<dyn Fn(&Probe) -> Fact>,
}

fn resource(group: &str, plural: &str, kind: &str, namespaced: bool) -> Resource {
    Resource {
        id: ResourceId::new(group, "v1", plural),
        kind: kind.into(),
        namespaced,
        singular: String::new(),
        short_names: Vec::new(),
        verbs: ["get", "list", "delete", "patch"].map(Into::into).to_vec(),
    }
}

fn discovery() -> Discovery {
    Discovery {
        resources: vec![
            resource("", "namespaces", "Namespace", false),
            resource("", "services", "Service", true),
            resource("acme.io", "widgets", "Widget", true),
            resource(GROUP, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false),
        ],
        stale: Vec::new(),
    }
}

fn object(value: Value) -> Object {
    Object::single(value).unwrap()
}

impl World {
    fn new(webhooks: Vec<Value>, answer: impl Fn(&Probe) -> Fact + 'static) -> Self {
        Self { webhooks, answer: Box::new(answer) }
    }

    fn fact(&self, want: &Want) -> Fact {
        if let Some(probe) = &want.probe {
            return (self.answer)(&probe.what);
        }
        match (want.resource.plural.as_str(), &want.name) {
            ("widgets", Some(_)) => {
                Fact::Found(Box::new(object(json!({"metadata": {"name": "w", "namespace": "shop",
                "uid": UID, "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["acme.io/x"]}}))))
            }
            ("namespaces", Some(_)) => {
                Fact::Found(Box::new(object(json!({"metadata": {"name": "shop", "uid": "ns", "labels": {"a": "b"}}}))))
            }
            ("validatingwebhookconfigurations", None) => Fact::Listed(vec![object(
                json!({"metadata": {"name": "guard", "uid": "c"}, "webhooks": self.webhooks}),
            )]),
            (_, Some(_)) => Fact::Missing,
            (_, None) => Fact::Listed(Vec::new()),
        }
    }

    /// The report, and the probes that it took.
    fn report(&self) -> (Report, Vec<Probe>) {
        let mut survey = Survey::new("2026-01-01T01:00:00Z".parse().unwrap(), discovery());
        let name = TargetName {
            resource: ResourceId::new("acme.io", "v1", "widgets"),
            namespace: Some("shop".into()),
            name: "w".into(),
        };
        let mut probes = Vec::new();
        loop {
            let diagnosis = diagnose(&survey, std::slice::from_ref(&name));
            if diagnosis.wants.is_empty() {
                return (diagnosis.report, probes);
            }
            for want in diagnosis.wants {
                probes.extend(want.probe.as_ref().map(|probe| probe.what.clone()));
                let fact = self.fact(&want);
                survey.record(want, fact);
            }
        }
    }

    fn admission(&self) -> Vec<(String, Certainty)> {
        let (report, _) = self.report();
        assert_eq!(report.targets[0].state, State::Stuck);
        let findings = report.findings.into_iter().filter(|finding| finding.cause == Cause::Admission && finding.root);
        findings.map(|finding| (finding.summary, finding.certainty)).collect()
    }
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
fn the_servers_words_prove_it() {
    let named = World::new(vec![webhook("UPDATE", "Fail")], |_| refused(NOT_FOUND)).admission();
    assert!(matches!(&named[..], [(summary, Certainty::Proven)] if summary.contains("guard.acme.io")), "{named:?}");
}

#[test]
fn without_the_right_to_try_a_dead_webhook_is_likely() {
    let named = World::new(vec![webhook("UPDATE", "Fail")], |_| unread(Reason::Forbidden)).admission();
    assert!(matches!(&named[..], [(_, Certainty::Likely)]), "{named:?}");
    let (report, _) = World::new(vec![webhook("UPDATE", "Fail")], |_| unread(Reason::Forbidden)).report();
    assert!(report.unread.iter().any(|note| note.what.contains("trial removal")), "{:?}", report.unread);
}

#[test]
fn what_passes_accuses_nobody() {
    let passes = World::new(vec![webhook("UPDATE", "Fail")], |_| Fact::Probed(Probed::Passed)).admission();
    assert!(passes.is_empty(), "{passes:?}");
}

#[test]
fn nothing_is_tried_where_nobody_is_asked() {
    for odd in [webhook("CREATE", "Fail"), webhook("DELETE", "Fail")] {
        let (report, probes) = World::new(vec![odd], |_| refused(NOT_FOUND)).report();
        assert_eq!((probes, report.findings.iter().any(|finding| finding.cause == Cause::Admission)), (vec![], false));
    }
}

#[test]
fn a_failure_that_is_ignored_is_in_nobodys_way() {
    let ignored = World::new(vec![webhook("UPDATE", "Ignore")], |_| unread(Reason::Forbidden)).admission();
    assert!(ignored.is_empty(), "{ignored:?}");
}

#[test]
fn one_that_hangs_is_likely_and_one_of_several_is_not_picked() {
    let alone = World::new(vec![by_url()], |_| unread(Reason::TimedOut)).admission();
    assert!(matches!(&alone[..], [(summary, Certainty::Likely)] if summary.contains("url.acme.io")), "{alone:?}");
    let two = World::new(vec![by_url(), by_url()], |_| unread(Reason::TimedOut)).admission();
    assert!(matches!(&two[..], [(summary, Certainty::Likely)] if summary.contains("another of 2")), "{two:?}");
}

#[test]
fn a_name_that_nobody_has_registered_comes_from_a_file() {
    let message = "admission webhook \"static.example.com\" denied the request: no";
    let named = World::new(vec![webhook("UPDATE", "Fail")], move |_| refused(message)).admission();
    assert!(named.iter().any(|(summary, _)| summary.contains("static.example.com")), "{named:?}");
}

#[test]
fn an_alive_webhook_that_denies_may_deny_it_to_this_user_alone() {
    let denies = "admission webhook \"url.acme.io\" denied the request: not you";
    let named = World::new(vec![by_url()], move |_| refused(denies)).admission();
    assert!(matches!(&named[..], [(summary, Certainty::Likely)] if summary.ends_with("not you")), "{named:?}");
}
