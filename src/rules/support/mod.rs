//! What several rules share: durations in words, and the pods of a target by
//! the state of their node.

pub(super) mod admission;
pub(super) mod api;
pub(super) mod backend;
pub(super) mod controller;
pub(super) mod kubelet;
pub(super) mod overload;
pub(super) mod pending;
pub(super) mod storage;
pub(super) mod versions;

use crate::diagnosis::ownership::Dependent;
use crate::diagnosis::{Draft, Facts, Known, Ref, Target, Unknown, for_each_known, since};
use crate::plan::{Remedy, Risk, Step, steps};
use crate::survey::{Condition, Form, Object, ResourceId, Seen};
use jiff::{SignedDuration, Timestamp};

/// A duration as kubectl prints ages: `45s`, `12m`, `3h20m`, `4d`.
pub(super) fn words(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86400);
    match () {
        () if seconds < 120 => format!("{seconds}s"),
        () if minutes < 120 => format!("{minutes}m"),
        () if hours < 10 && minutes % 60 != 0 => format!("{hours}h{}m", minutes % 60),
        () if hours < 48 => format!("{hours}h"),
        () => format!("{days}d"),
    }
}

/// How long ago, in words.
pub(super) fn ago(then: Timestamp, facts: &Facts<'_>) -> String {
    words(since(then, facts.now()))
}

/// The time of day in UTC, for "until when".
pub(super) fn clock(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// Where the kubelet of a pod is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Node<'s> {
    /// The Node object does not exist.
    Gone,
    /// It exists and is not Ready.
    NotReady(&'s Object),
    /// It exists and is Ready.
    Ready(&'s Object),
}

impl Node<'_> {
    /// Whether nobody can run the pod there any more: the node is gone, or was
    /// declared out of service.
    fn is_out(self) -> bool {
        match self {
            Self::Gone => true,
            Self::NotReady(node) | Self::Ready(node) => steps::taint_out_of_service::on(node).is_some(),
        }
    }
}

/// A pod that waits for its kubelet, with its node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting<'s> {
    pub(super) pod: Seen<'s>,
    pub(super) node_name: &'s str,
    pub(super) node: Node<'s>,
}

/// The pods being deleted that wait for a kubelet. Those that cannot be judged
/// because their node is unreadable are put on record and left out.
pub(super) fn waiting_for_kubelet<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Waiting<'s>>> {
    let pods = target.deleting_pods(facts)?;
    let scheduled = pods.into_iter().filter(|pod| !kubelet_is_done(pod.object)).filter_map(|pod| {
        let node_name = pod.object.text("/spec/nodeName").filter(|name| !name.is_empty())?;
        Some((pod, node_name))
    });
    let judged =
        for_each_known(scheduled, |(pod, node_name)| Ok(Waiting { pod, node_name, node: node(node_name, facts)? }))?;
    Ok(judged.into_iter().flatten().collect())
}

fn node<'s>(name: &str, facts: &Facts<'s>) -> Known<Node<'s>> {
    let Some(nodes) = facts.discovery().preferred("", "nodes") else { return Ok(Node::Gone) };
    let found = facts.get(&nodes.id, None, name, Form::Whole).inspect_err(|unknown| {
        if let crate::diagnosis::Unknown::Unread { what, why } = unknown {
            facts.note_unread(what, why);
        }
    })?;
    Ok(match found {
        None => Node::Gone,
        Some(node) if node.condition("Ready").map(Condition::status) == Some("True") => Node::Ready(node),
        Some(node) => Node::NotReady(node),
    })
}

/// Whether the kubelet has confirmed the end of a pod, or was told not to be
/// waited for: then only finalizers hold it.
pub(super) fn kubelet_is_done(pod: &Object) -> bool {
    pod.metadata.deletion_grace_period_seconds == Some(0)
}

/// Groups pods by node, in order of first appearance.
pub(super) fn by_node<'s>(waiting: impl IntoIterator<Item = Waiting<'s>>) -> Vec<Vec<Waiting<'s>>> {
    let mut groups: Vec<Vec<Waiting<'s>>> = Vec::new();
    for pod in waiting {
        match groups.iter_mut().find(|group| group[0].node_name == pod.node_name) {
            Some(group) => group.push(pod),
            None => groups.push(vec![pod]),
        }
    }
    groups
}

/// Names a node, also when it does not exist.
pub(super) fn node_ref(waiting: &Waiting<'_>) -> Ref {
    let named = Ref {
        api_version: "v1".into(),
        kind: "Node".into(),
        resource: "nodes".into(),
        name: waiting.node_name.into(),
        ..Ref::default()
    };
    match waiting.node {
        Node::Gone => named.missing(),
        Node::NotReady(node) | Node::Ready(node) => Ref { uid: node.uid().to_owned(), ..named },
    }
}

/// `Pod shop/web-1`, or `3 pods` where there are several.
pub(super) fn pods_in_words(pods: &[Ref]) -> String {
    match pods {
        [only] => only.to_string(),
        several => format!("{} pods", several.len()),
    }
}

/// The last resort for pods whose kubelet does not answer.
pub(super) fn force_delete(pods: &[Waiting<'_>]) -> Remedy {
    let keeps_identity = pods.iter().any(|waiting| has_identity(waiting.pod.object));
    let (risk, consequence) = if keeps_identity {
        (
            Risk::LosesData,
            "if the containers still run on the node, two pods of one name or two writers of one volume follow: data may be lost",
        )
    } else {
        (Risk::Disruptive, "the containers may go on running on the node, unseen")
    };
    let mut remedy = Remedy::new(steps::force_delete_pod::step(&pods[0].pod.into()), risk, consequence);
    remedy.steps.extend(pods[1..].iter().map(|waiting| steps::force_delete_pod::step(&waiting.pod.into())));
    if pods.len() > 1 {
        remedy.title = format!("force-delete {} pods", pods.len());
    }
    if pods.iter().all(|waiting| waiting.node.is_out()) { remedy } else { remedy.by_name() }
}

/// Whether a second copy of this pod could harm: it belongs to a `StatefulSet`
/// or mounts a claim.
pub(super) fn has_identity(pod: &Object) -> bool {
    let stateful = pod.metadata.owner_references.iter().any(|owner| owner.kind == "StatefulSet");
    stateful || pod.array("/spec/volumes").iter().any(|volume| volume.get("persistentVolumeClaim").is_some())
}

/// The namespace that an object is in; `None` when it does not exist.
pub(super) fn namespace_of<'s>(object: &Object, facts: &Facts<'s>) -> Known<Option<&'s Object>> {
    let name = object.metadata.namespace.as_deref().unwrap_or_default();
    facts.metadata(&ResourceId::new("", "v1", "namespaces"), None, name)
}

/// The Lease by which one controller manager of several is chosen, which is
/// renewed every few seconds (kubernetes/kubernetes:
/// `staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go`).
const MANAGER: &str = "kube-controller-manager";
/// A Lease that was not renewed for so long has no holder at work.
const LEASE_IS_OLD: SignedDuration = SignedDuration::from_secs(60);

/// What the Lease of the controller managers says.
#[derive(Debug, Clone)]
pub(super) enum Manager {
    /// It cannot be read.
    Unread,
    /// There is none: leader election may be off.
    NoLease,
    /// Nobody has held it yet, or it was given up.
    NoHolder(Ref),
    /// Nobody renews it.
    Old {
        /// The Lease.
        lease: Ref,
        /// When it was renewed last.
        renewed: Timestamp,
        /// By whom.
        holder: String,
    },
    /// Somebody leads.
    Fresh(Ref, Timestamp),
}

/// Whether a controller manager shows signs of life.
pub(super) fn manager(facts: &Facts<'_>) -> Known<Manager> {
    let Some(leases) = facts.discovery().preferred("coordination.k8s.io", "leases") else {
        return Ok(Manager::NoLease);
    };
    let lease = match facts.get(&leases.id, Some("kube-system"), MANAGER, Form::Whole) {
        Err(Unknown::NotSurveyed) => return Err(Unknown::NotSurveyed),
        Err(Unknown::Unread { .. }) => return Ok(Manager::Unread),
        Ok(None) => return Ok(Manager::NoLease),
        Ok(Some(lease)) => lease,
    };
    let reference = Ref::of(leases, lease);
    let renewed = lease.text("/spec/renewTime").and_then(|time| time.parse::<Timestamp>().ok());
    let holder = lease.text("/spec/holderIdentity").unwrap_or_default().to_owned();
    Ok(match renewed {
        None => Manager::NoHolder(reference),
        Some(renewed) if since(renewed, facts.now()) > LEASE_IS_OLD => {
            Manager::Old { lease: reference, renewed, holder }
        }
        Some(time) => Manager::Fresh(reference, time),
    })
}

/// Adds whether the controller manager, of which the garbage collector and the
/// namespace controller are parts, shows signs of life.
pub(super) fn controller_manager(draft: Draft, facts: &Facts<'_>) -> Known<Draft> {
    Ok(match manager(facts)? {
        Manager::Unread => draft.remark("whether kube-controller-manager runs could not be read"),
        Manager::NoLease => draft.remark("kube-controller-manager has no lease: whether it runs does not show here"),
        Manager::NoHolder(lease) => {
            draft.evidence("kube-controller-manager's lease has no holder", &lease, "spec.renewTime")
        }
        Manager::Old { lease, renewed, .. } => draft.evidence(
            format!("kube-controller-manager does not run: its lease was renewed {} ago", ago(renewed, facts)),
            &lease,
            "spec.renewTime",
        ),
        Manager::Fresh(lease, time) => draft.evidence(
            format!("kube-controller-manager runs: its lease was renewed {} ago", ago(time, facts)),
            &lease,
            "spec.renewTime",
        ),
    })
}

/// What a person does about a garbage collector that does not act.
pub(super) fn see_to_the_controller_manager() -> Remedy {
    Remedy::manual(
        "see to kube-controller-manager, and in its log to the garbage collector: kubectl -n kube-system get lease kube-controller-manager",
        "nothing is lost: the garbage collector goes on by itself",
    )
}

/// The command that takes exactly one reference off a dependent.
pub(super) fn drop_reference(dependent: &Object, named: &Ref, uid: &str) -> String {
    drop_reference_step(dependent, named, uid).map(|step| step.command).unwrap_or_default()
}

/// The step that takes the reference to the owner with `uid` off a dependent.
pub(super) fn drop_reference_step(dependent: &Object, named: &Ref, uid: &str) -> Option<Step> {
    let references = &dependent.metadata.owner_references;
    let index = references.iter().position(|reference| reference.uid == uid)?;
    Some(steps::drop_owner_reference::step(named, &references[index], index))
}

/// `Pod shop/web-1`, or `3 dependents` where there are several.
pub(super) fn dependents_in_words(dependents: &[Dependent<'_>]) -> String {
    match dependents {
        [only] => Ref::from(only.seen).to_string(),
        several => format!("{} dependents", several.len()),
    }
}

/// `Deployment shop/web`, or `3 objects` where there are several.
pub(super) fn objects_in_words(objects: &[Ref]) -> String {
    match objects {
        [only] => only.to_string(),
        several => format!("{} objects", several.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_kubectl_prints_ages() {
        for (seconds, text) in
            [(0, "0s"), (90, "90s"), (600, "10m"), (3600 * 3 + 60 * 20, "3h20m"), (3600 * 30, "30h"), (86400 * 4, "4d")]
        {
            assert_eq!(words(SignedDuration::from_secs(seconds)), text);
        }
    }
}
