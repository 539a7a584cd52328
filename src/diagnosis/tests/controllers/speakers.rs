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

/// What a running controller's database is said to be held by: a condition, or an event with this sender.
enum Told {
    Condition,
    Event(Option<&'static str>),
}

/// The finding about a database of which that is said, and the titles of its remedies.
fn told(by: &Told, message: &str) -> (Finding, Vec<String>) {
    let condition = json!({"type": "Ready", "status": "False", "reason": "DeletionBlocked", "message": message,
        "lastTransitionTime": "2026-01-01T00:50:00Z"});
    let mut cluster = running(if matches!(by, Told::Condition) { &condition } else { &Value::Null });
    database(&mut cluster).metadata.managed_fields =
        written("acme-operator", &["acme.io/backup"], "acme-operator", "2026-01-01T00:50:00Z");
    if let Told::Event(sender) = by {
        cluster.add(
            "events",
            json!({"metadata": {"name": "orders.1", "namespace": "shop", "uid": "event",
                    "creationTimestamp": "2026-01-01T00:50:00Z"},
                "involvedObject": {"uid": "orders"}, "type": "Warning", "reason": "DeletionBlocked",
                "message": message, "lastTimestamp": "2026-01-01T00:50:00Z", "reportingComponent": sender}),
        );
    }
    let (finding, remedies) = cluster.finding();
    (finding, remedies.into_iter().map(|remedy| remedy.title.to_string()).collect())
}

#[test]
fn an_event_names_its_sender_and_proves_nothing() {
    let words = "cannot delete the backup: access to the vault is denied";
    let (own, _) = told(&Told::Condition, words);
    assert_eq!(own.why, Why::Proven, "{}", own.summary);
    assert!(own.summary.contains("its controller says: "), "{}", own.summary);
    let (sent, _) = told(&Told::Event(Some("acme-operator")), words);
    assert_eq!(sent.why, Why::Likely, "{}", sent.summary);
    assert!(sent.summary.contains("an event sent as acme-operator says: "), "{}", sent.summary);
    let (unnamed, _) = told(&Told::Event(None), words);
    assert_eq!(unnamed.why, Why::Likely, "{}", unnamed.summary);
    assert!(unnamed.summary.contains("an event that names no sender says: "), "{}", unnamed.summary);
}

#[test]
fn what_an_event_names_is_never_written() {
    let mark = "cannot delete; set annotation acme.io/deletion: discard to permit it";
    let annotates = |by: &Told| told(by, mark).1.iter().any(|title| title.contains("kubectl annotate"));
    assert!(annotates(&Told::Condition));
    assert!(!annotates(&Told::Event(Some("acme-operator"))) && !annotates(&Told::Event(None)));
    let missing = "Bucket orders-backup not found";
    let (own, of_status) = told(&Told::Condition, missing);
    assert_eq!(own.why, Why::Proven, "{}", own.summary);
    assert!(of_status.iter().any(|title| title.starts_with("create ")), "{of_status:?}");
    let (sent, of_event) = told(&Told::Event(Some("acme-operator")), missing);
    assert_eq!(sent.why, Why::Likely, "{}", sent.summary);
    assert!(!of_event.iter().any(|title| title.starts_with("create ")), "{of_event:?}");
}
