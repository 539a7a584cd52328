//! A label that anybody may put on objects that belong together.

use super::{Definition, Marks, Part, Release, Way};

pub struct Instance;

impl Way for Instance {
    fn asked(&self, release: &Release) -> (&'static str, String, Option<String>) {
        ("instance", release.name(), Some(release.home()))
    }

    fn marks(&self, release: &Release, _: &Part) -> Marks {
        self.forged(release)
    }

    fn forged(&self, release: &Release) -> Marks {
        Marks::default().label("app.kubernetes.io/instance", &release.name())
    }

    /// On a cluster-scoped object, the label names no namespace.
    fn takes(&self, part: &Part) -> bool {
        !part.namespace.is_empty()
    }

    fn definition(&self, _: &Release) -> Definition {
        Definition::Kept
    }

    /// In another namespace, the label belongs to another product.
    fn heeds_marks(&self) -> bool {
        false
    }
}
