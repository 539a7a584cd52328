//! Products of which a tenant forges the records, marks and owners: nothing is deleted outside of the tenant's
//! namespace, and nothing of the product is left.

use super::{NOW, report_for};
use crate::diagnosis::preflight;
use crate::kubernetes::admission::GROUP;
use crate::random::Random;
use crate::report::Report;
use crate::survey::{Cascade, InMemory, Object, ProductName, Purpose, Resource};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A product as a user names it: installer, name and namespace.
type AskedProduct = (&'static str, &'static str, Option<&'static str>);
type GivenObject = (&'static str, Value);

/// The namespace of the tenant.
const MALLORY: &str = "mallory";
const CASCADES: &str = "resources-finalizer.argocd.argoproj.io";

const KINDS: [(&str, &str, &str, bool); 27] = [
    ("", "namespaces", "Namespace", false),
    ("", "configmaps", "ConfigMap", true),
    ("", "serviceaccounts", "ServiceAccount", true),
    ("", "services", "Service", true),
    ("apps", "deployments", "Deployment", true),
    ("acme.example", "databases", "Database", true),
    ("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition", false),
    (GROUP, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false),
    ("rbac.authorization.k8s.io", "clusterroles", "ClusterRole", false),
    ("rbac.authorization.k8s.io", "clusterrolebindings", "ClusterRoleBinding", false),
    ("rbac.authorization.k8s.io", "roles", "Role", true),
    ("rbac.authorization.k8s.io", "rolebindings", "RoleBinding", true),
    ("argoproj.io", "applications", "Application", true),
    ("kustomize.toolkit.fluxcd.io", "kustomizations", "Kustomization", true),
    ("helm.toolkit.fluxcd.io", "helmreleases", "HelmRelease", true),
    ("kappctrl.k14s.io", "apps", "App", true),
    ("packaging.carvel.dev", "packageinstalls", "PackageInstall", true),
    ("fleet.cattle.io", "bundles", "Bundle", true),
    ("fleet.cattle.io", "bundledeployments", "BundleDeployment", true),
    ("operators.coreos.com", "subscriptions", "Subscription", true),
    ("operators.coreos.com", "clusterserviceversions", "ClusterServiceVersion", true),
    ("operators.coreos.com", "operators", "Operator", false),
    ("olm.operatorframework.io", "clusterextensions", "ClusterExtension", false),
    ("olm.operatorframework.io", "clusterobjectsets", "ClusterObjectSet", false),
    ("pkg.crossplane.io", "providers", "Provider", false),
    ("pkg.crossplane.io", "providerrevisions", "ProviderRevision", false),
    ("pkg.crossplane.io", "functions", "Function", false),
];

/// An object of the kind with this plural name. `more` has its other fields.
fn row(plural: &'static str, namespace: Option<&str>, name: &str, metadata: &Value, more: Value) -> GivenObject {
    let (_, _, kind, namespaced) = KINDS.iter().find(|kind| kind.1 == plural).expect("a kind");
    let namespace = namespace.filter(|_| *namespaced);
    let mut all = json!({"name": name, "namespace": namespace,
        "uid": format!("{kind}/{}/{name}", namespace.unwrap_or_default())});
    all.as_object_mut().unwrap().extend(metadata.as_object().cloned().unwrap_or_default());
    let mut object = more;
    object["metadata"] = all;
    (plural, object)
}

fn plain(plural: &'static str, namespace: &str, name: &str, metadata: &Value) -> GivenObject {
    row(plural, Some(namespace), name, metadata, json!({}))
}

fn cluster(rows: &[GivenObject]) -> InMemory {
    let kinds = KINDS.map(|(group, plural, kind, namespaced)| Resource::tested(group, plural, kind, namespaced));
    InMemory::holding(NOW, kinds, rows.iter().cloned())
}

/// The preflight of `installer/name -n namespace`.
fn foreseen(rows: &[GivenObject], installer: &str, name: &str, namespace: Option<&str>) -> Report {
    let cluster = cluster(rows);
    let name = ProductName {
        installer: installer.into(),
        name: name.into(),
        namespace: namespace.map(Into::into),
        ..ProductName::default()
    };
    let mut survey = cluster.survey();
    survey.purpose = Purpose::Preflight { cascade: Cascade::Background, products: vec![name] };
    report_for(survey, &cluster, |survey| preflight::diagnose(survey, &[], Cascade::Background))
}

/// What the steps of a report delete, as `Kind namespace/name`.
fn deleted(report: &Report) -> BTreeSet<String> {
    report.order.iter().flat_map(|turn| &turn.steps).map(|step| step.object.to_string()).collect()
}

/// The commands that delete something.
fn commands(report: &Report) -> impl Iterator<Item = &String> {
    report.order.iter().flat_map(|turn| &turn.commands)
}

fn apart(report: &Report) -> Vec<String> {
    let all = report.products.iter().flat_map(|product| &product.apart);
    all.map(|note| format!("{}: {}", note.object, note.why)).collect()
}

/// The objects of others, which no product of a tenant owns.
fn of_others() -> Vec<GivenObject> {
    let none = json!({});
    let instance = json!({"labels": {"app.kubernetes.io/instance": "mesh-base"}});
    let hook = json!({"webhooks": [{"name": "a.mesh.example", "clientConfig": {"service": {"namespace": "mesh", "name": "hook"}}}]});
    vec![
        plain("namespaces", "", "team", &none),
        plain("databases", "team", "orders", &json!({"finalizers": ["acme.example/clean-up"]})),
        row("validatingwebhookconfigurations", None, "mesh-guard", &instance, hook),
    ]
}

/// An account that may delete everything.
fn master(namespace: &str, name: &str) -> [GivenObject; 2] {
    let all = json!({"rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]});
    let subject = json!({"kind": "ServiceAccount", "namespace": namespace, "name": name});
    let role = format!("{namespace}-{name}");
    let binding = json!({"roleRef": {"kind": "ClusterRole", "name": role}, "subjects": [subject]});
    let none = json!({});
    [row("clusterroles", None, &role, &none, all), row("clusterrolebindings", None, &role, &none, binding)]
}

fn entry(group: &str, kind: &str, namespace: &str, name: &str) -> Value {
    json!({"group": group, "version": "v1", "kind": kind, "namespace": namespace, "name": name})
}

fn application(namespace: &str, name: &str, finalizers: &[&str], resources: &Value) -> GivenObject {
    let status = json!({"status": {"resources": resources}});
    row("applications", Some(namespace), name, &json!({"finalizers": finalizers}), status)
}

#[test]
fn a_record_alone_deletes_nothing_elsewhere() {
    let listed = json!([
        entry("acme.example", "Database", "team", "orders"),
        entry(GROUP, "ValidatingWebhookConfiguration", "", "mesh-guard"),
        entry("", "ConfigMap", MALLORY, "own"),
    ]);
    let own = plain("configmaps", MALLORY, "own", &json!({}));
    let rows = [of_others(), vec![own, application(MALLORY, "blog", &[CASCADES], &listed)]].concat();
    let report = foreseen(&rows, "argocd", "blog", Some(MALLORY));
    assert_eq!(deleted(&report), ["Application mallory/blog".to_owned()].into());
    let why = "listed by the installer, but not deleted: nothing on the object says that it belongs to the product: kubectl get";
    assert_eq!(
        apart(&report),
        [
            format!("Database team/orders: {why} databases.acme.example/orders -n team"),
            format!(
                "ValidatingWebhookConfiguration mesh-guard: {why} validatingwebhookconfigurations.{GROUP}/mesh-guard"
            )
        ]
    );
    assert!(!commands(&report).any(|command| command.contains("orders") || command.contains("mesh-guard")));
}

#[test]
fn what_a_kept_product_lists_is_kept() {
    let listed = json!([entry("acme.example", "Database", "team", "orders")]);
    let inventory = json!({"entries": [{"id": "team_orders_acme.example_Database", "v": "v1"}]});
    let marks = json!({"labels": {"kapp.k14s.io/app": "17"}});
    let kapp = json!({"associatedResources": {"label": "kapp.k14s.io/app=17", "namespaces": ["team"]}});
    let spec = |plural, spec: Value, status: Value| {
        row(plural, Some(MALLORY), "blog", &json!({}), json!({"spec": spec, "status": status}))
    };
    for (installer, own) in [
        ("argocd", application(MALLORY, "blog", &[], &listed)),
        ("flux", spec("kustomizations", json!({"prune": false}), json!({"inventory": inventory}))),
        ("carvel", spec("apps", json!({"noopDelete": true}), json!({"deploy": {"kapp": kapp}}))),
    ] {
        let kind = own.0;
        let theirs = plain("databases", "team", "other", &marks);
        let report = foreseen(&[of_others(), vec![own, theirs]].concat(), installer, "blog", Some(MALLORY));
        assert_eq!(deleted(&report).len(), 1, "{kind}: {:?}", deleted(&report));
        assert!(deleted(&report).iter().all(|object| object.contains("mallory/blog")), "{kind}");
    }
    // An object that says that it belongs to the product is kept where the installer would keep it.
    let tracked =
        json!({"annotations": {"argocd.argoproj.io/tracking-id": "mallory_blog:acme.example/Database:team/x"}});
    let theirs = plain("databases", "team", "x", &tracked);
    let listed = json!([entry("acme.example", "Database", "team", "x")]);
    let rows = [of_others(), vec![theirs, application(MALLORY, "blog", &[], &listed)]].concat();
    let report = foreseen(&rows, "argocd", "blog", Some(MALLORY));
    assert_eq!(deleted(&report), ["Application mallory/blog".to_owned()].into());
    let keeps = &report.products[0].keeps;
    assert!(keeps[0].why.contains("no finalizer resources-finalizer"), "{}", keeps[0].why);
}

#[test]
fn a_common_label_reaches_no_other_place() {
    let label = json!({"labels": {"app.kubernetes.io/instance": "mesh-base"}});
    let rows = [of_others(), vec![plain("deployments", MALLORY, "web", &label)]].concat();
    let report = foreseen(&rows, "instance", "mesh-base", Some(MALLORY));
    assert_eq!(deleted(&report), ["Deployment mallory/web".to_owned()].into());
    assert!(apart(&report)[0].contains("mesh-guard: perhaps: "), "{:?}", apart(&report));
}

#[test]
fn what_the_account_of_an_app_may_not_delete_is_no_member() {
    let kustomization = |account: Value| {
        let status = json!({"inventory": {"entries": [{"id": "team_x_acme.example_Database", "v": "v1"}]}});
        let spec = json!({"prune": true, "serviceAccountName": account});
        row("kustomizations", Some("apps"), "x", &json!({}), json!({"spec": spec, "status": status}))
    };
    let labels = json!({"kustomize.toolkit.fluxcd.io/name": "x", "kustomize.toolkit.fluxcd.io/namespace": "apps"});
    let database = plain("databases", "team", "x", &json!({"labels": labels}));
    let of = |more: Vec<GivenObject>| foreseen(&[vec![database.clone()], more].concat(), "flux", "x", Some("apps"));
    let counted = |report: &Report| (report.products[0].objects, report.products[0].outside);
    assert_eq!(counted(&of(vec![kustomization(Value::Null)])), (2, 1));
    let refused = of(vec![kustomization("deployer".into())]);
    assert_eq!(counted(&refused), (1, 0));
    assert!(apart(&refused)[0].contains("ServiceAccount apps/deployer"), "{:?}", apart(&refused));
    let allowed = [vec![kustomization("deployer".into())], master("apps", "deployer").to_vec()].concat();
    assert_eq!(counted(&of(allowed)), (2, 1));
}

const PLACE: &str = "operators";

/// An operator of an administrator, as OLM installs it.
fn operator() -> Vec<GivenObject> {
    let label = json!({"operators.coreos.com/mesh.operators": ""});
    let owned = json!({"spec": {"customresourcedefinitions": {"owned": [{"name": "meshes.acme.example"}]}}});
    let metadata = json!({"labels": label});
    vec![
        plain("subscriptions", PLACE, "mesh", &metadata),
        row("clusterserviceversions", Some(PLACE), "mesh.v1", &metadata, owned),
        plain("deployments", PLACE, "mesh", &metadata),
        row("customresourcedefinitions", None, "meshes.acme.example", &metadata, json!({})),
        row("customresourcedefinitions", None, "databases.acme.example", &json!({}), json!({})),
    ]
}

#[test]
fn a_version_elsewhere_adds_nothing_to_an_operator() {
    let rows = [of_others(), operator()].concat();
    let genuine = foreseen(&rows, "olm", "mesh", Some(PLACE));
    assert!(deleted(&genuine).contains("CustomResourceDefinition meshes.acme.example"), "{:?}", deleted(&genuine));
    let owned = json!({"spec": {"customresourcedefinitions": {"owned": [{"name": "databases.acme.example"}]}}});
    let label = json!({"labels": {"operators.coreos.com/mesh.operators": ""}});
    let forged = row("clusterserviceversions", Some(MALLORY), "mesh.v2", &label, owned.clone());
    let report = foreseen(&[rows.clone(), vec![forged]].concat(), "olm", "mesh", Some(PLACE));
    assert_eq!(deleted(&report), deleted(&genuine));
    // Nor does a version in the right place delete a definition that does not say so.
    let second = row("clusterserviceversions", Some(PLACE), "mesh.v2", &label, owned);
    let report = foreseen(&[rows, vec![second]].concat(), "olm", "mesh", Some(PLACE));
    assert!(!deleted(&report).contains("CustomResourceDefinition databases.acme.example"), "{:?}", deleted(&report));
}

fn signed(plural: &'static str, namespace: &str, name: &str) -> GivenObject {
    let (group, _, kind, _) = KINDS.iter().find(|kind| kind.1 == plural).expect("a kind");
    let identity = format!("v1;{namespace}/{group}/{kind}/{name};v1");
    let metadata = json!({"labels": {"kapp.k14s.io/app": "17"}, "annotations": {"kapp.k14s.io/identity": identity}});
    plain(plural, namespace, name, &metadata)
}

fn change(namespace: &str, app: &str) -> GivenObject {
    let labels = json!({"kapp.k14s.io/app-change-app": app, "kapp.k14s.io/app-change-app-label": "17"});
    plain("configmaps", namespace, &format!("{app}-change"), &json!({"labels": labels}))
}

/// An app of kapp with a role of its account.
fn app() -> Vec<GivenObject> {
    let mut binding = signed("clusterrolebindings", "", "demo");
    binding.1["subjects"] = json!([{"kind": "ServiceAccount", "namespace": "ops", "name": "demo"}]);
    vec![change("ops", "demo"), signed("deployments", "ops", "demo"), signed("clusterroles", "", "demo"), binding]
}

#[test]
fn a_record_of_a_change_renames_no_other_app() {
    let names = |rows: &[GivenObject], namespace| {
        let report = foreseen(rows, "kapp", "demo", Some(namespace));
        (deleted(&report), report.unread.iter().map(|note| note.why.to_string()).collect::<Vec<_>>())
    };
    let (genuine, _) = names(&app(), "ops");
    assert_eq!(genuine.len(), 3, "{genuine:?}");
    let alone = [app(), vec![change("zed", "demo")]].concat();
    assert_eq!(names(&alone, "ops").0, genuine);
    let (none, why) = names(&alone, "zed");
    assert!(none.is_empty() && why[0].contains("not found"), "{none:?} {why:?}");
    // With an object of the number, two records claim it.
    let both = [alone, vec![signed("configmaps", "zed", "own")]].concat();
    for namespace in ["ops", "zed"] {
        let (none, why) = names(&both, namespace);
        assert!(none.is_empty() && why[0].contains("claim the same objects"), "{none:?} {why:?}");
    }
}

/// The number of an app that kapp made at [`MADE`].
const NUMBER: &str = "1767225600123456789";
const MADE: &str = "2026-01-01T00:00:00Z";

/// An app whose record is in a namespace without objects of it, with a record of the time in its number.
fn spanning_app() -> Vec<GivenObject> {
    let part = |plural, namespace: &str| {
        let mut part = signed(plural, namespace, "wide");
        part.1["metadata"]["labels"]["kapp.k14s.io/app"] = NUMBER.into();
        part
    };
    let mut record = change("apps", "wide");
    record.1["metadata"]["labels"]["kapp.k14s.io/app-change-app-label"] = NUMBER.into();
    record.1["metadata"]["creationTimestamp"] = MADE.into();
    let parts = [part("deployments", "ops"), part("databases", "team"), part("clusterroles", "")];
    [vec![record], parts.to_vec()].concat()
}

fn of_release(plural: &'static str, namespace: &str, name: &str, manager: &str) -> GivenObject {
    let annotations = json!({"meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "ops"});
    let fields = json!([{"manager": manager, "operation": "Update", "fieldsV1": {"f:spec": {}}}]);
    plain(plural, namespace, name, &json!({"annotations": annotations, "managedFields": fields}))
}

#[test]
fn objects_elsewhere_do_not_outvote_a_release() {
    let release = vec![of_release("deployments", "ops", "web", "helm"), of_release("services", "ops", "web", "helm")];
    let votes = (0..12).map(|number| of_release("services", MALLORY, &format!("v{number}"), "mallory")).collect();
    let genuine = deleted(&foreseen(&release, "helm", "shop", Some("ops")));
    assert_eq!(genuine.len(), 2);
    let report = foreseen(&[release, votes].concat(), "helm", "shop", Some("ops"));
    assert_eq!((deleted(&report), report.products[0].apart.len()), (genuine, 12));
}

/// A bundle with its deployment in the namespace of a cluster.
fn bundle() -> Vec<GivenObject> {
    let id = json!({"annotations": {"objectset.rio.cattle.io/id": "default-op"}});
    let place = json!({"annotations": {"fleet.cattle.io/cluster-namespace": "fleet-local"}});
    vec![
        plain("namespaces", "", "cluster-1", &place),
        plain("bundles", "fleet-local", "op", &json!({"finalizers": ["fleet.cattle.io/bundle-finalizer"]})),
        of_bundle("cluster-1", &json!([entry("apps", "Deployment", "ops", "op"), entry("", "ConfigMap", "team", "x")])),
        plain("deployments", "ops", "op", &id),
        plain("configmaps", "victim", "precious", &id),
        plain("configmaps", "team", "x", &json!({})),
    ]
}

fn of_bundle(namespace: &str, resources: &Value) -> GivenObject {
    let labels = json!({"fleet.cattle.io/bundle-name": "op", "fleet.cattle.io/bundle-namespace": "fleet-local"});
    row(
        "bundledeployments",
        Some(namespace),
        "op",
        &json!({"labels": labels}),
        json!({"status": {"resources": resources}}),
    )
}

#[test]
fn a_deployment_of_a_bundle_counts_only_in_the_namespace_of_a_cluster() {
    let objects = |rows: &[GivenObject]| foreseen(rows, "fleet", "op", None).products[0].objects;
    assert_eq!(objects(&bundle()), 3, "its Bundle, the deployment of it and the Deployment");
    let forged = of_bundle(MALLORY, &json!([entry("", "ConfigMap", "victim", "precious")]));
    assert_eq!(objects(&[bundle(), vec![forged]].concat()), 3);
}

/// Every product of an administrator, with the words that name it.
fn genuine() -> (Vec<GivenObject>, Vec<AskedProduct>) {
    let mut rows = [of_others(), operator(), app(), spanning_app(), bundle()].concat();
    rows.extend(master("argocd", "controller"));
    rows.extend([of_release("deployments", "ops", "web", "helm"), of_release("services", "ops", "web", "helm")]);
    let mut role = of_release("clusterroles", "", "shop", "helm");
    role.1["rules"] = json!([]);
    rows.push(role);
    let tracked = json!({"annotations": {"argocd.argoproj.io/tracking-id": "wiki:apps/Deployment:wiki/wiki"}});
    rows.push(plain("deployments", "wiki", "wiki", &tracked));
    rows.push(application("argocd", "wiki", &[CASCADES], &json!([entry("apps", "Deployment", "wiki", "wiki")])));
    let labels =
        json!({"kustomize.toolkit.fluxcd.io/name": "infra", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"});
    rows.push(plain("databases", "infra", "main", &json!({"labels": labels})));
    let status = json!({"inventory": {"entries": [{"id": "infra_main_acme.example_Database", "v": "v1"}]}});
    let prune = json!({"spec": {"prune": true}, "status": status});
    rows.push(row("kustomizations", Some("flux-system"), "infra", &json!({}), prune));
    rows.push(row("providers", None, "cloud", &json!({}), json!({})));
    let owner =
        json!([{"apiVersion": "pkg.crossplane.io/v1", "kind": "Provider", "name": "cloud", "uid": "Provider//cloud"}]);
    rows.push(plain("deployments", "crossplane-system", "cloud", &json!({"ownerReferences": owner})));
    rows.push(row("clusterextensions", None, "lake", &json!({}), json!({})));
    let labels = json!({"olm.operatorframework.io/owner-kind": "ClusterExtension", "olm.operatorframework.io/owner-name": "lake"});
    rows.push(plain("deployments", "lake", "lake", &json!({"labels": labels})));
    let names = vec![
        ("olm", "mesh", Some(PLACE)),
        ("kapp", "demo", Some("ops")),
        ("kapp", "wide", Some("apps")),
        ("fleet", "op", Some("fleet-local")),
        ("helm", "shop", Some("ops")),
        ("argocd", "wiki", Some("argocd")),
        ("flux", "infra", Some("flux-system")),
        ("crossplane", "cloud", None),
        ("olm", "lake", None),
    ];
    (rows, names)
}

/// An object that a tenant writes: its record lists what is not the tenant's, and its marks are copies.
fn forged(number: usize, genuine: &[GivenObject], name: &str, random: &mut Random) -> GivenObject {
    let kinds: Vec<&(&str, &str, &str, bool)> = KINDS.iter().filter(|kind| kind.3).collect();
    let plural = random.pick(&kinds).1;
    let some = |random: &mut Random| -> Vec<Value> {
        let all = (0..=random.below(4)).map(|_| random.pick(genuine));
        let entry = |(plural, object): &GivenObject| {
            let (group, _, kind, _) = KINDS.iter().find(|kind| kind.1 == *plural).expect("a kind");
            let metadata = &object["metadata"];
            let text = |field: &str| metadata[field].as_str().unwrap_or_default().to_owned();
            let mut entry = entry(group, kind, &text("namespace"), &text("name"));
            entry["id"] = format!("{}_{}_{group}_{kind}", text("namespace"), text("name")).into();
            entry["uid"] = metadata["uid"].clone();
            entry["apiVersion"] = if group.is_empty() { "v1".into() } else { format!("{group}/v1").into() };
            entry
        };
        all.map(entry).collect()
    };
    let (mut labels, mut annotations) = (json!({}), json!({}));
    for _ in 0..=random.below(3) {
        let (_, copied) = random.pick(genuine);
        for (marks, of) in [(&mut labels, "labels"), (&mut annotations, "annotations")] {
            let copied = copied["metadata"][of].as_object().cloned().unwrap_or_default();
            marks.as_object_mut().unwrap().extend(copied);
        }
    }
    if random.percent(30) {
        labels["kapp.k14s.io/app-change-app-label"] = (*random.pick(&["17", NUMBER])).into();
        labels["kapp.k14s.io/app-change-app"] = name.into();
    }
    if random.percent(30) {
        let bundle = random.pick(&["op", name]).to_owned();
        labels["fleet.cattle.io/bundle-name"] = bundle.into();
        labels["fleet.cattle.io/bundle-namespace"] = (*random.pick(&["fleet-local", MALLORY])).into();
    }
    let owners: Vec<Value> = if random.percent(30) { some(random) } else { Vec::new() };
    let own_name = if random.percent(50) { name.to_owned() } else { format!("x{number}") };
    if random.percent(30) {
        let (group, _, kind, _) = KINDS.iter().find(|kind| kind.1 == plural).expect("a kind");
        annotations["kapp.k14s.io/identity"] = format!("v1;{MALLORY}/{group}/{kind}/{own_name};v1").into();
    }
    let listed = some(random);
    let owned: Vec<Value> = ["meshes.acme.example", "databases.acme.example"].map(|name| json!({"name": name})).into();
    let spec = json!({"prune": random.percent(70), "noopDelete": random.percent(20),
        "serviceAccountName": if random.percent(30) { json!("sa") } else { Value::Null },
        "customresourcedefinitions": {"owned": owned}, "resourceRefs": listed});
    let kapp = json!({"associatedResources": {"label": "kapp.k14s.io/app=17", "namespaces": ["ops", "team"]}});
    let status = json!({"resources": listed, "inventory": {"entries": listed}, "objectRefs": listed,
        "deploy": {"kapp": kapp}});
    let finalizers: Vec<&str> = if random.percent(70) { vec![CASCADES] } else { Vec::new() };
    let metadata = json!({"labels": labels, "annotations": annotations, "ownerReferences": owners, "finalizers": finalizers,
        "creationTimestamp": NOW,
        "managedFields": [{"manager": random.pick(&["helm", "mallory"]), "operation": "Update", "fieldsV1": {"f:spec": {}}}]});
    row(plural, Some(MALLORY), &own_name, &metadata, json!({"spec": spec, "status": status}))
}

/// Whether a step deletes something outside of the tenant's namespace.
fn is_elsewhere(object: &str) -> bool {
    !object.contains(" mallory/")
}

#[test]
fn forgeries_of_a_tenant_delete_nothing_elsewhere() {
    let (genuine, products) = genuine();
    let of = |rows: &[GivenObject], (installer, name, place): (&str, &str, Option<&str>)| {
        foreseen(rows, installer, name, place)
    };
    let right: Vec<BTreeSet<String>> = products.iter().map(|it| deleted(&of(&genuine, *it))).collect();
    assert!(right.iter().all(|all| !all.is_empty()), "{right:?}");
    let installers = ["helm", "olm", "flux", "argocd", "kapp", "carvel", "fleet", "crossplane", "instance"];
    let mut random = Random::new(1);
    for number in 0..200 {
        let name = *random.pick(&["shop", "demo", "wide", "op", "mesh", "wiki", "infra", "mesh-base", "lake", "x"]);
        let count = 1 + random.below(6);
        let forged: Vec<GivenObject> =
            (0..count).map(|place| self::forged(place, &genuine, name, &mut random)).collect();
        let rows = [genuine.clone(), forged.clone()].concat();
        for installer in installers {
            let report = of(&rows, (installer, name, Some(MALLORY)));
            // A product without a namespace of its own has that name anywhere.
            let is_theirs = installer == "olm" && name == "lake";
            let elsewhere: Vec<String> = deleted(&report).into_iter().filter(|object| is_elsewhere(object)).collect();
            assert!(is_theirs || elsewhere.is_empty(), "{number} {installer}/{name}: {elsewhere:?}: {forged:#?}");
        }
        let at = random.below(products.len());
        let more = deleted(&of(&rows, products[at]));
        let more: BTreeSet<String> = more.into_iter().filter(|object| is_elsewhere(object)).collect();
        let is_refused = products[at].0 == "kapp" && more.is_empty();
        assert!(is_refused || more == right[at], "{number} {:?}: {more:?}: {forged:#?}", products[at]);
    }
}

#[test]
fn every_object_of_the_fixtures_is_one() {
    let (rows, _) = genuine();
    assert!(rows.into_iter().all(|(_, object)| Object::single(object).is_ok()));
}
