//! Puts secrets into every place where a manifest can contain one. None of them may get into a file
//! that the program writes: surveys, the journal, the cache.

use crate::journal::carry_out_all;
use crate::support::control_plane::ControlPlane;
use crate::support::digests::digests_offered;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use kubectl_unstick::plan::steps;
use kubectl_unstick::report::{Named, Ref};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Not used in names, labels or finalizers, which are kept.
const PLANTED: &str = "PLANTED";

/// Every field of containers and volumes.
const POD: &str = r#"{
  nodeName: lost, serviceAccountName: operator,
  containers: [{name: c, image: example.invalid/acme-operator,
    command: [/manager, --key=PLANTED-command], args: [--token=PLANTED-args, PLANTED-args],
    env: [{name: P, value: PLANTED-env}, {name: WATCH_NAMESPACE_KEY, value: PLANTED-watch}],
    lifecycle: {postStart: {exec: {command: [sh, -c, PLANTED-hook]}},
      preStop: {httpGet: {port: 80, path: /PLANTED-hook, httpHeaders: [{name: Authorization, value: PLANTED-hook}]}}},
    livenessProbe: {exec: {command: [PLANTED-probe]}},
    readinessProbe: {httpGet: {port: 80, httpHeaders: [{name: Cookie, value: PLANTED-probe}]}}}],
  initContainers: [{name: i, image: example.invalid/i, args: [PLANTED-init], env: [{name: Q, value: PLANTED-init}]}],
  hostAliases: [{ip: 127.0.0.1, hostnames: [h]}],
  volumes: [
    {name: a, csi: {driver: d.example, volumeAttributes: {key: PLANTED-csi}}},
    {name: b, iscsi: {targetPortal: "127.0.0.1", iqn: "iqn.2001-04.com.example:PLANTED-iscsi", lun: 0}},
    {name: c, cephfs: {monitors: [PLANTED-ceph], user: PLANTED-ceph}},
    {name: d, flexVolume: {driver: x/y, options: {key: PLANTED-flex}}},
    {name: e, hostPath: {path: /PLANTED-path}}]}"#;

const CLUSTER: &str = r#"
{apiVersion: v1, kind: Namespace, metadata: {name: shop, annotations: {acme.io/note: PLANTED-namespace}}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: ops, annotations: {acme.io/note: PLANTED-namespace}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.acme.io, annotations: {acme.io/note: PLANTED-crd}}
spec:
  group: acme.io
  names: {plural: databases, singular: database, kind: Database}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, description: PLANTED-crd, x-kubernetes-preserve-unknown-fields: true}}}]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: oauthclients.oauth.openshift.io}
spec:
  group: oauth.openshift.io
  names: {plural: oauthclients, singular: oauthclient, kind: OAuthClient}
  scope: Cluster
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: operator, namespace: ops, annotations: {acme.io/note: PLANTED-account}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: operator, annotations: {acme.io/note: PLANTED-role}}
rules: [{apiGroups: [acme.io], resources: [databases], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: operator, annotations: {acme.io/note: PLANTED-binding}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}
subjects: [{kind: ServiceAccount, name: operator, namespace: ops}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: acme-operator, namespace: ops, annotations: {acme.io/note: PLANTED-workload}}
spec:
  replicas: 0
  selector: {matchLabels: {app: acme-operator}}
  template: {metadata: {labels: {app: acme-operator}, annotations: {acme.io/note: PLANTED-template}}, spec: POD}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.gone.example, annotations: {acme.io/note: PLANTED-api}}
spec: {group: gone.example, version: v1, groupPriorityMinimum: 100, versionPriority: 10, insecureSkipTLSVerify: true, service: {namespace: ops, name: gone}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hooks, annotations: {acme.io/note: PLANTED-webhook}}
webhooks:
- {name: a.acme.io, admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Fail, clientConfig: {service: {namespace: ops, name: gone}}, rules: [{apiGroups: [other.io], apiVersions: ["*"], operations: [UPDATE], resources: ["*"]}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: left-over, annotations: {acme.io/note: PLANTED-webhook}}
webhooks:
- {name: a.acme.io, admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Fail, clientConfig: {service: {namespace: ops, name: gone}}, rules: [{apiGroups: [other.io], apiVersions: ["*"], operations: [UPDATE], resources: ["*"]}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: conditional}
webhooks:
- {name: a.acme.io, admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Fail, clientConfig: {service: {namespace: ops, name: gone}}, matchConditions: [{name: c, expression: "object.metadata.name != 'PLANTED-condition'"}], rules: [{apiGroups: [other.io], apiVersions: ["*"], operations: [UPDATE], resources: ["*"]}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: judge}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [acme.io], apiVersions: [v1], operations: [DELETE], resources: [databases]}]}
  validations: [{expression: "request.userInfo.username != 'PLANTED-policy'", message: PLANTED-policy}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: judge}
spec: {policyName: judge, validationActions: [Deny]}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: vol, finalizers: [acme.io/hold], annotations: {acme.io/note: PLANTED-volume}}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  csi: {driver: d.example, volumeHandle: vol-1, volumeAttributes: {key: PLANTED-volume}}
---
{apiVersion: v1, kind: Node, metadata: {name: lost, annotations: {acme.io/note: PLANTED-node}}}
---
{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop, finalizers: [acme.io/hold], annotations: {acme.io/note: PLANTED-secret}}, stringData: {key: PLANTED-secret}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: m, namespace: shop, finalizers: [acme.io/hold], annotations: {acme.io/note: PLANTED-map}}, data: {key: PLANTED-map}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: operator, namespace: shop}}
---
{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: shop, annotations: {acme.io/note: PLANTED-pod}}, spec: POD}
"#;

/// Possible contents of an object's messages, since programs copy addresses into their errors.
const ORDERS: &str = r#"
apiVersion: acme.io/v1
kind: Database
metadata: {name: orders, namespace: shop, finalizers: [acme.io/hold], annotations: {acme.io/note: PLANTED-resource}}
spec:
  password: PLANTED-spec
  clientSecret: planted-in-lower-case
  auth: {token: PLANTED-spec, credentials: [{user: PLANTED-spec, value: PLANTED-spec}]}
  credentialsRef: {name: missing, key: PLANTED-key}
  deep: {a: {b: {c: {d: {e: {f: {g: PLANTED-deep}}}}}}, list: [[PLANTED-list]]}
status:
  token: PLANTED-status
  message: "cannot reach https://ann:PLANTED-userinfo@db.example:5432/x"
  conditions:
  - {type: Ready, status: "False", reason: Failed, message: "login failed: password=PLANTED-words, Authorization: Bearer PLANTED-words-1, clientSecret: PLANTED-a accessToken: PLANTED-b privateKey: PLANTED-c secretKey: PLANTED-d refreshToken: PLANTED-e idToken: PLANTED-f DOCKER_PASS=PLANTED-g webhookSecret: PLANTED-h, authorization: Token PLANTED-i", lastTransitionTime: "2035-01-01T00:00:00Z"}
top: {secret: PLANTED-top}
---
apiVersion: oauth.openshift.io/v1
kind: OAuthClient
metadata: {name: console, finalizers: [acme.io/hold]}
secret: PLANTED-oauth
additionalSecrets: [PLANTED-oauth]
redirectURIs: ["https://console.example/PLANTED-oauth"]
"#;

fn event(plane: &ControlPlane) {
    let uid = plane.kubectl_ok(&["get", "database", "orders", "-n", "shop", "-o", "jsonpath={.metadata.uid}"]);
    plane.apply(&format!(
        "{{apiVersion: v1, kind: Event, metadata: {{name: orders.1, namespace: shop}}, type: Warning, reason: Failed, \
         message: 'GET /x?token=PLANTED-event failed: {{\"clientSecret\":\"PLANTED-json\",\"auth\":\"PLANTED-auth\"}} \
         authorization: Token PLANTED-header', lastTimestamp: '2035-01-01T00:00:00Z', \
         involvedObject: {{apiVersion: acme.io/v1, kind: Database, namespace: shop, name: orders, uid: '{uid}'}}}}"
    ));
}

/// A cluster full of secrets, in which a namespace hangs.
fn cluster() -> ControlPlane {
    let plane = ControlPlane::start();
    plane.apply(&CLUSTER.replace("POD", &POD.replace('\n', " ")));
    let definitions = ["crd/databases.acme.io", "crd/oauthclients.oauth.openshift.io"];
    plane.kubectl_ok(&[&["wait", "--for=condition=established"], &definitions[..]].concat());
    plane.apply(ORDERS);
    event(&plane);
    // The namespace controller deletes nothing while an API does not answer.
    for object in ["database/orders", "secret/s", "configmap/m", "pod/p"] {
        plane.kubectl_ok(&["delete", object, "-n", "shop", "--wait=false"]);
    }
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    plane.kubectl_ok(&["delete", "pv/vol", "oauthclient/console", "--wait=false"]);
    let is_told = || {
        let words = plane.kubectl_ok(&["get", "namespace", "shop", "-o", "jsonpath={.status.conditions[*].type}"]);
        words.contains("NamespaceDeletionDiscoveryFailure")
    };
    wait_until("the namespace controller has looked", Duration::from_mins(1), is_told);
    // Younger objects would be within their usual time.
    std::thread::sleep(Duration::from_secs(6));
    plane
}

/// The program's standard output, in a file that a user would keep.
fn keep(plane: &ControlPlane, name: &str, arguments: &[&str]) -> String {
    let output = unstick(plane).args(arguments).output().expect("the program runs");
    let code = output.status.code();
    assert!(code.is_some_and(|code| code < 2), "{arguments:?}: {code:?}: {}", stderr(&output));
    let folder = plane.dir().join("kept");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(name), &output.stdout).expect("written");
    stderr(&output)
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() { files(&entry.path(), into) } else { into.push(entry.path()) }
    }
}

/// Every file that the program has written; kubectl has its own cache.
fn written(plane: &ControlPlane) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in ["state", "kept", ".kube/cache/unstick", ".cache", ".local", ".config"] {
        files(&plane.dir().join(folder), &mut all);
    }
    all
}

#[track_caller]
fn holds_nothing_planted(plane: &ControlPlane) -> usize {
    let all = written(plane);
    for path in &all {
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
        for needle in [PLANTED, "planted-in-lower-case"] {
            let found = text.find(needle).map(|at| {
                let from = (0..=at.saturating_sub(200)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
                text[from..].chars().take(300).collect::<String>()
            });
            assert_eq!(found, None, "{}", path.display());
        }
    }
    all.len()
}

/// The output about the root causes, without times.
fn causes(plane: &ControlPlane, arguments: &[&str]) -> BTreeSet<String> {
    let output = unstick(plane).args(arguments).args(["-o", "json"]).output().expect("the program runs");
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let findings = report["findings"].as_array().expect("findings").iter();
    findings
        .map(|it| {
            let state = &it["controller"]["state"];
            format!("{} {} {} {} {state}", it["rule"], it["subject"]["name"], it["root"], it["why"])
        })
        .collect()
}

fn reference(plane: &ControlPlane, api_version: &str, kind: &str, resource: &str, namespace: &str, name: &str) -> Ref {
    let mut arguments = vec!["get", resource, name, "-o", "jsonpath={.metadata.uid}"];
    if !namespace.is_empty() {
        arguments.extend(["-n", namespace]);
    }
    Ref::from(Named {
        api_version: api_version.into(),
        kind: kind.into(),
        resource: resource.split('.').next().expect("a plural").into(),
        namespace: Some(namespace.to_owned()).filter(|name| !name.is_empty()),
        name: name.into(),
        uid: plane.kubectl_ok(&arguments),
        missing: false,
    })
}

#[test]
fn no_file_holds_what_is_secret() {
    let plane = cluster();
    let everything = "namespaces,databases,deployments,apiservices,pv,nodes,secrets,configmaps,pods,events,\
        validatingwebhookconfigurations,validatingadmissionpolicies,serviceaccounts,clusterroles,crd";
    let there = plane.kubectl_ok(&["get", everything, "-A", "-o", "json"]);
    assert!(there.matches(PLANTED).count() > 60, "{} are planted", there.matches(PLANTED).count());

    let said = keep(&plane, "survey.yaml", &["survey", "ns", "shop"]);
    assert!(
        said.contains("left out, since no rule reads them: ") && said.contains("masked as a credential: "),
        "{said}"
    );
    keep(&plane, "logs.yaml", &["survey", "ns", "shop", "--logs"]);
    keep(&plane, "scan.yaml", &["survey", "scan"]);
    keep(&plane, "orphans.yaml", &["survey", "orphans"]);
    keep(&plane, "apis.yaml", &["survey", "apis"]);
    keep(&plane, "volume.yaml", &["survey", "pv", "vol"]);
    keep(&plane, "client.yaml", &["survey", "oauthclient", "console"]);
    keep(&plane, "pod.yaml", &["survey", "pod", "p", "-n", "shop"]);
    keep(&plane, "preflight.yaml", &["survey", "preflight", "ns", "ops"]);
    assert!(holds_nothing_planted(&plane) >= 8);

    the_file_says_the_same(&plane);
    release_is_on_record(&plane);
    settings_are_put_back(&plane);
}

/// A diagnosis of the file equals that of the cluster.
fn the_file_says_the_same(plane: &ControlPlane) {
    let file = plane.dir().join("kept/survey.yaml");
    let text = std::fs::read_to_string(&file).expect("a survey");
    assert!(
        text.starts_with("# left out") && text.contains("password=(masked)") && text.contains("(masked)@db.example")
    );
    let live = causes(plane, &["ns", "shop"]);
    assert_eq!(causes(plane, &["ns", "shop", "--from", file.to_str().expect("a path")]), live);
    assert!(live.len() >= 3, "{live:?}");
}

fn release_is_on_record(plane: &ControlPlane) {
    let output = unstick(plane)
        .args(["ns", "shop", "--approve", "loses-data", "--confirm", "shop", "--timeout", "30s"])
        .output()
        .expect("the program runs");
    let mut said = format!("{}{}", stdout(&output), stderr(&output));
    // The operator does not start, and the other way out needs a consent of its own.
    let digests = digests_offered(&stderr(&output), "leaks");
    let approvals = digests.iter().flat_map(|digest| ["--approve-plan", digest.as_str()]);
    let output =
        unstick(plane).args(["ns", "shop", "--timeout", "10s"]).args(approvals).output().expect("the program runs");
    said.push_str(&stdout(&output));
    said.push_str(&stderr(&output));
    let records = crate::faults::records_in(&plane.dir().join("state"));
    let kinds: BTreeSet<String> =
        records.iter().filter_map(|record| Some(record["what"]["kind"].as_str()?.to_owned())).collect();
    assert!(kinds.contains("DeleteApiService") && kinds.contains("RemoveFinalizer"), "{kinds:?}: {said}");
    let client = ["oauthclient", "console", "--approve", "leaks", "--timeout", "30s"];
    let output = unstick(plane).args(client).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    holds_nothing_planted(plane);
}

/// Covers the other kinds of steps that keep parts of an object.
fn settings_are_put_back(plane: &ControlPlane) {
    let webhooks = "validatingwebhookconfigurations.admissionregistration.k8s.io";
    let hooks =
        reference(plane, "admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", webhooks, "", "hooks");
    let left_over = reference(
        plane,
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        webhooks,
        "",
        "left-over",
    );
    let workload = reference(plane, "apps/v1", "Deployment", "deployments.apps", "ops", "acme-operator");
    let role =
        plane.kubectl_ok(&["get", "deployment", "acme-operator", "-n", "ops", "-o", "jsonpath={.spec.replicas}"]);
    let left_over_now = plane.kubectl_ok(&["get", webhooks, "left-over", "-o", "json"]);
    let left_over_now = serde_json::from_str(&left_over_now).expect("a configuration");
    let mut steps = vec![
        steps::ignore_webhook::step(&hooks, 0, "a.acme.io"),
        steps::delete_webhook_configuration::step(&left_over, &left_over_now),
        steps::taint_out_of_service::step(&reference(plane, "v1", "Node", "nodes", "", "lost")),
    ];
    if role == "0" {
        steps.push(steps::scale_workload::step(&workload));
    }
    let run = carry_out_all(plane, &steps, Some("ended"));
    holds_nothing_planted(plane);

    let output = unstick(plane).args(["undo", &run, "--approve", "disruptive"]).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let said = stderr(&output) + &stdout(&output);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("without its annotations"), "{said}");
    let back = plane.kubectl_ok(&["get", webhooks, "hooks", "-o", "jsonpath={.webhooks[0].failurePolicy}"]);
    assert_eq!(back, "Fail");
    plane.kubectl_ok(&["get", webhooks, "left-over"]);
    keep(plane, "journal.json", &["journal", &run, "-o", "json"]);
    holds_nothing_planted(plane);
}
