//! Tests forecasts about objects that matter to a deletion without being the target: those deleted
//! with it, its users, its requester, and the controllers that hold it.

use crate::preflight::Forecast;
use crate::support::control_plane::ControlPlane;
use crate::support::program::run_script;
use std::path::Path;

/// Targets, and what would hold them; empty if nothing would.
const FORESEEN: [(&str, &str); 8] = [
    ("fleets.fleet.example north -n sea", "its clean-up may need Secret sea/boot-one"),
    ("fleets.fleet.example south -n sea", ""),
    ("dockclasses.classes.example used", "PodDisruptionBudget sea/ledger allows no eviction"),
    ("dockclasses.classes.example idle", ""),
    ("kustoms.fleet.example reader -n sea", "may not delete ConfigMap sea/of-reader"),
    ("kustoms.fleet.example writer -n sea", ""),
    ("buoys.fleet.example red -n sea", "webhook buoys.acme.io refuses the removal of a finalizer from Buoy sea/red"),
    ("lights.fleet.example red -n sea", ""),
];

#[test]
fn objects_involved_in_a_deletion_are_checked() {
    let plane = ControlPlane::start();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/preflight/further.sh");
    let _background = run_script(&script, &plane);
    for (words, holds) in FORESEEN {
        let forecast = Forecast::of(&plane, words);
        let expected = if holds.is_empty() { (Some(0), "WouldGo") } else { (Some(1), "WouldHang") };
        assert_eq!((forecast.code, forecast.state()), expected, "{words}: {}", forecast.report);
        let findings = forecast.report["findings"].to_string();
        assert!(findings.contains(holds), "{words}: {findings}");
        assert!(forecast.findings().iter().all(|(_, why, _)| why == "Likely"), "{words}: {findings}");
    }
}
