//! A claim for devices is kept while it is allocated to pods (kubernetes/kubernetes:
//! `pkg/controller/resourceclaim/controller.go`).

use crate::facts::{Facts, Known, OwnedFinalizer, Target, flat_each, for_each};
use crate::findings::controller_manager::protection_was_not_taken_off;
use crate::findings::storage::{kept, used_by};
use crate::kubernetes::finalizers::late::waiting;
use crate::kubernetes::storage::{DEVICES_IN_USE, has, is_device_claim};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref};
use crate::survey::{Form, Object, Seen};
use serde_json::Value;

pub(super) const RULE: Rule =
    Rule::new("resource-claim-in-use", include_str!("resource_claim_in_use.md"), &[Explains::Unused(diagnose)])
        .owns(&[OwnedFinalizer::new("resourceclaims.resource.k8s.io", DEVICES_IN_USE)]);

/// How many claims have their users looked for.
const MAX_CLAIMS: usize = 20;
/// How many users of one claim are looked for.
const MAX_USERS: usize = 10;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let held = waiting(target, facts)?;
    let claims = held.into_iter().filter(|seen| is_device_claim(seen.resource) && has(*seen, DEVICES_IN_USE));
    let users = flat_each(claims.take(MAX_CLAIMS), |claim| {
        let Some(whole) = facts.whole(claim)? else { return Ok(None) };
        Ok(Some((claim, whole, reserved_for(whole, facts)?)))
    })?;
    for_each(users, |(claim, whole, users)| {
        let draft = draft(claim, whole, &users, target, facts, found)?;
        found.add(draft);
        Ok(())
    })
}

/// The pods for which it is reserved, as far as they exist.
fn reserved_for<'s>(claim: &Object, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let Some(pods) = facts.preferred("", "pods") else { return Ok(Vec::new()) };
    let namespace = claim.metadata.namespace.as_deref();
    let field = |entry: &Value, name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let consumers = claim.array("/status/reservedFor").iter().filter(|entry| field(entry, "resource") == "pods");
    flat_each(consumers.take(MAX_USERS), |entry| {
        let pod = facts.get(&pods.id, namespace, &field(entry, "name"), Form::Whole)?;
        let pod = pod.filter(|pod| pod.uid() == field(entry, "uid"));
        Ok(pod.map(|object| Seen { resource: pods, object }))
    })
}

fn draft(
    claim: Seen<'_>,
    whole: &Object,
    users: &[Seen<'_>],
    target: &Target<'_>,
    facts: &Facts<'_>,
    found: &mut Findings,
) -> Known<Draft> {
    let named = Ref::from(claim);
    let begin = |because: String| kept(Cause::Storage, &named, DEVICES_IN_USE, format!("{named}: {because}"));
    let entries = whole.array("/status/reservedFor").len();
    if let Some(first) = users.first() {
        let first = Ref::from(*first);
        let more = if entries > 1 { format!(" and {} more", entries - 1) } else { String::new() };
        let draft = begin(format!("its devices are reserved for {first}{more}"))
            .evidence(format!("reserved for {entries}"), &named, "status.reservedFor")
            .in_summary();
        return used_by(draft, users, target, facts, found);
    }
    let says = if entries > 0 { "the pods that it is reserved for are gone" } else { "it is reserved for nobody" };
    let draft = begin(format!("{says}, and its protection finalizer was not removed"))
        .evidence(says, &named, "status.reservedFor")
        .remark("the controller that does so is a part of kube-controller-manager");
    protection_was_not_taken_off(draft, facts)
}
