//! Remove one entry of a namespace's `spec.finalizers` through its `finalize` subresource, which is the only
//! way (kubernetes/kubernetes: pkg/registry/core/namespace/strategy.go). Refused unless the namespace was
//! read and is empty: remaining objects would be stranded, and could not be updated
//! any more.

use crate::plan::{
    Behaviour, DoneStep, Guard, ListEntry, Needs, NoWayBack, Property, Saved, Shape, StepVerdict, WayBack,
    WriteRequest, one, quote,
};
use crate::plugin::COMMAND;
use crate::report::{FinalizeNamespace, Force, Ref, Step};
use crate::survey::Object;
use serde_json::{Value, json};

/// The step that removes `finalizer` from the `spec.finalizers` of `namespace`.
pub fn step(namespace: &Ref, finalizer: &str) -> Step {
    finalization(namespace, finalizer, Force(false))
}

/// The same step, although objects are left in the namespace, or unread: the user has requested that after
/// reading the list of objects that would be stranded, and has typed the namespace's name.
pub fn by_force(namespace: &Ref, finalizer: &str) -> Step {
    finalization(namespace, finalizer, Force(true))
}

fn finalization(namespace: &Ref, finalizer: &str, force: Force) -> Step {
    let (name, object) = (quote(&namespace.name), one("namespace", &namespace.name));
    let filter = quote(&format!(".spec.finalizers -= [{}]", Value::from(finalizer)));
    let command = format!(
        "kubectl get {object} -o json | jq {filter} | kubectl replace --raw /api/v1/namespaces/{name}/finalize -f -"
    );
    Step::new(FinalizeNamespace { finalizer: finalizer.into(), force }, namespace, command)
}

/// Whether the namespace controller has checked the namespace since its deletion was requested: before
/// that, its conditions say nothing.
#[must_use]
pub fn was_looked_into(namespace: &Object) -> bool {
    let asked = namespace.deletion_asked();
    let conditions = ["NamespaceDeletionDiscoveryFailure", "NamespaceDeletionContentFailure"];
    let since = conditions.iter().filter_map(|kind| namespace.condition(kind)?.since());
    since.max().is_some_and(|since| asked.is_some_and(|asked| since >= asked))
}

/// Whether `namespace` has the entry in `spec.finalizers`.
#[must_use]
pub fn has(namespace: &Object, finalizer: &str) -> bool {
    namespace.array("/spec/finalizers").iter().any(|key| key == finalizer)
}

impl Behaviour for FinalizeNamespace {
    /// The work that the entry's owner wanted done first is skipped for ever.
    fn properties(&self) -> &'static [Property] {
        &[Property::Leaks]
    }

    fn title(&self, _: &Ref, called: &str) -> String {
        let force = if self.force.0 { " by force" } else { "" };
        format!("remove {} from spec.finalizers of {called}{force}", self.finalizer)
    }

    fn shape(&self, _: &Ref) -> Shape {
        let value = self.finalizer.clone().into();
        Shape::RemoveBy("finalize", ListEntry { list: "/spec/finalizers", key: "", value })
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        if !has(now, &self.finalizer) {
            return Guard::AlreadySo(format!("{object} no longer has {} in spec.finalizers", self.finalizer));
        }
        if !self.force.0 && !was_looked_into(now) {
            return Guard::Changed(format!(
                "the namespace controller has not processed {object} since its deletion was requested"
            ));
        }
        Guard::while_deleted(object, now)
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        let finalizer = &self.finalizer;
        if has(after, finalizer) {
            StepVerdict::NotYet(format!("{finalizer} is still in spec.finalizers"))
        } else {
            StepVerdict::Done(format!("{finalizer} is removed from spec.finalizers of {object}"))
        }
    }

    fn needs<'o>(&self, _: &'o Ref) -> Needs<'o> {
        if self.force.0 { Needs::Nothing } else { Needs::Empty }
    }

    /// The whole namespace is sent, and its annotations may contain anything.
    fn recorded(&self, object: &Ref, request: &WriteRequest) -> Value {
        let WriteRequest { body, .. } = request;
        let (uid, version) = (&body["metadata"]["uid"], &body["metadata"]["resourceVersion"]);
        json!({"metadata": {"name": object.name, "uid": uid, "resourceVersion": version},
            "spec": {"finalizers": body["spec"]["finalizers"]}})
    }

    fn kept(&self, _: &Ref) -> Saved {
        Saved::Part(&["spec/finalizers"])
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        let name = done.object;
        Err(NoWayBack::Cannot(format!(
            "the API server does not allow it, and {name} may be gone; to find what was left in it: {COMMAND} orphans \
            -n {}",
            quote(&name.name)
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use crate::report::Named;

    #[test]
    fn only_the_named_entry_is_removed() {
        let namespace = Ref::from(Named {
            api_version: "v1".into(),
            kind: "Namespace".into(),
            resource: "namespaces".into(),
            name: "n".into(),
            ..Named::default()
        });
        let raw = json!({"metadata": {"name": "n", "resourceVersion": "7"}, "spec": {"finalizers": ["kubernetes", "openshift.io/origin"]}});
        let step = step(&namespace, "openshift.io/origin");
        let request = step.request(&raw, "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(request.path, "/api/v1/namespaces/n/finalize");
        assert_eq!(
            request.body,
            json!({"metadata": {"name": "n", "resourceVersion": "7"}, "spec": {"finalizers": ["kubernetes"]}})
        );
    }
}
