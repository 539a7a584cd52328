//! An object that a step has deleted is created again, with a new identity.

use super::image::{lacks_something, without_lost_annotations};
use super::reversal::{NoWayBack, Reversal, WayBack};
use super::shell::{named, quote};
use super::write::{Guard, Verdict, WriteRequest};
use crate::report::{Risk, Step};
use crate::survey::Object;
use serde_json::Value;

/// Creates the object of `step` again as it was `before`, at this risk and with this
/// consequence.
pub(super) fn created_again(step: &Step, before: &Value, risk: Risk, consequence: &'static str) -> WayBack {
    let name = &step.object;
    if !before.is_object() {
        return Err(NoWayBack::Cannot(format!("the record does not hold {name} as it was")));
    }
    if before["metadata"]["deletionTimestamp"].is_string() {
        return Err(NoWayBack::Nothing(format!("{name} was being deleted already")));
    }
    if name.target().resource.is_secret() {
        return Err(NoWayBack::Cannot("the data of a Secret is never kept".into()));
    }
    if lacks_something(before) {
        let why = "what was in it is not kept: it may be secret";
        return Err(NoWayBack::Cannot(why.into()));
    }
    let mut body = without_identity(before);
    let lost = without_lost_annotations(&mut body);
    if body["metadata"]["annotations"].as_object().is_some_and(serde_json::Map::is_empty)
        && let Some(metadata) = body["metadata"].as_object_mut()
    {
        metadata.remove("annotations");
    }
    Ok(Box::new(Recreation { body, lost, risk, consequence }))
}

/// As it was, without what the server alone decides.
fn without_identity(before: &Value) -> Value {
    const SERVERS: [&str; 6] =
        ["uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink"];
    let mut body = before.clone();
    if let Some(object) = body.as_object_mut() {
        object.remove("status");
    }
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
        for field in SERVERS {
            metadata.remove(field);
        }
    }
    body
}

#[derive(Debug)]
struct Recreation {
    body: Value,
    /// The annotations that are on record without their texts.
    lost: Vec<String>,
    risk: Risk,
    consequence: &'static str,
}

impl Reversal for Recreation {
    fn title(&self, of: &Step) -> String {
        match &self.lost[..] {
            [] => format!("create {} again", named(&of.object)),
            lost => format!("create {} again, without its annotations {}", named(&of.object), lost.join(", ")),
        }
    }

    fn consequence(&self) -> &'static str {
        self.consequence
    }

    fn risk(&self) -> Risk {
        self.risk
    }

    fn command(&self, _: &Step) -> String {
        format!("printf %s {} | kubectl create -f -", quote(&self.body.to_string()))
    }

    fn guard(&self, of: &Step, now: Option<&Object>) -> Guard {
        let name = &of.object;
        match now {
            None => Guard::Holds,
            Some(now) if now.is_deleting() => {
                Guard::Changed(format!("{name} is still being deleted: try again when it is gone"))
            }
            Some(now) if now.uid() == name.uid => Guard::AlreadySo(format!("{name} is there: it was not deleted")),
            Some(_) => Guard::AlreadySo(format!("{name} is there again")),
        }
    }

    fn request(&self, of: &Step, _: &Value) -> WriteRequest {
        WriteRequest {
            method: "POST",
            path: of.object.target().resource.path(of.object.namespace.as_deref(), None),
            content_type: "application/json",
            body: self.body.clone(),
        }
    }

    fn verify(&self, of: &Step, after: Option<&Object>) -> Verdict {
        let name = &of.object;
        match after.filter(|after| after.uid() != name.uid) {
            Some(after) => Verdict::Done(format!("{name} is there again, with the new uid {}", after.uid())),
            None => Verdict::NotYet(format!("{name} is not there")),
        }
    }

    fn creates(&self) -> bool {
        true
    }

    fn owners(&self) -> Vec<Value> {
        self.body["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default()
    }

    fn keep_owners(&mut self, is_there: &dyn Fn(&Value) -> bool) {
        if let Some(metadata) = self.body.get_mut("metadata").and_then(Value::as_object_mut)
            && let Some(Value::Array(owners)) = metadata.get_mut("ownerReferences")
        {
            owners.retain(|owner| is_there(owner));
            if owners.is_empty() {
                metadata.remove("ownerReferences");
            }
        }
    }
}
