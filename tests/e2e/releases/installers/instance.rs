//! A label that anybody puts on what belongs together.

use super::{Marks, Part, Release, Way};

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

    /// In another namespace it is the label of another product.
    fn heeds_marks(&self) -> bool {
        false
    }
}
