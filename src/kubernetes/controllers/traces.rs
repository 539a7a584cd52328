//! What points at a controller: names it goes by, marks that its installer left
//! on the kind's definition, and who may write the kind.

use crate::facts::{Facts, Known};
use crate::knowledge::catalogue;
use crate::kubernetes::controllers::access::Rights;
use crate::kubernetes::controllers::gaps::Gaps;
use crate::kubernetes::controllers::held::Held;
use crate::survey::{FieldManager, Form, Object, Resource, ResourceId, Seen};
use std::collections::BTreeSet;

/// How much a piece of evidence tells. A candidate needs [`crate::kubernetes::controllers::traces::ENOUGH`].
pub(crate) type Weight = u32;

/// What a name in the catalogue tells.
const CATALOGUE: Weight = 6;
/// What the name of whoever set the finalizer tells.
const SETTER: Weight = 5;
/// A right that more accounts have points at none of them.
const FEW: usize = 3;

/// A name by which the controller may go.
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) word: String,
    pub(crate) weight: Weight,
    /// Where it was read.
    pub(crate) text: String,
    /// Whether that is the catalogue.
    pub(crate) catalogued: bool,
}

/// A label or annotation that the kind's definition shares with what was
/// installed along with it.
#[derive(Debug)]
pub(crate) struct Mark {
    key: &'static str,
    value: String,
    weight: Weight,
    pub(crate) text: String,
}

/// Everything that points at a controller.
#[derive(Debug)]
pub(crate) struct Traces<'s> {
    pub(crate) names: Vec<Name>,
    pub(crate) marks: Vec<Mark>,
    /// Namespaces in which the installer put the rest.
    pub(crate) namespaces: Vec<String>,
    /// The labels and annotations that OLM puts on what belongs together.
    bundles: BTreeSet<&'s str>,
    /// Whether the kind's definition is installed, as far as that is known.
    pub(crate) definition: Option<&'s Object>,
    /// The kind that the controller is known by.
    pub(crate) kind: &'s ResourceId,
    /// Who may write that kind.
    pub(crate) rights: Rights,
    /// The namespace of what it holds: of several alike, the operator in there is it.
    pub(crate) home: Option<String>,
    /// Where it may run without being seen here, in the catalogue's words.
    pub(crate) unseen: Option<String>,
    /// The word of the API group that a product is mostly named by: `acme` of `db.acme.io`.
    pub(crate) brand: Option<String>,
}

/// Programs that write other people's manifests, and names that say nothing.
const NOBODY: [&str; 41] = [
    "OpenAPI-Generator",
    "Terraform",
    "__debug_bin",
    "agent",
    "ancient-changes",
    "ansible",
    "api",
    "app",
    "argocd",
    "argocd-controller",
    "backend",
    "before-first-apply",
    "cmd",
    "controller",
    "controller-manager",
    "core",
    "curl",
    "flux",
    "helm",
    "helm-controller",
    "k9s",
    "kapp-controller",
    "kube-apiserver",
    "kube-controller-manager",
    "kubectl",
    "kustomize-controller",
    "main",
    "manager",
    "manager-linux",
    "node-fetch",
    "oc",
    "okhttp",
    "operator",
    "pulumi",
    "python-requests",
    "server",
    "service",
    "system",
    "terraform",
    "unknown",
    "velero-server",
];

/// A name that can be told from another.
fn says_something(name: &str) -> bool {
    let first = name.split(['/', ' ']).next().unwrap_or_default();
    let tool = [
        "kubectl",
        "pulumi",
        "Terraform",
        "terraform",
        "HashiCorp",
        "Mozilla",
        "Go-http-client",
        "fabric8",
        "Java",
        "Swagger-Codegen",
        "___go_build",
        "Apache-HttpClient",
        "python",
    ];
    first.len() > 2 && !NOBODY.contains(&first) && !tool.iter().any(|tool| first.starts_with(tool))
}

impl<'s> Traces<'s> {
    /// Reads what points at the controller that takes `finalizer` off.
    pub(crate) fn read(finalizer: &str, held: &Held<'s>, facts: &Facts<'s>, gaps: &mut Gaps) -> Known<Self> {
        let first = held.first();
        let kind = kind_of_interest(finalizer, first, facts);
        let definition = definition(kind, facts);
        let namespace = first.object.metadata.namespace.as_deref();
        let rights = Rights::read(&kind.id, namespace, first.object.name(), facts, gaps);
        let definition = gaps.pass(definition)?.flatten();
        let mut traces = Self {
            names: names(finalizer, held),
            marks: Vec::new(),
            namespaces: Vec::new(),
            bundles: BTreeSet::new(),
            definition,
            kind: &kind.id,
            rights: rights?,
            brand: brand(&kind.id.group),
            unseen: unseen(finalizer),
            home: namespace.map(ToOwned::to_owned),
        };
        if let Some(definition) = definition {
            traces.read_marks(definition);
        }
        Ok(traces)
    }

    fn read_marks(&mut self, definition: &'s Object) {
        let (labels, annotations) = (&definition.metadata.labels, &definition.metadata.annotations);
        let value = |key: &str| annotations.get(key).or_else(|| labels.get(key));
        for (key, weight) in MARKS {
            let Some(value) = value(key) else { continue };
            let text = format!("CustomResourceDefinition {} has {key}={value}", definition.name());
            self.marks.push(Mark { key, value: value.clone(), weight, text });
        }
        for key in NAMESPACES {
            self.namespaces.extend(value(key).cloned());
        }
        let of_olm = |key: &&String| key.starts_with("operators.coreos.com/");
        for bundle in labels.keys().filter(of_olm) {
            self.namespaces.extend(bundle.rsplit_once('.').map(|(_, namespace)| namespace.to_owned()));
            self.bundles.insert(bundle);
        }
        if let Some(tracking) = value("cert-manager.io/inject-ca-from").and_then(|text| text.split_once('/')) {
            self.namespaces.push(tracking.0.to_owned());
        }
    }

    /// Whether a right on the kind points at its controller by itself. Of a kind of
    /// Kubernetes itself many have one. Where several accounts have it and the name of the
    /// controller is known, whoever has another name is not it.
    pub(crate) fn rights_tell(&self) -> bool {
        let holders = self.rights.holders.len();
        let known = self.names.iter().any(|name| name.weight >= SETTER);
        is_custom(&self.kind.group) && holders <= if known { 1 } else { FEW }
    }

    /// Whether anything at all points at a controller.
    pub(crate) fn any(&self) -> bool {
        !self.names.is_empty() || !self.marks.is_empty() || !self.rights.holders.is_empty()
    }

    /// What the labels and annotations of a workload have in common with the
    /// traces; negative where its installer is another one.
    pub(crate) fn shared_with(&self, workload: &Object) -> (i64, Vec<&str>) {
        let (labels, annotations) = (&workload.metadata.labels, &workload.metadata.annotations);
        let (mut score, mut why) = (0, Vec::new());
        for mark in &self.marks {
            let value = annotations.get(mark.key).or_else(|| labels.get(mark.key));
            if value.is_some_and(|value| installation(mark.key, value) == installation(mark.key, &mark.value)) {
                score += i64::from(mark.weight);
                why.push(mark.text.as_str());
            }
        }
        if self.is_of_another_release(workload) {
            score -= 3;
        }
        if labels.keys().any(|key| self.bundles.contains(key.as_str())) {
            score += 3;
            why.push("its OLM bundle owns the CustomResourceDefinition too");
        }
        (score, why)
    }
}

impl Traces<'_> {
    /// Whether Helm has installed a workload with another release than the
    /// kind's definition: mostly another product, sometimes a chart of its own
    /// for the definitions.
    pub(crate) fn is_of_another_release(&self, workload: &Object) -> bool {
        [HELM_RELEASE, HELM_NAMESPACE].into_iter().any(|key| {
            let own = self.marks.iter().find(|mark| mark.key == key);
            workload.metadata.annotations.get(key).zip(own).is_some_and(|(release, own)| *release != own.value)
        })
    }
}

const HELM_RELEASE: &str = "meta.helm.sh/release-name";

const HELM_NAMESPACE: &str = "meta.helm.sh/release-namespace";

/// What installers write on everything that belongs to one installation, and
/// how much it tells to find it on a workload too.
const MARKS: [(&str, Weight); 10] = [
    (HELM_RELEASE, 2),
    (HELM_NAMESPACE, 1),
    ("app.kubernetes.io/instance", 1),
    ("app.kubernetes.io/name", 2),
    ("app.kubernetes.io/part-of", 1),
    ("olm.owner", 3),
    ("helm.toolkit.fluxcd.io/name", 2),
    ("argocd.argoproj.io/instance", 1),
    (ARGO_CD_TRACKING, 1),
    ("kustomize.toolkit.fluxcd.io/name", 1),
];

const ARGO_CD_TRACKING: &str = "argocd.argoproj.io/tracking-id";

/// What a mark says of the installation. Argo CD's begins with the application:
/// `app:group/kind:namespace/name`
/// (<https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/>).
fn installation<'v>(key: &str, value: &'v str) -> &'v str {
    if key == ARGO_CD_TRACKING { value.split(':').next().unwrap_or(value) } else { value }
}

/// Marks that name the namespace of an installation.
const NAMESPACES: [&str; 3] = [HELM_NAMESPACE, "olm.owner.namespace", "helm.toolkit.fluxcd.io/namespace"];

/// The kind that the controller is known by: that of the object, unless it is
/// one that everybody uses; then its owner's, or one of the finalizer's domain.
fn kind_of_interest<'s>(finalizer: &str, first: Seen<'s>, facts: &Facts<'s>) -> &'s Resource {
    if is_custom(&first.resource.id.group) {
        return first.resource;
    }
    let discovery = facts.discovery();
    let owners = first.object.metadata.owner_references.iter().take(5);
    let owner = owners
        .filter(|owner| is_custom(owner.api_version.split('/').next().unwrap_or_default()))
        .find_map(|owner| discovery.by_kind(&owner.api_version, &owner.kind));
    let domain = domain(finalizer);
    let same_domain = || discovery.resources.iter().find(|resource| belongs_to(&resource.id.group, domain));
    owner.or_else(same_domain).unwrap_or(first.resource)
}

/// Groups of Kubernetes itself have no dot or end in `.k8s.io`; so do some of its
/// sub-projects, which are recognised by their definition.
pub(crate) fn is_custom(group: &str) -> bool {
    group.contains('.') && !(group.ends_with(".k8s.io") && group.matches('.').count() == 2)
}

/// The domain of a finalizer: `acme.io` of `acme.io/backup`, the whole of one
/// without a path.
pub(crate) fn domain(finalizer: &str) -> &str {
    finalizer.split('/').next().unwrap_or(finalizer)
}

/// Whether a group and a domain are of one owner: one ends in the other.
fn belongs_to(group: &str, domain: &str) -> bool {
    let below =
        |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    let specific =
        |name: &str| name.contains('.') && !["k8s.io", "x-k8s.io", "kubernetes.io", "github.io"].contains(&name);
    is_custom(group) && specific(group) && specific(domain) && (below(group, domain) || below(domain, group))
}

/// Some controllers run in a managed control plane, in another cluster, or are a
/// person with a program.
fn unseen(finalizer: &str) -> Option<String> {
    let entry = catalogue::lookup(finalizer)?;
    let elsewhere = ["hidden", "control plane", "none,", "seed", "host cluster", "garden", "hub"];
    let unseen = elsewhere.iter().any(|word| entry.namespace.contains(word));
    unseen.then(|| format!("it may run where this cluster does not show it: {}", entry.namespace))
}

/// `acme` of `databases.acme.io`.
fn brand(group: &str) -> Option<String> {
    let mut parts = group.rsplit('.').skip(1);
    let brand = parts.next()?;
    let brand = if ["k8s", "x-k8s", "kubernetes", "co", "com"].contains(&brand) { parts.next()? } else { brand };
    (brand.len() > 3).then(|| brand.to_owned())
}

/// The definition's metadata; `None` where the kind has none: it is built in or
/// aggregated.
fn definition<'s>(kind: &Resource, facts: &Facts<'s>) -> Known<Option<&'s Object>> {
    let Some(definitions) = facts.discovery().preferred("apiextensions.k8s.io", "customresourcedefinitions") else {
        return Ok(None);
    };
    if !kind.id.group.contains('.') {
        return Ok(None);
    }
    facts.get(&definitions.id, None, &kind.id.short(), Form::Metadata)
}

fn names(finalizer: &str, held: &Held<'_>) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let entry = catalogue::lookup(finalizer);
    let known = |name: &str| entry.is_some_and(|entry| names_in(entry.controller).iter().any(|word| word == name));
    let telling = |manager: &FieldManager| says_something(&manager.name) || known(&manager.name);
    let mut add = |name: &str, weight: Weight, text: String| match names.iter_mut().find(|known| known.word == name) {
        // Two pieces of evidence for one name tell it from others in the catalogue.
        Some(known) if !known.text.contains(&text) => {
            known.weight += 1;
            known.text = format!("{}; {text}", known.text);
        }
        Some(_) => {}
        None => {
            let catalogued = weight == CATALOGUE;
            names.push(Name { word: name.to_owned(), weight, catalogued, text });
        }
    };
    if let Some(entry) = entry {
        for name in names_in(entry.controller) {
            add(&name, CATALOGUE, format!("the catalogue: {} releases {finalizer}", entry.controller));
        }
    }
    for object in &held.whole {
        if let Some(FieldManager { name, .. }) = object.finalizer_set_by(finalizer).filter(telling) {
            add(&name, SETTER, format!("managedFields: {name} set {finalizer}"));
        }
        for FieldManager { name, .. } in object.status_written_by().filter(telling) {
            add(&name, 3, format!("managedFields: {name} wrote its status"));
        }
        if let Some(name) =
            object.metadata.labels.get("app.kubernetes.io/managed-by").filter(|name| !is_installer(name))
        {
            add(name, 2, format!("label app.kubernetes.io/managed-by={name}"));
        }
    }
    names
}

/// Installers, not controllers.
fn is_installer(name: &str) -> bool {
    ["helm", "kustomize", "argocd", "olm", "terraform", "pulumi", "flux"].contains(&name.to_lowercase().as_str())
}

/// The names in the catalogue's words: `virt-controller, virt-handler or
/// virt-operator`; `provider-<name>-<hash>` becomes `provider-*-*`.
fn names_in(words: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in
        words.split([',', ';', '(', ')']).flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and "))
    {
        let alone = !part.trim().contains(' ');
        for word in part.split_whitespace() {
            let pattern = glob(word);
            let plain = pattern.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.*".contains(c));
            if plain && (alone || pattern.contains('-')) && pattern.trim_matches(['*', '-']).len() > 2 {
                names.push(pattern);
            }
        }
    }
    names
}

/// What stands between `<` and `>` is any text.
fn glob(word: &str) -> String {
    let mut pattern = String::new();
    let mut inside = false;
    for c in word.chars() {
        match c {
            '<' => {
                inside = true;
                pattern.push('*');
            }
            '>' => inside = false,
            _ if inside => {}
            other => pattern.push(other),
        }
    }
    pattern
}

/// How well a workload's name, or a word that it is labelled with, is `name`:
/// 0 for not at all, 1 for part of it, 2 for the very name.
pub(crate) fn likeness(name: &str, other: &str) -> u32 {
    if let Some((head, tail)) = name.split_once('*') {
        let tail = tail.rsplit('*').next().unwrap_or_default();
        let fits = other.len() > head.len() + tail.len() && other.starts_with(head) && other.ends_with(tail);
        return u32::from(fits && !head.is_empty());
    }
    if name == other {
        return 2;
    }
    // A release's name before it, or a part's name after it.
    let before = other.strip_suffix(name).is_some_and(|rest| rest.ends_with('-'));
    let after = other.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    u32::from(before || after)
}

/// What points at a workload must weigh so much.
pub(crate) const ENOUGH: i64 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogues_words_give_names() {
        for (words, names) in [
            (
                "virt-controller, virt-handler or virt-operator",
                vec!["virt-controller", "virt-handler", "virt-operator"],
            ),
            ("cloud-controller-manager (service controller)", vec!["cloud-controller-manager"]),
            ("provider-<name>-<hash>", vec!["provider-*-*"]),
            ("crossplane", vec!["crossplane"]),
            ("the controller of the broker", vec![]),
        ] {
            assert_eq!(names_in(words), names, "{words}");
        }
    }

    #[test]
    fn every_name_in_the_catalogue_can_be_looked_for() {
        let nameless: Vec<&str> = catalogue::entries()
            .iter()
            .filter(|entry| names_in(entry.controller).is_empty())
            .map(|entry| entry.controller)
            .collect();
        assert!(nameless.len() * 10 < catalogue::entries().len(), "{nameless:?}");
    }

    #[test]
    fn a_name_is_found_with_its_release_before_it() {
        assert_eq!(likeness("acme-operator", "acme-operator"), 2);
        assert_eq!(likeness("acme-operator", "prod-acme-operator"), 1);
        assert_eq!(likeness("acme-operator", "acme-operator-controller-manager"), 1);
        assert_eq!(likeness("acme-operator", "notacme-operator"), 0);
        assert_eq!(likeness("provider-*-*", "provider-aws-12ab"), 1);
        assert_eq!(likeness("provider-*", "other"), 0);
    }

    #[test]
    fn generic_names_say_nothing() {
        for name in ["manager", "kubectl-client-side-apply", "helm", "main", "op", "argocd-controller"] {
            assert!(!says_something(name), "{name}");
        }
        assert!(says_something("acme-operator"));
    }

    #[test]
    fn a_finalizers_domain_leads_to_its_groups() {
        assert!(belongs_to("ceph.rook.io", domain("ceph.rook.io/disaster-protection")));
        assert!(belongs_to("longhorn.io", domain("longhorn.io")));
        assert!(belongs_to("db.acme.io", domain("acme.io/backup")));
        assert!(!belongs_to("networking.k8s.io", domain("kubernetes.io/pvc-protection")));
        assert!(!belongs_to("other.io", domain("acme.io/backup")));
    }

    #[test]
    fn a_product_is_mostly_named_by_its_group() {
        assert_eq!(brand("databases.acme.io").as_deref(), Some("acme"));
        assert_eq!(brand("cluster.x-k8s.io").as_deref(), Some("cluster"));
        assert_eq!(brand("apps"), None);
    }
}
