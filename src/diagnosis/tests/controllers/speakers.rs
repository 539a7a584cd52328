//! The controller meant by statements about an object and by writes to it.

use super::*;

/// A database with these finalizers, about which `acme-operator` reports a failure, and an operator of
/// another name that is at 0.
fn denied(finalizers: &[&str]) -> DatabaseCluster {
    let mut cluster = running(&json!({"type": "Ready", "status": "False", "reason": "AccessDenied",
        "message": "cannot reach the bucket", "lastTransitionTime": "2026-01-01T00:50:00Z"}));
    cluster.account("other", "hold");
    cluster.deployment("other", "hold-operator", "hold", 0);
    let database = database(&mut cluster);
    database.metadata.finalizers = finalizers.iter().map(|&key| key.to_owned()).collect();
    database.metadata.managed_fields = written("kubectl", finalizers, "acme-operator", "2026-01-01T00:50:00Z");
    cluster
}

fn of<'r>(report: &'r Report, finalizer: &str) -> &'r Finding {
    report.findings.iter().find(|it| it.finalizer.as_deref() == Some(finalizer)).expect("a finding")
}

#[test]
fn messages_count_only_for_the_speakers_own_finalizers() {
    let state = |finding: &Finding| finding.controller.as_ref().map(|it| it.state);
    let one = denied(&["acme.io/backup"]).report();
    let alone = of(&one, "acme.io/backup");
    assert_eq!((alone.why, state(alone)), (Why::Proven, Some(ControllerState::Failing)));
    let both = denied(&["acme.io/backup", "hold.io/legal"]).report();
    let own = of(&both, "acme.io/backup");
    assert_eq!((own.why, state(own)), (Why::Likely, Some(ControllerState::Failing)), "{}", own.summary);
    let others = of(&both, "hold.io/legal");
    assert_eq!(state(others), Some(ControllerState::Unknown), "{}", others.summary);
    assert!(!others.summary.contains("AccessDenied"), "{}", others.summary);
    let evidence = others.controller.as_ref().map(|it| it.evidence.join("; ")).unwrap_or_default();
    assert!(
        evidence.contains("acme-operator says that, but nothing shows that hold.io/legal belongs to it"),
        "{evidence}"
    );
}

#[test]
fn a_later_writer_is_not_a_parked_workload_with_a_longer_name() {
    let parked = |name: &str| {
        let mut cluster = DatabaseCluster::new();
        cluster.account("ops", "hub");
        cluster.deployment("ops", name, "hub", 0);
        database(&mut cluster).metadata.managed_fields =
            written("hub-agent", &["acme.io/backup"], "hub-agent", "2026-01-01T00:30:00Z");
        cluster
    };
    let metrics = parked("hub-agent-metrics");
    assert_eq!(metrics.controller(), (ControllerState::Unknown, String::new()));
    let (finding, remedies) = metrics.finding();
    assert_eq!(finding.why, Why::Unknown, "{}", finding.summary);
    assert!(!remedies.iter().any(|remedy| remedy.title.starts_with("scale ")), "{remedies:?}");
    // The controller may have been scaled down since.
    let own = parked("hub-agent-controller");
    assert_eq!(own.controller(), (ControllerState::Down, "Deployment ops/hub-agent-controller".into()));
}

#[test]
fn a_count_of_attempts_is_no_progress() {
    let says = |message: &str| {
        let mut cluster = running(&json!({"type": "Ready", "status": "False", "reason": "Deleting",
            "message": message, "lastTransitionTime": "2026-01-01T00:40:00Z"}));
        database(&mut cluster).metadata.managed_fields =
            written("kubectl", &["acme.io/backup"], "acme-operator", "2026-01-01T00:59:30Z");
        cluster.controller().0
    };
    assert_eq!(says("removing the backup: attempt 5/10"), ControllerState::Failing);
    assert_eq!(says("removing the backup: 5/10 parts"), ControllerState::Alive);
}
