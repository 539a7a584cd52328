//! Tests with small clusters in memory, for links that need no control plane.

use super::*;
use crate::facts::Facts;
use crate::kubernetes::services::network::node_of_tests;
use crate::kubernetes::services::trouble::Provider;
use crate::report::{LinkState, Ref};
use crate::survey::{Discovery, Fact, Form, Metadata, Object, Reason, Resource, ResourceId, Survey, Unread, Want};
use serde_json::{Value, json};

fn object(value: Value) -> Object {
    Object::single(value).unwrap()
}

fn cluster() -> Survey {
    let resource = |group: &str, plural: &str, kind: &str| Resource {
        id: ResourceId::new(group, "v1", plural),
        kind: kind.into(),
        namespaced: true,
        singular: String::new(),
        short_names: Vec::new(),
        verbs: vec!["list".into()],
    };
    let resources = vec![
        resource("apps", "deployments", "Deployment"),
        resource("apps", "statefulsets", "StatefulSet"),
        resource("apps", "daemonsets", "DaemonSet"),
    ];
    Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), Discovery { resources, stale: Vec::new() })
}

fn get(survey: &mut Survey, plural: &str, namespace: Option<&str>, name: &str, form: Form, value: Value) {
    let id = ResourceId::new("", "v1", plural);
    survey.record(Want::get(&id, namespace, name, form), Fact::Found(Box::new(object(value))));
}

fn list(survey: &mut Survey, group: &str, plural: &str, form: Form, items: Vec<Value>) {
    let want = Want::list(&ResourceId::new(group, "v1", plural), Some("ops"), form);
    survey.record(want, Fact::Listed(items.into_iter().map(object).collect()));
}

const NAME: ServiceName<'_> = ServiceName { namespace: "ops", name: "api", port: 443, registration: None };

/// A Service with a selector and a slice of these endpoints.
fn with_endpoints(endpoints: &Value) -> Survey {
    let mut survey = cluster();
    let service = json!({"metadata": {"name": "api", "namespace": "ops"},
        "spec": {"selector": {"app": "api"}, "ports": [{"name": "https", "port": 443, "targetPort": "https"}]}});
    get(&mut survey, "services", Some("ops"), "api", Form::Whole, service);
    get(&mut survey, "namespaces", None, "ops", Form::Metadata, json!({"metadata": {"name": "ops"}}));
    let slice = json!({"metadata": {"name": "api-1", "labels": {"kubernetes.io/service-name": "api"}},
        "ports": [{"name": "https", "port": 8443}], "endpoints": endpoints});
    list(&mut survey, "discovery.k8s.io", "endpointslices", Form::Whole, vec![slice]);
    survey
}

#[test]
fn an_address_without_conditions_is_ready() {
    let survey = with_endpoints(&json!([{"addresses": ["192.0.2.1"]}]));
    let facts = Facts::new(&survey);
    let backend = of(&NAME, &facts).unwrap();
    assert_eq!((backend.verdict, backend.chain.len(), backend.broken()), (Verdict::Answers, 2, None));
}

#[test]
fn an_undeclared_port_name_breaks_the_chain_at_the_service() {
    let mut survey = with_endpoints(&json!([]));
    let pod = json!({"metadata": {"name": "api-0", "labels": {"app": "api"}},
        "spec": {"containers": [{"ports": [{"name": "web", "containerPort": 8443}]}]},
        "status": {"conditions": [{"type": "Ready", "status": "True"}]}});
    list(&mut survey, "", "pods", Form::Whole, vec![pod]);
    let facts = Facts::new(&survey);
    let backend = of(&NAME, &facts).unwrap();
    assert_eq!(backend.broken().unwrap().object.kind, "Service");
}

#[test]
fn unreadable_pods_are_unknown_and_reported() {
    let mut survey = with_endpoints(&json!([]));
    let unread = Unread { reason: Reason::Forbidden, message: String::new() };
    survey.record(Want::list(&ResourceId::new("", "v1", "pods"), Some("ops"), Form::Whole), Fact::Unread(unread));
    let facts = Facts::new(&survey);
    let backend = of(&NAME, &facts).unwrap();
    assert_eq!(backend.chain.last().unwrap().state, LinkState::Unknown);
    assert_eq!(facts.into_wants().1.len(), 1);
}

#[test]
fn a_missing_service_is_left_over_unless_its_installation_exists() {
    let mut metadata = Metadata::default();
    metadata.labels = [("app.kubernetes.io/instance".to_owned(), "prom".to_owned())].into();
    let name = ServiceName { registration: Some(&metadata), ..NAME };
    for (instance, left_over) in [("prom", false), ("other", true)] {
        let mut survey = cluster();
        let services = ResourceId::new("", "v1", "services");
        survey.record(Want::get(&services, Some("ops"), "api", Form::Whole), Fact::Missing);
        get(&mut survey, "namespaces", None, "ops", Form::Metadata, json!({"metadata": {"name": "ops"}}));
        list(&mut survey, "discovery.k8s.io", "endpointslices", Form::Whole, vec![]);
        let deployment = json!({"metadata": {"name": "adapter", "labels": {"app.kubernetes.io/instance": instance}}});
        list(&mut survey, "apps", "deployments", Form::Metadata, vec![deployment]);
        list(&mut survey, "apps", "statefulsets", Form::Metadata, vec![]);
        list(&mut survey, "apps", "daemonsets", Form::Metadata, vec![]);
        let facts = Facts::new(&survey);
        let backend = of(&name, &facts).unwrap();
        assert_eq!((backend.is_left_over(), backend.is_wanted), (left_over, !left_over), "{instance}");
    }
}

#[test]
fn clouds_are_recognized_by_provider_ids() {
    for (id, provider, machine) in [
        ("cn-hangzhou.i-bp1a", Provider::Alibaba, "i-bp1a"),
        ("aws:///eu-west-1a/i-0abc", Provider::Amazon, "i-0abc"),
        ("gce://prod/europe-west1-b/gke-1", Provider::Google, "gke-1"),
        ("azure:///subscriptions/x/virtualMachines/3", Provider::Azure, "3"),
        ("kind://docker/kind/node", Provider::Other, "node"),
    ] {
        let node = object(json!({"metadata": {"name": "n"}, "spec": {"providerID": id}}));
        assert_eq!(node_of_tests(&node), (provider, Some(machine.to_owned())), "{id}");
    }
}

#[test]
fn a_network_plugin_failure_does_not_lead_to_routes() {
    let node = |reason: &str| {
        json!({"metadata": {"name": "n"}, "status": {"conditions": [
            {"type": "NetworkUnavailable", "status": "True", "reason": reason}]}})
    };
    for (reason, kinds) in
        [("CalicoIsDown", vec!["Node"]), ("NoRouteCreated", vec!["Node", "Route", "RouteController"])]
    {
        let mut survey = cluster();
        get(&mut survey, "nodes", None, "n", Form::Whole, node(reason));
        let leases = ResourceId::new("coordination.k8s.io", "v1", "leases");
        for (namespace, name) in [("kube-node-lease", "n"), ("kube-system", "cloud-controller-manager")] {
            survey.record(Want::get(&leases, Some(namespace), name, Form::Whole), Fact::Missing);
        }
        let events = ResourceId::new("", "v1", "events");
        survey.record(Want::list(&events, Some("default"), Form::Whole), Fact::Listed(Vec::new()));
        let facts = Facts::new(&survey);
        let mut backend = Backend::new(Ref::default());
        crate::kubernetes::services::network::node("n", &facts).unwrap().join(&mut backend);
        let found: Vec<&str> = backend.chain.iter().map(|link| link.object.kind.as_str()).collect();
        assert_eq!(found, kinds, "{reason}");
    }
}

#[test]
fn a_tunnel_without_agents_is_broken() {
    for (ready, state) in [(0, LinkState::Broken), (2, LinkState::Fine)] {
        let mut survey = cluster();
        let agent = |kind: &str| {
            Want::get(&ResourceId::new("apps", "v1", kind), Some("kube-system"), "konnectivity-agent", Form::Whole)
        };
        survey.record(agent("deployments"), Fact::Missing);
        let status = json!({"numberReady": ready, "desiredNumberScheduled": 2});
        let found =
            object(json!({"metadata": {"name": "konnectivity-agent", "namespace": "kube-system"}, "status": status}));
        survey.record(agent("daemonsets"), Fact::Found(Box::new(found)));
        assert_eq!(tunnel(&Facts::new(&survey)).unwrap().unwrap().state, state);
    }
}
