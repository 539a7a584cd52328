//! A custom resource with a healthy operator: the update that would release it is refused, since a
//! fail-closed webhook does not answer.

use super::deletion_refused::dead_webhook;
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
    let operations: &[&str] = if draft.random.percent(50) { &["UPDATE"] } else { &["CREATE", "UPDATE"] };
    let webhook = dead_webhook(draft, operations, &operator.group, &operator.plural);
    draft.truths.push(Truth::object("a dead webhook refuses the update", &webhook));
    draft.allowed.push(object.clone());
    operator.works_once(draft, &object, |_| true);
    object
}
