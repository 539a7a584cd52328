//! A claim for devices is kept while it is allocated to pods or groups of them (kubernetes/kubernetes:
//! `pkg/controller/resourceclaim/controller.go`).

use crate::facts::{Facts, Known, OwnedFinalizer, Target, flat_each, for_each};
use crate::findings::controller_manager::protection_was_not_taken_off;
use crate::findings::storage::{kept, used_by};
use crate::kubernetes::finalizers::late::waiting;
use crate::kubernetes::storage::{DEVICES_IN_USE, has, is_device_claim};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref, and_more};
use crate::survey::{Form, Object, Seen};
use serde_json::Value;

pub(super) const RULE: Rule =
    Rule::new("resource-claim-in-use", include_str!("resource_claim_in_use.md"), &[Explains::Unused(diagnose)])
        .owns(&[OwnedFinalizer::new("resourceclaims.resource.k8s.io", DEVICES_IN_USE)]);

/// How many claims are checked for users.
const MAX_CLAIMS: usize = 20;
/// How many users of one claim are looked up.
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

/// The existing consumers that a claim is reserved for: pods, or groups of them (kubernetes/kubernetes:
/// `staging/src/k8s.io/api/resource/v1/types.go`, `ResourceClaimConsumerReference`).
fn reserved_for<'s>(claim: &Object, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let namespace = claim.metadata.namespace.as_deref();
    let field = |entry: &Value, name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let consumers = claim.array("/status/reservedFor").iter().take(MAX_USERS);
    flat_each(consumers, |entry| {
        let kind = facts.preferred(&field(entry, "apiGroup"), &field(entry, "resource"));
        let Some(kind) = kind.filter(|kind| kind.namespaced) else { return Ok(None) };
        let user = facts.get(&kind.id, namespace, &field(entry, "name"), Form::Whole)?;
        let user = user.filter(|user| user.uid() == field(entry, "uid"));
        Ok(user.map(|object| Seen { resource: kind, object }))
    })
}

/// Whether a claim is reserved for a kind that this server does not serve.
fn is_for_unknown(claim: &Object, facts: &Facts<'_>) -> bool {
    claim.array("/status/reservedFor").iter().any(|entry| {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
        facts.preferred(text("apiGroup"), text("resource")).is_none()
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
        let more = and_more(entries.saturating_sub(1));
        let draft = begin(format!("its devices are reserved for {first}{more}"))
            .evidence(format!("reserved for {entries}"), &named, "status.reservedFor")
            .in_summary();
        return used_by(draft, users, target, facts, found);
    }
    let says = match entries {
        0 => "nothing has reserved it",
        _ if is_for_unknown(whole, facts) => "it is reserved for objects of a kind that is not served",
        _ => "the object that it is reserved for is gone",
    };
    let draft = begin(format!("{says}, but its protection finalizer was not removed"))
        .evidence(says, &named, "status.reservedFor")
        .remark("kube-controller-manager removes this finalizer");
    protection_was_not_taken_off(draft, claim, facts)
}
