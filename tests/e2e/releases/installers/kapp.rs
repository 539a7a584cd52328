//! kapp: a label with a number, an annotation that identifies the object, and a `ConfigMap` with
//! the name of the app.

use super::{Marks, Part, Release, Way};

pub struct Kapp;

impl Way for Kapp {
    fn asked(&self, release: &Release) -> (&'static str, String, Option<String>) {
        ("kapp", release.name(), None)
    }

    fn marks(&self, release: &Release, part: &Part) -> Marks {
        signed(self.forged(release), part)
    }

    fn forged(&self, release: &Release) -> Marks {
        Marks::default().label("kapp.k14s.io/app", &number(release))
    }

    fn own_objects(&self, release: &Release) -> String {
        made(release) + &record(release, &release.home(), &release.name())
    }
}

/// The number of an app: the variable of the script that [`made`] sets.
pub fn number(release: &Release) -> String {
    format!("$APP{}", release.number)
}

/// Makes the number of an app as kapp does, right before the app's records are created.
pub fn made(release: &Release) -> String {
    format!("APP{}=$(date +%s%N)\n", release.number)
}

/// The marks, with the annotation that kapp writes on each object.
pub fn signed(marks: Marks, part: &Part) -> Marks {
    let Part { group, kind, namespace, name, .. } = part;
    let slash = if group.is_empty() { "" } else { "/" };
    marks
        .label("kapp.k14s.io/association", "v1.5c9d")
        .annotation("kapp.k14s.io/identity", &format!("v1;{namespace}/{group}/{kind}/{name};{group}{slash}v1"))
}

/// The record of a change of an app.
pub fn record(release: &Release, namespace: &str, app: &str) -> String {
    format!(
        "kubectl -n {namespace} create configmap {app}-change-x\nkubectl -n {namespace} label configmap {app}-change-x \
         kapp.k14s.io/is-app-change= kapp.k14s.io/app-change-app={app} kapp.k14s.io/app-change-app-label={}\n",
        number(release)
    )
}
