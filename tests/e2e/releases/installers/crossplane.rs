//! Crossplane: a Provider owns its revision, and both own their objects. Nothing is found by labels.

use super::{Marks, Part, Release, Way, api_version};

pub struct Crossplane;

const PROVIDERS: &str = "providers.pkg.crossplane.io";
const REVISIONS: &str = "providerrevisions.pkg.crossplane.io";

/// Owner references delete everything; a revision only leaves the list of dependencies first.
const WORDS: &str = r#"
# crossplane_unlocks REVISION
crossplane_unlocks() {
  deleting providerrevisions.pkg.crossplane.io "$1" || return 0
  let_go providerrevisions.pkg.crossplane.io "$1"
}
"#;

const PREPARATION: &str = r"
crd providers pkg.crossplane.io Provider Cluster
crd providerrevisions pkg.crossplane.io ProviderRevision Cluster
operator crossplane-system crossplane 1 providers.pkg.crossplane.io providerrevisions.pkg.crossplane.io
pods_ready crossplane-system crossplane
";

fn revision(release: &Release) -> String {
    format!("{}-7f3a9c", release.name())
}

/// Whether a part is in the package; the others are created to run it.
fn is_packaged(part: &Part) -> bool {
    matches!(part.kind, "CustomResourceDefinition" | "ValidatingWebhookConfiguration")
}

impl Way for Crossplane {
    fn asked(&self, release: &Release) -> (&'static str, String, Option<String>) {
        ("crossplane", release.name(), None)
    }

    fn words(&self) -> &'static str {
        WORDS
    }

    fn preparation(&self) -> &'static str {
        PREPARATION
    }

    fn marks(&self, _: &Release, part: &Part) -> Marks {
        Marks { owners: if is_packaged(part) { "$OWNER, $PACKAGE" } else { "$OWNER" }, ..Marks::default() }
    }

    fn forged(&self, release: &Release) -> Marks {
        Marks::default().label("pkg.crossplane.io/package", &release.name())
    }

    fn heeds_marks(&self) -> bool {
        false
    }

    fn own_objects(&self, release: &Release) -> String {
        let (name, revision) = (release.name(), revision(release));
        let reference =
            |part: &Part| format!("{{{}, kind: {}, name: \"{}\"}}", api_version(part), part.kind, part.name);
        let refs: Vec<String> = release.parts().iter().filter(|part| is_packaged(part)).map(reference).collect();
        format!(
            "kubectl create -f - <<YAML\napiVersion: pkg.crossplane.io/v1\nkind: Provider\nmetadata: {{name: {name}}}\n\
             spec: {{package: \"example.invalid/{name}:v1\"}}\nstatus: {{currentRevision: {revision}}}\nYAML\n\
             OWNER=$(manager_of {PROVIDERS} {name})\n\
             kubectl create -f - <<YAML\napiVersion: pkg.crossplane.io/v1\nkind: ProviderRevision\n\
             metadata: {{name: {revision}, ownerReferences: [$OWNER], finalizers: [revision.pkg.crossplane.io],\n  \
             labels: {{pkg.crossplane.io/package: {name}}}}}\n\
             spec: {{desiredState: Active, revision: 1}}\nstatus: {{objectRefs: [{}]}}\nYAML\n\
             PACKAGE=$(owner_of {PROVIDERS} {name})\nOWNER=$(manager_of {REVISIONS} {revision})\n",
            refs.join(", ")
        )
    }

    fn controller(&self, release: &Release) -> Option<String> {
        Some(format!("crossplane_unlocks {}", revision(release)))
    }

    fn own(&self, release: &Release) -> Vec<String> {
        vec![format!("{PROVIDERS}/{}", release.name())]
    }

    fn along(&self, release: &Release) -> Vec<String> {
        vec![format!("{REVISIONS}/{}", revision(release))]
    }
}
