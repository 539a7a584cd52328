//! Fills a control plane for the measurements.

use crate::store::{Store, config_map, large_thing, thing};
use crate::support::control_plane::ControlPlane;
use crate::support::wait::wait_until;
use serde_json::Value;
use std::fmt::Write as _;
use std::ops::Range;
use std::time::Duration;

/// Creates custom kinds, with many documents in each request.
pub fn kinds(plane: &ControlPlane, numbers: Range<usize>) {
    let count = numbers.end;
    for part in numbers.collect::<Vec<_>>().chunks(200) {
        let documents = part.iter().map(|number| {
            let group = group(*number);
            format!(
                "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
                 metadata: {{name: things{number}.{group}}}\nspec:\n  group: {group}\n  scope: Namespaced\n  \
                 names: {{plural: things{number}, singular: thing{number}, kind: Thing{number}}}\n  versions:\n  \
                 - {{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object, \
                 x-kubernetes-preserve-unknown-fields: true}}}}}}\n"
            )
        });
        plane.apply(&documents.collect::<String>());
    }
    wait_until("every kind is served", Duration::from_mins(10), || {
        let served = plane.kubectl_ok(&["api-resources", "--verbs=list", "--namespaced", "-o", "name"]);
        served.lines().filter(|line| line.contains(".bench.example")).count() == count
    });
}

fn group(number: usize) -> String {
    format!("g{}.bench.example", number / 10)
}

/// How many namespaced types can be listed.
pub fn types(plane: &ControlPlane) -> usize {
    plane.kubectl_ok(&["api-resources", "--verbs=list", "--namespaced", "-o", "name"]).lines().count()
}

/// Creates empty namespaces.
pub fn namespaces(plane: &ControlPlane, names: &[String]) {
    let mut yaml = String::new();
    for name in names {
        write!(yaml, "---\n{{apiVersion: v1, kind: Namespace, metadata: {{name: {name}}}}}\n").expect("a text");
    }
    plane.apply(&yaml);
    // The controllers create the first objects in them.
    wait_until("they have their ServiceAccounts", Duration::from_mins(3), || {
        let accounts = plane.etcd_keys("/registry/serviceaccounts/");
        names.iter().all(|name| accounts.contains(&format!("/registry/serviceaccounts/{name}/default")))
    });
}

/// Creates namespaces and deletes them; each waits for one object.
pub fn hanging(plane: &ControlPlane, names: &[String]) {
    namespaces(plane, names);
    let held = names.iter().map(|name| {
        format!(
            "---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: held, namespace: {name}, \
             finalizers: [bench.example/hold]}}}}\n"
        )
    });
    plane.apply(&held.collect::<String>());
    delete(plane, names);
    wait_until("only what is held is left", Duration::from_mins(5), || {
        let keys = plane.etcd_keys("/registry/");
        names.iter().all(|name| keys.iter().filter(|key| key.contains(&format!("/{name}/"))).count() == 1)
    });
    // After this they count as late.
    std::thread::sleep(Duration::from_secs(8));
}

/// Releases these namespaces, and waits until they are gone: each of them costs the cluster a
/// request for each type every few seconds.
pub fn release(plane: &ControlPlane, store: &Store, kind: &str, namespaces: &[String]) {
    for name in namespaces {
        store.remove(&format!("/registry/{kind}/{name}/"));
    }
    wait_until("the namespaces are gone", Duration::from_mins(5), || {
        let keys = plane.etcd_keys("/registry/namespaces/");
        namespaces.iter().all(|name| !keys.contains(&format!("/registry/namespaces/{name}")))
    });
}

/// Creates namespaces that are deleted while an aggregated API does not answer.
pub fn behind_a_dead_api(plane: &ControlPlane, names: &[String]) {
    namespaces(plane, names);
    plane.apply(
        "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.dead.example}\nspec: {group: \
         dead.example, version: v1, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, \
         service: {namespace: default, name: nobody}}\n",
    );
    delete(plane, names);
    wait_until("the namespace controller says why", Duration::from_mins(5), || {
        let list: Value = serde_json::from_str(&plane.kubectl_ok(&["get", "namespaces", "-o", "json"])).expect("JSON");
        let items = list["items"].as_array().expect("a list");
        let failed = |name: &String| {
            let found = items.iter().find(|item| item["metadata"]["name"] == **name).expect("it hangs");
            let conditions = found["status"]["conditions"].as_array().into_iter().flatten();
            conditions.into_iter().any(|it| it["reason"] == "DiscoveryFailed" && it["status"] == "True")
        };
        names.iter().all(failed)
    });
}

fn delete(plane: &ControlPlane, names: &[String]) {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    plane.kubectl_ok(&[&["delete", "namespace", "--wait=false"], &names[..]].concat());
}

/// Creates `ConfigMap`s with these numbers, spread over these namespaces.
pub fn config_maps(store: &Store, namespaces: &[String], numbers: Range<usize>) {
    store.put(numbers.map(|number| config_map(&namespaces[number % namespaces.len()], number, false)));
}

/// Creates `ConfigMap`s in one namespace that are being deleted and wait for a finalizer.
pub fn held(store: &Store, namespace: &str, numbers: Range<usize>) {
    store.put(numbers.map(|number| config_map(namespace, number, true)));
}

/// Creates large custom objects in one namespace that are being deleted and wait for a finalizer.
pub fn large(store: &Store, namespace: &str, count: usize) {
    store.put_large((0..count).map(|number| large_thing(namespace, number)));
}

/// Creates objects of a custom kind in a namespace that is deleted; their controller is at 0
/// replicas.
pub fn crowd(plane: &ControlPlane, store: &Store, namespace: &str, count: usize) {
    plane.apply(&format!(
        "---\n{{apiVersion: v1, kind: Namespace, metadata: {{name: {namespace}}}}}\n---\n\
         {{apiVersion: v1, kind: Namespace, metadata: {{name: bench-operator}}}}\n---\n\
         {{apiVersion: apps/v1, kind: Deployment, metadata: {{name: bench-operator, namespace: bench-operator}}, \
         spec: {{replicas: 0, selector: {{matchLabels: {{app: o}}}}, template: {{metadata: {{labels: {{app: o}}}}, \
         spec: {{serviceAccountName: operator, containers: [{{name: c, image: example.invalid/none}}]}}}}}}}}\n---\n\
         {{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {{name: bench-operator}}, \
         rules: [{{apiGroups: [g0.bench.example], resources: [things0], verbs: [update]}}]}}\n---\n\
         {{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {{name: bench-operator}}, \
         roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: bench-operator}}, \
         subjects: [{{kind: ServiceAccount, name: operator, namespace: bench-operator}}]}}\n"
    ));
    store.put((0..count).map(|number| thing(namespace, number)));
    delete(plane, &[namespace.to_owned()]);
}

/// Removes that controller: it would be blamed for other finalizers of its group.
pub fn without_operator(plane: &ControlPlane) {
    let named = ["namespace/bench-operator", "clusterrole/bench-operator", "clusterrolebinding/bench-operator"];
    plane.kubectl_ok(&[&["delete"], &named[..]].concat());
}
