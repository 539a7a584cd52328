//! Flux: a Kustomization with an inventory in its status.

use super::{Marks, Part, Release, Way};

pub struct Flux;

const KIND: &str = "kustomizations.kustomize.toolkit.fluxcd.io";

impl Way for Flux {
    fn asked(&self, release: &Release) -> (&'static str, String, Option<String>) {
        ("flux", release.name(), Some("flux-system".into()))
    }

    fn preparation(&self) -> &'static str {
        "crd kustomizations kustomize.toolkit.fluxcd.io Kustomization\n\
         operator flux-system kustomize-controller 1 kustomizations.kustomize.toolkit.fluxcd.io\n\
         pods_ready flux-system kustomize-controller\n"
    }

    fn marks(&self, release: &Release, _: &Part) -> Marks {
        self.forged(release)
    }

    fn forged(&self, release: &Release) -> Marks {
        let marks = Marks::default().label("kustomize.toolkit.fluxcd.io/name", &release.name());
        marks.label("kustomize.toolkit.fluxcd.io/namespace", "flux-system")
    }

    fn own_objects(&self, release: &Release) -> String {
        let entry = |part: &Part| {
            let Part { group, kind, namespace, name, .. } = part;
            format!("{{id: \"{namespace}_{name}_{group}_{kind}\", v: v1}}")
        };
        let entries: Vec<String> = release.parts().iter().map(entry).collect();
        format!(
            "kubectl create -f - <<YAML\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n\
             metadata: {{name: {}, namespace: flux-system, finalizers: [finalizers.fluxcd.io]}}\n\
             spec: {{prune: true}}\nstatus: {{inventory: {{entries: [{}]}}}}\nYAML\n",
            release.name(),
            entries.join(", ")
        )
    }

    fn controller(&self, release: &Release) -> Option<String> {
        Some(format!("prunes flux-system {KIND} {} '{}'", release.name(), release.members().join(";")))
    }

    fn own(&self, release: &Release) -> Vec<String> {
        vec![format!("{KIND}/{} -n flux-system", release.name())]
    }
}
