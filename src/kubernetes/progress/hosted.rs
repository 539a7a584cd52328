//! Controllers that no workload of this cluster runs: they lead from elsewhere, or are a part of the
//! program that is the control plane itself.

use crate::facts::{Facts, Known, each, flat_each};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::belongs_to;
use crate::kubernetes::finalizers::names::{ControllerName, SETTER, likeness, says_something};
use crate::kubernetes::lease::{holding_pod, is_name_of_a_pod};
use crate::kubernetes::ownership::owner::{self, Fit};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::workloads::health;
use crate::report::ControllerState;
use crate::survey::{Discovery, Form, Object};
use std::collections::BTreeSet;

/// How many namespaces are searched for leases.
const MAX_NAMESPACES: usize = 3;

/// The state of a hosted controller, and the evidence.
type HostedController = Option<(ControllerState, String)>;

/// The state of a controller that is known by one of the names but is no workload, and the evidence;
/// and whether everything was read that could show it.
pub(crate) fn find(inquiry: Inquiry<'_, '_>) -> Known<(HostedController, bool)> {
    let Inquiry { traces, facts, gaps, .. } = inquiry;
    let names: Vec<&ControllerName> = traces.names.iter().filter(|name| name.weight >= SETTER || name.writer).collect();
    let words = names.iter().map(|name| name.word.as_str());
    let (leads, server) = (leads(&names, inquiry), in_a_server(words, facts, gaps));
    let ((leads, all_leases), (server, all_nodes)) = (leads?, server?);
    Ok((server.or(leads), all_leases && all_nodes))
}

/// Whether the finalizer was set by the program that runs Kubernetes on the nodes. Then `workload`
/// is not the controller, despite the evidence.
pub(crate) fn set_by_server(workload: &Object, inquiry: Inquiry<'_, '_>) -> Known<bool> {
    let Inquiry { finalizer, held, facts, .. } = inquiry;
    let setter = held.whole.iter().find_map(|object| object.finalizer_set_by(finalizer));
    let is_another = |name: &str| says_something(name) && owner::fit(name, workload) == Fit::Not;
    let Some(setter) = setter.filter(|setter| is_another(&setter.name)) else { return Ok(false) };
    // If nodes cannot be read, the other evidence for the workload stands.
    Ok(in_a_server([setter.name.as_str()], facts, &Gaps::default())?.0.is_some())
}

/// The state that a lease with one of `names` shows. Only namespaces that traces point at are
/// searched.
fn leads(names: &[&ControllerName], inquiry: Inquiry<'_, '_>) -> Known<(HostedController, bool)> {
    let Inquiry { traces, facts, gaps, .. } = inquiry;
    let Some(leases) = facts.preferred("coordination.k8s.io", "leases") else { return Ok((None, true)) };
    let holders = traces.rights.holders.keys().map(|account| account.namespace.as_str());
    // Controllers in a cloud's control plane, which write as users, have their leases in kube-system.
    let system = traces.rights.user.iter().map(|_| "kube-system");
    let places: BTreeSet<&str> = traces.namespaces.iter().map(String::as_str).chain(holders).chain(system).collect();
    let lists = each(places.into_iter().take(MAX_NAMESPACES), |place| {
        gaps.pass(facts.list(&leases.id, Some(place), Form::Whole))
    })?;
    let is_it = |lease: &&Object| {
        let holder = lease.text("/spec/holderIdentity").unwrap_or_default();
        names.iter().any(|name| likeness(&name.word, lease.name()) > 0 || likeness(&name.word, holder) > 0)
    };
    let complete = lists.iter().all(Option::is_some);
    let all: Vec<&Object> = lists.into_iter().flatten().flatten().filter(is_it).collect();
    let fresh = flat_each(all.iter().copied(), |lease| {
        let Some(text) = health::leads(lease, facts) else { return Ok(None) };
        Ok((!is_left_over(lease, inquiry)?).then_some(text))
    })?;
    let found = fresh.first().map(|text| format!("{text}: it is running, though no workload for it was found"));
    let called = |lease: &&Object| names.iter().any(|name| likeness(&name.word, lease.name()) == 2);
    let stale = all.into_iter().filter(called).find_map(|lease| health::has_lapsed(lease, facts));
    // A controller that writes as a user has no workload here that could have taken another lease.
    let stale = stale.filter(|_| traces.rights.user.is_some());
    let found = found.map(|text| (ControllerState::Alive, text));
    Ok((found.or(stale.map(|text| (ControllerState::Down, text))), complete))
}

/// Whether a lease was last held by a pod of a Deployment in its namespace that no longer exists, with
/// an account there that has the permissions: it is not renewed any more.
fn is_left_over(lease: &Object, inquiry: Inquiry<'_, '_>) -> Known<bool> {
    let Inquiry { traces, facts, gaps, .. } = inquiry;
    let place = lease.metadata.namespace.as_deref();
    let lived_here = traces.rights.holders.keys().any(|account| Some(account.namespace.as_str()) == place);
    let holder = holding_pod(lease).filter(|holder| lived_here && is_name_of_a_pod(holder));
    let pods = facts.preferred("", "pods").zip(holder);
    let Some((pods, holder)) = pods else { return Ok(false) };
    let all = gaps.pass(facts.list(&pods.id, place, Form::Whole))?;
    Ok(all.is_some_and(|all| !all.iter().any(|pod| pod.name() == holder)))
}

/// The program with one of `names` that runs Kubernetes on the nodes. k3s, RKE2 and k0s add their
/// names to the version of the kubelet (`v1.36.1+k3s1`), `MicroK8s` and others to labels of the
/// node. Their controllers are threads of that program (<https://docs.k3s.io/architecture>).
/// Products that define kinds label nodes, too: these do not count.
fn in_a_server<'n>(
    names: impl IntoIterator<Item = &'n str>,
    facts: &Facts<'_>,
    gaps: &Gaps,
) -> Known<(HostedController, bool)> {
    // A server's name is a single word, unlike `acme-operator`.
    let mut servers = names.into_iter().filter(|word| !word.contains(['-', '*'])).peekable();
    let Some(nodes) = facts.preferred("", "nodes").filter(|_| servers.peek().is_some()) else {
        return Ok((None, true));
    };
    let Some(nodes) = gaps.pass(facts.list(&nodes.id, None, Form::Whole))? else { return Ok((None, false)) };
    let found = servers.find_map(|word| {
        let of_it: Vec<&Object> = nodes.iter().filter(|node| is_of_server(word, node, facts.discovery())).collect();
        let ready = |node: &&&Object| node.condition("Ready").is_some_and(|ready| ready.status() == "True");
        let (first, state) = match of_it.iter().find(ready) {
            Some(node) => (node, ControllerState::Alive),
            None => (of_it.first()?, ControllerState::Unknown),
        };
        Some((state, format!("Node {} runs {word}, which has its controllers in its own process", first.name())))
    });
    Ok((found, true))
}

fn is_of_server(word: &str, node: &Object, discovery: &Discovery) -> bool {
    let version = node.text("/status/nodeInfo/kubeletVersion").and_then(|version| version.split_once('+'));
    let defines = |domain: &str| discovery.resources.iter().any(|kind| belongs_to(&kind.id.group, domain));
    let labelled = |key: &String| {
        let domain = key.split('/').next().unwrap_or_default();
        domain.strip_prefix(word).is_some_and(|rest| rest.starts_with('.')) && !defines(domain)
    };
    version.is_some_and(|(_, build)| build.starts_with(word)) || node.metadata.labels.keys().any(labelled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::Resource;
    use serde_json::json;

    #[test]
    fn a_server_is_known_by_its_nodes() {
        let node = |version: &str, label: &str| -> Object {
            serde_json::from_value(json!({"metadata": {"name": "n", "labels": {label: "x"}},
                "status": {"nodeInfo": {"kubeletVersion": version}}}))
            .unwrap()
        };
        let nothing = Discovery::default();
        assert!(is_of_server("k3s", &node("v1.36.1+k3s1", "a"), &nothing));
        assert!(is_of_server("microk8s", &node("v1.36.1", "microk8s.io/cluster"), &nothing));
        assert!(!is_of_server("k3s", &node("v1.36.1+rke2r1", "a"), &nothing));
        assert!(!is_of_server("acme", &node("v1.36.1", "acmeother.io/x"), &nothing));
        let kind: Resource =
            serde_json::from_value(json!({"resource": "acme.io/v1/widgets", "kind": "Widget"})).unwrap();
        let defined = Discovery { resources: vec![kind], stale: Vec::new() };
        assert!(is_of_server("acme", &node("v1.36.1", "acme.io/pool"), &nothing));
        assert!(!is_of_server("acme", &node("v1.36.1", "acme.io/pool"), &defined));
    }
}
