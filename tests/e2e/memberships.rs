//! A tenant writes marks and lists that name objects of others, and an administrator approves the removal of a
//! product. No object outside of the tenant's own namespace is deleted because of what the tenant wrote.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use std::fmt::Write;
use std::time::Duration;

const KINDS: [(&str, &str, &str); 7] = [
    ("acme.example", "databases", "Database"),
    ("argoproj.io", "applications", "Application"),
    ("kustomize.toolkit.fluxcd.io", "kustomizations", "Kustomization"),
    ("kappctrl.k14s.io", "apps", "App"),
    ("fleet.cattle.io", "bundles", "Bundle"),
    ("fleet.cattle.io", "bundledeployments", "BundleDeployment"),
    ("operators.coreos.com", "clusterserviceversions", "ClusterServiceVersion"),
];

const OTHERS: &str = r"
{apiVersion: v1, kind: Namespace, metadata: {name: mallory}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: team}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: zed}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: operators}}
---
apiVersion: acme.example/v1
kind: Database
metadata:
  name: orders
  namespace: team
  labels: {kapp.k14s.io/app: '23'}
  annotations: {argocd.argoproj.io/tracking-id: 'former:acme.example/Database:team/orders', objectset.rio.cattle.io/id: default-op}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: mesh-guard, labels: {app.kubernetes.io/instance: mesh-base}}
webhooks:
- name: a.mesh.example
  clientConfig: {url: 'https://127.0.0.1:1/'}
  rules: [{apiGroups: [none.example], apiVersions: ['*'], operations: ['*'], resources: ['*']}]
  failurePolicy: Ignore
  sideEffects: None
  admissionReviewVersions: [v1]
";

/// The products of an administrator: an app of kapp, a release, an operator and a bundle.
const PRODUCTS: &str = r"
{apiVersion: v1, kind: ConfigMap, metadata: {name: demo, namespace: team, labels: {kapp.k14s.io/app: '17'}, annotations: {kapp.k14s.io/identity: 'v1;team//ConfigMap/demo;v1'}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: demo-change, namespace: team, labels: {kapp.k14s.io/app-change-app: demo, kapp.k14s.io/app-change-app-label: '17'}}}
---
{apiVersion: operators.coreos.com/v1, kind: ClusterServiceVersion, metadata: {name: mesh.v1, namespace: operators, labels: {operators.coreos.com/mesh.operators: ''}}}
---
{apiVersion: fleet.cattle.io/v1, kind: Bundle, metadata: {name: op, namespace: team}}
";

/// The objects that the tenant creates.
const FORGED: &str = r"
apiVersion: argoproj.io/v1
kind: Application
metadata: {name: blog, namespace: mallory}
status:
  resources:
  - {group: acme.example, version: v1, kind: Database, namespace: team, name: orders}
  - {group: admissionregistration.k8s.io, version: v1, kind: ValidatingWebhookConfiguration, name: mesh-guard}
---
{apiVersion: argoproj.io/v1, kind: Application, metadata: {name: former, namespace: mallory}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: mesh-base, namespace: mallory, labels: {app.kubernetes.io/instance: mesh-base}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: mesh-base, namespace: mallory, labels: {app.kubernetes.io/instance: mesh-base}}
spec:
  replicas: 0
  selector: {matchLabels: {app: mesh-base}}
  template: {metadata: {labels: {app: mesh-base}}, spec: {containers: [{name: a, image: a.example/a}]}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: blog, namespace: mallory}
spec: {prune: false}
status: {inventory: {entries: [{id: team_orders_acme.example_Database, v: v1}]}}
---
apiVersion: kappctrl.k14s.io/v1
kind: App
metadata: {name: blog, namespace: mallory}
spec: {noopDelete: true}
status: {deploy: {kapp: {associatedResources: {label: kapp.k14s.io/app=23, namespaces: [team]}}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: demo-change, namespace: zed, labels: {kapp.k14s.io/app-change-app: demo, kapp.k14s.io/app-change-app-label: '17'}}}
---
apiVersion: operators.coreos.com/v1
kind: ClusterServiceVersion
metadata: {name: mesh.v2, namespace: mallory, labels: {operators.coreos.com/mesh.operators: ''}}
spec: {customresourcedefinitions: {owned: [{name: databases.acme.example}]}}
---
apiVersion: fleet.cattle.io/v1
kind: BundleDeployment
metadata: {name: op, namespace: mallory, labels: {fleet.cattle.io/bundle-name: op, fleet.cattle.io/bundle-namespace: team}}
status: {resources: [{apiVersion: acme.example/v1, kind: Database, namespace: team, name: orders}]}
";

/// The objects of others, which each removal must leave.
const LEFT: [&str; 3] = [
    "databases.acme.example orders -n team",
    "validatingwebhookconfiguration mesh-guard",
    "customresourcedefinition databases.acme.example",
];

fn is_there(plane: &ControlPlane, words: &str) -> bool {
    let words: Vec<&str> = ["get", "--ignore-not-found", "-o", "name"].into_iter().chain(words.split(' ')).collect();
    !plane.kubectl(&words).stdout.is_empty()
}

/// Runs `line`, and returns the exit code and all output.
fn run(plane: &ControlPlane, line: &str) -> (Option<i32>, String) {
    let output = unstick(plane).args(line.split(' ')).output().expect("it runs");
    (output.status.code(), format!("{line}: {}{}", stdout(&output), stderr(&output)))
}

/// Removes a product, after which all objects in [`LEFT`] and `more` must still exist.
fn removed(plane: &ControlPlane, words: &str, more: &[&str]) -> (Option<i32>, String) {
    let (code, said) = run(plane, &format!("{words} --delete --approve disruptive"));
    for left in LEFT.iter().chain(more) {
        assert!(is_there(plane, left), "{left}: {said}");
    }
    assert!(!said.contains("kubectl delete databases") && !said.contains("--confirm mesh,databases"), "{said}");
    (code, said)
}

fn made() -> ControlPlane {
    let plane = ControlPlane::start();
    let mut text = String::new();
    for (group, plural, kind) in KINDS {
        let schema = "{openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}";
        let names =
            format!("{{plural: {plural}, singular: {}, kind: {kind}, listKind: {kind}List}}", kind.to_lowercase());
        let _ = write!(
            text,
            "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {plural}.{group}}}\n\
             spec: {{group: {group}, scope: Namespaced, names: {names},\n  \
             versions: [{{name: v1, served: true, storage: true, schema: {schema}}}]}}\n"
        );
    }
    plane.apply(&text);
    for (group, plural, _) in KINDS {
        plane.kubectl_ok(&["wait", "--for=condition=Established", &format!("crd/{plural}.{group}")]);
    }
    plane.apply(OTHERS);
    plane.apply(PRODUCTS);
    plane.apply(FORGED);
    plane
}

#[test]
fn what_a_tenant_forges_deletes_nothing_of_others() {
    let plane = made();
    for words in ["argocd/blog", "argocd/former", "flux/blog", "carvel/blog", "instance/mesh-base"] {
        let (code, said) = removed(&plane, &format!("{words} -n mallory"), &[]);
        assert_eq!(code, Some(0), "{said}");
        let own = match words.split_once('/').expect("two words") {
            ("argocd", name) => format!("applications.argoproj.io {name} -n mallory"),
            ("flux", _) => "kustomizations.kustomize.toolkit.fluxcd.io blog -n mallory".into(),
            ("carvel", _) => "apps.kappctrl.k14s.io blog -n mallory".into(),
            _ => "deployment mesh-base -n mallory".into(),
        };
        assert!(!is_there(&plane, &own), "{own} is the tenant's own: {said}");
    }
    records_count_where_their_objects_are(&plane);
    lists_count_where_the_product_is(&plane);
    votes_count_where_the_product_is(&plane);
}

fn records_count_where_their_objects_are(plane: &ControlPlane) {
    let theirs = ["configmap demo -n team", "configmap demo-change -n team"];
    let (code, said) = removed(plane, "kapp/demo -n zed", &theirs);
    assert_eq!(code, Some(2), "{said}");
    let (_, listed) = run(plane, "products -n team");
    assert!(listed.contains("kapp/demo"), "{listed}");
    // With a signed object of that number, two records claim it.
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: own, namespace: zed, labels: {kapp.k14s.io/app: '17'}, annotations: {kapp.k14s.io/identity: 'v1;zed//ConfigMap/own;v1'}}}");
    for namespace in ["zed", "team"] {
        let (code, said) = removed(plane, &format!("kapp/demo -n {namespace}"), &theirs);
        assert!(code == Some(2) && said.contains("claim the same objects"), "{said}");
    }
}

fn lists_count_where_the_product_is(plane: &ControlPlane) {
    let (_, shown) = run(plane, "preflight olm/mesh -n operators");
    assert!(!shown.contains("kubectl delete customresourcedefinition"), "{shown}");
    let (_, said) = removed(plane, "olm/mesh -n operators", &[]);
    assert!(!is_there(plane, "clusterserviceversions.operators.coreos.com mesh.v1 -n operators"), "{said}");
    assert!(is_there(plane, "clusterserviceversions.operators.coreos.com mesh.v2 -n mallory"), "{said}");
    let (_, said) = removed(plane, "fleet/op -n team", &[]);
    assert!(!is_there(plane, "bundles.fleet.cattle.io op -n team"), "{said}");
}

fn votes_count_where_the_product_is(plane: &ControlPlane) {
    let release = "annotations: {meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: operators}";
    let object = |namespace: &str, name: &str| {
        format!(
            "---\n{{apiVersion: v1, kind: ServiceAccount, metadata: {{name: {name}, namespace: {namespace}, {release}}}}}\n"
        )
    };
    plane.apply(&object("operators", "web"));
    let votes: String = (0..12).map(|number| object("mallory", &format!("v{number}"))).collect();
    let path = plane.dir().join("votes.yaml");
    std::fs::write(&path, votes).expect("it is written");
    plane.kubectl_ok(&["apply", "--server-side", "--field-manager=mallory", "-f", &path.to_string_lossy()]);
    let (code, said) = removed(plane, "helm/shop -n operators", &["serviceaccount v1 -n mallory"]);
    assert_eq!(code, Some(0), "{said}");
    let web = "serviceaccount web -n operators";
    wait_until(web, Duration::from_secs(30), || !is_there(plane, web));
    // Nothing is left of it but what is marked elsewhere.
    let (code, said) = removed(plane, "helm/shop -n operators", &["serviceaccount v1 -n mallory"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("nothing was deleted"), "{said}");
}
