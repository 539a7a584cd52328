//! Rancher Fleet: a Bundle has a `BundleDeployment` for each cluster, which lists the objects that
//! Helm installed there. Definitions are kept, unless the bundle states otherwise.

use super::{Definition, Marks, Part, Release, Way, api_version, in_fields};

pub struct Fleet;

const BUNDLES: &str = "bundles.fleet.cattle.io";
const DEPLOYMENTS: &str = "bundledeployments.fleet.cattle.io";
const CLUSTER: &str = "cluster-fleet-local-local-1a3d67d0a899";

/// A Bundle is deleted after all of its `BundleDeployments`, which uninstall the listed objects.
const WORDS: &str = r#"
# fleet_uninstalls NAME MEMBERS
fleet_uninstalls() {
  local place=cluster-fleet-local-local-1a3d67d0a899
  deleting bundles.fleet.cattle.io "$1" -n fleet-local || return 0
  kubectl delete bundledeployments.fleet.cattle.io "$1" -n "$place" --wait=false --ignore-not-found
  removed "$2" || return 0
  let_go bundledeployments.fleet.cattle.io "$1" -n "$place"
  let_go bundles.fleet.cattle.io "$1" -n fleet-local
}
"#;

const PREPARATION: &str = r"
crd bundles fleet.cattle.io Bundle Namespaced v1alpha1
crd bundledeployments fleet.cattle.io BundleDeployment Namespaced v1alpha1
operator cattle-fleet-system fleet-controller 1 bundles.fleet.cattle.io bundledeployments.fleet.cattle.io
pods_ready cattle-fleet-system fleet-controller
namespace fleet-local
namespace cluster-fleet-local-local-1a3d67d0a899
kubectl annotate namespace cluster-fleet-local-local-1a3d67d0a899 \
  fleet.cattle.io/cluster=local fleet.cattle.io/cluster-namespace=fleet-local
";

impl Way for Fleet {
    fn asked(&self, release: &Release) -> (&'static str, String, Option<String>) {
        ("fleet", release.name(), None)
    }

    fn words(&self) -> &'static str {
        WORDS
    }

    fn preparation(&self) -> &'static str {
        PREPARATION
    }

    fn marks(&self, release: &Release, part: &Part) -> Marks {
        let marks = self.forged(release).label("objectset.rio.cattle.io/hash", "2bb2cf45");
        let marks = marks.annotation("meta.helm.sh/release-name", &release.name());
        let marks = marks.annotation("meta.helm.sh/release-namespace", &release.home());
        let is_kept = part.kind == "CustomResourceDefinition" && self.definition(release) == Definition::Kept;
        if is_kept { marks.annotation("helm.sh/resource-policy", "keep") } else { marks }
    }

    fn forged(&self, release: &Release) -> Marks {
        Marks::default().annotation("objectset.rio.cattle.io/id", &format!("default-{}", release.name()))
    }

    fn own_objects(&self, release: &Release) -> String {
        let name = release.name();
        format!(
            "kubectl create -f - <<YAML\napiVersion: fleet.cattle.io/v1alpha1\nkind: Bundle\n\
             metadata: {{name: {name}, namespace: fleet-local, finalizers: [fleet.cattle.io/bundle-finalizer]}}\n\
             spec: {{defaultNamespace: {home}}}\n---\n\
             apiVersion: fleet.cattle.io/v1alpha1\nkind: BundleDeployment\n\
             metadata: {{name: {name}, namespace: {CLUSTER}, finalizers: [fleet.cattle.io/bundle-deployment-finalizer],\n  \
             labels: {{fleet.cattle.io/bundle-name: {name}, fleet.cattle.io/bundle-namespace: fleet-local}}}}\n\
             spec: {{deploymentID: s-1}}\nstatus: {{resources: [{resources}]}}\nYAML\n",
            home = release.home(),
            resources = in_fields(release, api_version)
        )
    }

    fn controller(&self, release: &Release) -> Option<String> {
        let is_kept = self.definition(release) == Definition::Kept;
        let goes = |part: &&Part| !is_kept || part.kind != "CustomResourceDefinition";
        let members: Vec<String> = release.parts().iter().filter(goes).map(Part::words).collect();
        Some(format!("fleet_uninstalls {} '{}'", release.name(), members.join(";")))
    }

    fn own(&self, release: &Release) -> Vec<String> {
        vec![format!("{BUNDLES}/{} -n fleet-local", release.name())]
    }

    fn along(&self, release: &Release) -> Vec<String> {
        vec![format!("{DEPLOYMENTS}/{} -n {CLUSTER}", release.name())]
    }

    fn definition(&self, release: &Release) -> Definition {
        if release.is_other() { Definition::Kept } else { Definition::Goes }
    }
}
