//! A custom resource that its operator keeps while another resource of the product names it. In the
//! twin the other resource names a namesake elsewhere, the message is old, and the operator is at
//! zero.

use super::paused::say;
use crate::draft::{Draft, Phase};
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;
use serde_json::json;

/// Another kind of the product, and an object of it that names an object of the first kind.
fn user(draft: &mut Draft, operator: &Operator, of: &str) -> Id {
    let thing = draft.random.word();
    let users = operator.with_kind(&thing);
    users.define(draft);
    users.give(draft, Rights::OwnKind);
    let name = draft.random.word();
    let user = users.object("team-one", &name);
    let stem = operator.kind.to_lowercase();
    let spec = match draft.random.below(2) {
        0 => json!({format!("{stem}Ref"): {"name": of, "namespace": draft.namespace}}),
        _ => json!({format!("{stem}Ref"): {"apiVersion": format!("{}/v1", operator.group), "kind": operator.kind,
            "name": of, "namespace": draft.namespace}}),
    };
    let manifest = json!({"apiVersion": user.api_version, "kind": user.kind,
        "metadata": {"name": name, "namespace": "team-one"}, "spec": spec});
    draft.create_as(Phase::Things, manifest, Some(&user.plural), "kubectl-client-side-apply");
    user
}

/// An object uses it.
pub fn used(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let user = user(draft, &operator, &name);
    say(draft, &object, &operator.manager, "InUse", "cannot be deleted: it is still in use by 1 object".into());
    draft.truths.push(Truth::object("another object of the product uses it", &user).says(&user.name));
    draft.allowed.push(object.clone());
    draft.youngest = draft.youngest.max(200);
    // Its user is removed only on explicit request.
    draft.releasable = false;
    operator.works_once(draft, &object, move |api| matches!(api.get(&user.path()), Ok(None)));
    object
}

/// Nothing uses it.
pub fn not_any_more(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Parked, Rights::OwnKind);
    let (namespace, name, other) = (draft.namespace.clone(), draft.random.word(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    user(draft, &operator, &other);
    draft.truths.push(Truth::object("its operator is at zero", &operator.deployment()).controller(&["Down"]));
    draft.allowed.push(object.clone());
    let starts = operator.clone();
    operator.works_once(draft, &object, move |api| starts.is_started(api));
    object
}
