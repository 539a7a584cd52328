//! Helpers for the tests of this folder.

use crate::commands::watch::Diagnosed;
use crate::diagnosis::{close, diagnose};
use crate::survey::{Discovery, Fact, Object, Resource, ResourceId, Survey, TargetName};
use serde_json::json;

/// The diagnosis of `ConfigMap`s whose deletion was requested a second ago. The flag tells whether
/// one still exists.
pub(super) fn diagnosed(config_maps: &[(&str, bool)]) -> Diagnosed {
    let resource = Resource {
        id: ResourceId::new("", "v1", "configmaps"),
        kind: "ConfigMap".into(),
        namespaced: true,
        singular: String::new(),
        short_names: vec![],
        verbs: vec![],
    };
    let target = |name: &str| TargetName {
        resource: resource.id.clone(),
        namespace: Some("shop".into()),
        name: name.to_owned(),
    };
    let targets: Vec<TargetName> = config_maps.iter().map(|(name, _)| target(name)).collect();
    let discovery = Discovery { resources: vec![resource], stale: vec![] };
    let mut survey = Survey::new("2026-01-02T00:00:00Z".parse().unwrap(), discovery);
    for (target, (name, is_there)) in targets.iter().zip(config_maps) {
        let object = json!({"metadata": {"name": name, "namespace": "shop", "uid": name,
            "deletionTimestamp": "2026-01-01T23:59:59Z"}});
        let found = || Fact::Found(Box::new(Object::single(object).unwrap()));
        survey.record(target.want(), if *is_there { found() } else { Fact::Missing });
    }
    loop {
        let diagnosis = diagnose(&survey, &targets);
        if diagnosis.wants.is_empty() {
            return Diagnosed { survey, report: diagnosis.report };
        }
        close(&mut survey, diagnosis.wants);
    }
}
