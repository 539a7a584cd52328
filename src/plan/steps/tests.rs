//! Each kind of step from its construction to its undo, in every possible state of its object: its texts,
//! guards, requests and verdicts are in `snapshots`.

use super::lives::lives;
use crate::plan::Write;
use crate::report::{Step, StepKind};

#[test]
fn every_kind_has_an_entry_that_names_it() {
    let schema = serde_json::to_value(schemars::schema_for!(StepKind)).unwrap();
    let kinds = schema["oneOf"].as_array().unwrap();
    assert!(!kinds.is_empty());
    for kind in kinds {
        let kind: StepKind = serde_json::from_value(kind["const"].clone()).unwrap();
        assert!(lives().iter().any(|life| life.step.kind() == kind), "{kind:?}: nobody looked at its life");
    }
}

#[test]
fn a_step_is_read_as_it_was_written() {
    for step in lives().into_iter().map(|life| life.step) {
        let read: Step = serde_json::from_value(step.record()).unwrap();
        assert_eq!(read, Step { place: None, ..step });
    }
}

#[test]
fn each_step_matches_its_snapshot_from_creation_to_undo() {
    for life in lives() {
        let name = format!("{:?}{}", life.step.kind(), life.which).replace(' ', "-");
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(name, life.told());
        });
    }
}
