//! A custom resource whose operator is Ready but has done nothing for hours, without any sign of
//! the reason.

use crate::draft::Draft;
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;

pub fn build(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let truth = Truth::object("its operator runs and is silent", &operator.deployment());
    draft.truths.push(truth.controller(&["Alive"]).only_likely());
    draft.allowed.push(object.clone());
    draft.youngest = draft.youngest.max(3 * 3600);
    // The operator looks healthy; only its silence is a sign.
    draft.foreseeable = false;
    object
}
