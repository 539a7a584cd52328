//! Helm: two annotations, and no readable object of its own.

use super::{Marks, Part, Release, Way};

pub struct Helm;

impl Way for Helm {
    fn asked(&self, release: &Release) -> (&'static str, String, Option<String>) {
        ("helm", release.name(), Some(release.home()))
    }

    fn marks(&self, release: &Release, _: &Part) -> Marks {
        self.forged(release)
    }

    fn forged(&self, release: &Release) -> Marks {
        let marks = Marks::default().annotation("meta.helm.sh/release-name", &release.name());
        marks.annotation("meta.helm.sh/release-namespace", &release.home())
    }
}
