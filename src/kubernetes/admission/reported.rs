//! Admission that refused a controller's request, as the controller reports it.

use super::obstacle::{is_in_a_file, is_named};
use crate::facts::{Facts, Known, flat_each};
use crate::kubernetes::admission::{Admission, Gate, Obstacle, Operation, Proof};
use crate::kubernetes::messages::admission::{Words, read};
use crate::kubernetes::past_obstacle::PastObstacle;
use crate::report::Ref;
use crate::survey::Seen;
use jiff::Timestamp;

/// The webhooks and policies that refused a request of the controller of `objects`, according to
/// the `message` that it left on the first of them. The message does not show which request, so
/// every gate that it names counts, whatever it matches. A webhook that could not be called `at`
/// that time and has answered since is left out: it works again.
pub fn met<'s>(
    objects: &[Seen<'s>],
    message: &str,
    at: Option<Timestamp>,
    facts: &Facts<'s>,
) -> Known<Vec<Obstacle<'s>>> {
    let admission = Admission::read(facts)?;
    flat_each(read(message), |words| {
        let mut meant = admission.gates().filter(|gate: &Gate<'s>| is_named(&words, gate));
        let gate = meant.next();
        let others = meant.collect();
        let mut backend = None;
        match gate {
            None if is_in_a_file(&words) => {}
            None => return Ok(None),
            Some(gate) if words.is_unanswered() => {
                backend = gate.backend(facts)?;
                if !gate.fails_closed() || mended_since(&gate, at, facts)?.is_some() {
                    return Ok(None);
                }
            }
            Some(_) => {}
        }
        Ok(Some(Obstacle {
            others,
            words: Some(words),
            proof: Proof::Said { object: Ref::from(objects[0]), message: message.to_owned() },
            backend,
            ..Obstacle::new(gate, Operation::Update, objects.to_vec())
        }))
    })
}

/// The obstacle that a controller met when it got `message`, if that is over: every webhook that
/// could not be called `at` that time has answered since, or is gone.
pub(crate) fn overtaken(message: &str, at: Option<Timestamp>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let words = read(message);
    if words.is_empty() || !words.iter().all(Words::is_unanswered) {
        return Ok(None);
    }
    let admission = Admission::glance(facts)?;
    let mut last = None;
    for words in words {
        let gate = admission.gates().find(|gate: &Gate<'_>| is_named(&words, gate));
        let mended = match (gate, at) {
            (Some(gate), _) => mended_since(&gate, at, facts)?,
            (None, Some(at)) if !is_in_a_file(&words) && admission.may_be_in(Some(&words)).is_empty() => {
                gone_since(&words, at)
            }
            (None, _) => None,
        };
        let Some(mended) = mended else { return Ok(None) };
        last = last.filter(|last: &PastObstacle| last.until > mended.until).or(Some(mended));
    }
    Ok(last)
}

/// Whether `message` names a webhook that could not be called and whose registration could not be
/// read.
pub(crate) fn perhaps_overtaken(message: &str, facts: &Facts<'_>) -> Known<bool> {
    let unanswered: Vec<Words> = read(message).into_iter().filter(Words::is_unanswered).collect();
    if unanswered.is_empty() {
        return Ok(false);
    }
    let admission = Admission::glance(facts)?;
    let is_unread = |words: &Words| {
        !admission.may_be_in(Some(words)).is_empty() && !admission.gates().any(|gate| is_named(words, &gate))
    };
    Ok(unanswered.iter().any(is_unread))
}

/// A webhook that could not be called and no longer exists.
fn gone_since(words: &Words, at: Timestamp) -> Option<PastObstacle> {
    let Words::Unanswered { webhook, .. } = words else { return None };
    let was = format!("webhook {webhook}, which no longer exists, could not be called");
    Some(PastObstacle { was, until: at })
}

fn mended_since<'s>(gate: &Gate<'s>, at: Option<Timestamp>, facts: &Facts<'s>) -> Known<Option<PastObstacle>> {
    let Some(at) = at else { return Ok(None) };
    Ok(gate.mended(facts)?.filter(|mended| mended.until > at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::admission::GROUP;
    use crate::survey::{InMemory, Resource};
    use serde_json::json;

    const SAID: &str = "failed calling webhook \"jobs.acme.io\": failed to call webhook: context deadline exceeded";

    /// A webhook whose only pod has been Ready since a quarter past.
    fn cluster() -> InMemory {
        let kinds = [
            Resource::tested(GROUP, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false),
            Resource::tested("", "services", "Service", true),
            Resource::tested("discovery.k8s.io", "endpointslices", "EndpointSlice", true),
            Resource::tested("", "pods", "Pod", true),
        ];
        let webhook = json!({"metadata": {"name": "jobs"}, "webhooks": [{"name": "jobs.acme.io", "failurePolicy": "Fail",
            "clientConfig": {"service": {"namespace": "ops", "name": "jobs"}}}]});
        let service = json!({"metadata": {"name": "jobs", "namespace": "ops", "creationTimestamp": "2025-01-01T00:00:00Z"},
            "spec": {"selector": {"app": "jobs"}, "ports": [{"port": 443}]}});
        let labels = json!({"kubernetes.io/service-name": "jobs"});
        let slice = json!({"metadata": {"name": "jobs-1", "namespace": "ops", "labels": labels}, "ports": [{"port": 8443}],
            "endpoints": [{"addresses": ["192.0.2.1"], "targetRef": {"kind": "Pod", "name": "jobs-0"}}]});
        let ready = json!({"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:15:00Z"});
        let pod = json!({"metadata": {"name": "jobs-0", "namespace": "ops"}, "status": {"conditions": [ready]}});
        let webhook = ("validatingwebhookconfigurations", webhook);
        let objects = [webhook, ("services", service), ("endpointslices", slice), ("pods", pod)];
        InMemory::holding("2026-01-01T00:15:10Z", kinds, objects)
    }

    #[test]
    fn a_webhook_that_answers_again_is_a_past_obstacle() {
        let cluster = cluster();
        let says = |words: &str, at: Option<&str>| {
            Facts::of(&cluster, |facts| overtaken(words, at.map(|at| at.parse().unwrap()), facts)).0
        };
        let since = |at: &str| says(SAID, Some(at));
        let mended = since("2026-01-01T00:14:00Z").expect("it was said before");
        assert_eq!(mended.until, "2026-01-01T00:15:00Z".parse().unwrap());
        assert_eq!(mended.says(), "webhook jobs.acme.io could not be called until 2026-01-01 00:15:00 UTC");
        assert!(since("2026-01-01T00:15:05Z").is_none(), "it was said since");
        assert!(says("cannot reach the bucket", None).is_none());
        let other = SAID.replace("jobs.acme.io", "gone.acme.io");
        let gone = says(&other, Some("2026-01-01T00:14:00Z"));
        assert!(gone.expect("it was removed").says().starts_with("webhook gone.acme.io, which no longer exists"));
        assert!(!Facts::of(&cluster, |facts| perhaps_overtaken(SAID, facts)).0, "all of it was read");
    }
}
