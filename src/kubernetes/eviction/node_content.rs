//! The content of a node that is being drained, besides the pods whose eviction a budget refuses.

use crate::facts::{All, Facts, Known, Readable, flat_each};
use crate::kubernetes::eviction::Drain;
use crate::kubernetes::eviction::requests::{self, EvictionUnderway};
use crate::kubernetes::kubelet::is_mirror;
use crate::kubernetes::storage::{claim_name, is_finished};
use crate::survey::{Form, Object, Resource, Seen};
use jiff::Timestamp;

/// The content left on a node.
#[derive(Debug, Default)]
pub(crate) struct NodeContent<'s> {
    /// Pods with an annotation that forbids moving them, and the annotation.
    pub(crate) unwilling: Vec<(Seen<'s>, String)>,
    /// Pods whose eviction a responder is carrying out, or failed.
    pub(crate) moving: Vec<(Seen<'s>, EvictionUnderway<'s>)>,
    /// Pods that are being deleted, within their grace period.
    pub(crate) in_grace: Vec<Seen<'s>>,
    /// The end of the last grace period.
    pub(crate) until: Option<Timestamp>,
    /// Attachments of volumes to the node, if nothing else is left there.
    pub(crate) attachments: Vec<Seen<'s>>,
}

impl NodeContent<'_> {
    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.unwilling.is_empty() && self.moving.is_empty() && self.in_grace.is_empty() && self.attachments.is_empty()
    }
}

/// How many attachments are checked for pods that use them.
const MAX_ATTACHMENTS: usize = 20;

/// Annotations that forbid moving a pod, whichever program drains the node: the part of the key
/// after the slash, and the value (kubernetes/autoscaler: `cluster-autoscaler/utils/drain/drain.go`,
/// kubernetes-sigs/karpenter: `pkg/apis/v1/labels.go`).
const UNWILLING: [(&str, &str); 3] = [("do-not-disrupt", "true"), ("do-not-evict", "true"), ("safe-to-evict", "false")];

/// Reads the content left on the node of `drain`. Notes and leaves out whatever cannot be read.
pub(crate) fn left<'s>(drain: &Drain<'_>, facts: &Facts<'s>) -> Known<NodeContent<'s>> {
    let Some(pods) = facts.preferred("", "pods") else { return Ok(NodeContent::default()) };
    let attachments = attachments(drain, facts);
    let on_node = facts.pods_on(&pods.id, drain.node.name()).or_note(facts);
    let underway = requests::underway(facts);
    let (on_node, attachments, underway) = (on_node?.unwrap_or_default(), attachments?, underway?);
    let NodePods { in_grace, overdue, staying } = NodePods::of(on_node, pods, facts.now());
    let until = in_grace.iter().filter_map(|pod| pod.object.metadata.deletion_timestamp).max();
    let mut left = NodeContent { in_grace, until, ..NodeContent::default() };
    let mut others = overdue.len();
    for pod in staying {
        match is_unwilling(pod.object) {
            Some(annotation) => left.unwilling.push((pod, annotation)),
            None if let Some(moving) = requests::of_pod(pod.object, &underway) => left.moving.push((pod, moving)),
            None => others += 1,
        }
    }
    if others == 0 && left.is_empty() {
        left.attachments = attachments;
    }
    Ok(left)
}

/// The pods on a node that a drain does not leave alone.
#[derive(Debug, Default)]
pub(crate) struct NodePods<'s> {
    /// Those that are being deleted, within their grace period.
    in_grace: Vec<Seen<'s>>,
    /// Those that are being deleted and past their grace period.
    pub(crate) overdue: Vec<Seen<'s>>,
    /// Those that are not being deleted.
    staying: Vec<Seen<'s>>,
}

impl<'s> NodePods<'s> {
    /// Sorts the pods on a node.
    pub(crate) fn of(on_node: Vec<&'s Object>, pods: &'s Resource, now: Timestamp) -> Self {
        let mut all = Self::default();
        for object in on_node.into_iter().filter(|pod| !stays(pod)) {
            let place = match object.metadata.deletion_timestamp {
                Some(end) if end > now => &mut all.in_grace,
                Some(_) => &mut all.overdue,
                None => &mut all.staying,
            };
            place.push(Seen { resource: pods, object });
        }
        all
    }
}

/// The attachments of volumes to a node: a drain before the removal of a machine waits until all
/// are detached.
fn attachments<'s>(drain: &Drain<'_>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let Some(kind) = facts.preferred("storage.k8s.io", "volumeattachments") else { return Ok(Vec::new()) };
    let all = facts.list(&kind.id, None, Form::Whole).or_note(facts)?.unwrap_or_default();
    let there = all.iter().filter(|object| object.text("/spec/nodeName") == Some(drain.node.name()));
    Ok(there.map(|object| Seen { resource: kind, object }).collect())
}

/// The attachments to the node that are not being deleted and whose volumes no pod there uses: a
/// drain does not detach them. Attachments that cannot be read are left out.
pub(crate) fn unused<'s>(drain: &Drain<'_>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let on_node = facts.preferred("", "pods").map(|pods| facts.pods_on(&pods.id, drain.node.name()).or_note(facts));
    let (attachments, on_node) = (attachments(drain, facts), on_node.transpose()).all()?;
    let Some(on_node) = on_node.flatten() else { return Ok(Vec::new()) };
    let idle = attachments.into_iter().filter(|it| !it.object.is_deleting());
    flat_each(idle.take(MAX_ATTACHMENTS), |attachment| {
        Ok((!is_used(attachment, &on_node, facts)?).then_some(attachment))
    })
}

/// Whether one of `pods` uses the volume of an attachment, as far as that can be read.
fn is_used(attachment: Seen<'_>, pods: &[&Object], facts: &Facts<'_>) -> Known<bool> {
    let name = attachment.object.text("/spec/source/persistentVolumeName");
    let Some((kind, name)) = facts.preferred("", "persistentvolumes").zip(name) else { return Ok(true) };
    let Some(volume) = facts.get(&kind.id, None, name, Form::Whole).if_readable()? else { return Ok(true) };
    let text = |pointer: &str| volume.and_then(|it| it.text(pointer));
    let (namespace, claim) = (text("/spec/claimRef/namespace"), text("/spec/claimRef/name"));
    let mounts = |pod: &Object| {
        let mut claims = pod.array("/spec/volumes").iter().filter_map(|it| claim_name(pod, it));
        pod.metadata.namespace.as_deref() == namespace && claims.any(|name| Some(&*name) == claim)
    };
    Ok(pods.iter().any(|pod| !is_finished(pod) && mounts(pod)))
}

/// Whether a drain leaves a pod alone: it has ended, or its node or a `DaemonSet` would bring it
/// back.
pub(crate) fn stays(pod: &Object) -> bool {
    let daemon = pod.metadata.owner_references.iter().any(|owner| owner.kind == "DaemonSet");
    daemon || is_mirror(pod) || is_finished(pod)
}

/// The annotation that forbids moving a pod.
fn is_unwilling(pod: &Object) -> Option<String> {
    pod.metadata.annotations.iter().find_map(|(key, value)| {
        let (_, says) = key.split_once('/')?;
        UNWILLING.contains(&(says, value.as_str())).then(|| format!("{key}={value}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn annotations_that_forbid_eviction_are_recognized() {
        let says = |key: &str, value: &str| {
            let pod: Object =
                serde_json::from_value(json!({"metadata": {"name": "p", "annotations": {key: value}}})).unwrap();
            is_unwilling(&pod)
        };
        assert_eq!(says("mover.example/do-not-disrupt", "true").as_deref(), Some("mover.example/do-not-disrupt=true"));
        assert_eq!(says("mover.example/do-not-disrupt", "false"), None);
        assert!(says("mover.example/safe-to-evict", "false").is_some());
        assert_eq!(says("mover.example/safe-to-evict", "true"), None);
    }
}
