//! A custom resource whose operator is scaled to 0.

use crate::draft::Draft;
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;

pub fn build(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    let rights = *draft.random.pick(&[Rights::OwnKind, Rights::OwnKind, Rights::AndCommon, Rights::Everything]);
    operator.install(draft, &Pods::Parked, rights);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    draft.truths.push(Truth::object("its operator is at zero", &operator.deployment()).controller(&["Down"]));
    draft.allowed.push(object.clone());
    // After scaling up, the operator works, or still does not.
    if draft.random.percent(80) {
        let starts = operator.clone();
        operator.works_once(draft, &object, move |api| starts.is_started(api));
    }
    object
}
