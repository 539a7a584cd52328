//! A custom resource whose operator is working on it: nothing is wrong.

use crate::api::now;
use crate::draft::Draft;
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use serde_json::json;
use std::time::Instant;

pub fn build(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    draft.allowed.push(object.clone());
    draft.oldest = draft.oldest.min(200);
    let (works, manager) = (object.clone(), operator.manager.clone());
    let (started, mut last) = (Instant::now(), None);
    draft.actor(move |api| {
        let left = 400_u64.saturating_sub(started.elapsed().as_secs() / 2);
        if last != Some(left) {
            last = Some(left);
            let status = json!({"status": {"remaining": left, "conditions": [{"type": "Deleting", "status": "True",
                "reason": "Draining", "message": format!("{left} of 400 shards to remove"),
                "lastTransitionTime": now()}]}});
            return api.patch(&works, &status, &manager).is_err_and(|refusal| refusal.code == 404);
        }
        false
    });
    // The work takes longer than the test waits.
    draft.releasable = false;
    object
}
