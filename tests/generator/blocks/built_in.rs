//! Objects of built-in kinds with the finalizer of an operator, and owners that wait for them.

use crate::draft::{Draft, Phase, until};
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::{Named, Truth};
use serde_json::json;

/// A `ConfigMap` or a Secret whose operator is at zero and may write such objects.
pub fn parked_operator(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Parked, Rights::AndCommon);
    let object = held(draft, &operator);
    let mut truth = Truth::object("the operator of a built-in object's finalizer is at zero", &operator.deployment());
    // Too many controllers may write ConfigMaps to tell which one did.
    truth.names.push(Named::Finalizer(object.clone(), operator.finalizer.clone()));
    draft.truths.push(truth.controller(&["Down", "Unknown"]));
    draft.allowed.push(object.clone());
    let starts = operator.clone();
    operator.works_once(draft, &object, move |api| starts.is_started(api));
    object
}

/// A `ConfigMap` that is deleted in the foreground. Its dependent has the finalizer of an operator
/// that is gone.
pub fn foreground(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    let dependent = held(draft, &operator);
    let truth = Truth::finalizer("a dependent's operator is gone", &dependent, &operator.finalizer);
    draft.truths.push(truth.controller(&["Gone", "Unknown"]));
    draft.allowed.push(dependent.clone());
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let owner = draft.create(
        Phase::Things,
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}}),
    );
    let (above, below) = (owner.clone(), dependent.path());
    draft.act(Phase::Pods, move |api| {
        let found = api.get(&above.path())?.unwrap_or_default();
        let reference = json!({"apiVersion": "v1", "kind": "ConfigMap", "name": above.name,
            "uid": found["metadata"]["uid"], "blockOwnerDeletion": true});
        api.patch(&dependent, &json!({"metadata": {"ownerReferences": [reference]}}), "kubectl-edit")?;
        // Until the garbage collector has noticed it.
        std::thread::sleep(std::time::Duration::from_secs(2));
        Ok(())
    });
    draft.foreground.push(owner.clone());
    draft.act(Phase::Afterwards, move |api| {
        until("the dependent is being deleted", 20, || {
            Ok(api.get(&below)?.unwrap_or_default()["metadata"]["deletionTimestamp"].is_string())
        })
    });
    owner
}

fn held(draft: &mut Draft, operator: &Operator) -> Id {
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let kind = *draft.random.pick(&["ConfigMap", "Secret"]);
    let manifest = json!({"apiVersion": "v1", "kind": kind,
        "metadata": {"name": name, "namespace": namespace, "finalizers": [operator.finalizer]}});
    draft.create_as(Phase::Things, manifest, None, &operator.manager)
}

/// A volume whose claim exists and is not being deleted.
pub fn bound_volume(draft: &mut Draft) -> Id {
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let volume = draft.create(
        Phase::Ground,
        json!({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": format!("pv-{name}")},
            "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "none",
                "persistentVolumeReclaimPolicy": "Retain", "claimRef": {"namespace": namespace, "name": name},
                "csi": {"driver": "disk.example.com", "volumeHandle": name}}}),
    );
    let claim = draft.create(
        Phase::Things,
        json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": namespace},
            "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "none", "volumeName": format!("pv-{name}"),
                "resources": {"requests": {"storage": "1Gi"}}}}),
    );
    let path = claim.path();
    draft.act(Phase::Pods, move |api| {
        until("the claim is bound", 30, || Ok(api.get(&path)?.unwrap_or_default()["status"]["phase"] == "Bound"))
    });
    draft.truths.push(Truth::object("a claim is bound to the volume", &claim));
    // The claim is in use: it is removed only on explicit request.
    draft.releasable = false;
    volume
}
