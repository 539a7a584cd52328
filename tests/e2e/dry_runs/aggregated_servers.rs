//! Every command that reads, with servers behind the API server in every possible place.

use super::recorder::{GOING, Recorder};
use crate::mcp::serve;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use serde_json::{Value, json};
use std::time::Duration;

/// Groups and versions that a server behind the API server serves: a group without a dot, one with
/// a dot, a version of a built-in group that Kubernetes never had, a version that it serves itself,
/// and the version of a definition.
const TAKEN: [(&str, &str); 5] =
    [("loose", "v1"), ("tight.acme.io", "v1"), ("apps", "v9"), ("autoscaling", "v1"), ("taken.acme.io", "v1")];

/// Sets up `dev`, who may do everything with all things, but may not read which APIs are aggregated.
fn bring_about(plane: &ControlPlane, port: u16) {
    plane.apply(
        "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.taken.acme.io}
spec:
  group: taken.acme.io
  names: {plural: things, singular: thing, kind: Thing}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: dev}
rules:
- {apiGroups: [loose, tight.acme.io, apps, autoscaling, taken.acme.io], resources: [things], verbs: ['*']}
- {apiGroups: [''], resources: [namespaces, configmaps], verbs: ['*']}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: dev}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: dev}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: dev}]",
    );
    plane.kubectl_ok(&["wait", "--for=condition=established", "crd/things.taken.acme.io"]);
    wait_until("the definition's version is registered", Duration::from_secs(20), || {
        plane.kubectl(&["get", "apiservice", "v1.taken.acme.io"]).status.success()
    });
    for namespace in [GOING, "open"] {
        plane.kubectl_ok(&["create", "namespace", namespace]);
    }
    plane.apply(&format!(
        "{{apiVersion: v1, kind: Service, metadata: {{name: recorder, namespace: default}}, spec: {{type: ExternalName, externalName: 127.0.0.1, ports: [{{port: {port}}}]}}}}"
    ));
    for (group, version) in TAKEN {
        // Without the label, nothing restores the earlier registration.
        let registration = json!({"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
            "metadata": {"name": format!("{version}.{group}"), "labels": {"kube-aggregator.kubernetes.io/automanaged": null}},
            "spec": {"group": group, "version": version, "groupPriorityMinimum": 100, "versionPriority": 100,
                "insecureSkipTLSVerify": true,
                "service": {"namespace": "default", "name": "recorder", "port": port}}});
        let name = format!("v1.{group}");
        if ["autoscaling", "taken.acme.io"].contains(&group) {
            plane.kubectl_ok(&["patch", "apiservice", &name, "--type=merge", "-p", &registration.to_string()]);
        } else {
            plane.apply(&registration.to_string());
        }
    }
    wait_until("discovery knows all of them", Duration::from_mins(1), || {
        TAKEN.iter().all(|(group, version)| {
            let path = format!("/apis/{group}/{version}/namespaces/open/things/one");
            plane.kubectl(&["get", "--raw", &path]).status.success()
                && plane.kubectl_ok(&["api-resources", "--api-group", group, "-o", "name"]).contains("things")
        })
    });
    plane.kubectl_ok(&["delete", "namespace", GOING, "--wait=false"]);
}

/// Commands about one group and version.
fn about(group: &str, version: &str) -> Vec<Vec<String>> {
    let kind = format!("things.{version}.{group}");
    let words = [
        vec![&*kind, "one", "-n", GOING],
        vec![&kind, "one", "-n", GOING, "--dry-run=server"],
        vec![&kind, "-A"],
        vec!["preflight", &kind, "one", "-n", "open"],
        vec!["owners", &kind, "one", "-n", GOING],
        vec!["survey", &kind, "one", "-n", GOING],
    ];
    words.iter().map(|words| words.iter().map(ToString::to_string).collect()).collect()
}

/// Commands about a namespace or the cluster.
const ABOUT_ALL: [&[&str]; 9] = [
    &["ns", GOING],
    &["ns", GOING, "--dry-run=server"],
    &[],
    &["preflight", "ns", "open"],
    &["scan"],
    &["scan", "-n", GOING],
    &["apis"],
    &["orphans"],
    &["survey", "ns", GOING],
];

fn ask(plane: &ControlPlane, words: &[String]) {
    let output = unstick(plane).args(words).output().expect("the program runs");
    assert!(output.status.code().is_some_and(|code| code < 4), "{words:?}: {}{}", stdout(&output), stderr(&output));
}

/// Every tool of `mcp`, about the same things.
fn ask_as_an_agent(plane: &ControlPlane) {
    let mut client = serve(plane, &[]);
    let tools = client.ask("tools/list", &json!({}))["result"]["tools"].clone();
    let tools = tools.as_array().expect("tools").clone();
    for tool in tools.iter().map(|tool| tool["name"].as_str().expect("a name")) {
        let mut asked = vec![json!({"type": "ns", "name": "open"}), json!({"type": "ns", "name": GOING})];
        for (group, version) in TAKEN {
            let kind = format!("things.{version}.{group}");
            asked.extend([GOING, "open"].map(|place| json!({"type": kind, "name": "one", "namespace": place})));
        }
        if ["scan", "explain"].contains(&tool) {
            asked = vec![json!({})];
        }
        for arguments in asked {
            let answer = client.call(tool, &arguments);
            assert_ne!(answer["content"], Value::Null, "{tool} {arguments}: {answer}");
        }
    }
    client.end();
}

/// A regression test: groups without a dot counted as built in, and so did all versions of a
/// built-in group. `preflight` deleted an object with a dry run that the server behind ignored.
#[test]
fn no_dry_run_reaches_a_server_behind_the_api_server() {
    let plane = ControlPlane::alone();
    let recorder = Recorder::start(&plane);
    bring_about(&plane, recorder.port);
    let each = TAKEN.iter().flat_map(|(group, version)| about(group, version));
    let all = ABOUT_ALL.iter().map(|words| words.iter().map(ToString::to_string).collect());
    let mut wrong = Vec::new();
    for words in all.chain(each) {
        for user in [&[][..], &["--as".to_owned(), "dev".to_owned()]] {
            let before = recorder.writes_of_the_program().len();
            let words = [&words[..], user].concat();
            ask(&plane, &words);
            let sent = recorder.writes_of_the_program().split_off(before);
            wrong.extend((!sent.is_empty()).then(|| format!("{words:?}: {sent:?}")));
        }
    }
    let before = recorder.writes_of_the_program().len();
    ask_as_an_agent(&plane);
    let sent = recorder.writes_of_the_program().split_off(before);
    wrong.extend((!sent.is_empty()).then(|| format!("mcp: {sent:?}")));
    assert!(wrong.is_empty(), "{wrong:#?}");

    // Shows that a dry run would have been recorded.
    let path = "/apis/loose/v1/namespaces/open/things/one?dryRun=All";
    plane.kubectl_ok(&["delete", "--raw", path]);
    assert!(recorder.has_had(&format!("DELETE {path}")));
    // Dry runs are sent for resources that the API server serves itself.
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: default}}");
    ask(&plane, &["preflight", "cm", "one", "-n", "default"].map(str::to_owned));
    let tried = |uri: &str| uri.contains("/configmaps/one?dryRun=All");
    assert!(plane.audit_requests().iter().any(|event| tried(&event.uri)));
}
