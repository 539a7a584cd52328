//! Forecasts that would be false alarms, each beside one that is none.

use super::forecasts::{FleetCluster, held};
use crate::report::State;
use serde_json::{Value, json};

#[expect(clippy::needless_pass_by_value, reason = "the tests read better")]
fn fleet(spec: Value) -> FleetCluster {
    FleetCluster::new().with("fleets", "north", json!({"metadata": held(), "spec": spec}))
}

#[test]
fn a_suspended_object_is_resumed_before_its_users_go() {
    let ship = json!({"metadata": held(), "spec": {"fleetName": "north"}});
    let used = |spec: Value| fleet(spec).with("ships", "one", ship.clone()).holds("fleets", "north");
    let suspended = used(json!({"suspend": true}));
    assert!(suspended.contains("may wait") && suspended.contains("paused by spec.suspend: true"), "{suspended}");
    assert!(used(json!({"suspend": false})).contains("it is in use by Ship shop/one"));
    let planned = used(json!({"suspend": true, "schedule": "0 0 * * *"}));
    assert!(planned.contains("it is in use by Ship shop/one"), "{planned}");
    assert_eq!(fleet(json!({"suspend": true})).holds("fleets", "north"), "");
}

#[test]
fn an_optional_reference_may_lead_nowhere() {
    let with = |optional: bool| {
        let spec = json!({"boot": {"credentialsSecretRef": {"name": "login", "optional": optional}}});
        fleet(spec).holds("fleets", "north")
    };
    assert!(with(false).contains("may need Secret shop/login"));
    assert_eq!(with(true), "");
}

#[test]
fn what_an_object_delegates_to_may_be_gone() {
    let with = |spec: Value| fleet(spec).holds("fleets", "north");
    let hull = json!({"apiVersion": "hulls.fleet.io/v1", "kind": "SteelHull", "name": "gone"});
    assert_eq!(with(json!({"bodyRef": hull})), "");
    let parent = with(json!({"parentRef": hull}));
    assert!(parent.contains("may need SteelHull shop/gone"), "{parent}");
    let ship = with(json!({"flagshipRef": {"apiVersion": "fleet.io/v1", "kind": "Ship", "name": "gone"}}));
    assert!(ship.contains("may need Ship shop/gone"), "{ship}");
}

#[test]
fn a_lost_connection_matters() {
    let with = |kind: &str, status: &str, message: &str| {
        let conditions = json!([{"type": kind, "status": status, "reason": "Agent", "message": message}]);
        let fleet = json!({"metadata": held(), "spec": {}, "status": {"conditions": conditions}});
        FleetCluster::new().with("fleets", "north", fleet).holds("fleets", "north")
    };
    for lost in
        [with("Connected", "False", "no word"), with("Available", "Unknown", "the agent stopped updating its lease")]
    {
        assert!(lost.contains("Fleet shop/north already reports: Agent: "), "{lost}");
    }
    assert_eq!(with("Connected", "True", "it was unreachable yesterday"), "");
    assert_eq!(with("Disconnected", "False", "it is there"), "");
    assert_eq!(with("Painted", "False", "the paint is wet"), "");
}

#[test]
fn a_controller_that_works_by_jobs_needs_another_one() {
    let job = |name: &str, owner: &str| {
        let owner =
            json!({"apiVersion": "fleet.io/v1", "kind": "Fleet", "name": owner, "uid": owner, "controller": true});
        (name.to_owned(), json!({"metadata": {"ownerReferences": [owner]}, "spec": {}}))
    };
    let state = |(name, job): (String, Value)| {
        let report = fleet(json!({})).with("jobs", &name, job).of("namespaces", "shop");
        let words: Vec<&str> = report.findings.iter().map(|finding| &*finding.summary).collect();
        (report.targets[0].state, words.join("; "))
    };
    let (hangs, words) = state(job("north-apply-1", "north"));
    assert_eq!(hangs, State::WouldHang, "{words}");
    assert!(words.contains("works by Jobs such as Job shop/north-apply-1"), "{words}");
    for other in [job("north-apply-1", "south"), job("north-report-1", "north")] {
        assert_eq!(state(other).0, State::WouldGo);
    }
    let single = fleet(json!({})).with("jobs", "north-apply-1", job("", "north").1).holds("fleets", "north");
    assert_eq!(single, "", "its namespace stays");
}

#[test]
fn an_object_that_reports_its_use_would_wait() {
    let fleet = |kind: &str, status: &str| {
        let conditions =
            json!([{"type": kind, "status": status, "reason": "Used", "message": "by two ships elsewhere"}]);
        let fleet = json!({"metadata": held(), "spec": {}, "status": {"conditions": conditions}});
        FleetCluster::new().with("fleets", "north", fleet)
    };
    let used = fleet("InUse", "True").holds("fleets", "north");
    assert!(used.contains("it already reports: InUse: by two ships elsewhere"), "{used}");
    assert_eq!(fleet("InUse", "False").holds("fleets", "north"), "");
    assert_eq!(fleet("Painted", "True").holds("fleets", "north"), "");
    assert_eq!(fleet("InUse", "True").of("namespaces", "shop").targets[0].state, State::WouldGo);
}
