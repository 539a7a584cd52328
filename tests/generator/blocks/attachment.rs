//! A volume that stays attached: the driver that would detach it is gone.

use crate::draft::{Draft, Phase};
use crate::object::Id;
use crate::operator::WORKER;
use crate::truth::Truth;
use serde_json::json;

pub fn build(draft: &mut Draft) -> Id {
    let (name, product) = (draft.random.word(), draft.random.word());
    let driver = format!("disk.{product}.example.com");
    let finalizer = format!("external-attacher/{}", driver.replace('.', "-"));
    let manifest = json!({"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment",
        "metadata": {"name": format!("csi-{name}")},
        "spec": {"attacher": driver, "nodeName": WORKER, "source": {"persistentVolumeName": format!("pv-{name}")}}});
    let attachment = draft.create_as(Phase::Things, manifest, None, "kube-controller-manager");
    let (object, key) = (attachment.clone(), finalizer.clone());
    draft.act(Phase::Pods, move |api| {
        api.patch(&object, &json!({"metadata": {"finalizers": [key]}}), "csi-attacher")?;
        api.patch_status(&object, &json!({"attached": true}), "csi-attacher")
    });
    let truth = Truth::finalizer("the driver that would detach a volume is gone", &attachment, &finalizer);
    draft.truths.push(truth.controller(&["Gone", "Unknown"]));
    // Only the storage knows whether the volume is still attached.
    draft.releasable = false;
    attachment
}
