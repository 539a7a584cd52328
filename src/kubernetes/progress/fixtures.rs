//! Fixtures for the tests of this folder.

use crate::survey::{Discovery, Resource, ResourceId};

pub(crate) fn discovery() -> Discovery {
    let resource = |group: &str, plural: &str, kind: &str, namespaced: bool| Resource {
        id: ResourceId::new(group, "v1", plural),
        kind: kind.into(),
        namespaced,
        singular: String::new(),
        short_names: vec![],
        verbs: vec!["get".into()],
    };
    Discovery {
        resources: vec![
            resource("", "secrets", "Secret", true),
            resource("acme.io", "buckets", "Bucket", true),
            resource("acme.io", "providerconfigs", "ProviderConfig", false),
            resource("acme.io", "appprojects", "AppProject", true),
            resource("a.other.io", "clusters", "Cluster", true),
            resource("b.other.io", "clusters", "Cluster", true),
        ],
        stale: vec![],
    }
}
