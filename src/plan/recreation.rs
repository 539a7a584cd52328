//! Creates again, with a new identity, an object that a step has deleted.

use super::image::{lacks_something, without_lost_annotations};
use super::reversal::{Back, DoneStep, NoWayBack, Reversal, WayBack};
use super::shell::{named, quote};
use crate::report::Risk;
use serde_json::Value;

impl DoneStep<'_> {
    /// The reversal that creates the deleted object again as it was before.
    pub(super) fn create_again(&self, consequence: &'static str) -> WayBack {
        let (before, object) = (self.before, self.object);
        if !before.is_object() {
            return Err(NoWayBack::Cannot(format!("the journal does not contain {object} as it was")));
        }
        if before["metadata"]["deletionTimestamp"].is_string() {
            return Err(NoWayBack::Nothing(format!("{object} was already being deleted")));
        }
        if object.target().resource.is_secret() {
            return Err(NoWayBack::Cannot("the data of a Secret is never kept".into()));
        }
        if lacks_something(before) {
            return Err(NoWayBack::Cannot("its content is not kept, because it may be secret".into()));
        }
        let (body, lost) = body_of(before);
        let without = match &lost[..] {
            [] => String::new(),
            lost => format!(", without its annotations {}", lost.join(", ")),
        };
        let title = format!("create {} again{without}", named(object));
        Ok(Reversal { title, consequence, risk: Risk::Disruptive, command: command(&body), back: Back::Create(body) })
    }
}

/// The object without the fields that only the server sets; and the annotations whose values are lost.
fn body_of(before: &Value) -> (Value, Vec<String>) {
    const SERVERS: [&str; 6] =
        ["uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink"];
    let mut body = before.clone();
    let lost = without_lost_annotations(&mut body);
    if let Some(object) = body.as_object_mut() {
        object.remove("status");
    }
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
        let is_left_out = |field: &str, value: &Value| {
            SERVERS.contains(&field)
                || (field == "annotations" && value.as_object().is_some_and(serde_json::Map::is_empty))
        };
        metadata.retain(|field, value| !is_left_out(field, value));
    }
    (body, lost)
}

/// The command that creates an object like this.
pub(super) fn command(body: &Value) -> String {
    format!("printf %s {} | kubectl create -f -", quote(&body.to_string()))
}

/// Removes every owner from `body` for which `is_there` is false.
pub(super) fn keep_owners(body: &mut Value, is_there: impl Fn(&Value) -> bool) {
    let metadata = body.get_mut("metadata").and_then(Value::as_object_mut);
    if let Some(metadata) = metadata
        && let Some(Value::Array(owners)) = metadata.get_mut("ownerReferences")
    {
        owners.retain(is_there);
        if owners.is_empty() {
            metadata.remove("ownerReferences");
        }
    }
}
