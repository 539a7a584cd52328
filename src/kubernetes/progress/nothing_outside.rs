//! What shows that an object stands for nothing outside the cluster: nothing was ever made there, or it is gone.
//!
//! Neither is certain. A status may be written by hand, and a controller may look for the wrong thing.

use crate::kubernetes::external;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::message::missing_in;
use crate::kubernetes::messages::trouble::{is_about_absence, is_negative};
use crate::kubernetes::statements::said_in::SaidIn;
use crate::report::Sentence;
use crate::survey::{Condition, Discovery, Object, Seen, is_of_an_id};
use serde_json::Value;

/// Words of conditions about the making of what an object stands for.
const MAKING: [&str; 4] = ["creat", "launch", "made", "provision"];

/// Words about the end of something outside.
const ENDS: [&str; 6] = ["delet", "destroy", "detach", "getting", "remov", "terminat"];

/// Words about something that a clean-up only needs.
const NEEDED: [&str; 11] = [
    "account", "class", "config", "credential", "endpoint", "login", "namespace", "project", "secret", "template",
    "token",
];

/// Why an object stands for nothing outside the cluster, in the words of its controller.
#[derive(Debug)]
pub(crate) enum NothingOutside {
    /// It could not be made: the words of a condition.
    NeverMade(String),
    /// It is gone: the words of its controller.
    Gone(String),
}

impl NothingOutside {
    /// The evidence, before what would be lost otherwise.
    pub(crate) fn lead(&self) -> Sentence {
        let (lead, said) = match self {
            Self::NeverMade(said) => ("nothing was created outside the cluster, if its status is right: \"", said),
            Self::Gone(said) => ("nothing is left outside the cluster, if its controller is right: \"", said),
        };
        Sentence::from(lead).reported(said).then("\"; otherwise ")
    }
}

/// What says that `seen` stands for nothing outside; `message` is what its controller says about it.
pub(crate) fn of(seen: Seen<'_>, message: Option<(&str, SaidIn<'_>)>, discovery: &Discovery) -> Option<NothingOutside> {
    if !is_custom(&seen.resource.id.group) {
        return None;
    }
    // An event, and what is written along with the object, may be anybody's words.
    let counts = |place: SaidIn<'_>| matches!(place, SaidIn::Status | SaidIn::Log);
    let gone = message.filter(|(words, place)| counts(*place) && is_gone(seen, words, discovery));
    match gone {
        Some((words, _)) => Some(NothingOutside::Gone(words.to_owned())),
        None => never_made(seen.object).map(NothingOutside::NeverMade),
    }
}

/// Whether `message` says that what `seen` stands for is gone. If the object names something outside, it must be that.
fn is_gone(seen: Seen<'_>, message: &str, discovery: &Discovery) -> bool {
    let lower = message.to_lowercase();
    let is_absent = is_about_absence(message) || ["nonexist", "404"].iter().any(|word| lower.contains(word));
    if !is_absent || NEEDED.iter().any(|word| lower.contains(word)) || !missing_in(message, seen, discovery).is_empty()
    {
        return false;
    }
    let known = ids(seen.object);
    if known.is_empty() {
        return message.contains(seen.object.name()) || ENDS.iter().any(|word| lower.contains(word));
    }
    known.iter().any(|id| message.contains(id.as_str()))
}

/// The condition which says that what `object` stands for could not be made, if its status names nothing outside.
fn never_made(object: &Object) -> Option<String> {
    if !ids(object).is_empty() || SaidIn::status_of(object) != SaidIn::Status {
        return None;
    }
    let about_making = |condition: &Condition<'_>| {
        let (kind, reason) = (condition.kind().to_lowercase(), condition.reason().to_lowercase());
        let is_it = MAKING.iter().any(|word| kind.contains(word) || reason.contains(word));
        let fails = is_negative(&reason) || is_negative(condition.message());
        is_it && fails && (condition.status() != "True" || is_negative(&kind))
    };
    object.conditions().find(about_making).map(Condition::says)
}

/// The ids of what an object stands for.
fn ids(object: &Object) -> Vec<String> {
    let named = external::of(object).into_iter().filter_map(|found| found.id.rsplit('/').next().map(ToOwned::to_owned));
    let mut all: Vec<String> = named.collect();
    if let Some(status) = object.at("/status") {
        add_ids(status, 0, &mut all);
    }
    all.retain(|id| !id.is_empty());
    all
}

fn add_ids(value: &Value, depth: usize, all: &mut Vec<String>) {
    let Some(fields) = value.as_object().filter(|_| depth < 4) else { return };
    for (key, value) in fields {
        match value.as_str() {
            Some(id) if is_of_an_id(key) => all.push(id.rsplit('/').next().unwrap_or(id).into()),
            _ => add_ids(value, depth + 1, all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::mentions::discovery;
    use serde_json::json;

    #[expect(clippy::needless_pass_by_value, reason = "the tests read better")]
    fn told(status: Value, said: Option<(&str, SaidIn<'_>)>) -> Option<String> {
        let discovery = discovery();
        let managed =
            json!([{"manager": "m", "operation": "Update", "subresource": "status", "fieldsV1": {"f:status": {}}}]);
        let metadata = json!({"name": "b-1", "namespace": "shop", "managedFields": managed});
        let object: Object = serde_json::from_value(json!({"metadata": metadata, "status": status})).unwrap();
        let seen = Seen { resource: &discovery.resources[1], object: &object };
        Some(match of(seen, said, &discovery)? {
            NothingOutside::NeverMade(said) => format!("never made: {said}"),
            NothingOutside::Gone(said) => format!("gone: {said}"),
        })
    }

    #[test]
    fn words_about_what_is_gone_must_be_about_what_the_object_names() {
        let gone = |status: Value, words: &str, place| told(status, Some((words, place))).is_some();
        let words = "deleting i-123: instance i-123 not found";
        assert!(gone(json!({}), words, SaidIn::Status) && gone(json!({}), words, SaidIn::Log));
        assert!(gone(json!({"providerID": "cloud:///i-123"}), words, SaidIn::Status));
        assert!(!gone(json!({"providerID": "cloud:///i-456"}), words, SaidIn::Status), "another one stays");
        assert!(!gone(json!({"atProvider": {"instanceId": "i-456"}}), words, SaidIn::Status));
        for place in [SaidIn::Object, SaidIn::Event(Some("acme"))] {
            assert!(!gone(json!({}), words, place), "anybody may write that");
        }
        for needed in ["deleting it: secret login not found", "deleting it: Secret \"login\" not found", "it is busy"] {
            assert!(!gone(json!({}), needed, SaidIn::Status), "{needed}");
        }
    }

    #[test]
    fn what_could_not_be_made_is_not_there() {
        let conditions = |kind: &str, status: &str, reason: &str| json!([{"type": kind, "status": status, "reason": reason, "message": "no capacity: it failed"}]);
        let status = |rest: Value, kind: &str, status: &str, reason: &str| {
            let mut value = json!({"conditions": conditions(kind, status, reason)});
            value.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            told(value, None).is_some()
        };
        assert!(status(json!({}), "Launched", "False", "LaunchFailed"));
        assert!(status(json!({"providerID": ""}), "Ready", "False", "CreateError"));
        assert!(!status(json!({"providerID": "cloud:///i-1"}), "Launched", "False", "LaunchFailed"));
        assert!(!status(json!({}), "Launched", "True", "Launched"));
        assert!(!status(json!({}), "Ready", "False", "Unhealthy"), "it may have been made");
    }
}
