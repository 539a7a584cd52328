//! Delete a pod from the API without waiting for its kubelet. Its containers may continue to run on the
//! node, and the pod cannot be restored.

use crate::plan::{
    Behaviour, Delete, DoneStep, Guard, NoWayBack, Property, Saved, Shape, StepVerdict, WayBack, in_namespace, one,
};
use crate::report::{ForceDeletePod, Need, Ref, Step, Verb};
use crate::survey::Object;

/// The step that force-deletes `pod`.
pub fn step(pod: &Ref) -> Step {
    let command = format!("kubectl delete {}{} --force --grace-period=0", one("pod", &pod.name), in_namespace(pod));
    Step::new(ForceDeletePod {}, pod, command)
}

impl Behaviour for ForceDeletePod {
    fn properties(&self) -> &'static [Property] {
        &[Property::RestsOnOtherObjects, Property::IsAgreedToTogether]
    }

    fn title(&self, _: &Ref, called: &str) -> String {
        format!("force-delete {called}")
    }

    fn shape(&self, _: &Ref) -> Shape {
        Shape::Delete(Delete { at_once: true, ..Delete::BACKGROUND })
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        if now.metadata.deletion_grace_period_seconds == Some(0) {
            return Guard::AlreadySo(format!("the deletion of {object} no longer waits for its kubelet"));
        }
        Guard::while_deleted(object, now)
    }

    fn judge(&self, _: &Ref, after: &Object) -> StepVerdict {
        if after.metadata.deletion_grace_period_seconds == Some(0) {
            StepVerdict::done("the deletion no longer waits for the kubelet".into(), "finalizers still hold it:", after)
        } else {
            StepVerdict::NotYet("the pod still waits for its kubelet".into())
        }
    }

    fn rests_on(&self, object: &Ref) -> Option<Need> {
        Some(Need::Accepted(Verb::Delete, object.clone()))
    }

    fn kept(&self, _: &Ref) -> Saved {
        Saved::Part(&["spec/nodeName"])
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        let name = done.object;
        Err(NoWayBack::Cannot(format!(
            "{name} is deleted from the API; its owner, if it has one, has created another pod"
        )))
    }
}
