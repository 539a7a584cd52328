//! A custom resource whose operator was uninstalled: only traces of it are left.

use crate::draft::Draft;
use crate::object::Id;
use crate::operator::Operator;
use crate::truth::Truth;

pub fn build(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let truth = Truth::finalizer("its operator is gone", &object, &operator.finalizer);
    draft.truths.push(truth.controller(&["Gone", "Unknown"]));
    object
}
