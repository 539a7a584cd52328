//! Whether a workload runs, and if not, why: from its replicas, its pods, their nodes and its
//! namespace.

use crate::facts::{All, Facts, Known, Readable, ago, flat_each, since};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::names::ControllerName;
use crate::kubernetes::lease::{holder, holding_pod, outlives, renewed};
use crate::kubernetes::messages::admission::{Words, is_about_admission, read};
use crate::kubernetes::statements::events;
use crate::kubernetes::statements::statement::brief;
use crate::report::{ControllerState, Ref};
use crate::survey::{Condition, Fact, Form, Object, Seen, Survey, TargetName, Want};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// How long a controller that came back may take before it is late.
const RESUMES_WITHIN: SignedDuration = SignedDuration::from_mins(2);
/// How long a pod may take to become Ready.
const STARTS_WITHIN: SignedDuration = SignedDuration::from_mins(2);
/// How many pods are checked for their nodes.
const MAX_PODS: usize = 3;
/// How many events of a pod without a sandbox are read.
const MAX_EVENTS: usize = 10;

/// The health of a workload.
#[derive(Debug)]
pub(crate) enum Health<'s> {
    /// It is scaled to 0.
    ScaledToZero,
    /// It has no pod that works, for this reason.
    Down(Down),
    /// It has a pod that is Ready.
    Runs(Vec<&'s Object>),
    /// Its pods could not be read; the text is about its own status.
    Unread(String),
}

/// The object whose deletion prevents a workload from coming back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeingDeleted {
    /// Its namespace, which may be gone already.
    Namespace,
    /// The workload itself.
    Workload,
}

/// Why no pod works.
#[derive(Debug)]
pub struct Down {
    pub(crate) reason: String,
    /// The last message of the program that ended, without words around it.
    pub(crate) last_words: Option<String>,
    /// The missing object, if that is known.
    pub(crate) missing: Option<Ref>,
    /// The deletion that prevents it from coming back.
    pub(crate) going: Option<BeingDeleted>,
}

impl Down {
    fn because(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), last_words: None, missing: None, going: None }
    }
}

/// Whether a workload is scaled to 0.
pub(crate) fn is_scaled_to_zero(workload: &Object) -> bool {
    workload.at("/spec/replicas").and_then(Value::as_i64) == Some(0)
}

/// The health of `workload`, which must be whole.
pub(crate) fn of<'s>(workload: &'s Object, facts: &Facts<'s>, gaps: &Gaps) -> Known<Health<'s>> {
    let namespace = workload.metadata.namespace.as_deref().unwrap_or_default();
    let place = namespace_of(namespace, facts);
    let pods = pods_of(workload, namespace, facts);
    let going = match gaps.pass(place)? {
        Some(None) => Some((BeingDeleted::Namespace, format!("its namespace {namespace} does not exist"))),
        Some(Some(place)) if place.is_deleting() => {
            Some((BeingDeleted::Namespace, format!("its namespace {namespace} is itself being deleted")))
        }
        _ if workload.is_deleting() => Some((BeingDeleted::Workload, "it is itself being deleted".to_owned())),
        _ => None,
    };
    let pods = gaps.pass(pods)?;
    let Some(pods) = pods else { return Ok(Health::Unread(own_word(workload))) };
    let ready = for_each_ready(&pods, facts, gaps)?;
    if let (Some((going, reason)), true) = (going, ready.is_empty()) {
        return Ok(Health::Down(Down { going: Some(going), ..Down::because(reason) }));
    }
    if !ready.is_empty() {
        return Ok(Health::Runs(ready));
    }
    if is_scaled_to_zero(workload) {
        return Ok(Health::ScaledToZero);
    }
    Ok(Health::Down(why_down(workload, &pods, facts, gaps)?))
}

fn namespace_of<'s>(namespace: &str, facts: &Facts<'s>) -> Known<Option<&'s Object>> {
    let kind = facts.preferred("", "namespaces");
    kind.map_or(Ok(None), |kind| facts.get(&kind.id, None, namespace, Form::Metadata))
}

/// The pods of a workload, by their owner, since selectors may overlap. The name of a Deployment's
/// `ReplicaSet` is the Deployment's name and the hash of the template
/// (kubernetes/kubernetes: `pkg/controller/deployment/sync.go`).
pub(crate) fn pods_of<'s>(workload: &Object, namespace: &str, facts: &Facts<'s>) -> Known<Vec<&'s Object>> {
    let Some(pods) = facts.preferred("", "pods") else { return Ok(Vec::new()) };
    let all = facts.list(&pods.id, Some(namespace), Form::Whole)?;
    let made = |pod: &&Object| {
        let Some(owner) = pod.metadata.owner_references.iter().find(|owner| owner.controller == Some(true)) else {
            return false;
        };
        let hash = pod.metadata.labels.get("pod-template-hash");
        let of_replica_set = hash.is_some_and(|hash| owner.name == format!("{}-{hash}", workload.name()));
        owner.uid == workload.uid() || (owner.kind == "ReplicaSet" && of_replica_set)
    };
    Ok(all.iter().filter(made).collect())
}

/// Whether a workload has no pods except those that are being deleted, and its account exists:
/// without the account, no pod reaches admission.
pub(crate) fn has_no_pod(workload: &Ref, facts: &Facts<'_>) -> Known<bool> {
    let Some(resource) = facts.discovery().by_kind(&workload.api_version, &workload.kind) else { return Ok(false) };
    let namespace = workload.namespace.as_deref().unwrap_or_default();
    let all = facts.list(&resource.id, Some(namespace), Form::Whole);
    let pods = facts.preferred("", "pods").map(|pods| facts.list(&pods.id, Some(namespace), Form::Whole));
    let (all, _) = (all, pods.transpose()).all()?;
    let Some(workload) = all.iter().find(|object| object.name() == workload.name) else { return Ok(false) };
    let none = pods_of(workload, namespace, facts)?.iter().all(|pod| pod.is_deleting());
    Ok(none && missing_account(workload, facts)?.is_none())
}

/// Whether a pod is Ready according to its status.
pub(crate) fn says_ready(pod: &Object) -> bool {
    pod.condition("Ready").map(Condition::status) == Some("True") && !pod.is_deleting()
}

/// The pod that came back first, if all of `pods` have been Ready only since after `asked`, and for a
/// short time: requests from before that could not be handled.
pub(crate) fn back_since<'p>(pods: &[&'p Object], asked: Timestamp, now: Timestamp) -> Option<(&'p str, Timestamp)> {
    let ready = |pod: &&'p Object| Some((pod.name(), pod.condition("Ready")?.since()?));
    let all: Option<Vec<(&str, Timestamp)>> = pods.iter().map(ready).collect();
    all?.into_iter()
        .min_by_key(|(_, since)| *since)
        .filter(|(_, back)| *back > asked && since(*back, now) <= RESUMES_WITHIN)
}

/// The time since which one of `pods` has run without interruption. A pod counts from the start of
/// its last container, and the oldest pod decides.
pub(crate) fn running_since(pods: &[&Object]) -> Option<Timestamp> {
    let started = |pod: &&Object| {
        let statuses = pod.array("/status/containerStatuses").iter();
        let last = statuses.filter_map(|it| it.pointer("/state/running/startedAt")?.as_str()?.parse().ok()).max();
        last.or_else(|| pod.condition("Ready")?.since())
    };
    pods.iter().map(started).collect::<Option<Vec<Timestamp>>>()?.into_iter().min()
}

/// The pods that are Ready on a Ready node.
fn for_each_ready<'s>(pods: &[&'s Object], facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<&'s Object>> {
    let ready: Vec<&Object> = pods.iter().filter(|pod| says_ready(pod)).copied().collect();
    let mut standing = flat_each(ready.iter().take(MAX_PODS), |pod| {
        // If the node cannot be read, the pod's own status counts.
        let stands = gaps.pass(node_of(pod, facts))?.is_none_or(|node| node == NodeState::Ready);
        Ok(stands.then_some(*pod))
    })?;
    standing.extend(ready.iter().skip(MAX_PODS));
    Ok(standing)
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NodeState {
    Ready,
    NotReady,
    Gone,
}

/// The state of a pod's node.
pub(crate) fn node_of(pod: &Object, facts: &Facts<'_>) -> Known<NodeState> {
    let name = pod.text("/spec/nodeName").filter(|name| !name.is_empty());
    let (Some(name), Some(nodes)) = (name, facts.preferred("", "nodes")) else {
        return Ok(NodeState::Ready);
    };
    Ok(match facts.get(&nodes.id, None, name, Form::Whole)? {
        None => NodeState::Gone,
        Some(node) if node.condition("Ready").map(Condition::status) == Some("True") => NodeState::Ready,
        Some(_) => NodeState::NotReady,
    })
}

/// Why there is no Ready pod: according to the workload's own conditions if it has no pod, else to the
/// latest pod.
fn why_down(workload: &Object, pods: &[&Object], facts: &Facts<'_>, gaps: &Gaps) -> Known<Down> {
    let alive = pods.iter().filter(|pod| !pod.is_deleting()).max_by_key(|pod| pod.metadata.creation_timestamp);
    let account = missing_account(workload, facts);
    let account = gaps.pass(account)?.flatten();
    if let Some(account) = account {
        let reason = format!("its pods cannot be created: {account} does not exist");
        return Ok(Down { missing: Some(account), ..Down::because(reason) });
    }
    let Some(pod) = alive else { return Ok(Down::because(without_pod(workload, pods))) };
    let node = gaps.pass(node_of(pod, facts))?.unwrap_or(NodeState::Ready);
    let name = pod.name();
    let on = pod.text("/spec/nodeName").unwrap_or_default();
    let last_words = last_words(pod).map(ToOwned::to_owned);
    let reason = match node {
        NodeState::Gone => format!("pod {name}: its node {on} does not exist"),
        NodeState::NotReady => format!("pod {name}: its node {on} is not Ready"),
        NodeState::Ready => {
            let sandbox = gaps.pass(no_sandbox(pod, facts))?.flatten();
            format!("pod {name}: {}", sandbox.unwrap_or_else(|| why_not_ready(pod)))
        }
    };
    Ok(Down { last_words, ..Down::because(reason) })
}

/// The service account of a workload, if it does not exist; the admission of every pod needs it
/// (kubernetes/kubernetes: `plugin/pkg/admission/serviceaccount/admission.go`).
fn missing_account(workload: &Object, facts: &Facts<'_>) -> Known<Option<Ref>> {
    let name = workload.text("/spec/template/spec/serviceAccountName").filter(|name| !name.is_empty());
    let (Some(name), Some(kind)) = (name, facts.preferred("", "serviceaccounts")) else { return Ok(None) };
    let namespace = workload.metadata.namespace.as_deref();
    if facts.get(&kind.id, namespace, name, Form::Metadata)?.is_some() {
        return Ok(None);
    }
    let named = TargetName { resource: kind.id.clone(), namespace: namespace.map(Into::into), name: name.into() };
    Ok(Some(Ref::named(kind, &named).missing()))
}

/// Why a workload has no pod, or only those that are being deleted.
fn without_pod(workload: &Object, going: &[&Object]) -> String {
    if going.is_empty() || refused(workload).is_some() {
        return format!("it {}", no_pod(workload));
    }
    format!("its pods are being deleted ({})", going.len())
}

/// Why a workload has no pod, as the words after its name.
fn no_pod(workload: &Object) -> String {
    if let Some(message) = refused(workload) {
        return format!("has no pod: {}", short(message));
    }
    let failure = ["ReplicaFailure", "Progressing", "Available"]
        .into_iter()
        .filter_map(|kind| workload.condition(kind))
        .find(|condition| (condition.kind() == "ReplicaFailure") == (condition.status() == "True"));
    match failure {
        Some(condition) => format!("has no pod: {}", condition.says()),
        None if workload.text("/status/numberReady").is_none() && wants_no_node(workload) => {
            "has no pod: no node matches it".into()
        }
        None => "has no pod".into(),
    }
}

/// The refusal by admission that the creator of a workload's pods met.
pub(crate) fn refused(workload: &Object) -> Option<&str> {
    let failure = workload.condition("ReplicaFailure").filter(|condition| condition.status() == "True")?;
    is_about_admission(failure.message()).then(|| failure.message())
}

fn short(message: &str) -> String {
    read(message).first().map_or_else(|| message.to_owned(), Words::in_short)
}

/// Whether it is a `DaemonSet` that matches no node.
fn wants_no_node(workload: &Object) -> bool {
    workload.at("/status/desiredNumberScheduled").and_then(Value::as_i64) == Some(0)
}

/// Why a workload has no pod at all, as the words after its name.
pub(crate) fn why_no_pod(workload: &Object, facts: &Facts<'_>) -> Known<String> {
    Ok(match missing_account(workload, facts).if_readable()?.flatten() {
        Some(account) => format!("cannot create its pods: {account} does not exist"),
        None => no_pod(workload),
    })
}

/// Why the kubelet cannot create the sandbox of a pod, which only the pod's events show (kubernetes/kubernetes:
/// `pkg/kubelet/kubelet_pods.go`, `PodReadyToStartContainers`; `pkg/kubelet/events/event.go`).
fn no_sandbox(pod: &Object, facts: &Facts<'_>) -> Known<Option<String>> {
    let waits = pod.condition("PodReadyToStartContainers").is_some_and(|condition| condition.status() == "False");
    let Some(kind) = facts.preferred("", "pods").filter(|_| waits) else { return Ok(None) };
    let told = events::about(Seen { resource: kind, object: pod }, MAX_EVENTS, facts)?;
    let of_it = |event: &&Object| event.text("/reason") == Some("FailedCreatePodSandBox");
    let last = told.into_iter().filter(of_it).max_by_key(|event| events::last_seen(event));
    Ok(last.and_then(|event| Some(brief(event.text("/message")?))))
}

/// The statuses of a pod's containers, in the order in which these start.
pub(crate) fn statuses(pod: &Object) -> impl Iterator<Item = &Value> {
    pod.array("/status/initContainerStatuses").iter().chain(pod.array("/status/containerStatuses"))
}

/// The last message of a container that ended.
fn last_words(pod: &Object) -> Option<&str> {
    let ends = ["/state/terminated/message", "/lastState/terminated/message"];
    statuses(pod).find_map(|status| ends.iter().find_map(|end| status.pointer(end)?.as_str()))
}

/// What the scheduler says of a pod.
pub(crate) fn not_scheduled(pod: &Object) -> Option<&str> {
    pod.condition("PodScheduled").map(Condition::message).filter(|message| !message.is_empty())
}

/// Why a pod is not Ready.
pub(crate) fn why_not_ready(pod: &Object) -> String {
    if let Some(reason) = pod.text("/status/reason") {
        let message = pod.text("/status/message").unwrap_or_default();
        return format!("{reason}: {message}").trim_end_matches(": ").to_owned();
    }
    if let Some(text) = statuses(pod).find_map(container_trouble) {
        return text;
    }
    if pod.text("/spec/nodeName").is_none_or(str::is_empty) {
        return not_scheduled(pod)
            .map_or_else(|| "not scheduled to a node".into(), |message| format!("not scheduled: {message}"));
    }
    let ready = pod.condition("Ready").map(Condition::says).filter(|text| !text.is_empty());
    ready.unwrap_or_else(|| format!("phase {}", pod.text("/status/phase").unwrap_or("unknown")))
}

/// Whether a pod of `workload` is starting.
pub(crate) fn has_starting_pod(survey: &Survey, workload: &Ref) -> bool {
    let Some(pods) = survey.discovery.preferred("", "pods") else { return false };
    let want = Want::list(&pods.id, workload.namespace.as_deref(), Form::Whole);
    let Some(Fact::Listed(pods)) = survey.fact(&want) else { return false };
    let stem = format!("{}-", workload.name);
    pods.iter().any(|pod| pod.name().starts_with(&stem) && is_starting(pod, survey.taken_at))
}

/// Whether a pod is starting: it is young and not Ready, it has a node, whose kubelet creates its containers, and
/// nothing shows that it cannot become Ready.
pub(crate) fn is_starting(pod: &Object, now: Timestamp) -> bool {
    let is_young = pod.metadata.creation_timestamp.is_some_and(|made| since(made, now) <= STARTS_WITHIN);
    let has_node = pod.text("/spec/nodeName").is_some_and(|node| !node.is_empty()) || statuses(pod).next().is_some();
    let is_over = matches!(pod.text("/status/phase"), Some("Succeeded" | "Failed"));
    let is_refused = pod.text("/status/reason").is_some();
    let restarts = |status: &Value| status["restartCount"].as_i64().is_some_and(|count| count > 0);
    let has_trouble = statuses(pod).any(|status| restarts(status) || container_trouble(status).is_some());
    is_young && has_node && !(pod.is_deleting() || says_ready(pod) || is_over || is_refused || has_trouble)
}

/// The trouble of a container: why it waits and how it last ended.
fn container_trouble(status: &Value) -> Option<String> {
    let text = |pointer: &str| status.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let name = text("/name");
    let end = |place: &str| {
        let code = status.pointer(&format!("{place}/exitCode")).and_then(Value::as_i64)?;
        let reason = text(&format!("{place}/reason")).to_owned();
        let message = text(&format!("{place}/message"));
        let message = if message.is_empty() { String::new() } else { format!(": {message}") };
        Some(format!("exit code {code}, {reason}{message}"))
    };
    let waiting = text("/state/waiting/reason");
    let last = end("/lastState/terminated");
    match (waiting, end("/state/terminated")) {
        ("", None) => None,
        ("", Some(_)) if text("/state/terminated/reason") == "Completed" => None,
        ("", Some(end)) => Some(format!("container {name} has ended: {end}")),
        ("ContainerCreating" | "PodInitializing", _) if last.is_none() => None,
        (reason, _) => {
            let message = text("/state/waiting/message");
            let message = if message.is_empty() { String::new() } else { format!(": {message}") };
            let last = last.map(|end| format!("; last termination: {end}")).unwrap_or_default();
            Some(format!("container {name}: {reason}{message}{last}"))
        }
    }
}

/// The replicas in a workload's own status, if its pods cannot be read.
fn own_word(workload: &Object) -> String {
    let number = |pointers: [&str; 2]| {
        pointers.iter().find_map(|pointer| workload.at(pointer).and_then(Value::as_i64)).unwrap_or_default()
    };
    let ready = number(["/status/readyReplicas", "/status/numberReady"]);
    let wanted = number(["/spec/replicas", "/status/desiredNumberScheduled"]);
    format!("its status reports {ready} of {wanted} replicas ready")
}

/// A lease that a pod of the workload holds.
#[derive(Debug)]
pub(crate) struct Lease {
    pub(crate) text: String,
    /// The pod that holds it.
    pub(crate) pod: String,
    /// Whether it was renewed recently, so that its holder leads.
    pub(crate) fresh: bool,
}

/// The most recently renewed lease that one of `pods` holds.
pub(crate) fn lease(workload: Seen<'_>, pods: &[&Object], facts: &Facts<'_>) -> Known<Option<Lease>> {
    let Some(leases) = facts.preferred("coordination.k8s.io", "leases") else { return Ok(None) };
    let all = facts.list(&leases.id, workload.object.metadata.namespace.as_deref(), Form::Whole)?;
    let held = all.iter().filter_map(|lease| {
        let (holding, renewed) = holding_pod(lease).zip(renewed(lease))?;
        let by_pod = pods.iter().any(|pod| pod.name() == holding);
        // A former pod of the same workload held it.
        let by_former = is_called_after(holding, workload.object);
        (by_pod || by_former).then_some((renewed, lease, holding))
    });
    let latest = held.max_by_key(|(renewed, ..)| *renewed);
    Ok(latest.and_then(|(_, lease, pod)| {
        let (text, fresh) = held_by(lease, facts)?;
        Some(Lease { text, pod: pod.to_owned(), fresh })
    }))
}

/// Whether a pod of this name may belong to a workload: the workload's name and one or two words that
/// controllers add.
pub(crate) fn is_called_after(pod: &str, workload: &Object) -> bool {
    let rest = pod.strip_prefix(workload.name()).and_then(|rest| rest.strip_prefix('-'));
    rest.is_some_and(|rest| {
        let hash = |word: &str| word.len() >= 5 || word.contains(|c: char| c.is_ascii_digit());
        let first = rest.split('-').next().unwrap_or_default();
        rest.matches('-').count() <= 1 && hash(first)
    })
}

/// The holder of a lease, in words; `None` if it has not been renewed for long.
pub(crate) fn leads(lease: &Object, facts: &Facts<'_>) -> Option<String> {
    let (text, fresh) = held_by(lease, facts)?;
    fresh.then_some(text)
}

/// The holder of a lease, in words, and whether the last renewal is recent; `None` if it has no holder.
fn held_by(lease: &Object, facts: &Facts<'_>) -> Option<(String, bool)> {
    let (holder, age) = (holder(lease)?, since(renewed(lease)?, facts.now()));
    let text = format!("lease {} held by {holder}, renewed {}s ago", lease.name(), age.as_secs());
    Some((text, age <= outlives(lease)))
}

/// Parts of the control plane, which run as static pods or invisibly.
pub(crate) const CONTROL_PLANE: [&str; 3] = ["kube-controller-manager", "cloud-controller-manager", "kube-scheduler"];

/// The state of a part of the control plane, by its lease in `kube-system`; `None` if none of `names`
/// is such a part, or it is not known to exist.
pub(crate) fn control_plane(
    names: &[ControllerName],
    facts: &Facts<'_>,
    gaps: &Gaps,
) -> Known<Option<(ControllerState, String)>> {
    let part = names.iter().find(|name| CONTROL_PLANE.contains(&name.word.as_str()));
    let (Some(part), Some(leases)) = (part, facts.preferred("coordination.k8s.io", "leases")) else {
        return Ok(None);
    };
    let lease = facts.get(&leases.id, Some("kube-system"), &part.word, Form::Whole);
    let lease = gaps.pass(lease)?.flatten();
    let Some((lease, renewed)) = lease.and_then(|lease| Some((lease, renewed(lease)?))) else {
        // A cloud's part only exists in a cloud; the others always do.
        let always = part.word != "cloud-controller-manager";
        let text = format!("{} has no lease in kube-system: it may lead without one", part.word);
        return Ok(always.then_some((ControllerState::Unknown, text)));
    };
    let age = since(renewed, facts.now());
    let state = if age <= outlives(lease) { ControllerState::Alive } else { ControllerState::Down };
    Ok(Some((state, format!("lease kube-system/{} was last renewed {}s ago", part.word, age.as_secs()))))
}

/// A sentence about a lease that has not been renewed for long, if that is so.
pub(crate) fn has_lapsed(lease: &Object, facts: &Facts<'_>) -> Option<String> {
    let renewed = renewed(lease)?;
    let place = lease.metadata.namespace.as_deref().unwrap_or_default();
    (since(renewed, facts.now()) > outlives(lease))
        .then(|| format!("nobody has renewed lease {place}/{} for {}", lease.name(), ago(renewed, facts)))
}

/// Whether no node belongs to a cloud, so that no provider runs controllers invisibly. Every
/// cloud-controller-manager sets the labels
/// (<https://kubernetes.io/docs/reference/labels-annotations-taints/>).
pub(crate) fn no_cloud(facts: &Facts<'_>, gaps: &Gaps) -> Known<bool> {
    let Some(nodes) = facts.preferred("", "nodes") else { return Ok(false) };
    let listed = facts.list(&nodes.id, None, Form::Metadata);
    let of_cloud = |node: &Object| {
        let labels = &node.metadata.labels;
        labels.contains_key("node.kubernetes.io/instance-type") || labels.contains_key("topology.kubernetes.io/region")
    };
    Ok(gaps.pass(listed)?.is_some_and(|nodes| !nodes.iter().any(of_cloud)))
}
