//! Clusters that cannot be built here: Kubernetes 1.28, `OpenShift`, k3s, and control planes that
//! somebody else runs. A stand-in server plays each recorded survey as it would be read there, and
//! serves the kinds that such a server serves. The program reads it over the wire.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run programs and read files")]

#[path = "../support/compact.rs"]
mod compact;
#[path = "../support/diet.rs"]
#[expect(dead_code, reason = "nothing is recorded here")]
mod diet;
mod discovery;
#[path = "../support/distributions.rs"]
mod distributions;
mod offered;
mod played;
#[path = "../support/scenario.rs"]
#[expect(dead_code, reason = "the end-to-end tests use more of it")]
mod scenario;
#[path = "../support/server.rs"]
#[expect(dead_code, reason = "the tests of hostile servers use more of it")]
mod server;

use discovery::Form;
use distributions::{Distribution, K3S, KUBERNETES_1_28, MANAGED, OPENSHIFT, roots};
use kubectl_unstick::report::Ref;
use kubectl_unstick::survey::{Survey, TargetName};
use played::play;
use scenario::Scenario;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-unstick");

/// How many runs are made at a time for each distribution.
const AT_ONCE: usize = 2;

/// The scenarios in which the program finds over the wire other root causes than in the survey.
fn differences(change: impl Fn(&mut Survey) + Sync, form: Form) -> Vec<String> {
    let (rest, differences) = (Mutex::new(Scenario::recorded()), Mutex::new(Vec::new()));
    let next = || rest.lock().expect("no thread has failed").pop();
    let compare_all = || {
        while let Some(scenario) = next() {
            let mut survey = scenario.survey();
            change(&mut survey);
            let expected = expected(&survey);
            let found = found(scenario.ask(), &play(survey, form).address);
            if found != expected {
                let difference = format!("{}: {found:?}, not {expected:?}", scenario.name);
                differences.lock().expect("no thread has failed").push(difference);
            }
        }
    };
    thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(compare_all))));
    differences.into_inner().expect("no thread has failed")
}

/// The root causes of a survey, as long as its targets are of kinds that are served.
fn expected(survey: &Survey) -> Result<BTreeSet<String>, String> {
    let is_served = |target: &TargetName| survey.discovery.resources.iter().any(|served| served.id == target.resource);
    if survey.targets.iter().all(is_served) { Ok(roots(survey.clone())) } else { Err(NO_SUCH_TYPE.into()) }
}

/// The message about a kind that is not served.
const NO_SUCH_TYPE: &str = "the server doesn't have a resource type";

/// The root causes that the program finds.
fn found(ask: &[String], server: &str) -> Result<BTreeSet<String>, String> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("elsewhere-{}", std::process::id()));
    let mut command = Command::new(PROGRAM);
    command.args(ask).args(["-o", "json", "--server", server]);
    command.env_clear().env("HOME", home).env("PATH", "/nowhere").env("LC_ALL", "C.UTF-8");
    let Output { status, stdout, stderr } = command.output().map_err(|error| error.to_string())?;
    let stderr = String::from_utf8_lossy(&stderr);
    if stderr.contains(NO_SUCH_TYPE) {
        return Err(NO_SUCH_TYPE.into());
    }
    let report: Value = serde_json::from_slice(&stdout).map_err(|error| format!("{error}: {status}: {stderr}"))?;
    let findings = report["findings"].as_array().ok_or("no findings")?;
    let roots = findings.iter().filter(|finding| finding["root"] == true).map(|finding| {
        let subject: Ref = serde_json::from_value(finding["subject"].clone()).map_err(|error| error.to_string())?;
        Ok(format!("{} {subject}", finding["rule"].as_str().unwrap_or_default()))
    });
    roots.collect()
}

fn is_the_same_on(distribution: &Distribution, form: Form) {
    let differences = differences(|survey| distribution.change(survey), form);
    assert!(differences.is_empty(), "{}: {differences:#?}", differences.len());
}

#[test]
fn kubernetes_1_28() {
    is_the_same_on(&KUBERNETES_1_28, Form::V2Beta1);
}

#[test]
fn openshift() {
    is_the_same_on(&OPENSHIFT, Form::V2);
}

#[test]
fn k3s() {
    is_the_same_on(&K3S, Form::V2);
}

/// Tests a control plane behind a proxy that only knows the oldest format of discovery.
#[test]
fn a_managed_control_plane() {
    is_the_same_on(&MANAGED, Form::Legacy);
}

#[test]
fn a_project_of_openshift_is_the_namespace_of_this_name() {
    let mut survey = Scenario::named("controller-gone").survey();
    OPENSHIFT.change(&mut survey);
    let expected = expected(&survey);
    assert!(expected.as_ref().is_ok_and(|roots| !roots.is_empty()), "{expected:?}");
    let ask = ["project", "shop"].map(Into::into);
    assert_eq!(found(&ask, &play(survey, Form::V2).address), expected);
}
