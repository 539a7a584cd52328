//! Each installer's products, and their objects.

mod kapp;

use super::{Made, Rows, all, made};
use crate::facts::Facts;
use crate::survey::{InMemory, Object, Resource, ResourceId, Seen, Survey};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// An object with its group, plural and kind.
type GivenRow = (&'static str, &'static str, &'static str, Value);

fn deployment(namespace: &str, metadata: &Value) -> GivenRow {
    ("apps", "deployments", "Deployment", with(json!({"namespace": namespace, "name": "op"}), metadata))
}

/// An object that a tenant can create.
fn foreign(metadata: &Value) -> GivenRow {
    ("", "configmaps", "ConfigMap", with(json!({"namespace": "tenant", "name": "foreign"}), metadata))
}

fn with(metadata: Value, more: &Value) -> Value {
    let mut metadata = metadata;
    let (Some(all), Some(more)) = (metadata.as_object_mut(), more.as_object()) else { return metadata };
    all.extend(more.clone());
    json!({"metadata": metadata})
}

/// Surveys a cluster with these objects.
fn survey(rows: &[GivenRow]) -> Survey {
    let kind = |(group, plural, kind, object): &GivenRow| {
        (*group, *plural, *kind, object["metadata"]["namespace"].is_string())
    };
    let kinds: BTreeSet<_> = rows.iter().map(kind).collect();
    let kinds = kinds.into_iter().map(|(group, plural, kind, namespaced)| {
        let verbs = ["get", "list", "delete"].map(Into::into).to_vec();
        Resource { verbs, ..Resource::tested(group, plural, kind, namespaced) }
    });
    let mut cluster = InMemory::holding("2026-01-02T00:00:00Z", kinds, []);
    for (group, plural, kind, object) in rows {
        let mut object = object.clone();
        let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default();
        object["metadata"]["uid"] = format!("{kind}/{}/{}", text("namespace"), text("name")).into();
        cluster.add(&ResourceId::new(group, "v1", plural), Object::single(object).unwrap());
    }
    cluster.surveyed(|survey| {
        let facts = Facts::new(survey);
        if let Ok(rows) = Rows::read(&facts) {
            for product in all(&rows) {
                let _ = made(&product, None, &rows, &facts);
            }
        }
        facts.into_wants().0
    })
}

/// The kinds of a product's objects.
#[derive(Debug, PartialEq, Eq)]
struct Kinds {
    own: Vec<String>,
    remover: Option<String>,
    counts: Vec<String>,
    members: Vec<String>,
    apart: Vec<(String, String)>,
}

/// The kinds of the objects of the product with that name.
fn kinds(words: &str, rows: &[GivenRow]) -> Kinds {
    let survey = survey(rows);
    let facts = Facts::new(&survey);
    let rows = Rows::read(&facts).unwrap();
    let found = all(&rows);
    let product = found.iter().find(|it| it.words() == words).unwrap_or_else(|| {
        panic!("{words} is not among {:?}", found.iter().map(super::Installed::words).collect::<Vec<_>>())
    });
    let Made { own, remover, counts, members, apart, .. } = made(product, None, &rows, &facts).unwrap();
    let kind = |seen: &Seen<'_>| seen.resource.kind.clone();
    let all = |seen: Vec<Seen<'_>>| {
        let mut kinds: Vec<String> = seen.iter().map(kind).collect();
        kinds.sort();
        kinds
    };
    Kinds {
        own: own.iter().map(kind).collect(),
        remover: remover.as_ref().map(kind),
        counts: all(counts),
        members: all(members),
        apart: apart.iter().map(|it| (kind(&it.seen), it.why.clone())).collect(),
    }
}

/// The namespace that Fleet makes for a cluster.
fn place_of_a_cluster() -> GivenRow {
    let annotations = json!({"annotations": {"fleet.cattle.io/cluster-namespace": "local"}});
    ("", "namespaces", "Namespace", with(json!({"name": "cluster-local"}), &annotations))
}

/// An account of this namespace that may delete everything.
fn master(namespace: &str) -> [GivenRow; 2] {
    let rules = json!([{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]);
    let subjects = json!([{"kind": "ServiceAccount", "namespace": namespace, "name": "controller"}]);
    let role = json!({"metadata": {"name": "master"}, "rules": rules});
    let reference = json!({"kind": "ClusterRole", "name": "master"});
    let binding = json!({"metadata": {"name": "master"}, "roleRef": reference, "subjects": subjects});
    let group = "rbac.authorization.k8s.io";
    [(group, "clusterroles", "ClusterRole", role), (group, "clusterrolebindings", "ClusterRoleBinding", binding)]
}

fn bundle_deployment() -> GivenRow {
    let resources = json!([{"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "ops", "name": "op"}]);
    let labels = json!({"fleet.cattle.io/bundle-name": "op", "fleet.cattle.io/bundle-namespace": "local"});
    let metadata = json!({"namespace": "cluster-local", "name": "op", "labels": labels});
    let object = json!({"metadata": metadata, "status": {"resources": resources}});
    ("fleet.cattle.io", "bundledeployments", "BundleDeployment", object)
}

#[test]
fn a_bundle_takes_along_what_its_deployments_list() {
    let marks = json!({"annotations": {"objectset.rio.cattle.io/id": "default-op"}});
    let bundle =
        ("fleet.cattle.io", "bundles", "Bundle", with(json!({"namespace": "local", "name": "op"}), &json!({})));
    let rows = [bundle, place_of_a_cluster(), bundle_deployment(), deployment("ops", &marks), foreign(&marks)];
    let whole = kinds("fleet/op -n local", &rows);
    assert_eq!((whole.own, whole.remover), (vec!["Bundle".to_owned()], Some("Bundle".into())));
    assert_eq!(whole.members, ["BundleDeployment", "Deployment"]);
    assert_eq!(whole.apart, [("ConfigMap".to_owned(), "the installer does not list it".to_owned())]);
    // In the cluster of an agent there is no Bundle.
    let alone = kinds("fleet/op -n local", &[place_of_a_cluster(), bundle_deployment(), deployment("ops", &marks)]);
    assert_eq!((alone.own, alone.members), (vec!["BundleDeployment".to_owned()], vec!["Deployment".to_owned()]));
}

/// An Application with the finalizer of the cascade, unless `finalizers` are others.
fn application(namespace: &str, finalizers: &[&str]) -> GivenRow {
    let metadata = json!({"namespace": namespace, "name": "op", "finalizers": finalizers});
    ("argoproj.io", "applications", "Application", json!({"metadata": metadata}))
}

const CASCADES: &str = "resources-finalizer.argocd.argoproj.io";

#[test]
fn applications_of_one_name_are_two_products() {
    let tracked = |id: &str| json!({"annotations": {"argocd.argoproj.io/tracking-id": id}});
    let of_team = deployment("ops", &tracked("team_op:apps/Deployment:ops/op"));
    let other =
        ("", "services", "Service", with(json!({"namespace": "web", "name": "op"}), &tracked("op:/Service:web/op")));
    let rows = [application("argocd", &[CASCADES]), application("team", &[CASCADES]), of_team, other.clone()];
    let found = kinds("argocd/op -n team", &rows);
    assert_eq!((found.own.len(), found.members), (1, vec!["Deployment".to_owned()]));
    // An id without a namespace fits both.
    assert_eq!(kinds("argocd/op -n argocd", &rows).members, [""; 0]);
    let rows = [application("argocd", &[CASCADES]), other];
    assert_eq!(kinds("argocd/op -n argocd", &rows).members, [""; 0], "it may be that of another Argo CD");
    let one = kinds("argocd/op -n argocd", &[&rows[..], &master("argocd")].concat());
    assert_eq!(one.members, ["Service"], "it fits the only one");
}

#[test]
fn a_bundle_is_never_a_part_of_another() {
    let labels = json!({"labels": {"fleet.cattle.io/bundle-name": "op", "fleet.cattle.io/bundle-namespace": "local"}});
    let bundle = |namespace: &str, name: &str, more: &Value| {
        ("fleet.cattle.io", "bundles", "Bundle", with(json!({"namespace": namespace, "name": name}), more))
    };
    let rows = [bundle("local", "op", &json!({})), bundle("tenant", "theirs", &labels)];
    assert_eq!(kinds("fleet/op -n local", &rows).own, ["Bundle"]);
    assert_eq!(kinds("fleet/theirs -n tenant", &rows).own, ["Bundle"]);
}

#[test]
fn packages_of_one_name_are_told_apart_by_their_kinds() {
    let package = |plural, kind| ("pkg.crossplane.io", plural, kind, json!({"metadata": {"name": "op"}}));
    let survey = survey(&[package("providers", "Provider"), package("functions", "Function")]);
    let facts = Facts::new(&survey);
    let rows = Rows::read(&facts).unwrap();
    assert_eq!(all(&rows).iter().map(|it| it.own.len()).collect::<Vec<_>>(), [1, 1]);
}

/// The reason why the deletion of an installer's own object leaves everything.
fn stays(words: &str, own: GivenRow) -> Option<&'static str> {
    let survey = survey(&[own]);
    let facts = Facts::new(&survey);
    let rows = Rows::read(&facts).unwrap();
    let found = all(&rows);
    let product = found.iter().find(|it| it.words() == words).expect(words);
    made(product, None, &rows, &facts).unwrap().stays
}

#[test]
fn own_objects_leave_everything_by_their_own_rules() {
    let of = |group, plural, kind, more: Value| {
        let mut object = json!({"metadata": {"namespace": "ops", "name": "op"}});
        object.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        (group, plural, kind, object)
    };
    let flux = |spec: Value| {
        stays(
            "flux/op -n ops",
            of("kustomize.toolkit.fluxcd.io", "kustomizations", "Kustomization", json!({"spec": spec})),
        )
    };
    assert_eq!(flux(json!({"prune": true})), None);
    assert_eq!(flux(json!({"prune": false})), Some("spec.prune is false"));
    assert_eq!(flux(json!({"prune": false, "deletionPolicy": "Delete"})), None);
    assert_eq!(flux(json!({"prune": true, "deletionPolicy": "Orphan"})), Some("spec.deletionPolicy is Orphan"));
    assert_eq!(flux(json!({"prune": true, "suspend": true})), Some("it is suspended (spec.suspend)"));
    assert_eq!(stays("argocd/op -n a", application("a", &[CASCADES])), None);
    assert_eq!(stays("argocd/op -n a", application("a", &[&format!("{CASCADES}/background")])), None);
    let missing = Some("it has no finalizer resources-finalizer.argocd.argoproj.io");
    assert_eq!(stays("argocd/op -n a", application("a", &[])), missing);
    let app = |spec: Value| stays("carvel/op -n ops", of("kappctrl.k14s.io", "apps", "App", json!({"spec": spec})));
    assert_eq!((app(json!({})), app(json!({"noopDelete": true}))), (None, Some("spec.noopDelete is true")));
    let bundle =
        |spec: Value| stays("fleet/op -n ops", of("fleet.cattle.io", "bundles", "Bundle", json!({"spec": spec})));
    assert_eq!((bundle(json!({})), bundle(json!({"keepResources": true}))), (None, Some("keepResources is true")));
}

#[test]
fn marked_objects_stay_by_their_installers_rules() {
    let kept = |words: &str, metadata: Value| {
        let survey = survey(&[deployment("ops", &metadata)]);
        let facts = Facts::new(&survey);
        let rows = Rows::read(&facts).unwrap();
        let found = all(&rows);
        let product = found.iter().find(|it| it.words() == words).expect(words);
        let misleads = product.marked.iter().any(|it| (product.installer.fails_to_keep)(&it.object.metadata).is_some());
        (made(product, None, &rows, &facts).unwrap().keeps.pop().map(|(_, why)| why), misleads)
    };
    let helm = |policy: &str| {
        let release = json!({"meta.helm.sh/release-name": "op", "meta.helm.sh/release-namespace": "ops", "helm.sh/resource-policy": policy});
        kept("helm/op -n ops", json!({"annotations": release}))
    };
    assert_eq!((helm("keep"), helm("")), ((Some("helm.sh/resource-policy: keep"), false), (None, false)));
    let argocd = |options: &str| {
        let annotations = json!({"argocd.argoproj.io/sync-options": options});
        kept("argocd/op", json!({"labels": {"argocd.argoproj.io/instance": "op"}, "annotations": annotations}))
    };
    let stays = Some("argocd.argoproj.io/sync-options: Delete=false");
    assert_eq!(argocd("Validate=false, Delete=false"), (stays, false));
    let stays = Some("an annotation keeps it in a sync");
    assert_eq!(argocd("Prune=false"), (stays, true), "no Application is left that would delete it");
    let flux = json!({"kustomize.toolkit.fluxcd.io/name": "op", "kustomize.toolkit.fluxcd.io/namespace": "ops",
        "kustomize.toolkit.fluxcd.io/prune": "disabled"});
    let stays = Some("kustomize.toolkit.fluxcd.io/prune: disabled");
    assert_eq!(kept("flux/op -n ops", json!({"labels": flux})), (stays, false));
}

const OLM: &str = "operators.coreos.com";

/// A Subscription, the Operator that counts all objects with the label, whoever set it, and more.
fn of_olm(more: &[GivenRow]) -> Kinds {
    let labels = json!({"labels": {"operators.coreos.com/op.ops": ""}});
    let named = |name: &str| with(json!({"namespace": "ops", "name": name}), &labels);
    let component = json!({"apiVersion": "v1", "kind": "ConfigMap", "namespace": "tenant", "name": "foreign"});
    let operator = json!({"metadata": {"name": "op.ops"}, "status": {"components": {"refs": [component]}}});
    let rows = [
        (OLM, "subscriptions", "Subscription", named("op")),
        (OLM, "operators", "Operator", operator),
        deployment("ops", &labels),
        foreign(&labels),
    ];
    kinds("olm/op -n ops", &[&rows, more].concat())
}

#[test]
fn olm_objects_have_their_roles() {
    let version =
        json!({"metadata": {"namespace": "ops", "name": "op.v1", "labels": {"operators.coreos.com/op.ops": ""}}});
    let version = [(OLM, "clusterserviceversions", "ClusterServiceVersion", version)];
    let found = of_olm(&version);
    assert_eq!(found.own, ["Subscription", "ClusterServiceVersion"]);
    assert_eq!((found.remover, found.counts), (Some("ClusterServiceVersion".into()), vec!["Operator".to_owned()]));
    assert_eq!(found.members, ["Deployment"]);
    let apart = ("ConfigMap".to_owned(), "namespace tenant is not that of the product".to_owned());
    assert_eq!(found.apart, std::slice::from_ref(&apart));
    let failed = of_olm(&[]);
    assert_eq!((failed.remover, failed.members), (None, vec!["Deployment".to_owned()]), "nothing would be removed");
    assert_eq!(failed.apart, [apart]);
}

#[test]
fn kapp_signs_what_it_makes() {
    let label = json!({"labels": {"kapp.k14s.io/app": "17"}});
    let signed = |identity: &str| json!({"labels": {"kapp.k14s.io/app": "17"}, "annotations": {"kapp.k14s.io/identity": identity}});
    let own = deployment("ops", &signed("v1;ops/apps/Deployment/op;apps/v1"));
    let copy = foreign(&signed("v1;ops/apps/Deployment/op;apps/v1"));
    for foreign in [foreign(&label), copy] {
        let found = kinds("kapp/17", &[own.clone(), foreign]);
        assert_eq!(found.members, ["Deployment"]);
        assert_eq!(
            found.apart,
            [("ConfigMap".to_owned(), "the installer has signed the other objects, but not this one".to_owned())]
        );
    }
    let app = json!({"metadata": {"namespace": "packages", "name": "op"}, "status": {"deploy": {"kapp":
        {"associatedResources": {"label": "kapp.k14s.io/app=17", "namespaces": ["ops"]}}}}});
    let app = ("kappctrl.k14s.io", "apps", "App", app);
    let [role, binding] = master("packages");
    let rows = [app.clone(), own, foreign(&label)];
    assert_eq!(kinds("carvel/op -n packages", &rows).members, [""; 0], "anybody may write such an App");
    let found = kinds("carvel/op -n packages", &[&rows[..], &master("packages")].concat());
    assert_eq!((found.members, found.apart.len()), (vec!["Deployment".to_owned()], 1));
    // Nothing is signed: the App names the namespaces.
    let found = kinds("carvel/op -n packages", &[app, deployment("ops", &label), foreign(&label), role, binding]);
    assert_eq!(found.members, ["Deployment"]);
    assert_eq!(found.apart[0].1, "namespace tenant is not that of the product");
}

#[test]
fn without_an_inventory_the_marks_decide() {
    let flux = json!({"labels": {"kustomize.toolkit.fluxcd.io/name": "op",
        "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}});
    let account = |namespace: &str| {
        ("", "serviceaccounts", "ServiceAccount", with(json!({"namespace": namespace, "name": "op"}), &flux))
    };
    let found = kinds("flux/op -n flux-system", &[deployment("ops", &flux), account("ops"), foreign(&flux)]);
    assert_eq!(found.members, ["Deployment", "ServiceAccount"]);
    assert_eq!(found.apart, [("ConfigMap".to_owned(), "namespace tenant is not that of the product".to_owned())]);
    let found = kinds("flux/op -n flux-system", &[account("ops"), foreign(&flux)]);
    assert_eq!((found.members, found.apart.len()), (vec!["ServiceAccount".to_owned()], 1), "without a workload");
    // During the removal less and less is left; Argo CD names no namespace.
    let argocd = json!({"labels": {"argocd.argoproj.io/instance": "op"}});
    let role = ("rbac.authorization.k8s.io", "clusterroles", "ClusterRole", with(json!({"name": "op"}), &argocd));
    let claim = ("", "persistentvolumeclaims", "PersistentVolumeClaim", json!({"namespace": "ops", "name": "op"}));
    let claim = (claim.0, claim.1, claim.2, with(claim.3, &argocd));
    let found = kinds("argocd/op", &[role.clone(), claim, foreign(&argocd)]);
    assert_eq!(found.members, ["PersistentVolumeClaim"]);
    let perhaps = "perhaps: its label or annotation does not say that it belongs to the product";
    assert_eq!([&*found.apart[0].1, &*found.apart[1].1], ["namespace tenant is not that of the product", perhaps]);
    let found = kinds("argocd/op", &[role, foreign(&argocd)]);
    assert_eq!(found.members, [""; 0]);
    let alone = "nothing else of the product is in namespace tenant";
    assert_eq!([&*found.apart[0].1, &*found.apart[1].1], [alone, perhaps]);
    // A binding that names the namespace of the rest speaks for all that is cluster-scoped.
    let binding = json!({"metadata": with(json!({"name": "op"}), &argocd)["metadata"].clone(),
        "subjects": [{"kind": "ServiceAccount", "namespace": "ops", "name": "op"}]});
    let binding = ("rbac.authorization.k8s.io", "clusterrolebindings", "ClusterRoleBinding", binding);
    let found = kinds("argocd/op", &[deployment("ops", &argocd), binding]);
    assert_eq!(found.members, ["ClusterRoleBinding", "Deployment"]);
}
