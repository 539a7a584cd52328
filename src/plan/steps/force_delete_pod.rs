//! Take a pod out of the API without waiting for its kubelet. Its containers may
//! go on running on the node, and nothing can put the pod back.

use crate::plan::{Behaviour, Change, Deletion, Done, Guard, Kept, NoWayBack, Property, Verdict, WayBack};
use crate::plan::{WriteRequest, in_namespace, one};
use crate::report::{ForceDeletePod, Need, Ref, Step, Verb};
use crate::survey::Object;

/// The step that force-deletes `pod`.
#[must_use]
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

    fn change(&self, _: &Ref) -> Change {
        Change::Delete(Deletion { at_once: true, ..Deletion::BACKGROUND })
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        if now.metadata.deletion_grace_period_seconds == Some(0) {
            return Guard::AlreadySo(format!("the kubelet's part of {object} is over"));
        }
        Guard::while_deleted(object, now)
    }

    fn judge(&self, _: &Ref, after: &Object, _: &WriteRequest) -> Verdict {
        if after.metadata.deletion_grace_period_seconds == Some(0) {
            Verdict::done("the kubelet is no longer waited for".into(), "finalizers still hold it:", after)
        } else {
            Verdict::NotYet("the pod still waits for its kubelet".into())
        }
    }

    fn rests_on(&self, object: &Ref) -> Option<Need> {
        Some(Need::Accepted(Verb::Delete, object.clone()))
    }

    fn kept(&self, _: &Ref) -> Kept {
        Kept::Part(&["spec/nodeName"])
    }

    fn undo(&self, done: Done<'_>) -> WayBack {
        let name = done.object;
        Err(NoWayBack::Cannot(format!("{name} is out of the API; where it has an owner, that has made another pod")))
    }
}
