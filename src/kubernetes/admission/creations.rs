//! Admission that prevents the creation of a workload's pods.

use crate::facts::{Facts, Known, Readable};
use crate::kubernetes::admission::obstacle::is_named;
use crate::kubernetes::admission::{Admission, Gate, Match, Obstacle, Operation, Proof, kind};
use crate::kubernetes::messages::admission::read;
use crate::survey::{Object, Seen};
use serde_json::json;

/// The webhook or policy that refuses the pods of `workload`, named by the error in its `field`.
/// `None` if the error names none that would be called now: either that is fixed, or it cannot be
/// seen.
pub fn creation<'s>(
    workload: Seen<'s>,
    message: &str,
    field: &'static str,
    facts: &Facts<'s>,
) -> Known<Option<Obstacle<'s>>> {
    let Some(words) = read(message).into_iter().next() else { return Ok(None) };
    let (Some(pods), Some(namespaces)) = (facts.preferred("", "pods"), facts.preferred("", "namespaces")) else {
        return Ok(None);
    };
    let name = workload.object.metadata.namespace.as_deref().unwrap_or_default();
    let namespace = facts.metadata(&namespaces.id, None, name);
    let admission = Admission::read(facts)?;
    let namespace = namespace.if_readable()?.flatten();
    let kind = kind(pods, Operation::Create);
    let Some(pod) = pod_of(workload.object) else { return Ok(None) };
    let refuses = |gate: &Gate<'s>| {
        let is_asked = gate.takes(kind, &pod, namespace, facts) != Match::No;
        is_asked && is_named(&words, gate) && (gate.fails_closed() || !words.is_unanswered())
    };
    let mut meant = admission.about(kind).into_iter().filter(refuses);
    let Some(gate) = meant.next() else { return Ok(None) };
    let backend = if words.is_unanswered() { gate.backend(facts)? } else { None };
    Ok(Some(Obstacle {
        others: meant.collect(),
        words: Some(words),
        proof: Proof::Met { workload: workload.into(), field, message: message.to_owned() },
        backend,
        ..Obstacle::new(Some(gate), Operation::Create, vec![workload])
    }))
}

/// A pod as the workload's template describes it.
fn pod_of(workload: &Object) -> Option<Object> {
    let labels = workload.at("/spec/template/metadata/labels").cloned().unwrap_or_else(|| json!({}));
    Object::single(
        json!({"metadata": {"name": "", "namespace": workload.metadata.namespace.as_deref(), "labels": labels}}),
    )
    .ok()
}
