//! Two custom resources with the same finalizer and operator that wait for different things. In the
//! twin both wait for the same.

use super::paused::say;
use crate::draft::{Draft, Phase};
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;
use serde_json::json;

/// Each of them lacks its own Secret.
pub fn each_its_own(draft: &mut Draft) -> Id {
    build(draft, false)
}

/// Both lack the same Secret.
pub fn the_same(draft: &mut Draft) -> Id {
    build(draft, true)
}

fn build(draft: &mut Draft, same: bool) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::AndCommon);
    let namespace = draft.namespace.clone();
    let mut objects = Vec::new();
    let shared = draft.random.word();
    for _ in 0..2 {
        let name = draft.random.word();
        let secret = format!("{}-login", if same { &shared } else { &name });
        let object = operator.adopt(draft, &namespace, &name);
        let (of, named) = (object.clone(), secret.clone());
        draft.act(Phase::Pods, move |api| {
            let spec = json!({"spec": {"credentialsSecretRef": {"name": named}}});
            Ok(api.patch(&of, &spec, "kubectl-edit")?)
        });
        let message = format!("cannot log in: Secret \"{secret}\" not found");
        say(draft, &object, &operator.manager, "CredentialsMissing", message);
        let missing = Id::of("Secret", Some(&namespace), &secret);
        if !same || objects.is_empty() {
            let truth = Truth::object("credentials are missing", &missing).controller(&["Failing"]);
            draft.truths.push(truth.says(&secret));
        }
        let secret = missing.path();
        operator.works_once(draft, &object, move |api| matches!(api.get(&secret), Ok(Some(_))));
        draft.allowed.push(object.clone());
        objects.push(object);
    }
    draft.youngest = draft.youngest.max(200);
    // Only a person has the credentials.
    draft.releasable = false;
    objects.remove(0)
}
