//! The dry runs that are sent, none of them to a server that might ignore `dryRun`.

mod aggregated_servers;
mod recorder;

use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};

/// An aggregated API may also replace the group of a definition; a user who may not read the
/// APIServices cannot know.
#[test]
fn no_dry_runs_for_possibly_aggregated_apis() {
    let plane = ControlPlane::start();
    plane.apply(
        "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.acme.io}
spec:
  group: acme.io
  names: {plural: databases, singular: database, kind: Database}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: dev}
rules:
- {apiGroups: [acme.io], resources: [databases], verbs: ['*']}
- {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: dev}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: dev}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: dev}]",
    );
    plane.kubectl_ok(&["wait", "--for=condition=established", "crd/databases.acme.io"]);
    plane.apply("{apiVersion: acme.io/v1, kind: Database, metadata: {name: orders, finalizers: [acme.io/hold]}}");
    plane.kubectl_ok(&["delete", "database", "orders", "--wait=false"]);
    // Before that, the deletion is within its usual time.
    std::thread::sleep(std::time::Duration::from_secs(6));
    let tried = || {
        let events = plane.audit_requests().into_iter();
        events.filter(|event| event.uri.contains("dryRun") && event.uri.contains("databases")).count()
    };
    let run = |arguments: &[&str]| {
        let output = unstick(&plane)
            .args(["database", "orders", "--dry-run=server"])
            .args(arguments)
            .output()
            .expect("the program runs");
        format!("{}{}", stdout(&output), stderr(&output)).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let said = run(&["--as", "dev"]);
    assert!(said.contains("not tried: an aggregated API server serves it, or may serve it"), "{said}");
    assert_eq!(tried(), 0, "{said}");
    let said = run(&[]);
    assert!(said.contains("the server would accept it") && tried() > 0, "{said}");
}

/// Each command that removes a finalizer names its position, which the previous command has changed.
#[test]
fn the_commands_of_a_dry_run_work_one_after_the_other() {
    let plane = ControlPlane::start();
    plane.apply(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: one, finalizers: [acme.io/a, acme.io/b, acme.io/c]}}",
    );
    plane.kubectl_ok(&["delete", "configmap", "one", "--wait=false"]);
    // Before that, the deletion is within its usual time.
    std::thread::sleep(std::time::Duration::from_secs(6));
    let output = unstick(&plane).args(["configmap", "one", "--dry-run"]).output().expect("the program runs");
    let shown = stdout(&output);
    let commands: Vec<&str> = shown.lines().filter_map(|line| line.trim().strip_prefix("$ ")).collect();
    let commands: Vec<&str> = commands.into_iter().filter(|command| command.starts_with("kubectl patch")).collect();
    assert_eq!(commands.len(), 3, "{shown}");
    assert!(shown.contains("\n 1  # remove finalizer acme.io/a"), "it has the number of its cause: {shown}");
    for command in commands {
        let output = plane.command("bash").args(["-c", command]).output().expect("bash runs");
        assert!(output.status.success(), "{command}: {}", stderr(&output));
    }
    let left = plane.kubectl_ok(&["get", "configmap", "one", "--ignore-not-found", "-o", "name"]);
    assert_eq!(left, "", "all of them are off");
}
