//! The pods that a Service selects, and the workload that creates them.

use crate::facts::{All, Facts, Known, Readable, each, flat_each};
use crate::kubernetes::built_in::named;
use crate::kubernetes::services::backend::{Backend, ServiceName, Verdict};
use crate::kubernetes::services::network;
use crate::kubernetes::services::slices::{Slices, pod_ref, selector, target_port};
use crate::kubernetes::workloads::health::{
    is_scaled_to_zero, is_starting, not_scheduled, refused, says_ready, why_no_pod, why_not_ready,
};
use crate::report::{Link, LinkState, Ref};
use crate::survey::{CalledService, Condition, Form, Metadata, Object, ResourceId, Seen, called_services};
use jiff::Timestamp;
use serde_json::Value;

/// The kinds that create pods which are meant to stay.
const WORKLOADS: [&str; 3] = ["deployments", "statefulsets", "daemonsets"];
/// How many Services that a pod calls are looked up.
const MAX_CALLED: usize = 3;
/// How many ready pods are checked for their nodes.
const MAX_PODS: usize = 2;

/// Finds out why a Service has no ready address.
pub(crate) fn look<'s>(
    mut backend: Backend<'s>,
    slices_ref: Ref,
    slices: &Slices<'_>,
    service: &'s Object,
    port: &Value,
    facts: &Facts<'s>,
) -> Known<Backend<'s>> {
    let namespace = service.metadata.namespace.as_deref().unwrap_or_default();
    let selector = selector(service);
    if selector.is_empty() {
        let text = "its Service has no selector, so another program has to write the addresses";
        backend.link(slices_ref, LinkState::Broken, text);
        return Ok(backend);
    }
    let place = facts.metadata(&ResourceId::new("", "v1", "namespaces"), None, namespace);
    let all = facts.list(&ResourceId::new("", "v1", "pods"), Some(namespace), Form::Whole);
    let (place, all) = (place.or_note(facts), all.or_note(facts)).all()?;
    let going = place.flatten().filter(|place| place.is_deleting());
    let Some(all) = all else {
        backend.link(slices_ref, LinkState::Broken, no_address(slices));
        let pods = pod_ref(namespace, "*");
        backend.link(pods, LinkState::Unknown, "cannot be read, so it is not known why no address is ready");
        return Ok(backend);
    };
    let pods: Vec<&Object> = all.iter().filter(|pod| selects(&selector, &pod.metadata)).collect();
    if pods.iter().any(|pod| says_ready(pod)) {
        return Ok(ready_without_address(backend, slices_ref, slices, &pods, port));
    }
    backend.link(slices_ref, LinkState::Affected, no_address(slices));
    if let Some(place) = going {
        backend.left_over = Some(format!("namespace {namespace} is itself being deleted"));
        let place = named("v1", "Namespace", "namespaces", None, namespace).with_uid(place.uid());
        backend.link(place, LinkState::Broken, "is itself being deleted, so no pods can be created in it");
        return Ok(backend);
    }
    match pods.iter().filter(|pod| !pod.is_deleting()).max_by_key(|pod| pod.metadata.creation_timestamp) {
        Some(pod) => not_ready(&mut backend, pod, facts)?,
        None => without_pod(&mut backend, namespace, &selector, pods.len(), facts)?,
    }
    Ok(backend)
}

fn no_address(slices: &Slices<'_>) -> String {
    match (slices.count, slices.not_ready) {
        (0, _) => "does not exist: no pod is behind the Service".into(),
        (_, 0) => "no address".into(),
        (_, 1) => "1 address, not ready".into(),
        (_, count) => format!("{count} addresses, none of them ready"),
    }
}

fn selects(selector: &[(&str, &str)], metadata: &Metadata) -> bool {
    selector.iter().all(|(key, value)| metadata.labels.get(key).is_some_and(|found| found == value))
}

/// Handles Ready pods without an address for this port.
fn ready_without_address<'s>(
    mut backend: Backend<'s>,
    slices_ref: Ref,
    slices: &Slices<'_>,
    pods: &[&Object],
    port: &Value,
) -> Backend<'s> {
    backend.is_wanted = true;
    let target = target_port(port);
    let numbered = target.chars().all(|c| c.is_ascii_digit());
    let declared = pods.iter().filter(|pod| says_ready(pod)).any(|pod| declares(pod, &target));
    if !numbered && !declared {
        let text = format!("none of its Ready pods declares its target port {target}");
        if let Some(service) = backend.chain.last_mut() {
            *service = Link::new(service.object.clone(), LinkState::Broken, text);
        }
        return backend;
    }
    let text = match slices.count {
        0 => "pods are Ready, and the endpointslice controller of kube-controller-manager has created no EndpointSlice",
        _ if slices.other_ports > 0 => "the addresses of its Service are ready only for other ports",
        _ => {
            "pods are Ready, and the endpointslice controller of kube-controller-manager has not added their addresses"
        }
    };
    backend.link(slices_ref, LinkState::Broken, text);
    backend
}

fn declares(pod: &Object, port: &str) -> bool {
    let ports = pod.array("/spec/containers").iter().filter_map(|container| container.get("ports")?.as_array());
    ports.flatten().any(|entry| entry.get("name").and_then(Value::as_str) == Some(port))
}

/// Handles a pod that exists and is not Ready: by itself, or because of its node.
fn not_ready<'s>(backend: &mut Backend<'s>, pod: &'s Object, facts: &Facts<'s>) -> Known {
    let reference = pod_ref(pod.metadata.namespace.as_deref().unwrap_or_default(), pod.name()).with_uid(pod.uid());
    let why = why_not_ready(pod);
    (backend.starting, backend.is_wanted) = (is_starting(pod, facts.now()), true);
    let trouble = match pod.text("/spec/nodeName").filter(|node| !node.is_empty()) {
        Some(node) => network::node(node, facts)?,
        // The scheduler names the taint that keeps pods off nodes without a network.
        None if not_scheduled(pod).is_some_and(|said| said.contains(network::UNAVAILABLE_TAINT)) => {
            network::of_any_node(facts)?
        }
        None => network::NodePath::default(),
    };
    if trouble.is_broken() {
        backend.link(reference, LinkState::Affected, why);
        trouble.join(backend);
    } else if let Some(called) = calls_in_vain(pod, facts)? {
        backend.link(reference, LinkState::Affected, why);
        // As long as that namespace waits for this server, the server cannot be repaired.
        (backend.is_wanted, backend.is_assumed) = (!called.is_going, true);
        backend.chain.push(called.link);
    } else {
        backend.link(reference, LinkState::Broken, why);
    }
    Ok(())
}

/// A Service that a pod calls, and that is not there.
struct LostService {
    link: Link,
    /// Whether its namespace is being deleted.
    is_going: bool,
}

/// The first Service that a variable of a pod names, and that does not exist or is deleted with its namespace.
fn calls_in_vain(pod: &Object, facts: &Facts<'_>) -> Known<Option<LostService>> {
    let called = pod.array("/spec/containers").iter().flat_map(called_services).take(MAX_CALLED);
    let lost = flat_each(called, |CalledService { variable, namespace, name, .. }| {
        let Some(place) = namespace.or_else(|| pod.metadata.namespace.as_deref().map(ToOwned::to_owned)) else {
            return Ok(None);
        };
        let service = facts.metadata(&ResourceId::new("", "v1", "services"), Some(&place), &name).if_readable();
        let home = facts.metadata(&ResourceId::new("", "v1", "namespaces"), None, &place).if_readable();
        let (service, home) = (service, home).all()?;
        let (is_going, is_gone) = (home.flatten().is_some_and(Object::is_deleting), matches!(service, Some(None)));
        if !is_going && !is_gone {
            return Ok(None);
        }
        let object = named("v1", "Service", "services", Some(&place), &name).missing_if(is_gone);
        let end = if is_going { format!("is deleted with its namespace {place}") } else { "does not exist".to_owned() };
        let link =
            Link::new(object, LinkState::Broken, format!("{end}, and the server calls it by its variable {variable}"));
        Ok(Some(LostService { link, is_going }))
    })?;
    Ok(lost.into_iter().next())
}

/// Handles a missing pod: finds the workload that should create it.
fn without_pod<'s>(
    backend: &mut Backend<'s>,
    namespace: &str,
    selector: &[(&str, &str)],
    going: usize,
    facts: &Facts<'s>,
) -> Known {
    let Some(workloads) = workloads(namespace, Form::Whole, facts)? else {
        let unread = named("apps/v1", "Deployment", "deployments", Some(namespace), "*");
        backend.link(unread, LinkState::Unknown, "workloads cannot be read, so it is not known why there is no pod");
        return Ok(());
    };
    let makes = |workload: &&Seen<'_>| {
        let labels = workload.object.at("/spec/template/metadata/labels").and_then(Value::as_object);
        labels.is_some_and(|labels| {
            selector.iter().all(|(key, value)| labels.get(*key).and_then(Value::as_str) == Some(value))
        })
    };
    let Some(workload) = workloads.iter().find(makes) else {
        let wanted: Vec<String> = selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let text = match going {
            0 => format!("no pod and no workload has the labels that its Service selects: {}", wanted.join(",")),
            _ => format!("the pods of its Service are being deleted ({going}), and no workload creates new ones"),
        };
        if let Some(slices) = backend.chain.last_mut() {
            *slices = Link::new(slices.object.clone(), LinkState::Broken, text);
        }
        return Ok(());
    };
    backend.is_wanted = true;
    let reference = Ref::from(*workload);
    if is_scaled_to_zero(workload.object) {
        backend.link(reference, LinkState::Broken, "is scaled to 0 replicas");
        backend.scaled_to_zero = Some(*workload);
        return Ok(());
    }
    let text = if going > 0 && refused(workload.object).is_none() {
        format!("has no new pod, and the old ones are being deleted ({going})")
    } else {
        why_no_pod(workload.object, facts)?
    };
    backend.link(reference, LinkState::Broken, text);
    Ok(())
}

/// The workloads of a namespace; `None` if some cannot be read, which is noted.
fn workloads<'s>(namespace: &str, form: Form, facts: &Facts<'s>) -> Known<Option<Vec<Seen<'s>>>> {
    let kinds = WORKLOADS.iter().filter_map(|plural| facts.preferred("apps", plural));
    let lists = each(kinds, |resource| {
        let list = facts.list(&resource.id, Some(namespace), form).or_note(facts)?;
        Ok(list.map(|list| list.iter().map(move |object| Seen { resource, object })))
    })?;
    let complete: Option<Vec<_>> = lists.into_iter().collect();
    Ok(complete.map(|lists| lists.into_iter().flatten().collect()))
}

/// The time since which the oldest ready pod behind a Service has been Ready.
pub(crate) fn ready_since(backend: &Backend<'_>, facts: &Facts<'_>) -> Known<Option<Timestamp>> {
    let Some(namespace) = backend.service.namespace.as_deref().filter(|_| !backend.ready_pods.is_empty()) else {
        return Ok(None);
    };
    let services = ResourceId::new("", "v1", "services");
    let service = facts.get(&services, Some(namespace), &backend.service.name, Form::Whole);
    let all = facts.list(&ResourceId::new("", "v1", "pods"), Some(namespace), Form::Whole);
    let (service, all) = (service.or_note(facts), all.or_note(facts)).all()?;
    let behind = |pod: &&Object| backend.ready_pods.contains(&pod.name());
    let since: Option<Vec<Timestamp>> =
        all.unwrap_or_default().iter().filter(behind).map(|pod| pod.condition("Ready")?.since()).collect();
    let since = since.and_then(|since| since.into_iter().min());
    Ok(since.max(service.flatten().and_then(|service| service.metadata.creation_timestamp).filter(|_| since.is_some())))
}

/// The expected backend of a Service that does not exist.
pub(crate) enum ExpectedBackend {
    /// None that can be seen.
    Nobody,
    /// A workload of the same installation.
    Workload(Ref),
    /// It could not be read.
    Unread,
}

/// Looks in the namespace of a missing Service for other parts of its installation.
pub(crate) fn would_be_behind(name: &ServiceName<'_>, facts: &Facts<'_>) -> Known<ExpectedBackend> {
    let Some(workloads) = workloads(name.namespace, Form::Metadata, facts)? else { return Ok(ExpectedBackend::Unread) };
    let akin = |workload: &&Seen<'_>| {
        let metadata = &workload.object.metadata;
        &*metadata.name == name.name
            || metadata.labels.get("app.kubernetes.io/name").is_some_and(|called| called == name.name)
            || name.registration.is_some_and(|registration| of_one_installation(registration, metadata))
    };
    Ok(workloads
        .iter()
        .find(akin)
        .map_or(ExpectedBackend::Nobody, |workload| ExpectedBackend::Workload(Ref::from(*workload))))
}

/// Labels that an installer puts on everything that it installs together.
const LABELS: [&str; 6] = [
    "app.kubernetes.io/instance", "app.kubernetes.io/name", "app.kubernetes.io/part-of", "k8s-app", "app", "olm.owner",
];
const RELEASE: [&str; 2] = ["meta.helm.sh/release-name", "meta.helm.sh/release-namespace"];

fn of_one_installation(one: &Metadata, other: &Metadata) -> bool {
    let same = |key: &str| one.labels.get(key).is_some_and(|value| other.labels.get(key) == Some(value));
    let released = |key: &str| one.annotations.get(key).is_some_and(|value| other.annotations.get(key) == Some(value));
    LABELS.iter().any(|key| same(key)) || RELEASE.iter().all(|key| released(key))
}

/// Adds the links after ready pods: their node and its network.
pub(crate) fn way_to<'s>(backend: &mut Backend<'s>, namespace: &str, names: &[&str], facts: &Facts<'s>) -> Known {
    let pods = ResourceId::new("", "v1", "pods");
    let mut ways = flat_each(names.iter().take(MAX_PODS), |name| {
        let pod = facts.get(&pods, Some(namespace), name, Form::Whole).or_note(facts)?.flatten();
        let Some(pod) = pod else { return Ok(None) };
        let node = pod.text("/spec/nodeName").filter(|node| !node.is_empty());
        let way = match node {
            Some(node) => network::node(node, facts)?,
            None => network::NodePath::default(),
        };
        let ready = pod.condition("Ready").map(Condition::status) == Some("True");
        let link = Link::new(
            pod_ref(namespace, name).with_uid(pod.uid()),
            LinkState::Fine,
            if ready { "Ready" } else { "its address is ready" },
        );
        Ok(Some((link, way)))
    })?;
    // A broken link is the better evidence; one of each kind is enough.
    ways.sort_by_key(|(_, way)| !way.is_broken());
    if let Some((pod, way)) = ways.into_iter().next() {
        let broken = way.is_broken();
        backend.chain.push(pod);
        way.join(backend);
        if broken {
            backend.verdict = Verdict::Broken;
        }
    }
    Ok(())
}
