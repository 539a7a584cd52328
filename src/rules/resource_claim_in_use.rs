//! A claim for devices is kept while it is allocated to pods or groups of them (kubernetes/kubernetes:
//! `pkg/controller/resourceclaim/controller.go`).

use crate::facts::{Facts, Known, Readable, Target, flat_each};
use crate::findings::in_use::{InUseFinalizer, Use, first_and_more};
use crate::needs::{Explains, Findings, Rule};
use crate::report::Ref;
use crate::survey::{Form, Resource, Seen};
use serde_json::Value;

pub(super) const RULE: Rule =
    Rule::new("resource-claim-in-use", include_str!("resource_claim_in_use.md"), &[Explains::Unused(diagnose)])
        .owns(&[FINALIZER.owned]);

/// From kubernetes/kubernetes: `staging/src/k8s.io/api/resource/v1/types.go`.
const FINALIZER: InUseFinalizer =
    InUseFinalizer::new("resourceclaims.resource.k8s.io", "resource.kubernetes.io/delete-protection");

/// How many users of one claim are looked up.
const MAX_USERS: usize = 10;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    FINALIZER.diagnose(target, facts, found, use_of)
}

fn use_of<'s>(claim: Seen<'s>, facts: &Facts<'s>) -> Known<Use<'s>> {
    let Some(whole) = facts.whole(claim)? else { return Ok(Use::Going) };
    let named = Ref::from(claim);
    let entries = whole.array("/status/reservedFor");
    let count = entries.len();
    let Some(users) = reserved_for(entries, &named, facts).or_note(facts)? else {
        let says = format!("{named}: could not read whether the objects that it is reserved for still exist");
        let draft = FINALIZER.keeps(&named, says);
        return Ok(Use::Unread(draft.evidence(format!("reserved for {count}"), &named, "status.reservedFor")));
    };
    if let Some(first) = users.first() {
        let who = first_and_more(*first, count);
        let draft = FINALIZER
            .keeps(&named, format!("{named}: its devices are reserved for {who}"))
            .evidence(format!("reserved for {count}"), &named, "status.reservedFor")
            .in_summary();
        return Ok(Use::By(users, draft));
    }
    let why = if entries.is_empty() {
        "nothing has reserved it"
    } else if entries.iter().any(|entry| kind_of(entry, facts).is_none()) {
        "it is reserved for objects of a kind that is not served"
    } else {
        "the object that it is reserved for is gone"
    };
    let draft = FINALIZER.keeps(&named, format!("{named}: {why}, but its protection finalizer was not removed"));
    Ok(Use::Over(draft.evidence(why, &named, "status.reservedFor")))
}

/// The existing consumers that a claim is reserved for: pods, or groups of them (kubernetes/kubernetes:
/// `staging/src/k8s.io/api/resource/v1/types.go`, `ResourceClaimConsumerReference`).
fn reserved_for<'s>(entries: &[Value], claim: &Ref, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    flat_each(entries.iter().take(MAX_USERS), |entry| {
        let Some(kind) = kind_of(entry, facts).filter(|kind| kind.namespaced) else { return Ok(None) };
        let user = facts.get(&kind.id, claim.namespace.as_deref(), text(entry, "name"), Form::Whole)?;
        let user = user.filter(|user| user.uid() == text(entry, "uid"));
        Ok(user.map(|object| Seen { resource: kind, object }))
    })
}

/// The kind of a consumer, if the server serves that kind.
fn kind_of<'s>(entry: &Value, facts: &Facts<'s>) -> Option<&'s Resource> {
    facts.preferred(text(entry, "apiGroup"), text(entry, "resource"))
}

fn text<'e>(entry: &'e Value, field: &str) -> &'e str {
    entry.get(field).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{Discovery, Fact, Object, Reason, Survey, Unread, Want};
    use serde_json::json;

    #[test]
    fn users_that_cannot_be_read_are_not_taken_for_gone() {
        let claims = Resource::tested("resource.k8s.io", "resourceclaims", "ResourceClaim", true);
        let pods = Resource::tested("", "pods", "Pod", true);
        let claim: Object = serde_json::from_value(json!({
            "metadata": {"name": "gpu", "namespace": "shop", "uid": "c"},
            "status": {"reservedFor": [{"resource": "pods", "name": "web", "uid": "p"}]},
        }))
        .unwrap();
        let whole = |kind: &Resource, name: &str| Want::get(&kind.id, Some("shop"), name, Form::Whole);
        let summary = |pod: Fact| {
            let discovery = Discovery { resources: vec![claims.clone(), pods.clone()], ..Discovery::default() };
            let mut survey = Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), discovery);
            survey.record(whole(&claims, "gpu"), Fact::Found(Box::new(claim.clone())));
            survey.record(whole(&pods, "web"), pod);
            match use_of(Seen { resource: &claims, object: &claim }, &Facts::new(&survey)) {
                Ok(Use::Unread(draft)) => format!("unread: {}", draft.summary()),
                Ok(Use::Over(draft)) => format!("over: {}", draft.summary()),
                _ => "another answer".into(),
            }
        };
        let forbidden = Unread { reason: Reason::Forbidden, message: String::new() };
        assert_eq!(
            summary(Fact::Unread(forbidden)),
            "unread: ResourceClaim shop/gpu: could not read whether the objects that it is reserved for still exist"
        );
        assert!(summary(Fact::Missing).starts_with("over: "), "{}", summary(Fact::Missing));
    }
}
