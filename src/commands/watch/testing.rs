//! Helpers for the tests of this folder.

use crate::commands::watch::Diagnosed;
use crate::diagnosis::{close, diagnose};
use crate::survey::{InMemory, Resource, ResourceId, TargetName};
use serde_json::json;

/// The diagnosis of `ConfigMap`s whose deletion was requested a second ago. The flag tells whether
/// one still exists.
pub(super) fn diagnosed(config_maps: &[(&str, bool)]) -> Diagnosed {
    let kind = Resource { verbs: vec![], ..Resource::tested("", "configmaps", "ConfigMap", true) };
    let there = config_maps.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| {
        let metadata = json!({"name": name, "namespace": "shop", "uid": name,
            "deletionTimestamp": "2026-01-01T23:59:59Z"});
        ("configmaps", json!({"metadata": metadata}))
    });
    let cluster = InMemory::holding("2026-01-02T00:00:00Z", [kind], there);
    let target = |(name, _): &(&str, bool)| TargetName {
        resource: ResourceId::new("", "v1", "configmaps"),
        namespace: Some("shop".into()),
        name: (*name).into(),
    };
    let targets: Vec<TargetName> = config_maps.iter().map(target).collect();
    let mut survey = cluster.read(targets.iter().map(TargetName::want));
    loop {
        let diagnosis = diagnose(&survey, &targets);
        if diagnosis.wants.is_empty() {
            return Diagnosed { survey, report: diagnosis.report };
        }
        close(&mut survey, diagnosis.wants);
    }
}
