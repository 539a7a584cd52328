//! Tests that a step is not written if another object, or another value of the changed field, has
//! taken its place since the approval: for every kind of step and every kind of approval.

use super::*;
use crate::diagnosis::diagnose;
use crate::journal::RunHeader;
use crate::plan::steps::lives::lives;
use crate::plan::{Approval, By, Restore};
use crate::report::{Risk, Step};
use crate::survey::Survey;
use crate::transport::http::stand_in::stand_in;
use std::sync::{Arc, Mutex};

/// An API server on which every object is `object`, and the writes that it has received.
fn server(object: &Value) -> (Api, Arc<Mutex<Vec<String>>>) {
    let (object, writes) = (object.to_string(), Arc::new(Mutex::new(Vec::new())));
    let received = Arc::clone(&writes);
    let api = stand_in(Duration::from_secs(5), move |_, request| {
        let path = request.uri().to_string();
        let is_review = path.contains("selfsubjectreviews");
        if request.method() != "GET" && !path.contains("dryRun=All") && !is_review {
            received.lock().unwrap().push(format!("{} {path}", request.method()));
        }
        std::future::ready((200, object.clone()))
    });
    (api, writes)
}

/// A run in which every kind of approval covers the write.
fn agreed(write: &dyn Write, by: By) -> Run {
    let survey = Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), Discovery::default());
    let mut approval = Approval::new(by, Vec::new(), &diagnose(&survey, &[]).report);
    approval.agree(write.identity(), Risk::LosesData);
    Run::new(None, RunHeader::default(), approval)
}

/// Asserts that nothing is written when the object is found like this; returns the outcome.
async fn is_left_alone(write: &dyn Write, by: By, found: &Value, what: &str) -> Outcome {
    let (api, writes) = server(found);
    let outcome = carry_out(&api, write, Some(&mut agreed(write, by)), &|| false).await;
    let about = format!("{}, agreed to by {by}, {what}: {outcome:?}", write.title());
    assert_eq!(*writes.lock().unwrap(), Vec::<String>::new(), "{about}");
    assert!(matches!(outcome, Outcome::Refused(_) | Outcome::AlreadySo(_)), "{about}");
    // Without a folder there is no journal: a step that gets that far would have been written.
    assert!(!outcome.text().contains("journal"), "{about}");
    outcome
}

/// Copies of the object, each with another value in one place that the request, or the identity,
/// depends on.
fn changed(step: &Step, shown: &Value) -> Vec<Value> {
    let request = step.request(shown, local_time());
    let operations = request.body.as_array().cloned().unwrap_or_default();
    let tested = operations.iter().filter(|operation| operation["op"] == "test");
    let mut places: Vec<String> = tested.filter_map(|test| Some(test["path"].as_str()?.to_owned())).collect();
    // Taints of others come and go: the step does not depend on them.
    places.retain(|place| !["/metadata/uid", "/metadata/resourceVersion", "/spec/taints"].contains(&place.as_str()));
    places.extend(["/spec/service/name", "/webhooks/0/clientConfig/service/name"].map(str::to_owned));
    let change = |place: &String| {
        let mut object = shown.clone();
        let value = object.pointer_mut(place)?;
        *value =
            if value.is_object() { json!({"strategy": "Webhook", "webhook": {"other": true}}) } else { json!("other") };
        Some(object)
    };
    places.iter().filter_map(change).collect()
}

fn namesake(object: &Value) -> Value {
    let mut object = object.clone();
    object["metadata"]["uid"] = json!("a namesake");
    object
}

const WAYS: [By; 3] = [By::Person, By::Rule(Risk::LosesData), By::Digest];

#[tokio::test]
async fn approved_steps_leave_namesakes_alone() {
    for life in lives() {
        for by in WAYS {
            let outcome = is_left_alone(&life.step, by, &namesake(&life.shown), "a namesake").await;
            assert!(life.step.creates() || !outcome.is_good(), "{outcome:?}");
        }
        // A new step for the namesake is another step.
        let anew = Step { object: life.step.object.clone().with_uid("a namesake"), ..life.step.clone() };
        let (api, writes) = server(&namesake(&life.shown));
        let mut run = agreed(&life.step, By::Digest);
        let outcome = carry_out(&api, &anew, Some(&mut run), &|| false).await;
        assert!(outcome.text().starts_with("nothing was written: not approved"), "{outcome:?}");
        assert!(writes.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_value_that_was_not_shown_is_left_alone() {
    let (mut kinds, mut planned_anew) = (std::collections::HashSet::new(), 0);
    for life in lives() {
        for found in changed(&life.step, &life.shown) {
            kinds.insert(life.step.kind());
            for by in WAYS {
                is_left_alone(&life.step, by, &found, "another value").await;
            }
        }
        // A new step for another value is another step.
        let mut record = life.step.record();
        let Some(value) = record.get_mut("value") else { continue };
        *value = json!("other");
        planned_anew += 1;
        let anew: Step = serde_json::from_value(record).unwrap();
        let outcome =
            carry_out(&server(&life.shown).0, &anew, Some(&mut agreed(&life.step, By::Digest)), &|| false).await;
        assert!(outcome.text().starts_with("nothing was written: not approved"), "{outcome:?}");
    }
    assert!(kinds.len() >= 7 && planned_anew >= 7, "{kinds:?}, {planned_anew}");
}

#[tokio::test]
async fn undo_leaves_namesakes_and_foreign_values_alone() {
    let mut undone = 0;
    for life in lives() {
        let request = life.step.request(&life.shown, local_time());
        let Ok(restore) = Restore::of(&life.step, &request, &life.step.image(&life.shown), "run", 1) else {
            continue;
        };
        undone += 1;
        let uid = life.after.pointer("/metadata/uid").and_then(Value::as_str).unwrap_or_default();
        let restore = if restore.creates() { restore } else { restore.as_seen(uid) };
        for by in [By::Person, By::Rule(Risk::LosesData)] {
            is_left_alone(&restore, by, &namesake(&life.after), "a namesake").await;
        }
    }
    assert!(undone >= 7, "{undone}");
}
