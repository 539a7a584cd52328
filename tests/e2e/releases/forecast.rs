//! Checks the forecast of a release.

use super::installers::Definition;
use super::release::{Release, State};
use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, unstick};
use serde_json::Value;

fn report(release: &Release, plane: &ControlPlane) -> (Option<i32>, Value) {
    let output = unstick(plane).arg("preflight").args(release.words()).args(["-o", "json"]).output().expect("it runs");
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    (output.status.code(), report)
}

/// Checks the forecast.
pub fn look_at(release: &Release, plane: &ControlPlane) {
    let (code, report) = report(release, plane);
    let which = format!("{release:?}: {report}");
    assert_eq!(code, Some(1), "{which}");
    let findings = report["findings"].as_array().expect("findings");
    let about_gears = |finding: &&Value| finding["objects"].to_string().contains("\"Gear\"") && finding["root"] == true;
    let found: Vec<&Value> = findings.iter().filter(about_gears).collect();
    assert!(!found.is_empty(), "{which}");
    assert_eq!(found.iter().all(|finding| finding["avoidable"] == true), release.is_avoidable(), "{which}");
    let apart = report["products"][0]["apart"].to_string();
    let is_told_apart = release.has_foreign() && release.installer.way().heeds_marks();
    assert_eq!(apart.contains("foreign"), is_told_apart, "{which}");
    let untaken = release.parts().iter().filter(|part| !release.installer.way().takes(part)).count();
    let all = usize::from(is_told_apart) + untaken;
    assert_eq!(report["products"][0]["apart"].as_array().map(Vec::len), Some(all), "{which}");
    let steps = report["order"].to_string();
    assert!(!steps.contains("foreign") && !steps.contains("neighbour"), "{which}");
    if release.is_avoidable() {
        everything_has_its_place(release, &report, &which);
    }
}

/// The order: first the objects, then the registrations, the workloads and the definition.
fn everything_has_its_place(release: &Release, report: &Value, which: &str) {
    registrations_have_their_place(release, report, which);
    let turns = report["order"].as_array().expect("an order");
    // A Subscription removes nothing, and would reinstall everything.
    let turns: Vec<String> = turns.iter().map(|turn| turn["steps"].to_string()).collect();
    let early = |turn: &&String| !turn.contains("\"Subscription\"");
    let first = turns.iter().filter(early).nth(usize::from(release.state == State::Silent));
    assert!(first.is_some_and(|turn| turn.contains("\"Gear\"")), "the objects go first: {which}");
    // An Operator is recreated as long as any object has its label.
    let late = |turn: &&String| !turn.contains("\"Operator\"");
    let last = turns.iter().rfind(late).is_some_and(|turn| turn.contains(&release.crd()));
    let is_alone = match release.installer.way().definition(release) {
        Definition::Goes => release.own().is_empty(),
        Definition::Left => true,
        Definition::Kept => false,
    };
    assert_eq!(last, is_alone, "the definition goes last: {which}");
}

/// A webhook and an API are deleted before their backend; a webhook that cannot be called before
/// the objects that it refuses.
fn registrations_have_their_place(release: &Release, report: &Value, which: &str) {
    let turns = report["order"].as_array().expect("an order");
    let at = |what: &str| turns.iter().position(|turn| turn["steps"].to_string().contains(&format!("\"{what}\"")));
    let own = release.own().pop();
    // The last of the installer's own objects removes the workloads.
    let remover = own.as_deref().and_then(|own| own.split([' ', '/']).nth(1)).and_then(at);
    let server = remover.or_else(|| at("Deployment"));
    for registration in release.registrations() {
        let place = at(&registration.name);
        match (release.state, place) {
            (State::Silent, place) => assert_eq!(place, Some(0), "{which}"),
            // The installer's own object removes it, too.
            (State::Webhook | State::Api, None) => assert!(own.is_some(), "{}: {which}", registration.name),
            (_, place) => {
                assert!(place.is_some() && at("Gear") < place && place < server, "{}: {which}", registration.name);
            }
        }
    }
}
