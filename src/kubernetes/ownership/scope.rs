//! The objects that a workload is configured to watch, by the arguments and variables of its
//! containers: those in some namespaces, with some labels, of one class. An operator that runs
//! ignores all others.

use crate::kubernetes::ownership::zones::zone_of;
use crate::survey::{LimitedTo, Object, Selector, arguments, last_word, variables};
use serde_json::Value;

/// Why a workload's configuration leaves out an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideScope {
    /// The argument or variable: `--watch-namespace=team-b`.
    pub told: String,
    /// The objects that it watches.
    pub only: Only,
}

/// The objects that a workload is configured to watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Only {
    /// Those in these namespaces.
    In(Vec<String>),
    /// Those in all namespaces except this one, which is the object's.
    NotIn(String),
    /// Those that match this selector.
    Labels(String),
    /// Those in namespaces that match this selector.
    InLabelled(String),
    /// Those of this class or with this mark; the object has another.
    Marked {
        /// The field of the object that differs.
        field: String,
        /// The value of that field; `None` if the object does not have it.
        has: Option<String>,
    },
}

/// The namespaces to which a workload is limited, with the setting. `None` for all.
pub(crate) fn watched(workload: &Object) -> Option<(Vec<String>, String)> {
    let own = workload.metadata.namespace.as_deref()?;
    let annotation = "/spec/template/metadata/annotations/olm.targetNamespaces";
    limits(workload).find_map(|limit| {
        let names = match limit.to {
            LimitedTo::Namespaces(names) => names,
            LimitedTo::OwnNamespace => vec![own.to_owned()],
            LimitedTo::TargetNamespaces => {
                let all = workload.text(annotation)?.split(',').map(str::trim);
                all.filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect()
            }
            // A setting with the workload's own namespace may also say where the workload keeps its
            // lease.
            LimitedTo::Namespace(name) if name != own => vec![name],
            _ => return None,
        };
        (!names.is_empty()).then_some((names, limit.text))
    })
}

/// Why a workload does not watch the namespace `home`.
pub(crate) fn outside(workload: &Object, home: &str) -> Option<OutsideScope> {
    let is_home = |name: &String| name == home;
    if let Some((names, told)) = watched(workload).filter(|(names, _)| !names.iter().any(is_home)) {
        return Some(OutsideScope { told, only: Only::In(names) });
    }
    limits(workload).find_map(|limit| match limit.to {
        LimitedTo::NotNamespaces(names) if names.iter().any(is_home) => {
            Some(OutsideScope { told: limit.text, only: Only::NotIn(home.to_owned()) })
        }
        _ => None,
    })
}

/// Why a workload ignores an object in a namespace that it watches: the labels or the class differ.
pub(crate) fn passes_over(workload: &Object, held: &Object) -> Option<OutsideScope> {
    limits(workload).find_map(|limit| {
        let only = match limit.to {
            LimitedTo::Labels(selector) => Only::Labels(unmatched(selector, held)?),
            LimitedTo::Class { of, name } => another(class_of(held, &of)?, &name)?,
            LimitedTo::Mark { key, value } => another(mark_of(held, key)?, &value)?,
            LimitedTo::Tenant { key, value } => another(tenant_of(workload, held, key, &value)?, &value)?,
            _ => return None,
        };
        Some(OutsideScope { told: limit.text, only })
    })
}

/// Whether a workload is configured to select namespaces by their labels.
pub(crate) fn asks_for_labels(workload: &Object) -> bool {
    limits(workload).any(|limit| matches!(limit.to, LimitedTo::NamespaceLabels(_)))
}

/// Why a workload does not watch `namespace`, whose labels differ from those in its configuration.
pub(crate) fn without_its_labels(workload: &Object, namespace: &Object) -> Option<OutsideScope> {
    limits(workload).find_map(|limit| {
        let LimitedTo::NamespaceLabels(selector) = limit.to else { return None };
        Some(OutsideScope { told: limit.text, only: Only::InLabelled(unmatched(selector, namespace)?) })
    })
}

/// The selector, if the labels of `object` do not match it.
fn unmatched(selector: String, object: &Object) -> Option<String> {
    let parsed = Selector::parse(&selector).ok()?;
    (!parsed.matches(&object.metadata.labels)).then_some(selector)
}

fn limits(workload: &Object) -> impl Iterator<Item = crate::survey::Limit> {
    let containers = workload.array("/spec/template/spec/containers").iter();
    containers.flat_map(|container| variables(container).into_iter().chain(arguments(container)))
}

/// The label of a held object that names its tenant, if the workload has a label of the same word
/// with the value of its argument: an argument alone may only say where the workload runs.
fn tenant_of(workload: &Object, held: &Object, key: &str, value: &str) -> Option<(String, Option<String>)> {
    let word = |label: &str| label.rsplit('/').next().unwrap_or(label).to_owned();
    let is_own = workload.metadata.labels.iter().any(|(label, own)| word(label) == key && own == value);
    let mut labelled = held.metadata.labels.iter().filter(|(label, _)| label.contains('/') && word(label) == key);
    let (label, has) = labelled.next().filter(|_| is_own)?;
    Some((format!("metadata.labels[{label}]"), Some(has.to_owned())))
}

fn another((field, has): (String, Option<String>), value: &str) -> Option<Only> {
    (has.as_deref() != Some(value)).then_some(Only::Marked { field, has })
}

/// The field with the class of an object, and the class: `spec.ingressClassName`, or an annotation
/// like `kubernetes.io/ingress.class`. `of` is the kind of class, if that is known.
fn class_of(held: &Object, of: &str) -> Option<(String, Option<String>)> {
    let fits = |stem: &str| {
        let stem = stem.trim_end_matches(['-', '.']).to_lowercase();
        let of = of.replace('-', "");
        !OTHER_CLASSES.contains(&stem.as_str()) && (of.is_empty() || stem.is_empty() || stem == of)
    };
    let spec = held.at("/spec").and_then(Value::as_object);
    let mut in_spec = spec.into_iter().flatten().filter_map(|(key, value)| {
        let stem = key.strip_suffix("Name").unwrap_or(key);
        let stem = stem.strip_suffix("Class").or_else(|| stem.strip_suffix("class"))?;
        let value = value.as_str().filter(|_| fits(stem))?;
        Some((format!("spec.{key}"), Some(value.to_owned())))
    });
    let mut marked = marks(held).filter_map(|(key, value)| {
        let stem = key.rsplit('/').next().unwrap_or(key).strip_suffix("class")?;
        fits(stem).then(|| (format!("metadata: {key}"), Some(value.clone())))
    });
    in_spec.next().or_else(|| marked.next())
}

/// Kinds of classes that do not belong to the object's controller.
const OTHER_CLASSES: [&str; 6] = ["storage", "priority", "runtime", "device", "volumesnapshot", "volumeattributes"];

/// The mark of an object whose key ends in `word`.
fn mark_of(held: &Object, word: &str) -> Option<(String, Option<String>)> {
    if word == "zone" {
        return zone_of(held).map(|(field, zone)| (field, Some(zone)));
    }
    let is_it = |key: &str| last_word(key) == word || (word == "rev" && last_word(key) == "revision");
    let found = marks(held).find(|(key, _)| is_it(key));
    let found = found.map(|(key, value)| (format!("metadata: {key}"), Some(value.clone())));
    // A controller with a filter ignores objects without the label
    // (kubernetes-sigs/cluster-api: `util/predicates/generic_predicates.go`).
    found.or_else(|| (word == "watch-filter").then(|| ("a label that ends in /watch-filter".to_owned(), None)))
}

/// The labels and annotations of an object.
fn marks(held: &Object) -> impl Iterator<Item = (&String, &String)> {
    held.metadata.labels.iter().chain(held.metadata.annotations.iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(arguments: &Value) -> Object {
        serde_json::from_value(json!({"metadata": {"name": "acme", "namespace": "ops"},
            "spec": {"template": {"spec": {"containers": [{"args": arguments}]}}}}))
        .unwrap()
    }

    fn held(rest: Value) -> Object {
        let mut value = json!({"metadata": {"name": "o", "namespace": "shop"}});
        if let Value::Object(fields) = rest {
            value.as_object_mut().unwrap().extend(fields);
        }
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn namespace_arguments_limit_a_workload() {
        let out = |arguments: Value| outside(&told(&arguments), "shop").map(|out| out.only);
        assert_eq!(out(json!(["--watch-namespace=team-b"])), Some(Only::In(vec!["team-b".into()])));
        assert_eq!(out(json!(["--watch-namespace=team-b,shop"])), None);
        assert_eq!(out(json!(["--namespace=ops"])), None, "where it keeps its own things");
        assert_eq!(out(json!(["--namespace=team-b"])), Some(Only::In(vec!["team-b".into()])));
        assert_eq!(out(json!(["--exclude-namespaces=shop,x"])), Some(Only::NotIn("shop".into())));
    }

    #[test]
    fn a_namespace_selector_limits_a_workload() {
        let home = |label: &str| -> Object {
            serde_json::from_value(json!({"metadata": {"name": "shop", "labels": {"env": label}}})).unwrap()
        };
        let told = told(&json!(["--watch-namespace-selector=env=prod"]));
        assert!(asks_for_labels(&told));
        assert_eq!(without_its_labels(&told, &home("prod")), None);
        let outside = without_its_labels(&told, &home("test")).unwrap();
        assert_eq!(outside.only, Only::InLabelled("env=prod".into()));
    }

    #[test]
    fn class_label_and_zone_arguments_exclude_objects() {
        let out = |arguments: Value, object: Value| passes_over(&told(&arguments), &held(object)).is_some();
        let class = |name: &str| json!({"spec": {"ingressClassName": name, "storageClassName": "fast"}});
        assert!(out(json!(["--ingress-class=blue"]), class("green")));
        assert!(!out(json!(["--ingress-class=blue"]), class("blue")));
        assert!(!out(json!(["--gateway-class=blue"]), class("green")), "it is about another kind");
        assert!(!out(json!(["--class=blue"]), json!({"spec": {"storageClassName": "fast"}})));
        let labelled = |labels: Value| json!({"metadata": {"name": "o", "labels": labels}});
        assert!(out(json!(["--watch-label-selector=team=a"]), labelled(json!({"team": "b"}))));
        assert!(!out(json!(["--watch-label-selector=team=a"]), labelled(json!({"team": "a"}))));
        assert!(out(json!(["--watch-filter=x"]), labelled(json!({}))));
        assert!(out(json!(["--revision=1-2"]), labelled(json!({"mesh.io/rev": "1-1"}))));
        assert!(out(json!(["--zone=eu-1a"]), json!({"spec": {"zone": "eu-1b"}})));
        assert!(!out(json!(["--zone=eu-1a"]), json!({"spec": {"zone": "eu-1a"}})));
        assert!(!out(json!(["--zone=eu-1a"]), json!({"spec": {}})), "it is for no zone");
        assert!(!out(json!(["--revision=1-2"]), labelled(json!({}))), "the default need not be another one");
    }
}
