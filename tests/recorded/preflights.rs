//! Forecasts of deletions: surveys from the end-to-end tests, which delete outright and in order to
//! see whether the forecast comes true.

use crate::{diet, distributions, report_yaml};
use kubectl_unstick::screen::{Look, screen};
use std::path::{Path, PathBuf};

pub fn recorded() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/preflight/recorded");
    let entries = std::fs::read_dir(&folder).expect("the recorded surveys");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    files
}

#[test]
fn recorded_forecasts_are_reproduced() {
    let files = recorded();
    assert!(files.len() > 10, "the recorded surveys are gone: {files:?}");
    for path in files {
        let survey = diet::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut report = distributions::report(survey);
        // The version of Kubernetes is not part of the forecast.
        report.server = None;
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let folder = path.parent().expect("a folder");
        insta::with_settings!({snapshot_path => folder, prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(format!("{name}.report"), report_yaml::text(&report));
            let look = Look { width: 80, colour: false, all: true };
            insta::assert_snapshot!(format!("{name}.screen"), screen(&report, look));
        });
    }
}
