//! Tries each entry of the catalogue among many real operators: an object of its kind has been
//! waiting for its finalizer for an hour, while the controller is absent, parked at 0 replicas, or
//! alive. Nothing else may be blamed.

use crate::crowd::Cluster;
use crate::products::Product;
use jiff::SignedDuration;
use kubectl_unstick::knowledge::catalogue::{CatalogueEntry, Matching, entries, lookup};
use kubectl_unstick::report::ControllerState::{Alive, Down, Gone, Unknown};
use kubectl_unstick::report::{ControllerState, Finding, Ref, Report};
use kubectl_unstick::survey::{Object, ResourceId, TargetName};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The place where a controller runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Nature {
    /// In Kubernetes itself: it has a lease but no workload.
    Kubernetes,
    /// Never a workload of this cluster.
    Elsewhere,
    /// Without a fixed name in the catalogue: there are many.
    Nameless,
    /// Installed in the cluster.
    Installed,
}

/// The way in which an installer may have named the workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// With the controller's name.
    Exact,
    /// With the release's name as a prefix.
    Released,
    /// As scaffolded, with a label that names it.
    Labelled,
    /// As scaffolded, so that only the image names it.
    Imaged,
}

const SHAPES: [Shape; 4] = [Shape::Exact, Shape::Released, Shape::Labelled, Shape::Imaged];

/// Fills in the part of a name that the catalogue leaves open. Only workloads are searched for such
/// a name.
const OPEN: &str = "sample";

/// One entry, and the cluster for its trial.
struct Case {
    entry: &'static CatalogueEntry,
    finalizer: String,
    id: ResourceId,
    kind: String,
    namespaced: bool,
    /// The API groups of its product in the crowd.
    groups: Vec<String>,
    /// The crowd without the entry's own objects.
    cluster: Cluster,
}

impl Case {
    fn new(entry: &'static CatalogueEntry, crowd: &Cluster, products: &[Product]) -> Self {
        let mut finalizer = entry.key.replace('*', "sample");
        if entry.matching == Matching::Prefix {
            finalizer.push_str("sample");
        }
        let of_product = |product: &&Product| lookup(&product.finalizer).is_some_and(|it| it.product == entry.product);
        let installed: Vec<&Product> = products.iter().filter(of_product).collect();
        let mut cluster = crowd.clone();
        let names = names(entry.controller);
        cluster.remove(|workload| {
            let called =
                format!("{} {}/{}", workload.kind, text(workload.metadata.namespace.as_deref()), workload.name());
            installed.iter().any(|product| product.expect == called) || names.iter().any(|name| goes_by(workload, name))
        });
        let resources = installed.iter().filter_map(|product| product.object.split('/').next()?.split_once('.'));
        let groups: Vec<String> = resources.map(|(_, group)| group.to_owned()).collect();
        let (id, kind, namespaced) = kind_of(entry, &finalizer, &mut cluster, groups.first());
        Self { entry, finalizer, id, kind, namespaced, groups, cluster }
    }

    fn nature(&self) -> Nature {
        let CatalogueEntry { controller, namespace, .. } = self.entry;
        if controller.starts_with("kube-") && !controller.starts_with("kube-ovn") {
            Nature::Kubernetes
        } else if namespace.contains("hidden") || namespace.starts_with("none,") {
            Nature::Elsewhere
        } else if names(controller).is_empty() {
            Nature::Nameless
        } else {
            Nature::Installed
        }
    }

    /// The cluster with the waiting object; `writer` has written to it since.
    fn with_object(&self, writer: Option<&str>) -> (Cluster, TargetName) {
        let mut cluster = self.cluster.clone();
        let namespace = self.namespaced.then(|| "shop".to_owned());
        let set = json!({"manager": writer.unwrap_or("manager"), "operation": "Update", "apiVersion": self.id.api_version(),
            "time": cluster.ago(SignedDuration::from_hours(30)), "fieldsType": "FieldsV1",
            "fieldsV1": {"f:metadata": {"f:finalizers": {".": {}, format!("v:\"{}\"", self.finalizer): {}}}}});
        let wrote = writer.map(|writer| {
            json!({"manager": writer, "operation": "Update", "apiVersion": self.id.api_version(), "subresource": "status",
                "time": cluster.ago(SignedDuration::from_mins(2)), "fieldsType": "FieldsV1",
                "fieldsV1": {"f:status": {"f:observedGeneration": {}}}})
        });
        cluster.put(json!({
            "apiVersion": self.id.api_version(), "kind": self.kind,
            "metadata": {
                "name": "stuck", "namespace": namespace, "uid": "uid-of-stuck", "generation": 2, "resourceVersion": "9000",
                "creationTimestamp": cluster.ago(SignedDuration::from_hours(30)),
                "deletionTimestamp": cluster.ago(SignedDuration::from_hours(1)), "deletionGracePeriodSeconds": 0,
                "finalizers": [self.finalizer], "managedFields": std::iter::once(set).chain(wrote).collect::<Vec<_>>(),
            },
            "spec": {}, "status": {},
        }));
        (cluster, TargetName { resource: self.id.clone(), namespace, name: "stuck".into() })
    }

    /// The first namespace in the entry.
    fn home(&self) -> String {
        let word = self.entry.namespace.split([' ', ',']).next().unwrap_or_default();
        let is_name = !word.is_empty()
            && word != "the"
            && word.chars().all(|c| c.is_ascii_lowercase() || "-0123456789".contains(c));
        if is_name { word.to_owned() } else { "operators".to_owned() }
    }

    /// Installs the controller under one of its names, with its account and rights.
    fn install(&self, cluster: &mut Cluster, name: &str, shape: Shape, replicas: u32) -> String {
        let (home, called) = (self.home(), called(name, shape));
        let kind = if self.entry.controller.contains("DaemonSet") { "DaemonSet" } else { "Deployment" };
        let (label, image) = match shape {
            Shape::Labelled => (json!({"app.kubernetes.io/name": name}), "controller"),
            _ => (json!({"installed-by": "somebody"}), name),
        };
        let account = format!("{called}-account");
        self.give_rights(cluster, &home, &account);
        let workload = json!({
            "apiVersion": "apps/v1", "kind": kind,
            "metadata": {"name": called, "namespace": home, "uid": "uid-of-the-workload", "labels": label},
            "spec": {"replicas": replicas, "selector": {"matchLabels": label}, "template": {"metadata": {"labels": label},
                "spec": {"serviceAccountName": account,
                    "containers": [{"name": "manager", "image": format!("registry.example/{image}:v1")}]}}},
        });
        cluster.put(workload.clone());
        if replicas > 0 {
            cluster.give_a_pod(&Object::single(workload).expect("a workload"));
            let holder = format!("{called}-5d4f8c7b9d-x2k4p_1234");
            cluster.lead(&home, &format!("{called}-leader"), &holder, SignedDuration::from_secs(3));
        }
        format!("{kind} {home}/{called}")
    }

    fn give_rights(&self, cluster: &mut Cluster, home: &str, account: &str) {
        let (group, plural) = (&self.id.group, &self.id.plural);
        let verbs = ["get", "list", "watch", "update", "patch"];
        let kinds = [plural.clone(), format!("{plural}/status"), format!("{plural}/finalizers")];
        let own = json!({"apiGroups": self.groups, "resources": ["*"], "verbs": verbs});
        let rbac = "rbac.authorization.k8s.io";
        cluster.put(json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": home, "uid": "uid-of-home"}}));
        cluster.put(json!({"apiVersion": "v1", "kind": "ServiceAccount",
            "metadata": {"name": account, "namespace": home, "uid": "uid-of-the-account"}}));
        cluster.put(json!({"apiVersion": format!("{rbac}/v1"), "kind": "ClusterRole",
            "metadata": {"name": account, "uid": "uid-of-the-role"},
            "rules": [{"apiGroups": [group], "resources": kinds, "verbs": verbs}, own]}));
        cluster.put(json!({"apiVersion": format!("{rbac}/v1"), "kind": "ClusterRoleBinding",
            "metadata": {"name": account, "uid": "uid-of-the-binding"},
            "roleRef": {"apiGroup": rbac, "kind": "ClusterRole", "name": account},
            "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": home}]}));
    }
}

/// The kind for an entry's trial: the first that it names, in the group that it names, or that its
/// product has in the crowd, or else in a group derived from the finalizer.
fn kind_of(
    entry: &CatalogueEntry,
    finalizer: &str,
    cluster: &mut Cluster,
    own: Option<&String>,
) -> (ResourceId, String, bool) {
    let kinds = entry.kinds.iter().map(|words| words.split_once(' ').unwrap_or((words, "")));
    let is_kind = |word: &str| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphanumeric);
    let named = kinds.clone().find(|(kind, _)| is_kind(kind));
    let (kind, words) = named.unwrap_or(("Thing", ""));
    let group = words.trim_matches(['(', ')']);
    let domain = finalizer.split('/').next().unwrap_or_default();
    let is_built_in =
        |group: &str| !group.contains('.') || group.ends_with(".k8s.io") && group.matches('.').count() == 2;
    let akin = |served: &str| is_built_in(served) || domain.ends_with(served) || served.ends_with(domain);
    let is_its = |served: &ResourceId| if group.contains('.') { served.group == group } else { akin(&served.group) };
    if let Some(served) = cluster.0.discovery.listable().find(|served| served.kind == kind && is_its(&served.id)) {
        return (served.id.clone(), served.kind.clone(), served.namespaced);
    }
    let slug = || format!("{}.example", entry.product.to_lowercase().replace([' ', '/', '(', ')', '.'], "-"));
    let group = if group.contains('.') {
        group.to_owned()
    } else if let Some(own) = own {
        own.clone()
    } else if domain.contains('.') && !domain.ends_with(".k8s.io") && !domain.ends_with("kubernetes.io") {
        domain.to_owned()
    } else {
        slug()
    };
    let id = ResourceId::new(&group, "v1", &format!("{}s", kind.to_lowercase()));
    cluster.serve(&id, kind, true);
    (id, kind.to_owned(), true)
}

/// The names in an entry's text about its controller, with open parts filled in.
fn names(controller: &str) -> Vec<String> {
    let parts = controller.split([',', ';', '(', ')']).flat_map(|part| part.split(" or "));
    let mut names = Vec::new();
    for part in parts.flat_map(|part| part.split(" and ")) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let is_name = |word: &&&str| {
            let plain = word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.*<>".contains(c));
            plain && word.len() > 2 && !word.starts_with(['<', '*']) && (words.len() == 1 || word.contains('-'))
        };
        names.extend(words.iter().filter(is_name).map(|word| filled_in(word)));
    }
    names
}

/// The names of the controller that belongs to an API group, if several controllers share a finalizer.
fn of_its_group(names: Vec<String>, group: &str) -> Vec<String> {
    let part = group.split('.').next().filter(|_| group.matches('.').count() > 2).unwrap_or_default();
    let own = format!("{part}-controller");
    if names.contains(&own) && names.iter().all(|name| name.ends_with("-controller")) { vec![own] } else { names }
}

/// `provider-<name>-<hash>`: `provider-sample-sample`.
fn filled_in(word: &str) -> String {
    let mut name = String::new();
    let mut inside = false;
    for c in word.chars() {
        match c {
            '<' | '*' => {
                inside = c == '<';
                name.push_str(OPEN);
            }
            '>' => inside = false,
            _ if inside => {}
            other => name.push(other),
        }
    }
    name
}

fn called(name: &str, shape: Shape) -> String {
    match shape {
        Shape::Exact => name.to_owned(),
        Shape::Released => format!("prod-{name}"),
        Shape::Labelled | Shape::Imaged => "controller-manager".to_owned(),
    }
}

/// Whether a workload of the crowd matches a search for `name`.
fn goes_by(workload: &Object, name: &str) -> bool {
    let like = |other: &str| {
        other == name
            || other.strip_suffix(name).is_some_and(|rest| rest.ends_with('-'))
            || other.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'))
    };
    let containers = workload.array("/spec/template/spec/containers").iter();
    let mut programs = containers.flat_map(|container| {
        let text = |field: &str| container.get(field).and_then(Value::as_str).unwrap_or_default();
        let image = text("image").rsplit('/').next().unwrap_or_default();
        [text("name").to_owned(), image.split(':').next().unwrap_or_default().to_owned()]
    });
    like(workload.name())
        || workload.metadata.labels.values().any(|label| label == name)
        || programs.any(|it| it == name)
}

fn text(value: Option<&str>) -> &str {
    value.unwrap_or_default()
}

fn spoken(workload: &Ref) -> String {
    format!("{} {}/{}", workload.kind, text(workload.namespace.as_deref()), workload.name)
}

/// The workloads that a report blames or waits for.
fn blamed(report: &Report) -> BTreeSet<String> {
    let of = |finding: &Finding| {
        let controller = finding.controller.as_ref().and_then(|controller| controller.workload.clone());
        [controller, finding.waits_for.clone().filter(|object| object.api_version == "apps/v1")]
    };
    report.findings.iter().flat_map(of).flatten().map(|workload| spoken(&workload)).collect()
}

/// The result of one trial.
struct Tried {
    class: &'static str,
    key: &'static str,
    wrong: Option<String>,
}

impl Case {
    /// The mistake of a report about the case, if it is not as `wanted`.
    fn judge(&self, class: &'static str, report: &Report, wanted: &[ControllerState], who: Option<&str>) -> Tried {
        let finding = report.findings.iter().find(|finding| finding.finalizer.as_deref() == Some(&self.finalizer));
        let state = finding.and_then(|finding| finding.controller.as_ref()).map(|controller| controller.state);
        let blamed = blamed(report);
        let CatalogueEntry { key, controller, .. } = self.entry;
        // Some finalizers of Kubernetes have their own rule.
        let right = state.map_or(self.nature() == Nature::Kubernetes, |state| wanted.contains(&state));
        let wrong = (!right || !blamed.iter().map(String::as_str).eq(who)).then(|| {
            let summary = finding.map_or("nothing about it".into(), |finding| finding.summary.to_string());
            format!("{class}: {key} of {controller}: {state:?} {blamed:?}, not {wanted:?} {who:?}\n    {summary}")
        });
        Tried { class, key, wrong }
    }

    fn absent(&self) -> Tried {
        let (cluster, target) = self.with_object(None);
        let report = cluster.diagnose(target);
        match self.nature() {
            // The last lease of the controller manager is from before the deletion.
            Nature::Kubernetes => self.judge("absent: of Kubernetes", &report, &[Down, Unknown], None),
            Nature::Elsewhere => self.judge("absent: elsewhere", &report, &[Unknown], None),
            Nature::Nameless => self.judge("absent: nameless", &report, &[Gone, Unknown], None),
            Nature::Installed => self.judge("absent: installed", &report, &[Gone, Unknown], None),
        }
    }

    fn parked(&self, name: &str, shape: Shape) -> Tried {
        let (mut cluster, target) = self.with_object(None);
        let workload = self.install(&mut cluster, name, shape, 0);
        self.judge("parked", &cluster.diagnose(target), &[Down], Some(&workload))
    }

    fn alive(&self, name: &str, shape: Shape) -> Tried {
        let (mut cluster, target) = self.with_object(Some(name));
        let workload = self.install(&mut cluster, name, shape, 1);
        self.judge("alive", &cluster.diagnose(target), &[Alive], Some(&workload))
    }

    /// The controller writes to the object, but is not a workload here.
    fn alive_elsewhere(&self) -> Tried {
        let (mut cluster, target) = self.with_object(Some("writer-from-elsewhere"));
        match self.nature() {
            Nature::Kubernetes => {
                cluster.lead("kube-system", "kube-controller-manager", "master-1_1234", SignedDuration::from_secs(3));
                self.judge("alive: of Kubernetes", &cluster.diagnose(target), &[Alive, Unknown], None)
            }
            Nature::Elsewhere => self.judge("alive: elsewhere", &cluster.diagnose(target), &[Alive], None),
            Nature::Nameless => self.judge("alive: nameless", &cluster.diagnose(target), &[Alive], None),
            Nature::Installed => self.judge("alive: in another cluster", &cluster.diagnose(target), &[Alive], None),
        }
    }
}

#[test]
fn each_catalogue_entrys_controller_is_recognized() {
    let (crowds, products) = ([0, 1, 2].map(Cluster::crowd), Product::all());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // The first entry of a controller is tried in every way, the others in some.
    let mut known = BTreeSet::new();
    let work: Vec<(usize, &CatalogueEntry, bool)> =
        entries().iter().enumerate().map(|(at, entry)| (at, entry, known.insert(entry.controller))).collect();
    let trials = |(at, entry, first): &(usize, &'static CatalogueEntry, bool)| {
        let turns = if *first { 0..3 } else { at % 3..at % 3 + 1 };
        let cases: Vec<Case> = turns.map(|turn| Case::new(entry, &crowds[turn], &products)).collect();
        tried(&cases, *first)
    };
    let trials = &trials;
    let all: Vec<Tried> = std::thread::scope(|scope| {
        let share = work.len().div_ceil(threads);
        let shares =
            work.chunks(share).map(|share| scope.spawn(move || share.iter().flat_map(trials).collect::<Vec<_>>()));
        let shares: Vec<_> = shares.collect();
        shares.into_iter().flat_map(|share| share.join().expect("a share")).collect()
    });
    let mut counts: BTreeMap<&str, (BTreeSet<&str>, usize)> = BTreeMap::new();
    for tried in &all {
        let (entries, trials) = counts.entry(tried.class).or_default();
        entries.insert(tried.key);
        *trials += 1;
    }
    let lines =
        counts.iter().map(|(class, (keys, trials))| format!("{class}: {} entries, {trials} trials", keys.len()));
    let lines = lines.collect::<Vec<_>>().join("\n");
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("tried", lines) });
    let wrong: Vec<&str> = all.iter().filter_map(|tried| tried.wrong.as_deref()).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

fn tried(cases: &[Case], in_every_way: bool) -> Vec<Tried> {
    let mut all: Vec<Tried> = cases.iter().map(Case::absent).collect();
    let case = &cases[0];
    all.push(case.alive_elsewhere());
    if case.nature() == Nature::Installed {
        let names = of_its_group(names(case.entry.controller), &case.id.group);
        for name in names.iter().take(if in_every_way { names.len() } else { 1 }) {
            let shapes = SHAPES.into_iter().take(if in_every_way && !name.contains(OPEN) { SHAPES.len() } else { 1 });
            for shape in shapes {
                all.extend([case.parked(name, shape), case.alive(name, shape)]);
            }
        }
    }
    all
}
