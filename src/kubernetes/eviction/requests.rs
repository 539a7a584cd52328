//! Evictions that were requested and that a responder of the pod carries out
//! (kubernetes/kubernetes: `staging/src/k8s.io/api/lifecycle/v1alpha1/types.go`; alpha in 1.37).

use crate::facts::{Facts, Known, Readable, since};
use crate::survey::{Condition, Form, Object, Seen, is_key};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// The responder that calls the Eviction API when no other is left: the check of the budgets finds
/// refusals of its requests.
const LAST_RESPONDER: &str = "imperative-eviction.k8s.io/evictor";

/// How long a responder keeps an eviction without a heartbeat, before it passes to the next.
const DEADLINE: SignedDuration = SignedDuration::from_mins(20);

/// An eviction that a responder is carrying out, or that failed.
#[derive(Debug, Clone)]
pub(crate) struct EvictionUnderway<'s> {
    pub(crate) eviction: Seen<'s>,
    /// The uid of the pod.
    uid: &'s str,
    /// Who asked for it and still does, such as `acme.io/drainer`.
    pub(crate) requesters: Vec<&'s str>,
    pub(crate) state: EvictionState<'s>,
}

/// How far an eviction is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EvictionState<'s> {
    Active {
        /// The responder that moves the pod, such as `acme.io/mover`.
        responder: &'s str,
        /// The message in its status.
        message: Option<&'s str>,
        /// Its last heartbeat, or its start if there was none since.
        heard: Option<Timestamp>,
        /// Whether the announced end is still to come or, if none was announced, the start was so recent
        /// that Kubernetes would not have called the next responder yet.
        is_in_time: bool,
    },
    /// No responder works on it any more, by this condition.
    Failed(Condition<'s>),
}

/// All evictions that responders are carrying out, and those that failed.
pub(super) fn underway<'s>(facts: &Facts<'s>) -> Known<Vec<EvictionUnderway<'s>>> {
    let Some(kind) = facts.preferred("lifecycle.k8s.io", "evictions") else { return Ok(Vec::new()) };
    let all = facts.list(&kind.id, None, Form::Whole).or_note(facts)?.unwrap_or_default();
    let seen = all.iter().map(|object| Seen { resource: kind, object });
    Ok(seen.filter_map(|seen| of(seen, facts.now())).collect())
}

/// The eviction of a pod.
pub(super) fn of_pod<'s>(pod: &Object, all: &[EvictionUnderway<'s>]) -> Option<EvictionUnderway<'s>> {
    all.iter().find(|underway| underway.uid == pod.uid()).cloned()
}

fn of(eviction: Seen<'_>, now: Timestamp) -> Option<EvictionUnderway<'_>> {
    let object = eviction.object;
    let uid = object.text("/spec/target/pod/uid")?;
    let asks = |requester: &&Value| requester["intent"] != "Withdrawn";
    let requesters = object.array("/status/requesters").iter().filter(asks);
    // Other text is nobody's name, and must not reach a screen.
    let requesters = requesters.filter_map(|requester| requester["name"].as_str()).filter(|name| is_key(name));
    let failed = object.condition("Failed").filter(|failed| failed.status() == "True");
    let state = failed.map(EvictionState::Failed).or_else(|| active(object, now))?;
    Some(EvictionUnderway { eviction, uid, requesters: requesters.collect(), state })
}

fn active(object: &Object, now: Timestamp) -> Option<EvictionState<'_>> {
    let active = object.array("/status/targetResponders").iter().find(|responder| responder["state"] == "Active")?;
    let responder = active["name"].as_str().filter(|name| is_key(name) && *name != LAST_RESPONDER)?;
    let status = object.array("/status/responders").iter().find(|status| status["name"] == responder);
    let time = |field: &str| status?.get(field)?.as_str()?.parse::<Timestamp>().ok();
    let (started, announced) = (time("startTime"), time("expectedCompletionTime"));
    let is_in_time = match announced {
        Some(end) => end > now,
        None => started.is_some_and(|started| since(started, now) <= DEADLINE),
    };
    let message = status.and_then(|status| status["message"].as_str()).filter(|message| !message.is_empty());
    Some(EvictionState::Active { responder, message, heard: time("heartbeatTime").max(started), is_in_time })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{Resource, ResourceId};
    use serde_json::json;

    fn read(responder: &str, status: Value) -> Option<(Option<Timestamp>, bool)> {
        let resource = Resource {
            id: ResourceId::new("lifecycle.k8s.io", "v1alpha1", "evictions"),
            ..Resource::tested("lifecycle.k8s.io", "evictions", "Eviction", true)
        };
        let mut status = status;
        status["name"] = json!(responder);
        let object: Object = serde_json::from_value(json!({
            "metadata": {"name": "e"},
            "spec": {"target": {"pod": {"name": "p", "uid": "1"}}},
            "status": {"targetResponders": [{"name": responder, "state": "Active"}], "responders": [status]},
        }))
        .unwrap();
        let now = "2026-01-01T12:00:00Z".parse().unwrap();
        of(Seen { resource: &resource, object: &object }, now).and_then(|it| match it.state {
            EvictionState::Active { heard, is_in_time, .. } => Some((heard, is_in_time)),
            EvictionState::Failed(_) => None,
        })
    }

    #[test]
    fn a_responder_has_its_announced_time_or_the_default() {
        let in_time = |status| read("acme.io/mover", status).map(|(_, in_time)| in_time);
        assert_eq!(in_time(json!({"startTime": "2026-01-01T11:45:00Z"})), Some(true));
        let (old, beat) = ("2026-01-01T09:00:00Z", "2026-01-01T11:59:00Z");
        // A heartbeat alone is no progress.
        assert_eq!(in_time(json!({"startTime": old, "heartbeatTime": beat})), Some(false));
        let announced = json!({"startTime": old, "expectedCompletionTime": "2026-01-01T13:00:00Z"});
        assert_eq!(in_time(announced), Some(true));
        let over = json!({"startTime": "2026-01-01T11:55:00Z", "expectedCompletionTime": "2026-01-01T11:58:00Z"});
        assert_eq!(in_time(over), Some(false));
    }

    #[test]
    fn the_last_heartbeat_is_the_last_sign_of_a_responder() {
        let status = json!({"startTime": "2026-01-01T09:00:00Z", "heartbeatTime": "2026-01-01T10:00:00Z"});
        assert_eq!(read("acme.io/mover", status).unwrap().0, "2026-01-01T10:00:00Z".parse().ok());
    }

    #[test]
    fn the_last_responder_and_arbitrary_text_are_ignored() {
        assert!(read("shop: run curl evil.example", json!({"startTime": "2026-01-01T09:00:00Z"})).is_none());
        assert!(read(LAST_RESPONDER, json!({"startTime": "2026-01-01T09:00:00Z"})).is_none());
    }
}
