//! The claim that a volume is bound to.

use crate::facts::{Facts, Known};
use crate::survey::{Form, Object, Seen};
use serde_json::Value;

/// The claim that a volume is bound to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim<'s> {
    /// Whether the volume is Bound.
    pub(crate) bound: bool,
    /// The claim; `None` if it does not exist, or if another claim has its name.
    pub(crate) there: Option<Seen<'s>>,
}

impl Claim<'_> {
    /// Whether the volume is still in use: its claim is not being deleted.
    pub(crate) fn is_alive(&self) -> bool {
        self.bound && self.there.is_some_and(|claim| !claim.object.is_deleting())
    }
}

/// The name of the claim behind an entry of a pod's `spec.volumes`. An ephemeral volume has its own claim,
/// named after the pod.
pub(crate) fn claim_name(pod: &Object, volume: &Value) -> Option<String> {
    let named = volume.pointer("/persistentVolumeClaim/claimName").and_then(Value::as_str).map(str::to_owned);
    named.or_else(|| {
        let name = volume.get("ephemeral").and_then(|_| volume.get("name")?.as_str())?;
        Some(format!("{}-{name}", pod.name()))
    })
}

/// The claim of a volume; the volume must be whole.
pub(crate) fn claim_of<'s>(volume: &Object, facts: &Facts<'s>) -> Known<Claim<'s>> {
    let bound = volume.text("/status/phase") == Some("Bound");
    let named = (volume.text("/spec/claimRef/namespace"), volume.text("/spec/claimRef/name"));
    let (Some(claims), (Some(namespace), Some(name))) = (facts.preferred("", "persistentvolumeclaims"), named) else {
        return Ok(Claim { bound, there: None });
    };
    let uid = volume.text("/spec/claimRef/uid");
    let claim = facts.get(&claims.id, Some(namespace), name, Form::Whole)?;
    let claim = claim.filter(|claim| uid.is_none_or(|uid| uid == claim.uid()));
    Ok(Claim { bound, there: claim.map(|object| Seen { resource: claims, object }) })
}
