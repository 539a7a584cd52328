//! A claim for storage is kept while a scheduled pod names it, whatever the pod's phase
//! (kubernetes/kubernetes: `pkg/controller/volume/pvcprotection/pvc_protection_controller.go`).

use crate::facts::{All, Facts, Known, Readable, Target, ago, for_each};
use crate::findings::controller_manager::controller_manager;
use crate::findings::in_use::{InUseFinalizer, MAX_SHOWN, first_and_more, used_by};
use crate::findings::removal::removal_at;
use crate::findings::storage::claim_volume;
use crate::kubernetes::kubelet::pods::kubelet_is_done;
use crate::kubernetes::storage::{CLAIM_IN_USE, claim_name, is_finished};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::{in_namespace, one};
use crate::report::{Ref, Remedy, Risk, Verb, objects_in_words};
use crate::survey::{Form, Object, Seen};
use indexmap::IndexMap;
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) const RULE: Rule =
    Rule::new("claim-in-use", include_str!("claim_in_use.md"), &[Explains::Unused(diagnose)]).owns(&[FINALIZER.owned]);

const FINALIZER: InUseFinalizer = InUseFinalizer::new("persistentvolumeclaims", CLAIM_IN_USE);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let claims = FINALIZER.waiting(target, facts)?;
    let (Some(first), Some(pods)) = (claims.first(), facts.preferred("", "pods")) else { return Ok(()) };
    let namespace = first.object.metadata.namespace.as_deref();
    let listed = facts.list(&pods.id, namespace, Form::Whole).or_note(facts);
    // The policy is evidence where it is that of one claim.
    let is_one = claims.len() == 1;
    let own = if is_one { claim_volume(*first, facts).if_readable() } else { Ok(None) };
    let whole = if is_one { facts.whole(*first).if_readable() } else { Ok(None) };
    let (own, whole, listed) = (own, whole, listed).all()?;
    let (own, told) = (own.flatten(), whole.flatten().and_then(|claim| use_told(claim, facts)));
    let Some(listed) = listed else {
        let refs: Vec<Ref> = claims.iter().map(|claim| (*claim).into()).collect();
        let because = told.map_or_else(
            || "could not read which pods use it".to_owned(),
            |told| format!("{told}, by its condition; could not read which pods use it"),
        );
        found.add(begin(&refs, &because).needs_accepted(Verb::Update).likely().remedy(look(&refs[0])).objects(refs));
        return Ok(());
    };
    let pods: Vec<Seen<'_>> = listed.iter().map(|object| Seen { resource: pods, object }).collect();
    for_each(by_users(&claims, &users(&pods)), |(users, claims)| {
        let refs: Vec<Ref> = claims.iter().map(|claim| (*claim).into()).collect();
        let draft = match users.first() {
            Some(_) => used_by(in_use(&refs, &users), &users, target, facts, found)?,
            None => unused(&refs, &claims, facts)?,
        };
        let draft = draft
            .with_each(&told, |draft, told| draft.evidence(told.clone(), &refs[0], UNUSED))
            .with_each(&own, |draft, own| draft.evidence(own.fate, &own.volume, "spec.persistentVolumeReclaimPolicy"));
        found.add(draft.objects(refs));
        Ok(())
    })
}

/// The condition of a claim about its use (kubernetes/kubernetes: `staging/src/k8s.io/api/core/v1/types.go`,
/// `PersistentVolumeClaimUnused`; alpha in 1.36).
const UNUSED: &str = "status.conditions[Unused]";

/// What the condition of a claim says about its use.
fn use_told(claim: &Object, facts: &Facts<'_>) -> Option<String> {
    let unused = claim.condition("Unused")?;
    let who = match unused.status() {
        "True" => "no pod has used it",
        "False" => "a pod has used it",
        _ => return None,
    };
    Some(unused.since().map_or_else(|| who.to_owned(), |since| format!("{who} for {}", ago(since, facts))))
}

/// The pods by the claims that they use. Pods that were never scheduled do not count, and pods with a
/// claim of their own only until their kubelet is done.
fn users<'s>(pods: &[Seen<'s>]) -> BTreeMap<String, Vec<Seen<'s>>> {
    let mut users: BTreeMap<String, Vec<Seen<'_>>> = BTreeMap::new();
    for pod in pods.iter().filter(|pod| pod.object.text("/spec/nodeName").is_some_and(|node| !node.is_empty())) {
        let is_over = pod.object.is_deleting() && kubelet_is_done(pod.object);
        let counts = |volume: &&Value| !is_over || volume.get("persistentVolumeClaim").is_some();
        let volumes = pod.object.array("/spec/volumes").iter().filter(counts);
        for claim in volumes.filter_map(|volume| claim_name(pod.object, volume)) {
            users.entry(claim).or_default().push(*pod);
        }
    }
    users
}

/// The claims in groups, by their first user; claims without users are one group.
fn by_users<'s>(claims: &[Seen<'s>], users: &BTreeMap<String, Vec<Seen<'s>>>) -> Vec<(Vec<Seen<'s>>, Vec<Seen<'s>>)> {
    let mut groups: IndexMap<Option<&str>, (Vec<Seen<'_>>, Vec<Seen<'_>>)> = IndexMap::new();
    for claim in claims {
        let mut of: Vec<Seen<'_>> = users.get(claim.object.name()).cloned().unwrap_or_default();
        // A pod that is not being deleted counts most.
        of.sort_by_key(|pod| pod.object.is_deleting());
        let first = of.first().map(|pod| pod.object.uid());
        groups.entry(first).or_insert((of, Vec::new())).1.push(*claim);
    }
    groups.into_values().collect()
}

fn begin(claims: &[Ref], because: &str) -> Draft {
    FINALIZER.keeps(&claims[0], format!("{}: {because}", objects_in_words(claims)))
}

fn look(claim: &Ref) -> Remedy {
    Remedy::command(
        "check what uses it",
        format_args!("kubectl describe {}{}", one("pvc", &claim.name), in_namespace(claim)),
        "while a pod uses it, removing the finalizer would delete the volume in use",
    )
}

fn in_use(claims: &[Ref], users: &[Seen<'_>]) -> Draft {
    let finished = match users.iter().filter(|user| is_finished(user.object)).count() {
        1 if users.len() == 1 => ", which has finished but still counts as a user",
        all if all == users.len() => ", which have finished but still count as users",
        _ => "",
    };
    let draft = begin(claims, &format!("still used by {}{finished}", first_and_more(users[0], users.len())));
    draft.with_each(users.iter().take(MAX_SHOWN), |draft, user| {
        let phase = user.object.text("/status/phase").unwrap_or("unknown");
        let node = user.object.text("/spec/nodeName").unwrap_or_default();
        draft.evidence(format!("uses the claim; phase {phase}, on node {node}"), &(*user).into(), "spec.volumes")
    })
}

/// The finding for claims that no pod names: their controller should remove the finalizer soon.
fn unused(claims: &[Ref], seen: &[Seen<'_>], facts: &Facts<'_>) -> Known<Draft> {
    let draft =
        begin(claims, "no pod uses it, but its protection finalizer was not removed").needs_accepted(Verb::Update);
    let draft = controller_manager(draft.likely(), facts)?
        .remark("kube-controller-manager removes this finalizer; a webhook or policy may refuse that")
        .remedy(Remedy::command(
            "check that kube-controller-manager is running and that nothing refuses its updates of claims",
            "kubectl -n kube-system get lease kube-controller-manager",
            "nothing is lost: it continues by itself",
        ));
    let cost = (
        Risk::Disruptive,
        "no scheduled pod names the claim, so the controller would do the same; its volume is then reclaimed",
    );
    Ok(draft.remedies(removal_at(cost, FINALIZER.owned.name(), seen, claims)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::Resource;
    use serde_json::json;

    #[test]
    fn pods_use_claims_once_they_have_a_node() {
        let resource = Resource::tested("", "pods", "Pod", true);
        let pod = |name: &str, node: &str, volume: &Value, done: bool| -> Object {
            let mut metadata = json!({"name": name, "uid": name});
            if done {
                metadata["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
                metadata["deletionGracePeriodSeconds"] = json!(0);
            }
            serde_json::from_value(json!({"metadata": metadata, "spec": {"nodeName": node, "volumes": [volume]}}))
                .unwrap()
        };
        let named = json!({"name": "v", "persistentVolumeClaim": {"claimName": "data"}});
        let own = json!({"name": "v", "ephemeral": {}});
        let pods = [
            pod("a", "n", &named, false),
            pod("b", "", &named, false),
            pod("c", "n", &own, false),
            pod("d", "n", &own, true),
            pod("e", "n", &named, true),
        ];
        let seen: Vec<Seen<'_>> = pods.iter().map(|object| Seen { resource: &resource, object }).collect();
        let users = users(&seen);
        let using = |claim: &str| -> Vec<&str> {
            users.get(claim).into_iter().flatten().map(|pod| pod.object.name()).collect()
        };
        assert_eq!(using("data"), ["a", "e"]);
        assert_eq!(using("c-v"), ["c"]);
        assert!(using("d-v").is_empty());
    }
}
