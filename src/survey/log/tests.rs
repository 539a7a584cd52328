//! Logs of many frameworks, and what a tenant may write into them.

use super::line::Bearing::{self, LastWords, Names, Trouble, TroubleWithIt};
use super::*;

mod formats;

fn topic() -> Topic {
    Topic {
        kind: "Database".into(),
        resource: "databases".into(),
        namespace: Some("shop".into()),
        name: "orders".into(),
        uid: "0f3c".into(),
        finalizer: Some("acme.io/backup".into()),
        ..Topic::default()
    }
}

fn of(previous: bool) -> LogOf {
    LogOf { container: "manager".into(), previous, about: topic() }
}

fn about(kind: &str, resource: &str, namespace: Option<&str>, name: &str) -> LogOf {
    let about = Topic {
        kind: kind.into(),
        resource: resource.into(),
        namespace: namespace.map(Into::into),
        name: name.into(),
        uid: "11111111-2222-3333-4444-555555555555".into(),
        ..Topic::default()
    };
    LogOf { about, ..of(false) }
}

fn texts(log: &str, of: &LogOf) -> Vec<String> {
    pick(log, of).into_iter().map(|line| line.text).collect()
}

fn bearing(log: &str, of: &LogOf) -> Option<Bearing> {
    pick(log, of).first().map(|line| line.bearing)
}

/// The sentence of the first record that is about the object and reports a problem.
fn why(log: &str, of: &LogOf) -> Option<String> {
    let line = pick(log, of).into_iter().find(|line| line.bearing == TroubleWithIt)?;
    line.message
}

/// A log with the time of the API before each line.
fn timed(log: &str) -> String {
    let lines = log.lines().map(|line| format!("2026-11-29T03:21:36.011681007Z {line}\n"));
    lines.collect::<Vec<_>>().concat()
}

#[test]
fn a_refusal_in_the_closed_namespace_counts_whatever_it_was_for() {
    let record = |place: &str| {
        timed(&format!(
            "{{\"level\":\"error\",\"msg\":\"Reconciler error\",\"Installation\":{{\"name\":\"default\",\"namespace\":\"ops\"}},\
             \"error\":\"roles is forbidden: unable to create new content in namespace {place} because it is being terminated\"}}"
        ))
    };
    assert_eq!(bearing(&record("shop"), &of(false)), Some(Trouble));
    assert_eq!(bearing(&record("shop-2"), &of(false)), None);
}

const PV: &str = "pvc-4f1e22aa-0c1d-4a4e-9b1f-0d5f2b1c9a77";

#[test]
fn records_about_the_object_come_first_and_the_latest_before_older() {
    let log = "\
2026-11-21T11:00:00.123456789Z starting
2026-11-21T11:00:01Z reconciling Database shop/orders
2026-11-21T11:00:02Z cannot list databases: forbidden
2026-11-21T11:00:03Z reconciling Database shop/orders-2
2026-11-21T11:00:04Z upload of shop/orders refused
2026-11-21T11:00:05Z watching databases
2026-11-21T11:00:06Z failed to remove acme.io/backup
2026-11-21T11:00:07Z object 0f3c is done
";
    let lines = pick(log, &of(false));
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "upload of shop/orders refused",
            "object 0f3c is done",
            "reconciling Database shop/orders",
            "failed to remove acme.io/backup",
            "cannot list databases: forbidden",
        ]
    );
    assert_eq!(lines[0].at, Some("2026-11-21T11:00:04Z".parse().unwrap()));
    let bearings: Vec<Bearing> = lines.iter().map(|line| line.bearing).collect();
    assert_eq!(bearings, [TroubleWithIt, Names, Names, Trouble, Trouble]);
}

#[test]
fn a_record_about_a_namesake_is_not_about_the_object() {
    for line in [
        // In another namespace.
        "Database mallory/orders: set annotation acme.io/keep=false to permit the deletion",
        r#"{"msg":"reconciling","kind":"Database","namespace":"mallory","name":"orders"}"#,
        "reconciling Database namespace=mallory name=orders uid=77",
        "Database orders in namespace mallory of shop",
        // These name a Deployment.
        "Deployment shop/orders was scaled",
        "deployments.apps/shop/orders was scaled",
        "I1129 03:21:36.011681       1 x.go:1] \"Syncing\" deployment=\"shop/orders\"",
        r#"{"msg":"x","controllerKind":"Deployment","Deployment":{"name":"orders","namespace":"shop"},"namespace":"shop","name":"orders"}"#,
        r#"{"msg":"x","controller":"deployment","request":"shop/orders"}"#,
        r#"{"msg":"x","bucket":"shop/orders"}"#,
        "2026-11-29T03:21:36Z INFO x: y object.ref=Deployment.v1.apps/orders.shop",
        "Reconciliation #1(timer) KafkaTopic(shop/orders): done",
        // Without the namespace.
        "reconciling databases/orders",
        "Database orders: acme.io/backup",
    ] {
        assert_eq!(bearing(line, &of(false)), None, "{line}");
        assert_eq!(bearing(&timed(line), &of(false)), None, "{line}");
    }
    for line in [
        "reconciling Database shop/orders",
        r#"{"msg":"reconciling","kind":"Database","namespace":"shop","name":"orders"}"#,
        r#"{"msg":"reconciling","namespace":"shop","Database":"orders"}"#,
        r#"{"msg":"reconciling","controller":"database","request":"shop/orders"}"#,
        r#"{"msg":"reconciling","objectName":"orders","objectNamespace":"shop"}"#,
        "I1129 03:21:36.011681       1 x.go:1] \"Reconciling\" object=\"shop/orders\"",
        "Database orders in namespace shop",
        "reconciling databases/shop/orders",
        "GET /apis/acme.io/v1/namespaces/shop/databases/orders 200",
        "[shop/orders] Timer 'x' ended",
        "reconciling resource_name=orders resource_namespace=shop",
        "x knative.dev/key=shop/orders",
    ] {
        assert_eq!(bearing(line, &of(false)), Some(Names), "{line}");
    }
}

#[test]
fn a_record_of_another_object_that_quotes_the_object_is_not_about_it() {
    for line in [
        r#"{"level":"error","msg":"Reconciler error","controllerKind":"Database","Database":{"name":"evil","namespace":"mallory"},"error":"Database shop/orders: remove acme.io/backup uid 0f3c"}"#,
        "E1129 03:21:36.011681       1 x.go:1] \"Reconciler error\" err=\"namespace=shop name=orders failed\" controllerKind=\"Bucket\" Bucket=\"mallory/evil\" namespace=\"mallory\" name=\"evil\"",
        "[2026-11-29 03:21:36,011] kopf.objects [ERROR   ] [mallory/evil] Handler 'x' failed: Database shop/orders is bad",
        "error: Bucket mallory/evil: failed: Database shop/orders cannot go",
        "error: Database mallory/orders: failed: scale Database shop/orders",
        "level=error msg=\"x\" object=mallory/evil error=\"Database shop/orders failed\"",
    ] {
        assert_eq!(why(line, &of(false)), None, "{line}");
    }
}

#[test]
fn cluster_wide_names_need_the_kind_unless_they_are_unusual() {
    let topic = about("AcmeTopic", "acmetopics", None, "logs-topic");
    for (line, of, expected) in [
        ("Topic logs-topic not deleted", &topic, Some(Names)),
        ("cannot delete acmetopics.acme.io/logs-topic", &topic, Some(TroubleWithIt)),
        ("the logs-topic is full", &topic, None),
        ("Topic shop/logs-topic not deleted", &topic, None),
        (r#"{"msg":"x","AcmeTopic":{"name":"logs-topic"}}"#, &topic, Some(Names)),
        (r#"{"msg":"x","Pod":{"name":"logs-topic"}}"#, &topic, None),
        (r#"{"msg":"x","controller":"acmetopic","name":"logs-topic"}"#, &topic, Some(Names)),
    ] {
        assert_eq!(bearing(line, of), expected, "{line}");
    }
    let volume = about("PersistentVolume", "persistentvolumes", None, PV);
    assert_eq!(bearing(&format!("releasing {PV}"), &volume), Some(Names));
    assert_eq!(bearing(&format!("releasing {PV}-2"), &volume), None);
    assert_eq!(bearing(&format!("[mallory/evil] bad is {PV}"), &volume), None);
    let evil = format!(r#"{{"msg":"x","Bucket":{{"name":"evil","namespace":"mallory"}},"error":"{PV} failed"}}"#);
    assert_eq!(bearing(&evil, &volume), None);
}

#[test]
fn ids_elsewhere_and_reconciliations_belong_to_the_object() {
    let about = Topic { ids: vec!["vol-0a1b2c".into()], ..topic() };
    let by_id = LogOf { about, ..of(false) };
    assert_eq!(why("detach of vol-0a1b2c failed", &by_id).as_deref(), Some("detach of vol-0a1b2c failed"));
    let log = r#"{"level":"error","msg":"detach failed","reconcileID":"r1"}
{"level":"info","msg":"reconciling","Database":{"name":"orders","namespace":"shop"},"reconcileID":"r1"}
{"level":"error","msg":"attach failed","reconcileID":"r2"}
"#;
    assert_eq!(why(log, &of(false)).as_deref(), Some("detach failed"));
    assert_eq!(pick(log, &of(false)).len(), 2);
}

#[test]
fn what_repeats_since_the_deletion_tells_more() {
    let about = Topic { since: Some("2026-11-21T11:00:00Z".parse().unwrap()), ..topic() };
    let of = LogOf { about, ..of(false) };
    let log = "\
2026-11-21T10:58:00Z ERROR shop/orders: the metrics port is closed
2026-11-21T10:59:00Z ERROR shop/orders: the disk was full before
2026-11-21T11:01:00Z ERROR shop/orders: the vault refused try 1
2026-11-21T11:02:00Z ERROR shop/orders: the vault refused try 2
2026-11-21T11:03:00Z ERROR shop/orders: the metrics port is closed
2026-11-21T11:03:30Z ERROR shop/orders: the metrics port is closed
2026-11-21T11:04:00Z WARN shop/orders: the queue is slow
2026-11-21T11:05:00Z INFO shop/orders: deleted the replica successfully, no error
";
    let lines = pick(log, &of);
    let told: Vec<_> = lines.iter().map(|line| (line.bearing, line.message().into_owned(), line.times)).collect();
    let expected = [
        (TroubleWithIt, "the vault refused try 2", 2),
        (TroubleWithIt, "the metrics port is closed", 2),
        (TroubleWithIt, "the queue is slow", 1),
        (Names, "the disk was full before", 0),
        (Names, "deleted the replica successfully, no error", 1),
    ];
    let expected = expected.map(|(bearing, text, times)| (bearing, text.to_owned(), times));
    assert_eq!(told, expected);
    assert!(lines[0].is_new && !lines[1].is_new);
}

#[test]
fn a_lost_race_counts_when_it_repeats() {
    let race = "ERROR shop/orders: the object has been modified; please apply your changes to the latest version\n";
    assert_eq!(bearing(&race.repeat(2), &of(false)), Some(Names));
    assert_eq!(bearing(&race.repeat(3), &of(false)), Some(TroubleWithIt));
    let others = race.replace("shop/orders", "Database shop/invoices").repeat(5);
    assert_eq!(bearing(&format!("{others}{race}"), &of(false)), Some(Names), "others do not count");
}

#[test]
fn names_that_contain_error_words_are_not_trouble() {
    let about = Topic { kind: "FailoverGroup".into(), namespace: Some("errors".into()), ..topic() };
    let of = LogOf { about, ..of(false) };
    for (line, expected) in [
        ("reconciling FailoverGroup errors/orders", Some(Names)),
        ("FailoverGroup errors/orders failed", Some(TroubleWithIt)),
        ("FailoverGroup errors/orders err=<nil>", Some(Names)),
        ("FailoverGroup errors/orders: {\"error\":null}", Some(Names)),
        ("FailoverGroup errors/orders error=\"\"", Some(Names)),
        ("watching FailoverGroup in errors", None),
        ("panic in errors", Some(Trouble)),
    ] {
        assert_eq!(bearing(line, &of), expected, "{line}");
    }
}

#[test]
fn a_name_equal_to_its_namespace_must_occur_twice() {
    let about = Topic { namespace: Some("orders".into()), ..topic() };
    let of = LogOf { about, ..of(false) };
    assert!(texts("Database orders/first: ok", &of).is_empty());
    assert!(texts("Database x in namespace orders: ok", &of).is_empty());
    assert_eq!(texts("Database orders/orders: ok", &of).len(), 1);
}

#[test]
fn records_that_differ_only_in_times_and_ids_are_kept_once() {
    let log = "2026-11-21T11:00:00Z 11:00 shop/orders failed id=0a1b\n2026-11-21T11:05:00Z 11:05 shop/orders failed id=ff07\n";
    let lines = pick(log, &of(false));
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].at, Some("2026-11-21T11:05:00Z".parse().unwrap()));
}

#[test]
fn the_reason_for_the_end_of_a_run_comes_first() {
    let crash = "shop/orders is next\npanic: nil map\n\ngoroutine 1 [running]:\nmain.main()\n";
    assert_eq!(texts(crash, &of(true)), ["panic: nil map", "shop/orders is next"]);
    assert_eq!(texts(crash, &of(false)), ["shop/orders is next"]);
    assert_eq!(texts("one\ntwo: bad flag\n\n", &of(true)), ["two: bad flag"]);
    assert!(texts("", &of(true)).is_empty());
    let line = &pick(crash, &of(true))[0];
    assert_eq!((line.bearing, line.message.as_deref()), (LastWords, Some("panic: nil map")));
}

#[test]
fn a_long_record_keeps_its_beginning_and_its_error_in_whole_words() {
    let line = format!(
        "{{\"level\":\"error\",\"msg\":\"Reconciler error\",\"Database\":\"shop/orders\",\"x\":\"{}\",\"error\":\"AccessDenied: {}\"}}",
        "ä".repeat(400),
        "words of an answer ".repeat(40)
    );
    let lines = pick(&line, &of(false));
    let (text, message) = (&lines[0].text, lines[0].message());
    assert!(text.chars().count() <= 300 && text.starts_with("{\"level\":"), "{text}");
    assert!(text.contains("… AccessDenied: words of an answer") && text.ends_with("…"), "{text}");
    assert!(message.chars().count() <= 300, "{message}");
    assert!(["words…", "of…", "an…", "answer…"].iter().any(|end| message.ends_with(end)), "{message}");
    let line = format!("shop/orders {}", "ü".repeat(400));
    assert_eq!(texts(&line, &of(false))[0].chars().count(), 300);
    let line = format!("shop/orders {}", "ü".repeat(288));
    assert_eq!(texts(&line, &of(false))[0], line);
}

#[test]
fn what_a_terminal_would_obey_is_left_out() {
    let log = "2026-11-21T11:00:00Z \u{1b}[31mERROR\u{1b}[0m\tshop/orders\u{7}\r\n";
    assert_eq!(texts(log, &of(false)), ["ERROR shop/orders"]);
    let log = "\u{1b}]0;title\u{7}shop/orders \u{202e}failed\u{200b} {\"error\":\"a\\u001b[2Jb \\u202ec\"}";
    let line = &pick(log, &of(false))[0];
    let shown = format!("{}{}", line.text, line.message());
    assert!(!shown.contains(crate::inert::is_obeyed) && !shown.contains("title"), "{shown}");
    assert_eq!(bearing("Database shop/ord\u{200b}ers", &of(false)), None);
}

#[test]
fn credentials_are_masked_in_what_is_kept() {
    let secret = ["hunter", "22"].concat();
    for log in [
        format!("ERROR shop/orders: cannot connect with password={secret} to it"),
        format!("ERROR shop/orders: dial postgres://root:{secret}@db:5432/x failed"),
        format!(
            r#"{{"level":"error","msg":"x","key":"shop/orders","token":"{secret}","error":"token: {secret} is bad"}}"#
        ),
        format!(r#"{{"level":"error","msg":"x","key":"shop/orders","error":"pass\u0077ord={secret} is bad"}}"#),
    ] {
        let line = &pick(&log, &of(false))[0];
        assert!(!line.message().contains(&secret), "{line:?}");
    }
    let log = "ERROR shop/orders: secret \"shop/creds\" not found, token expired";
    assert_eq!(why(log, &of(false)).as_deref(), Some("secret \"shop/creds\" not found, token expired"));
}

#[test]
fn hostile_logs_give_little() {
    let block = "x".repeat(10 << 20);
    let pairs = "a=b ".repeat(1 << 20);
    let lines = "shop/orders failed\n".repeat(200_000);
    let numbered = (0..20_000).map(|line| format!("shop/orders failed {}\n", "z".repeat(line % 300)));
    let numbered = numbered.collect::<Vec<_>>().concat();
    let open = format!("panic: shop/orders\n{}", "\tframe\n".repeat(500_000));
    let braces = format!("shop/orders failed {}", "{\"a\":[".repeat(100_000));
    let quotes = format!("shop/orders failed {}", "\"\\\"".repeat(100_000));
    let nested = "Caused by: shop/orders failed: ".repeat(50_000);
    for log in [block, pairs, lines, numbered, open, braces, quotes, nested] {
        for previous in [false, true] {
            let kept = pick(&log, &of(previous));
            assert!(kept.len() <= 20);
            let is_short = |line: &LogLine| line.text.chars().count() <= 302 && line.message().chars().count() <= 302;
            assert!(kept.iter().all(is_short), "{kept:?}");
        }
    }
}

#[test]
fn a_line_of_an_older_file_is_read() {
    let line: LogLine = serde_json::from_str(r#"{"bearing":"Names","text":"x error=\"a b\""}"#).unwrap();
    assert_eq!((line.message().as_ref(), line.times), ("a b", 0));
    let written = serde_json::to_string(&line).unwrap();
    assert_eq!(written, r#"{"bearing":"Names","text":"x error=\"a b\""}"#);
}
