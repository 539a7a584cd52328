//! A custom resource whose operator exits as soon as it starts.

use crate::draft::Draft;
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;

pub fn build(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    let rights = *draft.random.pick(&[Rights::OwnKind, Rights::AndCommon]);
    operator.install(draft, &Pods::Crashing, rights);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    draft.truths.push(Truth::object("its operator crashes", &operator.deployment()).controller(&["Down"]));
    draft.allowed.push(object.clone());
    object
}
