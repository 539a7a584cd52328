//! A custom resource whose operator retries again and again with the same error: its writes are no
//! progress. In the twin a retry succeeded after the same error: a number falls.

use crate::api::now;
use crate::draft::{Draft, Phase};
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;
use serde_json::{Value, json};
use std::time::Instant;

const ERRORS: [(&str, &str); 3] = [
    ("DeleteFailed", "storage backend answered 503 Service Unavailable"),
    ("CleanupError", "dial tcp 10.20.30.40:443: i/o timeout"),
    ("ReconcileError", "AccessDenied: not authorized to perform DeleteInstance"),
];

fn installed(draft: &mut Draft) -> (Operator, Id, (&'static str, &'static str)) {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    draft.allowed.push(object.clone());
    // It takes longer than the test waits, or only a person can repair it.
    draft.releasable = false;
    (operator, object, *draft.random.pick(&ERRORS))
}

fn writes(draft: &mut Draft, operator: &Operator, object: &Id, status: impl Fn(u64) -> Value + Send + 'static) {
    let (object, manager) = (object.clone(), operator.manager.clone());
    let (started, mut last) = (Instant::now(), None);
    draft.actor(move |api| {
        let turn = started.elapsed().as_secs() / 2;
        if last == Some(turn) {
            return false;
        }
        last = Some(turn);
        api.patch(&object, &json!({"status": status(turn)}), &manager).is_err_and(|refusal| refusal.code == 404)
    });
}

/// Nothing changes but the time and the number of attempts.
pub fn build(draft: &mut Draft) -> Id {
    let (operator, object, (reason, message)) = installed(draft);
    writes(draft, &operator, &object, move |turn| {
        json!({"lastAttemptTime": now(), "attempts": 40 + turn, "conditions": [{"type": "Ready", "status": "False",
            "reason": reason, "message": message, "lastTransitionTime": now()}]})
    });
    let truth = Truth::object("its operator fails again and again", &object).or(&operator.deployment());
    draft.truths.push(truth.controller(&["Failing"]).says(message));
    draft.foreseeable = false;
    draft.youngest = draft.youngest.max(900);
    object
}

/// A retry succeeded after the last error, and the clean-up continues.
pub fn gets_on(draft: &mut Draft) -> Id {
    let (operator, object, (reason, message)) = installed(draft);
    let (at, suffix) = (now(), draft.random.suffix());
    // The event is moved back in time to the deletion; later messages come afterwards. A namespace
    // that is being deleted accepts no new objects.
    draft.create_as(
        if draft.goes { Phase::Things } else { Phase::Afterwards },
        json!({"apiVersion": "v1", "kind": "Event",
            "metadata": {"name": format!("{}.{suffix}", object.name), "namespace": object.namespace},
            "involvedObject": {"apiVersion": object.api_version, "kind": object.kind, "namespace": object.namespace,
                "name": object.name},
            "type": "Warning", "reason": reason, "message": message, "source": {"component": operator.manager},
            "count": 3, "firstTimestamp": at, "lastTimestamp": at}),
        None,
        &operator.manager,
    );
    writes(draft, &operator, &object, move |turn| {
        let left = 400_u64.saturating_sub(turn);
        json!({"remaining": left, "conditions": [{"type": "Deleting", "status": "True", "reason": "Draining",
            "message": format!("{left} of 400 shards to remove"), "lastTransitionTime": now()}]})
    });
    draft.oldest = draft.oldest.min(200);
    object
}
