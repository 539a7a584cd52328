//! Argo CD: an Application with `status.resources`. Its cascade leaves definitions.

use super::{Definition, Marks, Part, Release, Way, in_fields};

pub struct ArgoCd;

const KIND: &str = "applications.argoproj.io";

impl Way for ArgoCd {
    fn asked(&self, release: &Release) -> (&'static str, String, Option<String>) {
        ("argocd", release.name(), None)
    }

    fn preparation(&self) -> &'static str {
        "crd applications argoproj.io Application Namespaced v1alpha1\n\
         operator argocd argocd-application-controller 1 applications.argoproj.io\n\
         kubectl create clusterrolebinding argocd-deploys --clusterrole=cluster-admin \\\n  \
         --serviceaccount=argocd:argocd-application-controller\n\
         pods_ready argocd argocd-application-controller\n"
    }

    fn marks(&self, release: &Release, _: &Part) -> Marks {
        self.forged(release)
    }

    fn forged(&self, release: &Release) -> Marks {
        Marks::default().label("argocd.argoproj.io/instance", &release.name())
    }

    fn own_objects(&self, release: &Release) -> String {
        format!(
            "kubectl create -f - <<YAML\napiVersion: argoproj.io/v1alpha1\nkind: Application\n\
             metadata: {{name: {}, namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io]}}\n\
             spec: {{project: default}}\nstatus: {{resources: [{}]}}\nYAML\n",
            release.name(),
            in_fields(release, |part| format!("group: \"{}\", version: v1", part.group))
        )
    }

    fn controller(&self, release: &Release) -> Option<String> {
        let goes = |part: &&Part| part.kind != "CustomResourceDefinition";
        let members: Vec<String> = release.parts().iter().filter(goes).map(Part::words).collect();
        Some(format!("prunes argocd {KIND} {} '{}'", release.name(), members.join(";")))
    }

    fn definition(&self, _: &Release) -> Definition {
        Definition::Left
    }

    fn own(&self, release: &Release) -> Vec<String> {
        vec![format!("{KIND}/{} -n argocd", release.name())]
    }
}
