//! Tests with small clusters in memory, for links that need no control plane.

use super::*;
use crate::facts::Facts;
use crate::kubernetes::services::network::node_of_tests;
use crate::kubernetes::services::trouble::Provider;
use crate::report::{LinkState, Ref};
use crate::survey::{InMemory, Metadata, Object, Reason, Resource};
use serde_json::{Value, json};

/// A cluster with these objects, by the plural names of their kinds.
fn cluster(objects: impl IntoIterator<Item = (&'static str, Value)>) -> InMemory {
    let kinds = [
        Resource::tested("", "namespaces", "Namespace", false),
        Resource::tested("", "nodes", "Node", false),
        Resource::tested("", "pods", "Pod", true),
        Resource::tested("", "services", "Service", true),
        Resource::tested("apps", "deployments", "Deployment", true),
        Resource::tested("apps", "statefulsets", "StatefulSet", true),
        Resource::tested("apps", "daemonsets", "DaemonSet", true),
        Resource::tested("discovery.k8s.io", "endpointslices", "EndpointSlice", true),
    ];
    InMemory::holding("2026-01-01T00:00:00Z", kinds, objects)
}

const NAME: ServiceName<'_> = ServiceName { namespace: "ops", name: "api", port: 443, registration: None };

/// A Service with a selector and a slice of these endpoints.
fn with_endpoints(endpoints: &Value) -> InMemory {
    let service = json!({"metadata": {"name": "api", "namespace": "ops"},
        "spec": {"selector": {"app": "api"}, "ports": [{"name": "https", "port": 443, "targetPort": "https"}]}});
    let labels = json!({"kubernetes.io/service-name": "api"});
    let slice = json!({"metadata": {"name": "api-1", "namespace": "ops", "labels": labels},
        "ports": [{"name": "https", "port": 8443}], "endpoints": endpoints});
    cluster([("namespaces", json!({"metadata": {"name": "ops"}})), ("services", service), ("endpointslices", slice)])
}

#[test]
fn an_address_without_conditions_is_ready() {
    let cluster = with_endpoints(&json!([{"addresses": ["192.0.2.1"]}]));
    let (told, _) = Facts::of(&cluster, |facts| {
        let backend = of(&NAME, facts)?;
        Ok((backend.verdict, backend.chain.len(), backend.broken().cloned()))
    });
    assert_eq!(told, (Verdict::Answers, 2, None));
}

#[test]
fn an_undeclared_port_name_breaks_the_chain_at_the_service() {
    let mut cluster = with_endpoints(&json!([]));
    let pod = json!({"metadata": {"name": "api-0", "namespace": "ops", "labels": {"app": "api"}},
        "spec": {"containers": [{"ports": [{"name": "web", "containerPort": 8443}]}]},
        "status": {"conditions": [{"type": "Ready", "status": "True"}]}});
    cluster.put("pods", pod);
    let (broken, _) = Facts::of(&cluster, |facts| Ok(of(&NAME, facts)?.broken().cloned()));
    assert_eq!(broken.unwrap().object.kind, "Service");
}

#[test]
fn unreadable_pods_are_unknown_and_reported() {
    let mut cluster = with_endpoints(&json!([]));
    cluster.hide("pods", Reason::Forbidden, "");
    let (chain, notes) = Facts::of(&cluster, |facts| Ok(of(&NAME, facts)?.chain));
    assert_eq!(chain.last().unwrap().state, LinkState::Unknown);
    assert_eq!(notes.len(), 1);
}

#[test]
fn a_missing_service_is_left_over_unless_its_installation_exists() {
    let mut metadata = Metadata::default();
    metadata.labels = [("app.kubernetes.io/instance".to_owned(), "prom".to_owned())].into();
    let name = ServiceName { registration: Some(&metadata), ..NAME };
    for (instance, left_over) in [("prom", false), ("other", true)] {
        let labels = json!({"app.kubernetes.io/instance": instance});
        let cluster = cluster([
            ("namespaces", json!({"metadata": {"name": "ops"}})),
            ("deployments", json!({"metadata": {"name": "adapter", "namespace": "ops", "labels": labels}})),
        ]);
        let (told, _) = Facts::of(&cluster, |facts| {
            let backend = of(&name, facts)?;
            Ok((backend.is_left_over(), backend.is_wanted))
        });
        assert_eq!(told, (left_over, !left_over), "{instance}");
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
        let node = Object::single(json!({"metadata": {"name": "n"}, "spec": {"providerID": id}})).unwrap();
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
        let (found, _) = Facts::of(&cluster([("nodes", node(reason))]), |facts| {
            let mut backend = Backend::new(Ref::default());
            crate::kubernetes::services::network::node("n", facts)?.join(&mut backend);
            Ok(backend.chain.iter().map(|link| link.object.kind.clone()).collect::<Vec<_>>())
        });
        assert_eq!(found, kinds, "{reason}");
    }
}

#[test]
fn a_tunnel_without_agents_is_broken() {
    for (ready, state) in [(0, LinkState::Broken), (2, LinkState::Fine)] {
        let status = json!({"numberReady": ready, "desiredNumberScheduled": 2});
        let agent = json!({"metadata": {"name": "konnectivity-agent", "namespace": "kube-system"}, "status": status});
        let (found, _) = Facts::of(&cluster([("daemonsets", agent)]), tunnel);
        assert_eq!(found.unwrap().state, state);
    }
}
