//! The reason in the formats of many frameworks.

use super::*;

fn check(framework: &str, of: &LogOf, log: &str, expected: &str) {
    let lines = pick(&timed(log), of);
    assert_eq!(why(&timed(log), of).as_deref(), Some(expected), "{framework}: {lines:#?}");
    assert_eq!(why(log, of).as_deref(), Some(expected), "{framework}, without times");
}

#[test]
fn the_reason_is_found_in_logs_of_go() {
    let database = of(false);
    let volume = about("PersistentVolume", "persistentvolumes", None, PV);
    let cluster = about("CloudBucket", "cloudbuckets", None, "logs");
    for (framework, of, log, expected) in [
        (
            "controller-runtime, zap JSON",
            &database,
            r#"{"level":"error","ts":"2026-11-29T03:21:36Z","msg":"Reconciler error","controller":"database","controllerGroup":"acme.io","controllerKind":"Database","Database":{"name":"orders","namespace":"shop"},"namespace":"shop","name":"orders","reconcileID":"5d7c","error":"cannot drop database: 3 sessions are still connected","stacktrace":"sigs.k8s.io/x\n\t/go/y.go:1"}"#,
            "3 sessions are still connected",
        ),
        (
            "zap console",
            &database,
            "2026-11-29T03:21:36.011Z\tERROR\tcontroller-runtime.controller\tReconciler error\t{\"controller\": \"database\", \"request\": \"shop/orders\", \"error\": \"bucket orders-backup has 12 objects left\"}\nsigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller).Reconcile\n\t/go/pkg/mod/x.go:234",
            "bucket orders-backup has 12 objects left",
        ),
        (
            "klog, structured",
            &database,
            "E1129 03:21:36.011681       1 controller.go:251] \"Reconciler error\" err=\"role \\\"orders\\\" cannot be dropped because objects depend on it\" controller=\"database\" controllerKind=\"Database\" Database=\"shop/orders\" namespace=\"shop\" name=\"orders\"",
            "role \"orders\" cannot be dropped because objects depend on it",
        ),
        (
            "klog, block",
            &database,
            "E1129 03:21:36.011681       1 controller.go:251] \"Failed to delete\" err=<\n\tcannot delete the backup:\n\tthe vault is locked until 2027\n > object=\"shop/orders\"",
            "the vault is locked until 2027",
        ),
        (
            "klog, external-provisioner",
            &volume,
            &format!(
                "E1129 03:21:36.011681       1 controller.go:1577] delete \"{PV}\": volume deletion failed: rpc error: code = Internal desc = rbd image csi-vol-1 has dependent clones"
            ),
            "rbd image csi-vol-1 has dependent clones",
        ),
        (
            "Crossplane, debug",
            &cluster,
            r#"{"level":"debug","ts":1764386496.1,"logger":"provider-aws","msg":"Cannot delete external resource","controller":"managed/bucket","controllerKind":"CloudBucket","request":{"name":"logs"},"error":"cannot delete: BucketNotEmpty: The bucket you tried to delete is not empty"}"#,
            "BucketNotEmpty: The bucket you tried to delete is not empty",
        ),
    ] {
        check(framework, of, log, expected);
    }
}

#[test]
fn the_reason_is_found_in_logs_of_python_and_java() {
    let database = of(false);
    let kafka = about("KafkaTopic", "kafkatopics", Some("shop"), "orders");
    for (framework, of, log, expected) in [
        (
            "kopf",
            &database,
            "[2026-11-29 03:21:36,011] kopf.objects         [ERROR   ] [shop/orders] Handler 'delete_fn' failed with an exception. Will retry.\nTraceback (most recent call last):\n  File \"/usr/lib/kopf/execution.py\", line 276, in execute\n    result = await invoke()\nacme.errors.BucketBusy: the bucket still has 4 uploads",
            "BucketBusy: the bucket still has 4 uploads",
        ),
        (
            "kopf, client of the API",
            &database,
            "[2026-11-29 03:21:36,011] kopf.objects [ERROR   ] [shop/orders] Handler 'x' failed with an exception.\nTraceback (most recent call last):\n  File \"a.py\", line 1, in x\nkubernetes.client.exceptions.ApiException: (403)\nReason: Forbidden\nHTTP response body: {\"kind\":\"Status\",\"message\":\"jobs.batch is forbidden: User \\\"op\\\" cannot create resource \\\"jobs\\\"\"}",
            "jobs.batch is forbidden: User \"op\" cannot create resource \"jobs\"",
        ),
        (
            "Python logging",
            &database,
            "2026-11-29 03:21:36,011 - acme.operator - ERROR - Database shop/orders: cannot stop the replica because it is the primary",
            "cannot stop the replica because it is the primary",
        ),
        (
            "Java Operator SDK, logback",
            &database,
            "03:21:36.011 [ReconcilerExecutor-database-12] ERROR i.j.o.p.event.EventProcessor - Error during event processing ExecutionScope{ resource id: ResourceID{name='orders', namespace='shop'}, version: 5}\norg.acme.OperatorException: java.io.IOException: x\n\tat org.acme.Reconciler.cleanup(Reconciler.java:12)\n\tat java.base/java.lang.Thread.run(Thread.java:840)\nCaused by: java.io.IOException: x\n\t... 3 more\nCaused by: org.acme.QuotaException: the account is over its quota\n\t... 9 more",
            "QuotaException: the account is over its quota",
        ),
        (
            "Quarkus JSON",
            &database,
            r#"{"timestamp":"2026-11-29T03:21:36.011Z","level":"ERROR","loggerName":"org.acme","message":"Error during cleanup","mdc":{"resource.name":"orders","resource.namespace":"shop","resource.kind":"Database"},"stackTrace":"org.acme.A: b\n\tat x\nCaused by: java.net.ConnectException: db.acme.io did not answer within time\n\tat y"}"#,
            "ConnectException: db.acme.io did not answer within time",
        ),
        (
            "Strimzi, log4j",
            &kafka,
            "2026-11-29 03:21:36 WARN  BatchingTopicController:123 - Reconciliation #1(timer) KafkaTopic(shop/orders): Topic not deleted: TopicDeletionDisabledException: Topic deletion is disabled on the brokers",
            "TopicDeletionDisabledException: Topic deletion is disabled on the brokers",
        ),
    ] {
        check(framework, of, log, expected);
    }
}

#[test]
fn the_reason_is_found_in_other_logs() {
    let database = of(false);
    let foo = about("Foo", "foos", Some("a"), "b1");
    let pod = about("Pod", "pods", Some("shop"), "web-0");
    for (framework, of, log, expected) in [
        (
            "logfmt",
            &database,
            "time=\"2026-11-29T03:21:36Z\" level=error msg=\"failed to finalize\" error=\"the project has a lien on it\" key=shop/orders",
            "the project has a lien on it",
        ),
        (
            "kube-rs, tracing",
            &foo,
            "2026-11-29T03:21:36.011681Z ERROR reconciling object{object.ref=Foo.v1.acme.io/b1.a object.reason=object updated}: operator: reconcile failed error=the lease is held by another writer",
            "the lease is held by another writer",
        ),
        (
            "kube-rs, tracing JSON",
            &foo,
            r#"{"timestamp":"2026-11-29T03:21:36Z","level":"ERROR","fields":{"message":"reconcile failed","error":"the lease is held by another writer"},"target":"operator","span":{"object.ref":"Foo.v1.acme.io/b1.a","name":"reconciling object"}}"#,
            "the lease is held by another writer",
        ),
        (
            "Bunyan",
            &database,
            r#"{"name":"operator","hostname":"op-1","pid":1,"level":50,"msg":"cannot remove the user because he owns tables","key":"shop/orders","v":0}"#,
            "cannot remove the user because he owns tables",
        ),
        (
            "a Go panic",
            &database,
            "2026/11/29 03:21:36 reconciling\nE1129 03:21:36.011681       1 runtime.go:142] Observed a panic: nil map in shop/orders\ngoroutine 12 [running]:\nmain.main()\n\t/src/main.go:3",
            "Observed a panic: nil map in shop/orders",
        ),
        (
            "kubelet, journal",
            &pod,
            "Nov 29 03:21:36.011681 node-1 kubelet[812]: E1129 03:21:36.011681     812 pod_workers.go:1301] \"Error syncing pod, skipping\" err=\"failed to unmount volume: target is busy or not mounted\" pod=\"shop/web-0\" podUID=\"11111111-2222-3333-4444-555555555555\"",
            "target is busy or not mounted",
        ),
    ] {
        check(framework, of, log, expected);
    }
}

#[test]
fn the_reason_is_found_under_other_keys() {
    let database = of(false);
    for (framework, of, log, expected) in [
        (
            "no message",
            &database,
            r#"{"level":"error","ts":"2026-11-29T03:21:36Z","key":"shop/orders","detail":"cannot drop the role of it"}"#,
            "cannot drop the role of it",
        ),
        (
            "a reason",
            &database,
            "level=warn msg=\"deletion is blocked\" reason=\"the account has open invoices\" key=shop/orders",
            "the account has open invoices",
        ),
        (
            "an event, logged",
            &database,
            "I1129 03:21:36.011681       1 event.go:389] \"Event occurred\" object=\"shop/orders\" kind=\"Database\" type=\"Warning\" reason=\"DeleteFailed\" message=\"the bucket is locked by a policy\"",
            "the bucket is locked by a policy",
        ),
    ] {
        check(framework, of, log, expected);
    }
}
