//! A node and its network, as far as the cluster shows them, and the controller that makes the route to
//! it. A person must look up the rest in the cloud.

use super::trouble::{Matter, Provider, Trouble};
use crate::facts::{All, Facts, Known, Readable, flat_each, since};
use crate::kubernetes::built_in::named;
use crate::kubernetes::lease::{LEASE_IS_OLD, outlives, renewed};
use crate::kubernetes::services::backend::Backend;
use crate::report::{Link, LinkState, Named, Ref};
use crate::survey::{Condition, Form, Object, ResourceId};
use jiff::{SignedDuration, Timestamp};

/// The taint of nodes whose network is not up yet, according to the `NetworkUnavailable` condition
/// (kubernetes/kubernetes: `staging/src/k8s.io/api/core/v1/well_known_taints.go`).
pub(crate) const UNAVAILABLE_TAINT: &str = "node.kubernetes.io/network-unavailable";

/// The links from a node on.
#[derive(Debug, Default)]
pub(crate) struct NodePath {
    links: Vec<Link>,
    trouble: Option<Trouble>,
}

impl NodePath {
    pub(crate) fn is_broken(&self) -> bool {
        self.links.iter().any(|link| matches!(link.state, LinkState::Broken | LinkState::Affected))
    }

    pub(crate) fn join(self, backend: &mut Backend<'_>) {
        backend.chain.extend(self.links);
        backend.trouble = self.trouble.or(backend.trouble.take());
    }
}

/// The links to the node of this name.
pub(crate) fn node(name: &str, facts: &Facts<'_>) -> Known<NodePath> {
    let nodes = ResourceId::new("", "v1", "nodes");
    let lease = facts.get(&leases(), Some("kube-node-lease"), name, Form::Whole);
    let node = facts.get(&nodes, None, name, Form::Whole).or_note(facts)?;
    let reference = named("v1", "Node", "nodes", None, name);
    let Some(node) = node else {
        return Ok(NodePath { links: vec![Link::new(reference, LinkState::Unknown, "cannot be read")], trouble: None });
    };
    let Some(node) = node else {
        let trouble = Trouble {
            node: reference.clone().missing(),
            provider: Provider::Other,
            machine: None,
            pod_cidr: None,
            what: Matter::Gone,
        };
        let links = vec![Link::new(reference.missing(), LinkState::Broken, "does not exist")];
        return Ok(NodePath { links, trouble: Some(trouble) });
    };
    if is_unroutable(node) {
        return unroutable(node, facts);
    }
    let reference = reference.with_uid(node.uid());
    let ready = node.condition("Ready");
    if ready.map(Condition::status) == Some("True") {
        let trouble = trouble(node, Matter::DoesNotShow);
        return Ok(NodePath { links: vec![Link::new(reference, LinkState::Fine, "Ready")], trouble: Some(trouble) });
    }
    let says = ready.map_or_else(|| "it has never reported".to_owned(), Condition::says);
    let silent = lease.or_note(facts)?.flatten().and_then(|lease| age_of(lease, facts));
    let lease = silent
        .filter(|age| *age > LEASE_IS_OLD)
        .map(|age| format!("; its lease was last renewed {}s ago", age.as_secs()));
    let text = format!("not Ready: {}{}", says.trim_end_matches('.'), lease.unwrap_or_default());
    let links = vec![Link::new(reference, LinkState::Broken, text)];
    Ok(NodePath { links, trouble: Some(trouble(node, Matter::NotReady)) })
}

/// The links to a node without a network, if the scheduler says that a pod waits for such nodes.
pub(crate) fn of_any_node(facts: &Facts<'_>) -> Known<NodePath> {
    let nodes = facts.list(&ResourceId::new("", "v1", "nodes"), None, Form::Whole).or_note(facts)?;
    match nodes.unwrap_or_default().iter().find(|node| is_unroutable(node)) {
        Some(node) => unroutable(node, facts),
        None => Ok(NodePath::default()),
    }
}

fn is_unroutable(node: &Object) -> bool {
    node.condition("NetworkUnavailable").map(Condition::status) == Some("True")
}

/// The links to a node whose network is not up. The reason `NoRouteCreated` comes from the route
/// controller, a part of the cloud-controller-manager (kubernetes/kubernetes:
/// `staging/src/k8s.io/cloud-provider/controllers/route/route_controller.go`); any other reason comes
/// from the node's own network plugin.
fn unroutable(node: &Object, facts: &Facts<'_>) -> Known<NodePath> {
    let condition = node.condition("NetworkUnavailable");
    if condition.is_some_and(|condition| condition.reason() != "NoRouteCreated") {
        let reference = named("v1", "Node", "nodes", None, node.name()).with_uid(node.uid());
        let text = format!("its network is unavailable: {}", condition.map(Condition::says).unwrap_or_default());
        let links = vec![Link::new(reference, LinkState::Broken, text)];
        return Ok(NodePath { links, trouble: Some(trouble(node, Matter::NotReady)) });
    }
    no_route(node, facts)
}

fn no_route(node: &Object, facts: &Facts<'_>) -> Known<NodePath> {
    let lease = facts.get(&leases(), Some("kube-system"), "cloud-controller-manager", Form::Whole);
    // Events about cluster-scoped objects are in this namespace.
    let events = facts.list(&ResourceId::new("", "v1", "events"), Some("default"), Form::Whole);
    let (lease, events) = (lease.or_note(facts), events.or_note(facts)).all()?;
    let reference = named("v1", "Node", "nodes", None, node.name()).with_uid(node.uid());
    let says = node.condition("NetworkUnavailable").map(Condition::says).unwrap_or_default();
    let mut links = vec![Link::new(reference, LinkState::Affected, format!("its network is unavailable: {says}"))];
    let cidr = pod_cidr(node);
    let route = Ref::from(Named {
        kind: "Route".into(),
        name: format!("to {} on {}", cidr.unwrap_or("pods"), node.name()),
        ..Named::default()
    });
    let no_range = if cidr.is_none() { "; the node has no podCIDR" } else { "" };
    links.push(Link::new(route, LinkState::Affected, format!("does not exist in the cloud{no_range}")));
    let failure =
        events.unwrap_or_default().iter().filter(|event| is_about_route(event, node)).max_by_key(|event| at(event));
    let (mut controller, alive) = route_controller(lease.flatten(), failure.is_some(), facts);
    let mut what = Matter::NoRoute;
    if let Some(event) = failure {
        let message = event.text("/message").unwrap_or_default();
        let cause = cause_of(message);
        if let Some(refused) = refusal(message).filter(|_| alive) {
            controller.state = LinkState::Affected;
            links.push(controller);
            let name = provider(node).cloud();
            let (kind, name) = if refused == PERMISSION {
                what = Matter::NoPermission;
                ("Permission", format!("to write routes in {name}"))
            } else {
                ("CloudAPI", format!("of {name}"))
            };
            let cloud = Ref::from(Named { kind: kind.into(), name, ..Named::default() });
            links.push(Link::new(cloud, LinkState::Broken, format!("{refused}: {cause}")));
        } else {
            controller.text = controller.text.then(format!(": {cause}"));
            links.push(controller);
        }
    } else {
        links.push(controller);
    }
    Ok(NodePath { links, trouble: Some(trouble(node, what)) })
}

/// The link of the route controller, and whether that works.
fn route_controller(lease: Option<&Object>, wrote: bool, facts: &Facts<'_>) -> (Link, bool) {
    let object = Ref::from(Named {
        kind: "RouteController".into(),
        name: "in cloud-controller-manager".into(),
        ..Named::default()
    });
    match lease.and_then(|lease| Some((age_of(lease, facts)?, outlives(lease)))) {
        Some((age, held)) if age > held => {
            let text = format!("is not running: its lease was last renewed {}s ago", age.as_secs());
            (Link::new(object, LinkState::Broken, text), false)
        }
        Some(_) => (Link::new(object, LinkState::Broken, "runs, but has created no route"), true),
        None if wrote => (Link::new(object, LinkState::Broken, "writes events, but has created no route"), true),
        None => {
            let text = "has no lease in kube-system: in a managed cluster it runs where it cannot be seen";
            (Link::new(object, LinkState::Unknown, text), false)
        }
    }
}

/// The time since the last renewal of a lease.
fn age_of(lease: &Object, facts: &Facts<'_>) -> Option<SignedDuration> {
    Some(since(renewed(lease)?, facts.now()))
}

fn leases() -> ResourceId {
    ResourceId::new("coordination.k8s.io", "v1", "leases")
}

/// Whether an event of the route controller reports that it could not make the node's route.
fn is_about_route(event: &Object, node: &Object) -> bool {
    let text = |pointer| event.text(pointer).unwrap_or_default();
    text("/reason") == "FailedToCreateRoute"
        && text("/involvedObject/kind") == "Node"
        && text("/involvedObject/name") == node.name()
}

fn at(event: &Object) -> Option<Timestamp> {
    let time = |pointer: &str| event.text(pointer).and_then(|time| time.parse().ok());
    time("/series/lastObservedTime").or_else(|| time("/lastTimestamp")).or(event.metadata.creation_timestamp)
}

/// The cause in `Could not create route ID CIDR for node NAME after 10ms: why`: the last part.
fn cause_of(message: &str) -> &str {
    message.split_once(" after ").and_then(|(_, rest)| rest.split_once(": ")).map_or(message, |(_, why)| why)
}

const PERMISSION: &str = "missing";

/// Why the cloud's API refuses a route, by the words that clouds use.
fn refusal(message: &str) -> Option<&'static str> {
    let message = message.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| message.contains(word));
    // The error about a throttled request contains "denied", too.
    if any(&["throttl", "too many requests", "ratelimit"]) {
        Some("throttles the requests")
    } else if any(&[
        "permission", "forbidden", "denied", "unauthorized", "not authorized", "authorizationfailed",
        "status code: 403",
    ]) {
        Some(PERMISSION)
    } else if any(&["invalidaccesskeyid", "credential", "token has expired", "expiredtoken", "signature"]) {
        Some("does not accept the credentials")
    } else if any(&["quota", "limitexceeded", "limit exceeded"]) {
        Some("has no capacity for another route")
    } else {
        None
    }
}

fn trouble(node: &Object, what: Matter) -> Trouble {
    Trouble {
        node: named("v1", "Node", "nodes", None, node.name()).with_uid(node.uid()),
        provider: provider(node),
        machine: node.text("/spec/providerID").and_then(|id| id.rsplit(['/', '.']).next()).map(str::to_owned),
        pod_cidr: pod_cidr(node).map(str::to_owned),
        what,
    }
}

fn pod_cidr(node: &Object) -> Option<&str> {
    node.text("/spec/podCIDR").filter(|cidr| !cidr.is_empty())
}

/// The provider, by the scheme of `spec.providerID`, or by labels of the cloud's node pools.
fn provider(node: &Object) -> Provider {
    let id = node.text("/spec/providerID").unwrap_or_default();
    let labelled = |start: &str| node.metadata.labels.keys().any(|key| key.starts_with(start));
    // Alibaba's ids are REGION.INSTANCE, with this scheme or without any.
    let alibaba = id.starts_with("alicloud:") || id.contains(".i-");
    match () {
        () if alibaba || labelled("alibabacloud.com/") || labelled("ack.aliyun.com") => Provider::Alibaba,
        () if id.starts_with("aws:") || labelled("eks.amazonaws.com/") => Provider::Amazon,
        () if id.starts_with("gce:") || labelled("cloud.google.com/gke") => Provider::Google,
        () if id.starts_with("azure:") || labelled("kubernetes.azure.com/") => Provider::Azure,
        () => Provider::Other,
    }
}

/// The name of the agents that keep a tunnel from the nodes to an API server which cannot reach them
/// otherwise.
const AGENT: &str = "konnectivity-agent";

/// The state of the tunnel's agents.
pub(crate) fn tunnel(facts: &Facts<'_>) -> Known<Option<Link>> {
    let kinds = ["daemonsets", "deployments"].iter().filter_map(|plural| facts.preferred("apps", plural));
    let agents = flat_each(kinds, |kind| {
        let agent = facts.get(&kind.id, Some("kube-system"), AGENT, Form::Whole).or_note(facts)?.flatten();
        Ok(agent.map(|agent| (kind, agent)))
    })?;
    let Some((kind, agent)) = agents.into_iter().next() else { return Ok(None) };
    let number = |pointers: [&str; 2]| {
        pointers.iter().find_map(|pointer| agent.at(pointer).and_then(serde_json::Value::as_i64)).unwrap_or_default()
    };
    let ready = number(["/status/numberReady", "/status/readyReplicas"]);
    let wanted = number(["/status/desiredNumberScheduled", "/spec/replicas"]);
    let state = if ready > 0 { LinkState::Fine } else { LinkState::Broken };
    let text = format!("the tunnel from the API server to the nodes: {ready} of {wanted} agents ready");
    Ok(Some(Link::new(Ref::of(kind, agent), state, text)))
}

/// The provider and the machine of a node.
#[cfg(test)]
pub(crate) fn node_of_tests(node: &Object) -> (Provider, Option<String>) {
    let trouble = trouble(node, Matter::NoRoute);
    (trouble.provider, trouble.machine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cloud_route_errors_are_classified() {
        for (message, told) in [
            ("Forbidden.RAM, Message: User not authorized to operate on the resource", Some(PERMISSION)),
            ("googleapi: Error 403: Required 'compute.routes.create' permission", Some(PERMISSION)),
            ("UnauthorizedOperation: You are not authorized to perform this operation", Some(PERMISSION)),
            ("StatusCode=403 AuthorizationFailed: the client does not have authorization", Some(PERMISSION)),
            ("QuotaExceeded: the route table has 200 entries", Some("has no capacity for another route")),
            ("InvalidAccessKeyId.NotFound", Some("does not accept the credentials")),
            ("Throttling.User: Request was denied due to user flow control", Some("throttles the requests")),
            ("dial tcp: i/o timeout", None),
        ] {
            assert_eq!(refusal(message), told, "{message}");
        }
    }

    #[test]
    fn the_cause_is_the_last_part_of_an_event() {
        let message = "Could not create route 5a 10.0.3.0/24 for node n after 412ms: no: really";
        assert_eq!(cause_of(message), "no: really");
    }
}
