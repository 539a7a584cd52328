//! A custom resource whose operator runs but watches other namespaces. In the twin the operator
//! watches the namespace, and is at zero.

use crate::draft::Draft;
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;
use serde_json::json;

/// Limits the operator to these namespaces by an argument or its environment.
fn told(draft: &mut Draft, operator: &mut Operator, namespaces: &str) {
    operator.told = match draft.random.below(3) {
        0 => json!({"env": [{"name": "WATCH_NAMESPACE", "value": namespaces}]}),
        1 => json!({"args": ["--leader-elect", format!("--watch-namespace={namespaces}")]}),
        _ => json!({"args": ["--watch-namespaces", namespaces]}),
    };
}

/// The operator watches another namespace.
pub fn elsewhere(draft: &mut Draft) -> Id {
    let mut operator = Operator::invent(draft);
    told(draft, &mut operator, "team-two");
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let truth = Truth::object("its operator watches another namespace", &operator.deployment());
    draft.truths.push(truth.controller(&["Alive", "Failing"]).says("team-two"));
    draft.allowed.push(object.clone());
    draft.youngest = draft.youngest.max(900);
    // Only a person decides which namespaces it watches.
    draft.releasable = false;
    object
}

/// The operator watches this namespace among others.
pub fn here(draft: &mut Draft) -> Id {
    let mut operator = Operator::invent(draft);
    let namespaces = format!("team-two,{}", draft.namespace);
    told(draft, &mut operator, &namespaces);
    operator.define(draft);
    operator.install(draft, &Pods::Parked, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    draft.truths.push(Truth::object("its operator is at zero", &operator.deployment()).controller(&["Down"]));
    draft.allowed.push(object.clone());
    let starts = operator.clone();
    operator.works_once(draft, &object, move |api| starts.is_started(api));
    object
}
