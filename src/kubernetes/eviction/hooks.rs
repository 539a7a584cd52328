//! Lifecycle hooks of a machine: its controller waits until the owner of a hook removes it
//! (kubernetes-sigs/cluster-api: `api/core/v1beta2/machine_types.go`,
//! `PreDrainDeleteHookAnnotationPrefix`; openshift/api: `machine/v1beta1/types_machine.go`,
//! `LifecycleHooks`).

use crate::facts::{Facts, Known, Readable, Target, flat_each};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::finalizers::late::waiting;
use crate::survey::Seen;
use serde_json::Value;

/// How many objects are checked for hooks.
const MAX_OBJECTS: usize = 20;
/// The part of a hook's annotation after its stage.
const MARK: &str = ".delete.hook.";
/// The fields of a spec with hooks, and their stages.
const LISTS: [(&str, &str); 2] =
    [("/spec/lifecycleHooks/preDrain", "preDrain"), ("/spec/lifecycleHooks/preTerminate", "preTerminate")];

/// A hook that holds an object.
#[derive(Debug)]
pub(crate) struct Hook<'s> {
    pub(crate) held: Seen<'s>,
    /// The stage that waits for it: `pre-drain` or `preTerminate`.
    pub(crate) stage: String,
    /// The name of the hook.
    pub(crate) name: String,
    /// The owner that must remove it, if the hook names one.
    pub(crate) owner: Option<String>,
    /// The field that contains it.
    pub(crate) field: String,
}

/// The hooks of the target's objects that are late.
pub(crate) fn hooks<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Hook<'s>>> {
    of(waiting(target, facts)?, facts)
}

/// The hooks of `objects`.
pub(crate) fn of<'s>(objects: Vec<Seen<'s>>, facts: &Facts<'s>) -> Known<Vec<Hook<'s>>> {
    let custom = objects.into_iter().filter(|seen| is_custom(&seen.resource.id.group));
    flat_each(custom.take(MAX_OBJECTS), |seen| {
        // Annotations are in every list. Only kinds whose names end in Machine have hooks in the spec.
        let whole =
            if seen.resource.kind.ends_with("Machine") { facts.whole(seen).if_readable()?.flatten() } else { None };
        let whole = whole.unwrap_or(seen.object);
        let annotated = seen.object.metadata.annotations.iter().filter_map(|(key, value)| {
            let (stage, rest) = key.split_once(MARK)?;
            let name = rest.split_once('/').map_or(rest, |(_, name)| name).to_owned();
            let owner = Some(value.clone()).filter(|value| !value.is_empty());
            Some(Hook {
                held: seen,
                stage: stage.to_owned(),
                name,
                owner,
                field: format!("metadata.annotations[{key}]"),
            })
        });
        let listed = LISTS.iter().flat_map(|(pointer, stage)| {
            whole.array(pointer).iter().filter_map(move |hook| {
                let text = |field: &str| hook.get(field).and_then(Value::as_str).map(str::to_owned);
                let field = pointer.trim_start_matches('/').replace('/', ".");
                Some(Hook { held: seen, stage: (*stage).to_owned(), name: text("name")?, owner: text("owner"), field })
            })
        });
        Ok(annotated.chain(listed).collect::<Vec<_>>())
    })
}
