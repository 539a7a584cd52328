//! kapp-controller: a `PackageInstall` creates an App, which names the label of the deployed objects.

use super::super::release::State;
use super::{Marks, Part, Release, Way, kapp};

pub struct Carvel;

const PACKAGES: &str = "packageinstalls.packaging.carvel.dev";
const APPS: &str = "apps.kappctrl.k14s.io";

/// The App of a `PackageInstall` is deleted first, and deletes the deployed objects.
const WORDS: &str = r#"
# kapp_deletes NAMESPACE NAME MEMBERS
kapp_deletes() {
  deleting packageinstalls.packaging.carvel.dev "$2" -n "$1" || return 0
  kubectl delete apps.kappctrl.k14s.io "$2" -n "$1" --wait=false --ignore-not-found
  removed "$3" || return 0
  let_go apps.kappctrl.k14s.io "$2" -n "$1"
  let_go packageinstalls.packaging.carvel.dev "$2" -n "$1"
}
"#;

const PREPARATION: &str = r"
crd packageinstalls packaging.carvel.dev PackageInstall Namespaced v1alpha1
crd apps kappctrl.k14s.io App Namespaced v1alpha1
operator kapp-controller kapp-controller 1 packageinstalls.packaging.carvel.dev apps.kappctrl.k14s.io
pods_ready kapp-controller kapp-controller
";

/// The namespace of the `PackageInstall`, which differs from that of the product.
fn place(release: &Release) -> String {
    format!("packages{}", release.number)
}

impl Way for Carvel {
    fn asked(&self, release: &Release) -> (&'static str, String, Option<String>) {
        // Without an App, only the marks of kapp are known.
        if release.state == State::Orphaned {
            ("kapp", format!("{}.app", release.name()), Some(place(release)))
        } else {
            ("carvel", release.name(), Some(place(release)))
        }
    }

    fn words(&self) -> &'static str {
        WORDS
    }

    fn preparation(&self) -> &'static str {
        PREPARATION
    }

    fn marks(&self, release: &Release, part: &Part) -> Marks {
        kapp::signed(self.forged(release), part)
    }

    fn forged(&self, release: &Release) -> Marks {
        Marks::default().label("kapp.k14s.io/app", &kapp::number(release))
    }

    fn own_objects(&self, release: &Release) -> String {
        let (name, place) = (release.name(), place(release));
        format!(
            "{made}service_account {place} {name}\n\
             kubectl create clusterrolebinding {place} --clusterrole=cluster-admin --serviceaccount={place}:{name}\n\
             kubectl create -f - <<YAML\napiVersion: packaging.carvel.dev/v1alpha1\n\
             kind: PackageInstall\nmetadata: {{name: {name}, namespace: {place},\n  \
             finalizers: [finalizers.packageinstall.packaging.carvel.dev/delete]}}\n\
             spec: {{serviceAccountName: {name}, packageRef: {{refName: {name}.example}}}}\nYAML\n\
             OWNER=$(manager_of {PACKAGES} {name} -n {place})\n\
             kubectl create -f - <<YAML\napiVersion: kappctrl.k14s.io/v1alpha1\nkind: App\n\
             metadata: {{name: {name}, namespace: {place}, ownerReferences: [$OWNER],\n  \
             finalizers: [finalizers.kapp-ctrl.k14s.io/delete]}}\n\
             spec: {{serviceAccountName: {name}}}\nstatus: {{deploy: {{kapp: {{associatedResources: {{\n  \
             label: kapp.k14s.io/app={number}, namespaces: [{home}]}}}}}}}}\nYAML\n{record}",
            made = kapp::made(release),
            number = kapp::number(release),
            home = release.home(),
            record = kapp::record(release, &place, &format!("{name}.app"))
        )
    }

    fn controller(&self, release: &Release) -> Option<String> {
        Some(format!("kapp_deletes {} {} '{}'", place(release), release.name(), release.members().join(";")))
    }

    fn own(&self, release: &Release) -> Vec<String> {
        vec![format!("{PACKAGES}/{} -n {}", release.name(), place(release))]
    }

    fn along(&self, release: &Release) -> Vec<String> {
        vec![format!("{APPS}/{} -n {}", release.name(), place(release))]
    }
}
