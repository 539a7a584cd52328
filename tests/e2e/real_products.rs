//! Real products, as their charts leave them in a cluster (`tests/products`), are removed: the
//! forecast is compared with the result, in the shown order and in Helm's own.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{run_script, stderr, stdout, unstick};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The state of a product, and the way in which it is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It runs, and is deleted in the shown order.
    InOrder,
    /// It runs, and is deleted at once, as `helm uninstall` does.
    ByHelm,
    AtZero,
}

const PRODUCTS: [(&str, State); 9] = [
    ("chaos-mesh", State::InOrder),
    ("cass-operator", State::AtZero),
    ("cert-manager", State::InOrder),
    ("external-secrets", State::ByHelm),
    ("grafana-operator", State::InOrder),
    ("keda", State::InOrder),
    ("kuberay", State::ByHelm),
    ("percona-xtradb-cluster", State::InOrder),
    ("vault-secrets-operator", State::AtZero),
];

/// Shell functions: the documents of a file, and an operator, which releases its object while its
/// Deployment has a pod.
const WORDS: &str = r#"
documents() {
  awk -v what="$1" 'BEGIN { RS = "\n?---\n" } { doc[NR] = $0 } END {
    for (i = 2; i <= NR; i++) if ((i == NR) == (what == "last")) print "---\n" doc[i]
  }' "$2"
}
installed() { documents all-but-last "$1" | kubectl apply --server-side --force-conflicts --field-manager=helm -f -; }
guarded() { documents last "$1" | kubectl create --field-manager="$2" -f -; }
# serve NAMESPACE DEPLOYMENT TYPE NAME NAMESPACE
serve() {
  test "$(kubectl -n "$1" get deployment "$2" -o jsonpath='{.spec.replicas}')" = 1 || return 0
  test -n "$(kubectl -n "$5" get "$3" "$4" -o jsonpath='{.metadata.deletionTimestamp}')" || return 0
  kubectl -n "$5" patch "$3" "$4" --type=merge -p '{"metadata":{"finalizers":null}}'
}
# ready NAMESPACE DEPLOYMENT: its pods run, by the names of their owners, since charts choose their own labels.
called() { kubectl -n "$1" get pods -o name | sed -n "s#^pod/\\($2-.*\\)#\\1#p"; }
made() { test -n "$(called "$1" "$2")"; }
ready() {
  wait_for 60 "pods of $1/$2" made "$1" "$2"
  local pod
  for pod in $(called "$1" "$2"); do
    kubectl create --raw "/api/v1/namespaces/$1/pods/$pod/binding" -f - <<JSON
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "$pod", "namespace": "$1"},
 "target": {"apiVersion": "v1", "kind": "Node", "name": "worker"}}
JSON
    kubectl -n "$1" patch pod "$pod" --subresource=status --type=merge -p \
      "status: {phase: Running, conditions: [$(condition Ready True), $(condition ContainersReady True)]}"
  done
}
node worker Ready
namespace shop
"#;

/// A product and its object.
#[derive(Debug)]
struct Product {
    file: String,
    state: State,
    /// The field manager that puts the finalizer on its object.
    manager: String,
    /// Namespace and name of its Deployment.
    operator: (String, String),
    /// The resource, the namespace and the name of its object.
    object: (String, String, String),
    /// The namespace and the name of its release.
    release: (String, String),
}

impl Product {
    fn read(name: &str, state: State) -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/products/{name}.yaml"));
        let text = std::fs::read_to_string(&file).expect("a product");
        let field = |start: &str| {
            let line = text.lines().find_map(|line| line.trim_start().strip_prefix(start));
            line.unwrap_or_else(|| panic!("{name}: no {start}")).trim_end_matches('}').to_owned()
        };
        let mark = |key: &str| {
            let rest = text.split(&format!("meta.helm.sh/{key}: ")).nth(1).expect("a mark of Helm");
            rest.split(['\n', ',', '}']).next().expect("its value").to_owned()
        };
        let operator = field("# expect: Deployment ");
        let object = field("# object: ");
        let parts: Vec<&str> = object.split('/').collect();
        let [resource, namespace, called] = parts[..] else { panic!("{object}") };
        let (home, deployment) = operator.split_once('/').expect("a namespace and a name");
        Self {
            manager: field("# manager: "),
            operator: (home.to_owned(), deployment.to_owned()),
            object: (resource.to_owned(), namespace.to_owned(), called.to_owned()),
            release: (mark("release-namespace"), mark("release-name")),
            file: file.display().to_string(),
            state,
        }
    }

    fn script(&self) -> String {
        let (home, deployment) = &self.operator;
        let (resource, place, name) = &self.object;
        let mut text = format!("wait_for 60 '{deployment} is installed' installed {}\n", self.file);
        let _ = writeln!(text, "kubectl wait --for=condition=Established crd/{resource} --timeout=60s");
        let _ = writeln!(text, "wait_for 20 'its object' guarded {} '{}'", self.file, self.manager);
        let _ = match self.state {
            State::AtZero => writeln!(text, "kubectl -n {home} scale deployment {deployment} --replicas=0"),
            _ => writeln!(text, "ready {home} {deployment}"),
        };
        let _ = writeln!(text, "every 2 serve {home} {deployment} {resource} {name} {place} <&3 >/dev/null 2>&1 &");
        text
    }

    /// The words that name it for the program.
    fn words(&self) -> [String; 3] {
        let (namespace, name) = &self.release;
        [format!("helm/{name}"), "-n".to_owned(), namespace.clone()]
    }

    fn has_object(&self, plane: &ControlPlane) -> bool {
        let (resource, namespace, name) = &self.object;
        let words = ["get", resource, name, "-n", namespace, "--ignore-not-found", "-o", "name"];
        !plane.kubectl(&words).stdout.is_empty()
    }

    fn is_installed(&self, plane: &ControlPlane) -> bool {
        let (home, deployment) = &self.operator;
        let words = ["get", "deployment", deployment, "-n", home, "--ignore-not-found", "-o", "name"];
        !plane.kubectl(&words).stdout.is_empty()
    }

    /// Checks the forecast. Returns the names that approve its deletion, according to the report.
    fn is_foreseen(&self, plane: &ControlPlane) -> String {
        let output = unstick(plane).arg("preflight").args(self.words()).args(["-o", "json"]).output().expect("it runs");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        let which = format!("{self:?}: {report}");
        assert_eq!(output.status.code(), Some(1), "{which}");
        let (_, _, name) = &self.object;
        let is_about_it = |finding: &&Value| finding["objects"].to_string().contains(name) && finding["root"] == true;
        let all = report["findings"].as_array().expect("findings");
        let found: Vec<&Value> = all.iter().filter(is_about_it).collect();
        assert!(!found.is_empty(), "{which}");
        let is_avoidable = found.iter().all(|finding| finding["avoidable"] == true);
        assert_eq!(is_avoidable, self.state != State::AtZero, "{which}");
        if self.state != State::AtZero {
            let turns = report["order"].as_array().expect("an order");
            let at = |what: &str| turns.iter().position(|turn| turn["steps"].to_string().contains(what));
            let (object, operator) = (at(&format!("\"{name}\"")), at("\"Deployment\""));
            assert!(object.is_some() && object < operator, "its object goes before it: {which}");
        }
        let with_definition = report["order"].to_string().contains(&format!("\"{}\"", self.object.0));
        let names = [Some(&self.release.1), with_definition.then_some(&self.object.0)];
        names.into_iter().flatten().cloned().collect::<Vec<_>>().join(",")
    }

    fn is_taken_out(&self, confirm: &str, plane: &ControlPlane) {
        let (home, deployment) = &self.operator;
        if self.state == State::ByHelm {
            plane.kubectl_ok(&["delete", "deployment", deployment, "-n", home]);
        } else {
            let flags = ["--delete", "--approve", "loses-data", "--confirm", confirm];
            let output = unstick(plane).args(self.words()).args(flags).output().expect("it runs");
            let said = format!("{self:?}: {}{}", stdout(&output), stderr(&output));
            let is_right = self.state == State::InOrder;
            assert_eq!(output.status.code() == Some(0), is_right, "{said}");
            assert_eq!((self.has_object(plane), self.is_installed(plane)), (!is_right, !is_right), "{said}");
            if is_right {
                return;
            }
        }
        let (resource, namespace, name) = &self.object;
        plane.kubectl_ok(&["delete", resource, name, "-n", namespace, "--wait=false"]);
        // Longer than its operator would take.
        thread::sleep(Duration::from_secs(6));
        assert!(self.has_object(plane), "it hangs, as was foreseen: {self:?}");
    }
}

#[test]
fn real_products_are_removed_in_the_shown_order() {
    let plane = ControlPlane::start();
    let all: Vec<Product> = PRODUCTS.iter().map(|(name, state)| Product::read(name, *state)).collect();
    let script = plane.dir().join("products.sh");
    let text: String = all.iter().map(Product::script).collect();
    std::fs::write(&script, format!("{WORDS}{text}")).expect("the script is written");
    let _background = run_script(&script, &plane);
    wait_until("all are installed", Duration::from_mins(1), || all.iter().all(|product| product.is_installed(&plane)));
    let mut wrong: Vec<String> = Vec::new();
    for product in &all {
        let tried = catch_unwind(AssertUnwindSafe(|| {
            let confirm = product.is_foreseen(&plane);
            product.is_taken_out(&confirm, &plane);
        }));
        wrong.extend(tried.err().map(|_| format!("{product:?}")));
    }
    assert!(wrong.is_empty(), "{} of {} are wrong: {wrong:#?}", wrong.len(), all.len());
}
