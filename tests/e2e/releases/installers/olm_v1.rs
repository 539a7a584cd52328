//! OLM v1: a `ClusterExtension` owns revisions, which contain and own everything. Later versions
//! call them `ClusterObjectSets`.

use super::{Marks, Part, Release, Way, api_version};

pub struct OlmV1;

/// A `ClusterExtension` disappears at once, and the garbage collector requests the deletion of its
/// revision. A `ClusterExtensionRevision` deletes everything before itself; a `ClusterObjectSet`
/// leaves that to the garbage collector.
const WORDS: &str = r#"
# olm_tears_down NAME REVISIONS MEMBERS
olm_tears_down() {
  if deleting clusterextensions.olm.operatorframework.io "$1"; then let_go clusterextensions.olm.operatorframework.io "$1"; fi
  deleting "$2" "$1-1" || return 0
  if [ "$2" = clusterextensionrevisions.olm.operatorframework.io ]; then removed "$3" || return 0; fi
  let_go "$2" "$1-1"
}
"#;

const PREPARATION: &str = r"
crd clusterextensions olm.operatorframework.io ClusterExtension Cluster
crd clusterextensionrevisions olm.operatorframework.io ClusterExtensionRevision Cluster
crd clusterobjectsets olm.operatorframework.io ClusterObjectSet Cluster
operator olmv1-system operator-controller-controller-manager 1 clusterextensions.olm.operatorframework.io \
  clusterextensionrevisions.olm.operatorframework.io clusterobjectsets.olm.operatorframework.io
pods_ready olmv1-system operator-controller-controller-manager
";

/// The kind of a revision, and its resource.
fn revision(release: &Release) -> (&'static str, &'static str) {
    if release.is_other() {
        ("ClusterExtensionRevision", "clusterextensionrevisions.olm.operatorframework.io")
    } else {
        ("ClusterObjectSet", "clusterobjectsets.olm.operatorframework.io")
    }
}

impl Way for OlmV1 {
    fn asked(&self, release: &Release) -> (&'static str, String, Option<String>) {
        ("olm", release.name(), None)
    }

    fn words(&self) -> &'static str {
        WORDS
    }

    fn preparation(&self) -> &'static str {
        PREPARATION
    }

    fn marks(&self, release: &Release, _: &Part) -> Marks {
        Marks { owners: "$OWNER", ..self.forged(release) }
    }

    fn forged(&self, release: &Release) -> Marks {
        let marks = Marks::default().label("olm.operatorframework.io/owner-kind", "ClusterExtension");
        marks.label("olm.operatorframework.io/owner-name", &release.name())
    }

    fn own_objects(&self, release: &Release) -> String {
        let name = release.name();
        let (kind, plural) = revision(release);
        let object = |part: &Part| {
            let Part { kind, namespace, name, .. } = part;
            let metadata = format!("{{namespace: \"{namespace}\", name: \"{name}\"}}");
            format!("{{object: {{{}, kind: {kind}, metadata: {metadata}}}}}", api_version(part))
        };
        let objects: Vec<String> = release.parts().iter().map(object).collect();
        format!(
            "kubectl create -f - <<YAML\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\n\
             metadata: {{name: {name}, finalizers: [olm.operatorframework.io/cleanup-unpack-cache,\n  \
             olm.operatorframework.io/cleanup-contentmanager-cache]}}\nspec: {{namespace: {}}}\nYAML\n\
             OWNER=$(manager_of clusterextensions.olm.operatorframework.io {name})\n\
             kubectl create -f - <<YAML\napiVersion: olm.operatorframework.io/v1\nkind: {kind}\n\
             metadata: {{name: {name}-1, labels: {{olm.operatorframework.io/owner-kind: ClusterExtension,\n  \
             olm.operatorframework.io/owner-name: {name}}}, ownerReferences: [$OWNER],\n  \
             finalizers: [olm.operatorframework.io/teardown]}}\n\
             spec: {{revision: 1, lifecycleState: Active, phases: [{{name: deploy, objects: [{}]}}]}}\nYAML\n\
             OWNER=$(manager_of {plural} {name}-1)\n",
            release.home(),
            objects.join(", ")
        )
    }

    fn controller(&self, release: &Release) -> Option<String> {
        let members = release.members().join(";");
        Some(format!("olm_tears_down {} {} '{members}'", release.name(), revision(release).1))
    }

    fn own(&self, release: &Release) -> Vec<String> {
        vec![format!("clusterextensions.olm.operatorframework.io/{}", release.name())]
    }

    fn along(&self, release: &Release) -> Vec<String> {
        vec![format!("{}/{}-1", revision(release).1, release.name())]
    }
}
