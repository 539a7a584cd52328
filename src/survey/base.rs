//! A survey file may build on another one, its base. Its lists and the resources of the server are
//! then written as differences.
//!
//! A fact of the base becomes part of a survey only if an entry of the file says so. Everything
//! else stays unread, whatever the base contains.

use super::not_a_survey::NotASurvey;
use super::{Discovery, Fact, Object, Resource, ResourceId, Survey, Want};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The resources that the server serves, as written in a file.
#[derive(Serialize, Deserialize)]
pub(super) struct Served {
    /// Whether to start from the base's resources.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    base: bool,
    /// All resources, or those in addition to the base's.
    #[serde(default)]
    resources: Option<Vec<Resource>>,
    /// Resources of the base that this server does not serve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    less: Vec<ResourceId>,
    /// Never taken from the base: a failing API is specific to its moment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stale: Vec<String>,
}

impl From<Discovery> for Served {
    fn from(whole: Discovery) -> Self {
        Self { base: false, resources: Some(whole.resources), less: Vec::new(), stale: whole.stale }
    }
}

impl Served {
    /// The resources that the server serves, completed from the base.
    pub(super) fn on(self, base: Option<&Survey>) -> Result<Discovery, NotASurvey> {
        let resources = match (self.base, base, self.resources) {
            (false, _, Some(all)) if self.less.is_empty() => all,
            (true, Some(base), own) => {
                let (base, own) = (base.discovery.resources.clone(), own.unwrap_or_default());
                on_top(base, own, |resource| self.less.contains(&resource.id))
            }
            (true, None, _) => return Err(no_base("discovery")),
            (false, _, None) => {
                return Err(NotASurvey("the survey's discovery must have resources, or base: true".into()));
            }
            (false, _, Some(_)) => return Err(less_than_nothing("discovery")),
        };
        Ok(Discovery { resources, stale: self.stale })
    }
}

/// The base's resources in their order, replaced by those in `own` with the same identity, followed
/// by the rest of `own`: servers list built-in groups first.
fn on_top(base: Vec<Resource>, mut own: Vec<Resource>, is_gone: impl Fn(&Resource) -> bool) -> Vec<Resource> {
    let mut all = Vec::with_capacity(base.len() + own.len());
    for resource in base.into_iter().filter(|resource| !is_gone(resource)) {
        let replaced = own.iter().position(|other| other.id == resource.id);
        all.push(replaced.map_or(resource, |at| own.remove(at)));
    }
    all.extend(own);
    all
}

/// The base's fact for `want`. In a list, the objects in `less` are removed, and those in `own` are
/// added.
pub(super) fn fact(base: Option<&Survey>, want: &Want, own: Option<Fact>, less: &[String]) -> Result<Fact, NotASurvey> {
    let base = base.ok_or_else(|| no_base(want))?;
    let held = base.facts.get(want).ok_or_else(|| {
        NotASurvey(format!(
            "the survey's entry for {want} has base: true, and the base has no such entry: say what was read"
        ))
    })?;
    match (held, own) {
        (Fact::Listed(items), own @ (None | Some(Fact::Listed(_)))) => {
            let own = if let Some(Fact::Listed(own)) = own { own } else { Vec::new() };
            Ok(Fact::Listed(merged(items, own, less)))
        }
        (held, None) if less.is_empty() => Ok(held.clone()),
        _ => Err(NotASurvey(format!(
            "the survey's entry for {want} has base: true: besides that it can have only items and less, for a list \
             that the base holds"
        ))),
    }
}

/// Merges two lists in the order of the API server: by the key in the store.
fn merged(base: &[Object], own: Vec<Object>, less: &[String]) -> Vec<Object> {
    let kept = base.iter().map(|object| (key(object), object)).filter(|(key, _)| !less.contains(key));
    let mut items: BTreeMap<String, Object> = kept.map(|(key, object)| (key, object.clone())).collect();
    items.extend(own.into_iter().map(|object| (key(&object), object)));
    items.into_values().collect()
}

/// `namespace/name`, or just the name of a cluster-scoped object.
fn key(object: &Object) -> String {
    match &object.metadata.namespace {
        Some(namespace) => format!("{namespace}/{}", object.name()),
        None => object.name().to_owned(),
    }
}

pub(super) fn less_than_nothing(entry: impl std::fmt::Display) -> NotASurvey {
    NotASurvey(format!("the survey's entry for {entry} has less, which removes objects from a base: add base: true"))
}

fn no_base(entry: impl std::fmt::Display) -> NotASurvey {
    NotASurvey(format!(
        "the survey's entry for {entry} has base: true, and the survey names no base: add base: FILE at its top"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::super::file::{read, read_on};
    use super::*;

    const TOP: &str = "apiVersion: unstick.dev/v1alpha1\nkind: Survey\ntakenAt: 2026-01-01T00:00:00Z\n";
    const BASE: &str = "server: v1.36.3
discovery:
  resources:
  - {resource: v1/pods, kind: Pod, namespaced: true}
  - {resource: apps/v1/deployments, kind: Deployment, namespaced: true}
  stale: [old.io/v1]
facts:
- resource: v1/pods
  items:
  - metadata: {name: a, namespace: kube-system, uid: base}
  - metadata: {name: b, namespace: kube-system, uid: base}
  - metadata: {name: z, namespace: default, uid: base}
- {resource: apps/v1/deployments, whole: true, items: []}
- {resource: v1/nodes, name: n, missing: true}
complete: true
";

    fn on_base(rest: &str) -> Result<Survey, NotASurvey> {
        read_on(&format!("{TOP}base: b.yaml\n{rest}complete: true\n"), |path| {
            assert_eq!(path, "b.yaml");
            read(&format!("{TOP}{BASE}"))
        })
    }

    fn with_facts(rows: &str) -> Result<Survey, NotASurvey> {
        on_base(&format!("discovery: {{base: true}}\nfacts: {rows}\n"))
    }

    /// `namespace/name uid` of each object in a list of pods.
    fn pods(survey: &Survey) -> Vec<String> {
        let pods = Want::list(&ResourceId::new("", "v1", "pods"), None, Form::Metadata);
        let Some(Fact::Listed(items)) = survey.fact(&pods) else { panic!("{survey:?}") };
        items.iter().map(|object| format!("{} {}", key(object), object.uid())).collect()
    }

    #[test]
    fn lists_start_from_the_base() {
        let same = with_facts("[{resource: v1/pods, base: true}]").unwrap();
        assert_eq!(pods(&same), ["default/z base", "kube-system/a base", "kube-system/b base"]);
        let differs = "[{resource: v1/pods, base: true, less: [default/z], items: [
            {metadata: {name: a, namespace: kube-system, uid: own}},
            {metadata: {name: x, namespace: kube, uid: own}}]}]";
        assert_eq!(pods(&with_facts(differs).unwrap()), ["kube-system/a own", "kube-system/b base", "kube/x own"]);
        let without = with_facts("[{resource: v1/pods, base: true, less: [default/z, default/never]}]").unwrap();
        assert_eq!(pods(&without), ["kube-system/a base", "kube-system/b base"]);
    }

    #[test]
    fn unmentioned_facts_of_the_base_stay_unread() {
        assert_eq!(with_facts("[]").unwrap().facts().count(), 0);
        assert_eq!(with_facts("[{resource: v1/nodes, name: n, base: true}]").unwrap().facts().count(), 1);
    }

    #[test]
    fn an_entry_may_say_the_same_of_several_resources() {
        let survey = with_facts("[{resources: [v1/pods, v1/secrets], namespace: shop, items: []}]").unwrap();
        let said: Vec<String> = survey.facts().map(|(want, fact)| format!("{want}: {fact:?}")).collect();
        assert_eq!(said, ["pods in namespace shop: Listed([])", "secrets in namespace shop: Listed([])"]);
    }

    #[test]
    fn discovery_starts_from_the_base() {
        let of = |discovery: &str| {
            let survey = on_base(&format!("discovery: {discovery}\nfacts: []\n")).unwrap();
            assert!(survey.discovery.stale.is_empty());
            let resources = survey.discovery.resources.iter();
            resources.map(|resource| format!("{} {}", resource.id, resource.kind)).collect::<Vec<_>>()
        };
        assert_eq!(of("{base: true}"), ["pods Pod", "deployments.apps Deployment"]);
        assert_eq!(
            of("{base: true, resources: [{resource: a.io/v1/xs, kind: X}, {resource: v1/pods, kind: Other}]}"),
            ["pods Other", "deployments.apps Deployment", "xs.a.io X"]
        );
        assert_eq!(of("{base: true, less: [v1/pods]}"), ["deployments.apps Deployment"]);
        assert_eq!(of("{resources: [{resource: a.io/v1/xs, kind: X}]}"), ["xs.a.io X"]);
    }

    #[test]
    fn the_server_version_defaults_to_that_of_the_base() {
        let server = |line: &str| on_base(&format!("{line}discovery: {{base: true}}\nfacts: []\n")).unwrap().server;
        assert_eq!(server("").as_deref(), Some("v1.36.3"));
        assert_eq!(server("server: v1.30.4\n").as_deref(), Some("v1.30.4"));
    }

    #[test]
    fn nonsense_is_refused_with_a_sentence() {
        for (row, says) in [
            ("resource: v1/secrets, base: true", "entry for secrets has base: true, and the base has no such entry"),
            ("resource: v1/pods, namespace: shop, base: true", "entry for pods in namespace shop has base: true"),
            ("resource: v1/pods, whole: true, base: true", "the base has no such entry: say what was read"),
            ("resource: v1/pods, base: true, missing: true", "only items and less"),
            ("resource: v1/nodes, name: n, base: true, items: []", "for a list that the base holds"),
            ("resource: v1/nodes, name: n, base: true, less: [a]", "for a list that the base holds"),
            (
                "resource: v1/pods, less: [default/z], items: []",
                "entry for pods has less, which removes objects from a base",
            ),
            ("resource: v1/pods", "must have exactly one of items, found"),
            ("resource: v1/pods, items: [], missing: true", "must have exactly one of items, found"),
            ("resource: v1/pods, base: true, items: [], missing: true", "must have exactly one of items, found"),
            ("namespace: shop, items: []", "must have either resource or resources"),
            ("resource: v1/pods, resources: [v1/pods], items: []", "must have either resource or resources"),
        ] {
            let error = with_facts(&format!("[{{{row}}}]")).unwrap_err().to_string();
            assert!(error.contains(says), "{row}: {error}");
        }
        for (discovery, says) in [
            ("{}", "discovery must have resources, or base: true"),
            ("{resources: [], less: [v1/pods]}", "add base: true"),
        ] {
            let error = on_base(&format!("discovery: {discovery}\nfacts: []\n")).unwrap_err().to_string();
            assert!(error.contains(says), "{discovery}: {error}");
        }
    }

    #[test]
    fn a_file_with_a_base_needs_that_base() {
        for rest in [
            "discovery: {base: true}\nfacts: []\n",
            "discovery: {resources: []}\nfacts: [{resource: v1/pods, base: true}]\n",
        ] {
            let error = read(&format!("{TOP}{rest}complete: true\n")).unwrap_err().to_string();
            assert!(error.contains("the survey names no base: add base: FILE at its top"), "{error}");
        }
    }

    #[test]
    fn a_text_without_a_file_cannot_have_a_base() {
        let error = read(&format!("{TOP}base: b.yaml\n{BASE}")).unwrap_err().to_string();
        assert!(error.contains("names a base (b.yaml)"), "{error}");
    }
}
