//! Nodes whose kubelet is a workload of the cluster: it makes their pods run elsewhere, and nothing
//! else can report their end.

use crate::facts::{Facts, Known, Readable, each};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::names::likeness;
use crate::kubernetes::kubelet::SignOfLife;
use crate::kubernetes::kubelet::nature::Nature;
use crate::kubernetes::ownership::access::Rights;
use crate::kubernetes::ownership::access::account_of;
use crate::kubernetes::workloads::health::{self, Health};
use crate::survey::{Form, Object, Resource, Seen};
use std::collections::BTreeSet;

/// The kinds that run a kubelet for one node. A `DaemonSet` runs one on each machine.
const KINDS: [(&str, &str); 2] = [("apps", "deployments"), ("apps", "statefulsets")];
/// How many namespaces are searched for workloads, which are read whole.
const MAX_NAMESPACES: usize = 6;
/// Programs that contain the kubelet of a machine, and those with which people write.
const OF_MACHINES: [&str; 9] =
    ["k0s", "k3s", "kubectl", "kubelet", "kubelet.exe", "kubelite", "hyperkube", "microk8s", "rke2"];

/// The kubelet of a node that has no machine.
#[derive(Debug)]
pub(crate) struct VirtualKubelet<'s> {
    /// The evidence that the node has no machine, and the field that shows it.
    pub(crate) sign: (String, &'static str),
    /// The workload that is its kubelet, and its health.
    pub(crate) workload: Option<(Seen<'s>, Health<'s>)>,
    /// The evidence for that workload.
    pub(crate) why: String,
}

/// The kubelet of `node`, unless it is a program on a machine.
pub(crate) fn virtual_kubelet<'s>(
    node: &Object,
    nature: &Nature<'_>,
    heard: Option<&SignOfLife>,
    facts: &Facts<'s>,
) -> Known<Option<VirtualKubelet<'s>>> {
    let writer = heard.and_then(|heard| heard.by.as_deref()).filter(|by| !is_of_a_machine(by));
    if nature.no_machine.is_none() && writer.is_none() {
        return Ok(None);
    }
    let mut found = called(node, writer, facts)?;
    if found.is_none() && nature.no_machine.is_some() {
        found = by_rights(node, facts)?;
    }
    let sign = match (&nature.no_machine, &found) {
        (Some(sign), _) => sign.clone(),
        // The lease is renewed under the name of a workload.
        (None, Some((_, why))) => (why.clone(), "metadata.managedFields"),
        (None, None) => return Ok(None),
    };
    let Some((seen, why)) = found else { return Ok(Some(VirtualKubelet { sign, workload: None, why: String::new() })) };
    let health = health::of(seen.object, facts, &Gaps::default())?;
    Ok(Some(VirtualKubelet { sign, workload: Some((seen, health)), why }))
}

fn is_of_a_machine(writer: &str) -> bool {
    OF_MACHINES
        .iter()
        .any(|name| writer.strip_prefix(name).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
}

/// The workload whose name resembles the node's or, if there is none, the name of the manager that
/// renews the node's lease. Several nodes of a provider may share a manager: its name counts only
/// if it resembles the name of a single workload.
fn called<'s>(node: &Object, writer: Option<&str>, facts: &Facts<'s>) -> Known<Option<(Seen<'s>, String)>> {
    let lists = each(kinds(facts), |kind| {
        Ok((kind, facts.list(&kind.id, None, Form::Metadata).if_readable()?.unwrap_or_default()))
    })?;
    let all = || lists.iter().flat_map(|(kind, list)| list.iter().map(|object| Seen { resource: kind, object }));
    let alike = |name: &str| -> Vec<Seen<'s>> {
        let is_alike =
            |seen: &Seen<'_>| likeness(name, seen.object.name()) > 0 || likeness(seen.object.name(), name) > 0;
        all().filter(is_alike).collect()
    };
    let by_name = alike(node.name()).into_iter().max_by_key(|seen| likeness(node.name(), seen.object.name()));
    let found = match (by_name, writer) {
        (Some(seen), _) => Some((seen, format!("it has the name of node {}", node.name()))),
        (None, Some(writer)) => match alike(writer)[..] {
            [seen] => Some((seen, format!("its lease is renewed by {writer}, the name of {}", seen.object.name()))),
            _ => None,
        },
        (None, None) => None,
    };
    let Some((seen, why)) = found else { return Ok(None) };
    Ok(facts.whole(seen).if_readable()?.flatten().map(|object| (Seen { object, ..seen }, why)))
}

/// The only workload whose account may write nodes.
fn by_rights<'s>(node: &Object, facts: &Facts<'s>) -> Known<Option<(Seen<'s>, String)>> {
    let Some(nodes) = facts.preferred("", "nodes") else { return Ok(None) };
    let rights = Rights::read(&nodes.id, None, node.name(), facts, &Gaps::default())?;
    let places: BTreeSet<&str> = rights.holders.keys().map(|account| account.namespace.as_str()).collect();
    let wanted: Vec<(&Resource, &str)> = kinds(facts)
        .into_iter()
        .flat_map(|kind| places.iter().take(MAX_NAMESPACES).map(move |place| (kind, *place)))
        .collect();
    let lists = each(wanted, |(kind, place)| {
        Ok((kind, facts.list(&kind.id, Some(place), Form::Whole).if_readable()?.unwrap_or_default()))
    })?;
    let mut able = lists.iter().flat_map(|(kind, list)| {
        let able = list.iter().filter_map(|object| Some((object, rights.holders.get(&account_of(object))?)));
        able.map(|(object, holder)| (Seen { resource: kind, object }, holder))
    });
    let (Some((seen, holder)), None) = (able.next(), able.next()) else { return Ok(None) };
    Ok(Some((seen, format!("only its account may write nodes ({})", holder.via))))
}

fn kinds<'s>(facts: &Facts<'s>) -> Vec<&'s Resource> {
    KINDS.iter().filter_map(|(group, plural)| facts.preferred(group, plural)).collect()
}
