//! The possible names of a controller: those in the catalogue, and those under which it writes.

use crate::knowledge::catalogue::{self, CatalogueEntry, Matching};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::{domain, is_custom, is_reserved};
use crate::survey::{FieldManager, Object, Resource, is_name};

/// The weight of a piece of evidence. A candidate needs [`crate::kubernetes::ownership::traces::ENOUGH`].
pub(crate) type Weight = u32;

/// The weight of a name in the catalogue.
const CATALOGUE: Weight = 6;
/// The weight of the name under which the finalizer was set.
pub(crate) const SETTER: Weight = 5;
/// The weight of the name under which the status is written.
const WRITER: Weight = 3;

/// A possible name of the controller.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the name")]
pub(crate) struct ControllerName {
    pub(crate) word: String,
    pub(crate) weight: Weight,
    /// The sources of the name, each in words.
    pub(crate) sources: Vec<String>,
    /// Whether the first source is the catalogue.
    pub(crate) catalogued: bool,
    /// Whether an object in this cluster gives the name, too.
    pub(crate) in_cluster: bool,
    /// Whether it names the finalizer's owner: a program with another name is not the owner.
    pub(crate) owner: bool,
    /// Whether the status is written under this name.
    pub(crate) writer: bool,
}

impl ControllerName {
    /// The sources of the name, in words.
    pub(crate) fn text(&self) -> String {
        self.sources.join("; ")
    }

    /// Whether exactly the same sources give both names: one entry of the catalogue may name several controllers.
    pub(crate) fn has_sources_of(&self, other: &Self) -> bool {
        self.sources == other.sources
    }
}

/// Programs that write other people's manifests, and names that identify nothing.
const NOBODY: [&str; 35] = [
    "__debug_bin", "agent", "ancient-changes", "ansible", "api", "app", "argocd", "argocd-controller", "backend",
    "before-first-apply", "cmd", "controller", "controller-manager", "core", "curl", "flux", "helm", "helm-controller",
    "k9s", "kapp-controller", "kube-apiserver", "kube-controller-manager", "kubectl", "kustomize-controller", "main",
    "manager", "manager-linux", "oc", "okhttp", "operator", "server", "service", "system", "unknown", "velero-server",
];

/// Prefixes of the names of tools, and of those that client libraries and frameworks send for every
/// program. If a request names no field manager, the API server takes it from the User-Agent
/// (<https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-managers>).
const TOOLS: [&str; 24] = [
    "___go_build", "apache-httpclient", "axios", "faraday", "fabric8", "go-http-client", "guzzle", "hashicorp", "java",
    "kopf", "kube-rs", "kubectl", "kubernetes-client", "kubernetes-fluent-client", "mozilla", "node-fetch",
    "openapi-generator", "pulumi", "python", "reqwest", "rest-client", "swagger-codegen", "terraform", "undici",
];

/// Whether a name identifies a program.
pub(crate) fn says_something(name: &str) -> bool {
    let first = name.split(['/', ' ']).next().unwrap_or_default();
    let lower = first.to_lowercase();
    first.len() > 2 && !NOBODY.contains(&first) && !TOOLS.iter().any(|tool| lower.starts_with(tool))
}

/// The controller's possible names, by the traces on the held objects.
pub(crate) fn names(finalizer: &str, held: &HeldObjects<'_>) -> Vec<ControllerName> {
    let Resource { kind, id, .. } = held.first().resource;
    let entry = catalogue::of(finalizer, kind, &id.group).filter(|entry| !is_others(entry, finalizer, held));
    let known = |name: &str| entry.is_some_and(|entry| entry.names.contains(&name));
    let telling = |manager: &FieldManager| says_something(&manager.name) || known(&manager.name);
    let mut names = ControllerNames::default();
    if let Some(entry) = entry {
        for name in of_group(entry.names, &id.group) {
            let text = format!("the catalogue: {} releases {finalizer}", entry.controller);
            names.add(name, CATALOGUE, text).owner = true;
        }
    }
    for seen in held.read() {
        let object = seen.object;
        if let Some(FieldManager { name, .. }) = object.finalizer_set_by(finalizer).filter(telling) {
            // A manager that wrote the whole object may have set the finalizer for another.
            let made_it = object.spec_written_by().is_some_and(|by| by.name == name);
            names.add(&name, SETTER, format!("managedFields: {name} set {finalizer}")).owner |= !made_it;
        }
        if entry.is_some_and(|entry| entry.framework) {
            for (key, program) in annotating_programs(object) {
                names.add(program, SETTER, format!("annotation {key}")).owner = true;
            }
        }
        // Tenants may put any label on their own objects, but not on those of the whole cluster.
        let marks = (!seen.resource.namespaced).then(|| managers_in_marks(object, finalizer));
        for (key, program) in marks.into_iter().flatten() {
            names.add(program, SETTER, format!("{key} names {program}")).owner = true;
        }
        // The status of a built-in kind is written by Kubernetes, or by an implementation of the kind.
        let writers = object.status_written_by().filter(|_| is_custom(&seen.resource.id.group));
        for FieldManager { name, .. } in writers.filter(telling) {
            names.add(&name, WRITER, format!("managedFields: {name} wrote its status")).writer = true;
        }
        if let Some(name) =
            object.metadata.labels.get("app.kubernetes.io/managed-by").filter(|name| !is_installer(name))
        {
            names.add(name, 2, format!("label app.kubernetes.io/managed-by={name}"));
        }
    }
    names.0
}

/// The programs of a framework that keep their state in annotations of the object. The keys begin
/// with the name of the program: `shop-operator.kopf.dev/last-handled-configuration`
/// (<https://docs.kopf.dev/en/stable/configuration/#change-detection>).
fn annotating_programs(object: &Object) -> impl Iterator<Item = (&str, &str)> {
    let keys = object.metadata.annotations.keys();
    keys.filter_map(|key| {
        let (domain, _) = key.split_once('/')?;
        let program = domain.split('.').next().filter(|program| program.contains('-') && says_something(program))?;
        Some((key.as_str(), program))
    })
}

/// Words in the names of finalizers and conditions that tell nothing of the work.
const COMMON: [&str; 16] = [
    "available", "cleanup", "cluster", "controller", "delete", "finalizer", "healthy", "machine", "managed", "manager",
    "node", "operator", "pool", "protection", "ready", "resource",
];

/// Whether the type of a condition has a word in common with a finalizer's own name: `EtcdClusterHealthy` and
/// `acme.io/etcd-member`.
pub(crate) fn is_about_the_work_of(condition: &str, finalizer: &str) -> bool {
    let Some((_, own)) = finalizer.rsplit_once('/') else { return false };
    let lower = condition.to_lowercase();
    let mut words = own.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_lowercase);
    words.any(|word| word.len() > 3 && !COMMON.contains(&word.as_str()) && lower.contains(&word))
}

/// Words of labels and annotations that say who manages an object.
const MANAGES: [&str; 5] = ["controller", "managed-by", "managedby", "manager", "operator"];

/// The programs that manage an object according to labels and annotations of the finalizer's own domain. A framework
/// sets the finalizer under its own name, for every program that is built with it, and keeps its marks below its domain:
/// `loom.example/managed-by: weaver`, or `weaver-operator.loom.example/state`.
fn managers_in_marks<'o>(object: &'o Object, finalizer: &str) -> impl Iterator<Item = (&'o str, &'o str)> {
    let own = domain(finalizer).to_owned();
    let marks = object.metadata.labels.iter().chain(object.metadata.annotations.iter());
    marks.filter_map(move |(key, value)| {
        let (of, word) = key.split_once('/').filter(|(of, _)| own.contains('.') && !is_reserved(of))?;
        let below = of.strip_suffix(own.as_str())?;
        let program = if MANAGES.contains(&word) {
            Some(value.as_str()).filter(|_| below.is_empty() || below.ends_with('.'))
        } else {
            below.strip_suffix('.').filter(|program| program.contains('-') && !program.contains('.'))
        };
        program.filter(|program| is_name(program) && says_something(program)).map(|program| (key.as_str(), program))
    })
}

/// Whether a finalizer belongs to another program than the catalogue says, because that program has
/// set it. A library gives a whole family of finalizers to the programs that are built with it.
fn is_others(entry: &CatalogueEntry, finalizer: &str, held: &HeldObjects<'_>) -> bool {
    let is_another = |object: &Object| {
        object.finalizer_set_by(finalizer).is_some_and(|setter| {
            let made_it = object.spec_written_by().is_some_and(|by| by.name == setter.name);
            let is_alike = |name: &&str| likeness(name, &setter.name) > 0 || likeness(&setter.name, name) > 0;
            says_something(&setter.name) && !made_it && !entry.names.iter().any(is_alike)
        })
    };
    entry.matching != Matching::Exact && held.read().any(|seen| is_another(seen.object))
}

/// The controllers that share a finalizer and whose name contains the first part of the API group:
/// `kustomize-controller` for `kustomize.toolkit.fluxcd.io`. If there is none, all of them.
fn of_group<'n>(names: &[&'n str], group: &str) -> Vec<&'n str> {
    let is_part = |part: &&str| group.matches('.').count() > 2 && part.len() > 3;
    let part = group.split('.').next().filter(is_part).unwrap_or_default();
    // Names of one family end in the same word.
    let is_family = names.windows(2).all(|pair| pair[0].rsplit('-').next() == pair[1].rsplit('-').next());
    let is_its = |name: &&str| is_family && name.split('-').any(|word| word == part);
    let own: Vec<&str> = names.iter().copied().filter(is_its).collect();
    if own.is_empty() { names.to_vec() } else { own }
}

/// The names that are collected.
#[derive(Default)]
struct ControllerNames(Vec<ControllerName>);

impl ControllerNames {
    fn add(&mut self, word: &str, weight: Weight, text: String) -> &mut ControllerName {
        let known = self.0.iter().position(|known| known.word == word);
        let at = known.unwrap_or(self.0.len());
        if known.is_none() {
            let (word, catalogued) = (word.to_owned(), weight == CATALOGUE);
            let (in_cluster, sources) = (!catalogued, vec![text]);
            self.0.push(ControllerName { word, weight, sources, catalogued, in_cluster, owner: false, writer: false });
        } else if !self.0[at].sources.contains(&text) {
            // Two pieces of evidence for one name distinguish it from others in the catalogue.
            self.0[at].weight += 1;
            self.0[at].in_cluster |= weight != CATALOGUE;
            self.0[at].sources.push(text);
        }
        &mut self.0[at]
    }
}

/// Whether a program only installs others, and does not reconcile what it has applied.
pub(crate) fn is_installer(name: &str) -> bool {
    ["helm", "kustomize", "argocd", "olm", "terraform", "pulumi", "flux"].contains(&name.to_lowercase().as_str())
}

/// Whether a program with the name `called` may go by one of `names`.
pub(crate) fn goes_by(called: &str, names: &[String]) -> bool {
    names.iter().any(|name| likeness(name, called) > 0 || likeness(called, name) > 0)
}

/// Whether `name` is the initials of the words of `other`: `onic` for
/// `oci-native-ingress-controller`, and `osm-controller` for `operating-system-manager`.
fn is_initials(name: &str, other: &str) -> bool {
    let name = name.strip_suffix("-controller").unwrap_or(name);
    let words = other.split('-');
    name.len() > 2
        && words.clone().count() == name.len()
        && words.zip(name.chars()).all(|(word, c)| word.starts_with(c))
}

/// How well a workload's name, or a word of its labels, matches `name`: 0 for not at all, 1 for a
/// part, 2 for the whole name.
pub(crate) fn likeness(name: &str, other: &str) -> u32 {
    if let Some((head, tail)) = name.split_once('*') {
        let tail = tail.rsplit('*').next().unwrap_or_default();
        let fits = |other: &str| {
            let telling = !head.is_empty() || tail.matches('-').count() > 1;
            telling && other.len() > head.len() + tail.len() && other.starts_with(head) && other.ends_with(tail)
        };
        let later = other.match_indices('-').any(|(at, _)| !head.is_empty() && fits(&other[at + 1..]));
        return u32::from(fits(other) || later);
    }
    let letters = |text: &str| text.replace(['-', '_'], "");
    let is_one_word = name.len() > 5 && !(name.contains('-') && other.contains('-'));
    if name == other || (is_one_word && letters(name) == letters(other)) {
        return 2;
    }
    if is_initials(name, other) {
        return 1;
    }
    // With a release's name before it, or a part's name after it.
    let before = other.strip_suffix(name).is_some_and(|rest| rest.ends_with('-'));
    let after = other.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    u32::from(before || after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_controller_of_the_group_is_preferred() {
        let names = ["kustomize-controller", "source-controller"];
        assert_eq!(of_group(&names, "source.toolkit.fluxcd.io"), ["source-controller"]);
        assert_eq!(of_group(&names, "acme.io"), names);
        let sidecar = ["snapshot-controller", "csi-snapshotter"];
        assert_eq!(of_group(&sidecar, "snapshot.storage.k8s.io"), sidecar);
    }

    #[test]
    fn initials_match_longer_names() {
        assert_eq!(likeness("onic", "oci-native-ingress-controller"), 1);
        assert_eq!(likeness("onic", "oci-native-ingress"), 0);
        assert_eq!(likeness("osm-controller", "operating-system-manager"), 1);
        assert_eq!(likeness("db", "data-base"), 0, "two letters tell nothing");
        assert_eq!(likeness("hubagent", "hub-agent"), 2, "some leave the hyphens out");
    }

    #[test]
    fn every_name_in_the_catalogue_can_be_looked_for() {
        let nameless: Vec<&str> =
            catalogue::entries().iter().filter(|entry| entry.names.is_empty()).map(|entry| entry.controller).collect();
        assert!(nameless.len() * 10 < catalogue::entries().len(), "{nameless:?}");
    }

    #[test]
    fn names_match_with_prefixes_suffixes_and_wildcards() {
        assert_eq!(likeness("acme-operator", "acme-operator"), 2);
        assert_eq!(likeness("acme-operator", "prod-acme-operator"), 1);
        assert_eq!(likeness("acme-operator", "acme-operator-controller-manager"), 1);
        assert_eq!(likeness("acme-operator", "notacme-operator"), 0);
        assert_eq!(likeness("provider-*-*", "provider-aws-12ab"), 1);
        assert_eq!(likeness("provider-*-*", "vendor-provider-aws-12ab"), 1);
        assert_eq!(likeness("provider-*", "other"), 0);
        assert_eq!(likeness("*-entity-operator", "blue-entity-operator"), 1);
        assert_eq!(likeness("*-entity-operator", "blue-user-operator"), 0);
        assert_eq!(likeness("*-controller", "blue-controller"), 0);
    }

    #[test]
    fn a_condition_is_called_after_the_work_of_a_finalizer() {
        assert!(is_about_the_work_of("EtcdClusterHealthy", "acme.io/etcd-member"));
        assert!(is_about_the_work_of("EtcdIsVoter", "acme.io/managed-etcd-controller"));
        assert!(!is_about_the_work_of("MachinesReady", "acme.io/machine-finalizer"));
        assert!(!is_about_the_work_of("Ready", "acme.io"));
    }

    #[test]
    fn marks_below_the_domain_of_the_finalizer_name_the_manager() {
        let managers = |key: &str, value: &str| {
            let object = json!({"metadata": {"name": "n", "labels": {key: value}}});
            let object: Object = serde_json::from_value(object).unwrap();
            let found: Vec<String> =
                managers_in_marks(&object, "loom.example/marker").map(|it| it.1.to_owned()).collect();
            found
        };
        assert_eq!(managers("loom.example/managed-by", "weaver"), ["weaver"]);
        assert_eq!(managers("weaver-operator.loom.example/state", "x"), ["weaver-operator"]);
        assert!(managers("other.example/managed-by", "weaver").is_empty(), "another product's mark");
        assert!(managers("gloom.example/managed-by", "weaver").is_empty());
        assert!(managers("loom.example/managed-by", "kubectl").is_empty());
        assert!(managers("loom.example/team", "weaver").is_empty());
    }

    #[test]
    fn generic_names_say_nothing() {
        for name in [
            "manager", "kubectl-client-side-apply", "helm", "main", "op", "argocd-controller", "kopf",
            "OpenAPI-Generator", "Python-urllib", "fabric8-kubernetes-client", "node-fetch",
        ] {
            assert!(!says_something(name), "{name}");
        }
        assert!(says_something("acme-operator"));
    }
}
