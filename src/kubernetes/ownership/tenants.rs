//! Several workloads with one name: copies of an operator that is installed once for each namespace
//! or team. Finds the copy that an object belongs to.

use crate::kubernetes::ownership::owner::{RuledOut, run_the_same};
use crate::kubernetes::ownership::scope;
use crate::survey::Object;

/// Why each of `all` is not the controller of an object in `home`, despite the evidence. Each workload
/// comes with whether its account may write the kind in `home`, according to the roles read.
pub(crate) fn ruled_out(all: &[(&Object, bool)], home: &str) -> Vec<Option<RuledOut>> {
    let is_at_home = |workload: &Object| workload.metadata.namespace.as_deref() == Some(home);
    let out = |(workload, may_write): &(&Object, bool)| {
        if let Some(outside) = scope::outside(workload, home) {
            return Some(RuledOut::told(outside, true));
        }
        if is_at_home(workload) {
            return None;
        }
        let is_namesake = |(other, _): &&(&Object, bool)| other.uid() != workload.uid() && namesakes(other, workload);
        let namesakes = || all.iter().filter(is_namesake);
        if let Some((nearest, _)) = namesakes().find(|(other, _)| is_at_home(other)) {
            let (kind, name) = (if nearest.name() == workload.name() { "name" } else { "image" }, nearest.name());
            return Some(RuledOut::new(
                format!("namespace {home} has its own workload with the same {kind}: {name}"),
                true,
            ));
        }
        // If no copy may write there, all copies have lost the permission, and those that run are candidates.
        let another_may = namesakes().any(|(_, may_write)| *may_write);
        let is_parked = workload.at("/spec/replicas") == Some(&0.into()) && namesakes().next().is_some();
        ((another_may || is_parked) && !may_write).then(|| {
            RuledOut::new(format!("several workloads have its name, and this one may not write in {home}"), false)
        })
    };
    all.iter().map(out).collect()
}

/// Whether two workloads run the same program: by their name, or by all of their images.
fn namesakes(one: &Object, other: &Object) -> bool {
    one.name() == other.name() || run_the_same(one, other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn operator(namespace: &str, name: &str, container: &Value) -> Object {
        serde_json::from_value(
            json!({"metadata": {"name": name, "namespace": namespace, "uid": format!("{namespace}/{name}")},
            "spec": {"template": {"spec": {"containers": [container]}}}}),
        )
        .unwrap()
    }

    fn out(all: &[(&Object, bool)]) -> Vec<Option<bool>> {
        ruled_out(all, "shop").into_iter().map(|out| out.map(|out| out.sure)).collect()
    }

    #[test]
    fn the_instance_in_the_objects_namespace_is_responsible() {
        let runs = json!({"image": "example.invalid/acme:v1"});
        let (near, far) = (operator("shop", "acme", &runs), operator("market", "acme", &runs));
        let renamed = operator("web", "acme-2", &json!({"image": "example.invalid/acme:v2"}));
        let other = operator("ops", "other", &json!({"image": "example.invalid/other"}));
        assert_eq!(
            out(&[(&far, true), (&near, true), (&renamed, true), (&other, true)]),
            [Some(true), None, Some(true), None]
        );
        assert_eq!(out(&[(&far, true), (&renamed, false)]), [None, Some(false)], "none is near");
        assert_eq!(out(&[(&far, false)]), [None], "the only one may have lost its rights");
        assert_eq!(out(&[(&far, false), (&renamed, false)]), [None, None], "so may the one of several");
        let mut parked = operator("web", "acme", &runs);
        assert_eq!(out(&[(&parked, false)]), [None]);
        parked = serde_json::from_value(json!({"metadata": parked.metadata, "spec": {"replicas": 0}})).unwrap();
        assert_eq!(out(&[(&far, false), (&parked, false)]), [None, Some(false)], "to start it would not help");
    }

    #[test]
    fn instances_that_watch_other_namespaces_are_ruled_out() {
        let told = |container: Value| out(&[(&operator("market", "acme", &container), true)])[0];
        assert_eq!(told(json!({"env": [{"name": "WATCH_NAMESPACE", "value": "market,web"}]})), Some(true));
        assert_eq!(told(json!({"env": [{"name": "WATCH_NAMESPACE", "value": "shop, web"}]})), None);
        assert_eq!(told(json!({"env": [{"name": "WATCH_NAMESPACE", "value": ""}]})), None);
        let own = json!({"env": [{"name": "WATCH_NAMESPACE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}}]});
        assert_eq!(told(own), Some(true));
        assert_eq!(told(json!({"args": ["--watch-namespaces=market"]})), Some(true));
        assert_eq!(told(json!({"args": ["--watch-namespace=shop"]})), None);
    }
}
