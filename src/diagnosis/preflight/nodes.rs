//! The pods on a node that is deleted.

use crate::facts::{Facts, Known, Target};
use crate::kubernetes::storage::is_finished;
use crate::needs::{Cost, Outlook};
use crate::report::{Risk, counted};
use crate::survey::{Object, Seen};
use serde_json::Value;

/// Adds the consequences for the pods on a node: the pod garbage collector deletes them without the
/// kubelet (kubernetes/kubernetes: `pkg/controller/podgc/gc_controller.go`), and their controllers create
/// others elsewhere.
pub(super) fn look(target: &Target<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let id = &target.seen.resource.id;
    if !id.is("", "nodes") {
        return Ok(());
    }
    let Some(kind) = facts.preferred("", "pods") else { return Ok(()) };
    let on_it = facts.pods_on(&kind.id, target.object().name())?.into_iter();
    let here: Vec<Seen<'_>> =
        on_it.filter(|pod| !is_finished(pod)).map(|object| Seen { resource: kind, object }).collect();
    if here.is_empty() {
        return Ok(());
    }
    let named = target.reference();
    let they = if here.len() == 1 { "which runs on it, is" } else { "which run on it, are" };
    let removed = format!("{}, {they} removed by the pod garbage collector", counted(&here));
    out.consequence(named.clone(), &removed);
    let with_identity: Vec<Seen<'_>> = here.iter().copied().filter(|seen| has_identity(seen.object)).collect();
    let mut cost = Cost { object: named.clone(), risk: Risk::Disruptive, text: removed };
    if !with_identity.is_empty() {
        let why = format!(
            "if its kubelet is still running, {} may run twice, which can destroy data (of a StatefulSet, or with a claim)",
            counted(&with_identity)
        );
        out.consequence(named, &why);
        cost.risk = Risk::LosesData;
        cost.text = format!("{}; {why}", cost.text);
    }
    out.costs.push(cost);
    Ok(())
}

/// Whether two copies of a pod that run at the same time do harm: it has a place in a `StatefulSet`, or
/// writes to a claim.
fn has_identity(pod: &Object) -> bool {
    let of_set = pod.metadata.owner_references.iter().any(|owner| owner.kind == "StatefulSet");
    let claims = |volume: &Value| volume.get("persistentVolumeClaim").or_else(|| volume.get("ephemeral")).is_some();
    of_set || pod.array("/spec/volumes").iter().any(claims)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pod(owner: &str, volume: &Value) -> Object {
        let owner = json!({"apiVersion": "apps/v1", "kind": owner, "name": "db", "uid": "u"});
        serde_json::from_value(json!({"metadata": {"name": "db-0", "uid": "p", "ownerReferences": [owner]},
            "spec": {"nodeName": "worker", "volumes": [volume]}}))
        .unwrap()
    }

    #[test]
    fn a_pod_of_a_stateful_set_or_with_a_claim_must_not_run_twice() {
        let none = json!({"name": "tmp", "emptyDir": {}});
        assert!(!has_identity(&pod("ReplicaSet", &none)));
        assert!(has_identity(&pod("StatefulSet", &none)));
        assert!(has_identity(&pod("ReplicaSet", &json!({"name": "d", "persistentVolumeClaim": {"claimName": "d"}}))));
        assert!(has_identity(&pod("ReplicaSet", &json!({"name": "d", "ephemeral": {}}))));
    }
}
