//! An object that owns itself and is deleted in the foreground, so that it waits for itself. If two
//! objects own each other, the garbage collector usually breaks the circle in time.

use crate::draft::{Draft, Phase};
use crate::object::Id;
use crate::truth::Truth;
use serde_json::json;

pub fn build(draft: &mut Draft) -> Id {
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = draft.create(
        Phase::Things,
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}}),
    );
    let owned = object.clone();
    draft.act(Phase::Pods, move |api| {
        let found = api.get(&owned.path())?.unwrap_or_default();
        let reference = json!({"apiVersion": "v1", "kind": "ConfigMap", "name": owned.name,
            "uid": found["metadata"]["uid"], "blockOwnerDeletion": true});
        api.patch(&owned, &json!({"metadata": {"ownerReferences": [reference]}}), "kubectl-edit")?;
        // Until the garbage collector has noticed it.
        std::thread::sleep(std::time::Duration::from_secs(2));
        Ok(())
    });
    draft.foreground.push(object.clone());
    draft.truths.push(Truth::object("an object owns itself", &object));
    draft.allowed.push(object.clone());
    object
}
