//! Remove one entry of a namespace's `spec.finalizers` through its `finalize`
//! subresource, the only way there is (kubernetes/kubernetes:
//! pkg/registry/core/namespace/strategy.go). Refused unless the namespace was
//! read to be empty: what is left would be stranded, beyond the reach of every
//! update.

use crate::plan::action::Action;
use crate::plan::image::Kept;
use crate::plan::request::path;
use crate::plan::reversal::{NoWayBack, WayBack};
use crate::plan::shell::{named, one, quote};
use crate::plan::write::{Guard, Needs, Verdict, WriteRequest};
use crate::plugin::COMMAND;
use crate::report::{Ref, Risk, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

/// The step that removes `finalizer` from the `spec.finalizers` of `namespace`.
#[must_use]
pub fn step(namespace: &Ref, finalizer: &str) -> Step {
    let (name, object) = (quote(&namespace.name), one("namespace", &namespace.name));
    let filter = quote(&format!(".spec.finalizers -= [{}]", Value::from(finalizer)));
    let command = format!(
        "kubectl get {object} -o json | jq {filter} | kubectl replace --raw /api/v1/namespaces/{name}/finalize -f -"
    );
    Step { finalizer: Some(finalizer.into()), command, ..FinalizeNamespace.step(namespace) }
}

/// The same although something is left in the namespace, or unread: whoever asked
/// for it has read the list of what would be stranded and typed the namespace's name.
#[must_use]
pub fn by_force(namespace: &Ref, finalizer: &str) -> Step {
    Step { entry: Some(FORCE.into()), ..step(namespace, finalizer) }
}

/// Whether the step is done whatever is in the namespace.
fn is_forced(step: &Step) -> bool {
    step.entry.as_deref() == Some(FORCE)
}

const FORCE: &str = "by force";

/// Whether the namespace controller has looked into the namespace since its deletion
/// was asked for: before that, what the conditions say is about nothing.
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

/// See [`StepKind::FinalizeNamespace`].
pub(super) struct FinalizeNamespace;

impl Action for FinalizeNamespace {
    fn kind(&self) -> StepKind {
        StepKind::FinalizeNamespace
    }

    /// Whoever set it wanted something done first; that is skipped for good.
    fn least_risk(&self) -> Risk {
        Risk::Leaks
    }

    fn title(&self, step: &Step) -> String {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        let force = if is_forced(step) { " by force" } else { "" };
        format!("remove {finalizer} from spec.finalizers of {}{force}", named(&step.object))
    }

    fn compare(&self, step: &Step, now: &Object) -> Guard {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        if !has(now, finalizer) {
            return Guard::AlreadySo(format!("{} no longer has {finalizer} in spec.finalizers", step.object));
        }
        if !is_forced(step) && !was_looked_into(now) {
            return Guard::Changed(format!(
                "the namespace controller has not looked into {} since its deletion was asked for",
                step.object
            ));
        }
        Guard::while_deleted(&step.object, now)
    }

    /// The resourceVersion in it makes the server refuse when anything changed.
    fn request(&self, step: &Step, raw: &Value, _: Timestamp) -> WriteRequest {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        let mut body = raw.clone();
        if let Some(Value::Array(finalizers)) = body.pointer_mut("/spec/finalizers") {
            finalizers.retain(|key| key != finalizer);
        }
        let path = format!("{}/finalize", path(&step.object));
        WriteRequest { method: "PUT", path, content_type: "application/json", body }
    }

    fn judge(&self, step: &Step, after: &Object, _: &WriteRequest) -> Verdict {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        if has(after, finalizer) {
            Verdict::NotYet(format!("{finalizer} is still in spec.finalizers"))
        } else {
            Verdict::Done(format!("{finalizer} is out of spec.finalizers of {}", step.object))
        }
    }

    fn needs<'a>(&self, step: &'a Step) -> Needs<'a> {
        if is_forced(step) { Needs::Nothing } else { Needs::Empty }
    }

    /// The whole namespace is sent, and anything may be in its annotations.
    fn recorded(&self, step: &Step, request: &WriteRequest) -> Value {
        json!({
            "metadata": {"name": step.object.name, "uid": request.body["metadata"]["uid"],
                "resourceVersion": request.body["metadata"]["resourceVersion"]},
            "spec": {"finalizers": request.body["spec"]["finalizers"]},
        })
    }

    fn kept(&self, _: &Step) -> Kept {
        Kept::Part(&["spec/finalizers"])
    }

    fn undo(&self, step: &Step, _: &WriteRequest, _: &Value) -> WayBack {
        let name = &step.object;
        Err(NoWayBack::Cannot(format!(
            "the API server lets nobody put it back, and {name} may be gone; what was left in it is found by: \
             {COMMAND} orphans -n {}",
            quote(&name.name)
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;
    use serde_json::json;

    #[test]
    fn only_the_named_entry_is_taken_out() {
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
