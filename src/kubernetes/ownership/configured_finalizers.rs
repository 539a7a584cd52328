//! Workloads whose configuration contains a finalizer, or its domain: in the arguments, the
//! environment, or the keys of the labels.

use crate::kubernetes::finalizers::groups::{domain, is_reserved};
use crate::kubernetes::messages::mentions;
use crate::survey::{Object, each_text};
use serde_json::Value;
use std::cmp::Reverse;

/// How much of a finalizer the configuration of a workload contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ConfiguredPart {
    /// The domain: other programs of the product may contain it, too.
    Domain,
    /// The whole finalizer.
    Whole,
}

/// The domain of a finalizer, if it belongs to one product.
pub(crate) fn telling_domain(finalizer: &str) -> Option<&str> {
    let domain = domain(finalizer);
    (domain.contains('.') && !is_reserved(domain)).then_some(domain)
}

/// How much of `finalizer` the configuration of a workload contains, and where.
pub(crate) fn of(finalizer: &str, workload: &Object) -> Option<(ConfiguredPart, String)> {
    let telling_domain = telling_domain(finalizer);
    let whole = |text: &str| finalizer.len() > 5 && mentions(text, finalizer);
    let part = |text: &str| telling_domain.is_some_and(|domain| mentions(text, domain));
    let in_words = words(workload).into_iter().filter_map(|text| match text {
        _ if whole(text) => Some((ConfiguredPart::Whole, format!("its configuration names {finalizer}"))),
        _ if part(text) => Some((ConfiguredPart::Domain, format!("its configuration names {}", domain(finalizer)))),
        _ => None,
    });
    let in_labels = label_keys(workload).filter(|key| part(key));
    let in_labels = in_labels.map(|key| (ConfiguredPart::Domain, format!("its label {key}")));
    // The first of those that contain the most: `max_by_key` would return the last.
    in_words.chain(in_labels).min_by_key(|(told, _)| Reverse(*told))
}

/// Whether the key of one of the workload's labels contains the domain of `finalizer`.
pub(crate) fn is_labelled(finalizer: &str, workload: &Object) -> bool {
    telling_domain(finalizer).is_some_and(|domain| label_keys(workload).any(|key| mentions(key, domain)))
}

fn label_keys(workload: &Object) -> impl Iterator<Item = &str> {
    let template = workload.at("/spec/template/metadata/labels").and_then(Value::as_object);
    workload.metadata.labels.keys().chain(template.into_iter().flat_map(|labels| labels.keys())).map(String::as_str)
}

/// The arguments and the environment of a workload's containers, or as much as a survey file keeps
/// of them.
fn words(workload: &Object) -> Vec<&str> {
    let mut all = Vec::new();
    for container in workload.array("/spec/template/spec/containers") {
        let told = ["command", "args", "env"].iter().filter_map(|field| container.get(field));
        told.for_each(|value| each_text(value, &mut |text| all.push(text)));
    }
    all.extend(workload.array("/spec/template/spec/finalizersNamed").iter().filter_map(Value::as_str));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(container: &Value, labels: &Value) -> Option<ConfiguredPart> {
        let workload = json!({"metadata": {"name": "w", "labels": labels},
            "spec": {"template": {"spec": {"containers": [container]}}}});
        let workload: Object = serde_json::from_value(workload).unwrap();
        of("guard.acme.io/keep", &workload).map(|(told, _)| told)
    }

    #[test]
    fn finalizers_are_found_in_arguments_variables_and_labels() {
        let none = json!({});
        assert_eq!(told(&json!({"args": ["--finalizer=guard.acme.io/keep"]}), &none), Some(ConfiguredPart::Whole));
        let env = json!({"env": [{"name": "DOMAIN", "value": "guard.acme.io"}]});
        assert_eq!(told(&env, &none), Some(ConfiguredPart::Domain));
        assert_eq!(told(&none, &json!({"guard.acme.io/part": "x"})), Some(ConfiguredPart::Domain));
        assert_eq!(told(&json!({"args": ["--domain=acme.io"]}), &none), None, "another one of the same owner");
        assert_eq!(told(&json!({"image": "guard.acme.io/keep"}), &none), None, "who runs it need not own it");
    }

    #[test]
    fn finalizers_of_kubernetes_identify_no_product() {
        for finalizer in ["kubernetes.io/pvc-protection", "snapshot.storage.kubernetes.io/x", "orphan", "a.k8s.io/x"] {
            assert_eq!(telling_domain(finalizer), None, "{finalizer}");
        }
        assert_eq!(telling_domain("guard.acme.io/keep"), Some("guard.acme.io"));
    }
}
