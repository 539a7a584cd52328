//! Fixtures for the tests of this folder.

use crate::survey::{Discovery, Resource};

pub(crate) fn discovery() -> Discovery {
    let resource = |group: &str, plural: &str, kind: &str, namespaced: bool| Resource {
        verbs: vec!["get".into()],
        ..Resource::tested(group, plural, kind, namespaced)
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
