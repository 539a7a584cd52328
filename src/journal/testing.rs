//! Runs and folders for tests.

use super::header::RunHeader;
use super::run::{Run, StepRecord};
use crate::plan::{Write, steps};
use crate::report::{Named, Ref, Risk, Step};
use serde_json::json;
use std::io;
use std::path::PathBuf;

pub(super) fn header() -> RunHeader {
    RunHeader { server: "s".into(), ..RunHeader::default() }
}

pub(super) fn nudge() -> Step {
    steps::nudge_namespace::step(&Ref::from(Named {
        api_version: "v1".into(),
        kind: "Namespace".into(),
        resource: "namespaces".into(),
        name: "n".into(),
        uid: "u".into(),
        ..Named::default()
    }))
}

pub(super) fn intend(run: &mut Run) -> io::Result<StepRecord> {
    let step = nudge();
    run.approval.agree(step.identity(), Risk::Harmless);
    let before = json!({"metadata": {"name": "n"}});
    let request = step.request(&before, "2026-01-01T00:00:00Z".parse().unwrap());
    run.intend(&step, &request, &before)
}

/// The path of a folder that does not exist, of this test alone.
pub(super) fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("unstick-journal-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}
