//! OLM v0: a Subscription requests an operator, a `ClusterServiceVersion` owns it, and an Operator
//! lists its components.

use super::{Definition, Marks, Part, Release, Way, api_version};

pub struct Olm;

const SUBSCRIPTIONS: &str = "subscriptions.operators.coreos.com";
const VERSIONS: &str = "clusterserviceversions.operators.coreos.com";
const OPERATORS: &str = "operators.operators.coreos.com";

/// `olm_cleans` acts on the finalizer of a `ClusterServiceVersion`: objects without an owner in the
/// namespace are found by labels, the rest is left to the garbage collector, and definitions are
/// left. `olm_counts` recreates an Operator as long as any object has its label; nobody deletes
/// one.
const WORDS: &str = r#"
# olm_cleans NAMESPACE VERSION
olm_cleans() {
  deleting clusterserviceversions.operators.coreos.com "$2" -n "$1" || return 0
  local kinds=clusterrolebindings,clusterroles,validatingwebhookconfigurations,apiservices
  kubectl delete "$kinds" -l "olm.owner=$2,olm.owner.namespace=$1" --wait=false
  let_go clusterserviceversions.operators.coreos.com "$2" -n "$1"
}
# olm_counts NAME
olm_counts() {
  test -z "$(kubectl get operators.operators.coreos.com "$1" --ignore-not-found -o name)" || return 0
  local kinds=deployments,serviceaccounts,configmaps,clusterroles,clusterrolebindings,crds,apiservices
  kinds+=,subscriptions.operators.coreos.com,clusterserviceversions.operators.coreos.com
  test -n "$(kubectl get "$kinds" -A -l "operators.coreos.com/$1" -o name)" || return 0
  olm_operator "$1" ""
}
# olm_operator NAME COMPONENTS
olm_operator() {
  kubectl create -f - <<YAML
apiVersion: operators.coreos.com/v1
kind: Operator
metadata: {name: $1}
status: {components: {labelSelector: {matchExpressions: [{key: operators.coreos.com/$1, operator: Exists}]}, refs: [$2]}}
YAML
}
# olm_works NAMESPACE VERSION NAME
olm_works() {
  olm_cleans "$1" "$2"
  olm_counts "$3"
}
"#;

const PREPARATION: &str = r"
crd subscriptions operators.coreos.com Subscription Namespaced v1alpha1
crd clusterserviceversions operators.coreos.com ClusterServiceVersion Namespaced v1alpha1
crd operators operators.coreos.com Operator Cluster
operator olm olm-operator 1 clusterserviceversions.operators.coreos.com subscriptions.operators.coreos.com
pods_ready olm olm-operator
";

fn version(release: &Release) -> String {
    format!("{}.v1.0.0", release.name())
}

/// The name of the Operator.
fn operator(release: &Release) -> String {
    format!("{}.{}", release.name(), release.home())
}

/// Whether OLM labels a part: neither Services nor webhooks are components.
fn is_component(part: &Part) -> bool {
    !matches!(part.kind, "Service" | "ValidatingWebhookConfiguration")
}

/// Whether a part is deleted with the `ClusterServiceVersion` that owns it.
fn is_owned(part: &Part) -> bool {
    !part.namespace.is_empty()
}

impl Way for Olm {
    fn asked(&self, release: &Release) -> (&'static str, String, Option<String>) {
        ("olm", release.name(), Some(release.home()))
    }

    fn words(&self) -> &'static str {
        WORDS
    }

    fn preparation(&self) -> &'static str {
        PREPARATION
    }

    fn marks(&self, release: &Release, part: &Part) -> Marks {
        let owners = if is_owned(part) { "$OWNER" } else { "" };
        let mut marks = if is_component(part) { self.forged(release) } else { Marks::default() };
        if part.kind != "CustomResourceDefinition" {
            marks = marks.label("olm.owner", &version(release)).label("olm.owner.namespace", &release.home());
            marks = marks.label("olm.owner.kind", "ClusterServiceVersion");
        }
        Marks { owners, ..marks }
    }

    fn forged(&self, release: &Release) -> Marks {
        Marks::default().label(&format!("operators.coreos.com/{}", operator(release)), "")
    }

    fn own_objects(&self, release: &Release) -> String {
        let (name, home, label) = (release.name(), release.home(), operator(release));
        let ready = |part: &&Part| is_component(part);
        let mut refs: Vec<String> = release.parts().iter().filter(ready).map(component).collect();
        refs.extend(
            release
                .has_foreign()
                .then(|| format!("{{apiVersion: v1, kind: ConfigMap, namespace: {}, name: foreign}}", release.users())),
        );
        format!(
            "kubectl create -f - <<YAML\napiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n\
             metadata: {{name: {name}, namespace: {home}, labels: {{operators.coreos.com/{label}: \"\"}}}}\n\
             spec: {{name: {name}, source: operatorhub, sourceNamespace: olm}}\n\
             status: {{installedCSV: {version}}}\n---\n\
             apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\n\
             metadata: {{name: {version}, namespace: {home}, labels: {{operators.coreos.com/{label}: \"\"}},\n  \
             finalizers: [operators.coreos.com/csv-cleanup]}}\n\
             spec: {{customresourcedefinitions: {{owned: [{{name: {crd}, version: v1, kind: Gear}}]}}}}\nYAML\n\
             olm_operator {label} '{refs}'\nOWNER=$(owner_of {VERSIONS} {version} -n {home})\n",
            version = version(release),
            crd = release.crd(),
            refs = refs.join(", ")
        )
    }

    fn controller(&self, release: &Release) -> Option<String> {
        Some(format!("olm_works {} {} {}", release.home(), version(release), operator(release)))
    }

    fn own(&self, release: &Release) -> Vec<String> {
        let home = release.home();
        vec![
            format!("{SUBSCRIPTIONS}/{} -n {home}", release.name()),
            format!("{VERSIONS}/{} -n {home}", version(release)),
        ]
    }

    fn along(&self, release: &Release) -> Vec<String> {
        // A foreign object with the label keeps it.
        let stays = release.has_foreign();
        if stays { Vec::new() } else { vec![format!("{OPERATORS}/{}", operator(release))] }
    }

    fn definition(&self, _: &Release) -> Definition {
        Definition::Left
    }
}

fn component(part: &Part) -> String {
    let Part { kind, namespace, name, .. } = part;
    format!("{{{}, kind: {kind}, namespace: \"{namespace}\", name: \"{name}\"}}", api_version(part))
}
