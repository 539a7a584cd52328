//! Whole products are taken out: what is foreseen of a release is compared with what happens, in the
//! order that is shown and in the installer's own.

use crate::random::Random;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{run_script, stderr, stdout, unstick};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::fmt::Write;
use std::thread;
use std::time::Duration;

/// Who has installed a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Installer {
    Helm,
    Kapp,
    Instance,
    Flux,
    ArgoCd,
}

const INSTALLERS: [Installer; 5] =
    [Installer::Helm, Installer::Flux, Installer::Kapp, Installer::ArgoCd, Installer::Instance];

/// In which state a release is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Healthy,
    AtZero,
    Gone,
    Foreign,
    /// Its installer deletes it at once.
    ByItself,
    /// With a webhook that answers.
    Webhook,
    /// With a webhook that cannot be called.
    Silent,
    /// With an aggregated API.
    Api,
    /// Its operator has registered a webhook and an API, which have no marks.
    Unmarked,
}

const STATES: [State; 5] = [State::Healthy, State::Foreign, State::AtZero, State::Gone, State::ByItself];
/// Those in which requests are sent to the operator.
const SERVING: [State; 4] = [State::Webhook, State::Silent, State::Api, State::Unmarked];

/// One release with an operator and an object of its kind.
pub struct Release {
    pub number: usize,
    pub installer: Installer,
    pub state: State,
}

impl Release {
    fn group(&self) -> String {
        format!("kind{}.example", self.number)
    }

    fn crd(&self) -> String {
        format!("gears.{}", self.group())
    }

    fn is_avoidable(&self) -> bool {
        !matches!(self.state, State::AtZero | State::Gone)
    }

    /// What is registered for it.
    fn registrations(&self) -> Vec<String> {
        let webhook = format!("validatingwebhookconfiguration/hook{}", self.number);
        let api = format!("apiservice/v1.things{}.example", self.number);
        match self.state {
            State::Webhook | State::Silent => vec![webhook],
            State::Api => vec![api],
            State::Unmarked => vec![webhook, api],
            _ => Vec::new(),
        }
    }

    /// How it is asked for.
    fn words(&self) -> Vec<String> {
        let number = self.number;
        let name = format!("op{number}");
        let (word, namespace) = match self.installer {
            Installer::Helm => (format!("helm/{name}"), Some(format!("ops{number}"))),
            Installer::Kapp => (format!("kapp/{name}"), None),
            Installer::Instance => (format!("instance/{name}"), Some(format!("ops{number}"))),
            Installer::Flux => (format!("flux/{name}"), Some("flux-system".into())),
            Installer::ArgoCd => (format!("argocd/{name}"), None),
        };
        let place = namespace.map(|namespace| vec!["-n".to_owned(), namespace]).unwrap_or_default();
        std::iter::once(word).chain(place).collect()
    }

    /// What it consists of, as `kubectl` takes it.
    pub fn members(&self) -> Vec<String> {
        let number = self.number;
        let mut members = vec![
            format!("serviceaccount/op{number} -n ops{number}"),
            format!("clusterrole/ops{number}-op{number}"),
            format!("clusterrolebinding/ops{number}-op{number}"),
            format!("crd/{}", self.crd()),
        ];
        if self.state != State::Gone {
            members.push(format!("deployment/op{number} -n ops{number}"));
        }
        if SERVING.contains(&self.state) {
            members.push(format!("service/hook{number} -n ops{number}"));
        }
        if self.state != State::Unmarked {
            members.extend(self.registrations());
        }
        members
    }

    /// The entries of an inventory: group, kind, namespace and name.
    fn entries(&self) -> Vec<[String; 4]> {
        let number = self.number;
        let (ops, op, both) = (format!("ops{number}"), format!("op{number}"), format!("ops{number}-op{number}"));
        let entry =
            |group: &str, kind: &str, namespace: &str, name: &str| [group, kind, namespace, name].map(str::to_owned);
        let rbac = "rbac.authorization.k8s.io";
        let mut all = vec![
            entry("", "ServiceAccount", &ops, &op),
            entry(rbac, "ClusterRole", "", &both),
            entry(rbac, "ClusterRoleBinding", "", &both),
            entry("apiextensions.k8s.io", "CustomResourceDefinition", "", &self.crd()),
        ];
        if self.state != State::Gone {
            all.push(entry("apps", "Deployment", &ops, &op));
        }
        if SERVING.contains(&self.state) {
            all.push(entry("", "Service", &ops, &format!("hook{number}")));
        }
        match self.state {
            State::Webhook | State::Silent => all.push(entry(
                "admissionregistration.k8s.io",
                "ValidatingWebhookConfiguration",
                "",
                &format!("hook{number}"),
            )),
            State::Api => {
                all.push(entry("apiregistration.k8s.io", "APIService", "", &format!("v1.things{number}.example")));
            }
            _ => {}
        }
        all
    }

    pub fn script(&self) -> String {
        let (number, group, crd) = (self.number, self.group(), self.crd());
        let replicas = u8::from(self.state != State::AtZero);
        let mut text = format!("crd gears {group} Gear\noperator ops{number} op{number} {replicas} {crd}\n");
        if replicas == 1 {
            let _ = writeln!(text, "pods_ready ops{number} op{number}");
        }
        let _ = write!(
            text,
            "namespace users{number}\nobject users{number} Gear.v1.{group} one\n\
             finalizer users{number} {crd} one {group}/cleanup op{number}\n"
        );
        if self.state == State::Gone {
            let _ = writeln!(text, "kubectl -n ops{number} delete deployment op{number}");
        }
        text.push_str(&self.served());
        let _ = writeln!(text, "{}", self.marks());
        if self.state == State::Foreign {
            let _ = writeln!(text, "kubectl -n users{number} create configmap foreign\n{}", self.forged());
        }
        let _ = writeln!(text, "every 1 serve {number} {crd} <&3 >/dev/null 2>&1 &");
        text
    }

    /// What is called through a Service of it.
    fn served(&self) -> String {
        let (number, group) = (self.number, self.group());
        let webhook = format!("guarded ops{number} hook{number} {group} gears\n");
        let api = format!(
            "api_service v1 things{number}.example ops{number} hook{number} $BACKEND_PORT\n\
             available True v1.things{number}.example\n"
        );
        let (certificate, registered) = match self.state {
            State::Webhook => (true, webhook),
            // Its certificate is for another name.
            State::Silent => (false, webhook),
            State::Api => (false, api),
            State::Unmarked => (true, webhook + &api),
            _ => return String::new(),
        };
        let certificate =
            if certificate { format!("certified ops{number} hook{number}\n") } else { "CERTS=\n".to_owned() };
        format!("{certificate}answering_service ops{number} hook{number} worker\n{registered}")
    }

    /// The marks of the installer on everything, and its own object.
    fn marks(&self) -> String {
        let number = self.number;
        let marked = |how: &str, marks: &str| {
            let lines = self.members().into_iter().map(|member| {
                format!("kubectl {how} --overwrite --field-manager=installer {} {marks}", member.replace('/', " "))
            });
            // The script's own words mark everything as Helm's; those marks are taken off.
            let plain = self.members().into_iter().map(|member| member.replace('/', " ")).map(|member| {
                format!(
                    "kubectl annotate {member} meta.helm.sh/release-name- meta.helm.sh/release-namespace-\n\
                     kubectl label {member} app.kubernetes.io/instance-"
                )
            });
            plain.chain(lines).collect::<Vec<_>>().join("\n")
        };
        match self.installer {
            Installer::Helm => marked(
                "annotate",
                &format!("meta.helm.sh/release-name=op{number} meta.helm.sh/release-namespace=ops{number}"),
            ),
            Installer::Kapp => format!(
                "{}\nkubectl -n ops{number} create configmap op{number}-change-x\nkubectl -n ops{number} label configmap \
                 op{number}-change-x kapp.k14s.io/is-app-change= kapp.k14s.io/app-change-app=op{number} \
                 kapp.k14s.io/app-change-app-label=17000{number}",
                marked("label", &format!("kapp.k14s.io/app=17000{number}"))
            ),
            Installer::Instance => marked("label", &format!("app.kubernetes.io/instance=op{number}")),
            Installer::Flux => {
                let ids: Vec<String> = self
                    .entries()
                    .iter()
                    .map(|[group, kind, place, name]| format!("{{id: \"{place}_{name}_{group}_{kind}\", v: v1}}"))
                    .collect();
                self.own_object(
                    &format!("kustomize.toolkit.fluxcd.io/name=op{number} kustomize.toolkit.fluxcd.io/namespace=flux-system"),
                    &format!(
                        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: op{number}, \
                         namespace: flux-system, finalizers: [finalizers.fluxcd.io]}}\nspec: {{prune: true}}\n\
                         status: {{inventory: {{entries: [{}]}}}}",
                        ids.join(", ")
                    ),
                    "flux-system kustomizations.kustomize.toolkit.fluxcd.io",
                    &marked,
                )
            }
            Installer::ArgoCd => {
                let resources: Vec<String> = self.entries().iter().map(|[group, kind, place, name]| {
                    format!("{{group: \"{group}\", version: v1, kind: {kind}, namespace: \"{place}\", name: \"{name}\"}}")
                }).collect();
                self.own_object(
                    &format!("argocd.argoproj.io/instance=op{number}"),
                    &format!(
                        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: op{number}, namespace: argocd, \
                         finalizers: [resources-finalizer.argocd.argoproj.io]}}\nspec: {{project: default}}\n\
                         status: {{resources: [{}]}}",
                        resources.join(", ")
                    ),
                    "argocd applications.argoproj.io",
                    &marked,
                )
            }
        }
    }

    fn own_object(&self, labels: &str, object: &str, kind: &str, marked: &dyn Fn(&str, &str) -> String) -> String {
        let members = self.members().join(";");
        format!(
            "{}\nkubectl create -f - <<YAML\n{object}\nYAML\nevery 1 prunes {kind} op{} '{members}' <&3 >/dev/null 2>&1 &",
            marked("label", labels),
            self.number
        )
    }

    /// Somebody else's object with the marks of the release.
    fn forged(&self) -> String {
        let number = self.number;
        let (how, marks) = match self.installer {
            Installer::Helm => {
                ("annotate", format!("meta.helm.sh/release-name=op{number} meta.helm.sh/release-namespace=ops{number}"))
            }
            Installer::Kapp => ("label", format!("kapp.k14s.io/app=17000{number}")),
            Installer::Instance => ("label", format!("app.kubernetes.io/instance=op{number}")),
            Installer::Flux => (
                "label",
                format!(
                    "kustomize.toolkit.fluxcd.io/name=op{number} kustomize.toolkit.fluxcd.io/namespace=flux-system"
                ),
            ),
            Installer::ArgoCd => ("label", format!("argocd.argoproj.io/instance=op{number}")),
        };
        format!("kubectl -n users{number} {how} configmap foreign {marks}")
    }

    /// Deletes everything at once, as installers do.
    fn delete_by_its_own_order(&self, plane: &ControlPlane) {
        if matches!(self.installer, Installer::Flux | Installer::ArgoCd) {
            let (kind, namespace) = match self.installer {
                Installer::Flux => ("kustomizations.kustomize.toolkit.fluxcd.io", "flux-system"),
                _ => ("applications.argoproj.io", "argocd"),
            };
            plane.kubectl_ok(&["delete", kind, &format!("op{}", self.number), "-n", namespace, "--wait=false"]);
            return;
        }
        let mut members = self.members();
        members.sort_by_key(|member| member.starts_with("crd/"));
        for member in members {
            let words: Vec<&str> = ["delete", "--wait=false"].into_iter().chain(member.split(' ')).collect();
            plane.kubectl_ok(&words);
        }
    }
}

/// The words that all scripts use.
pub const COMMON: &str = r#"
# serve NUMBER CRD: what an operator does while it has a pod and its rights.
serve() {
  test "$(kubectl -n "ops$1" get deployment "op$1" -o jsonpath='{.spec.replicas}')" = 1 || return 0
  kubectl get clusterrolebinding "ops$1-op$1" || return 0
  for object in $(kubectl -n "users$1" get "$2" -o jsonpath='{.items[?(@.metadata.deletionTimestamp)].metadata.name}'); do
    kubectl -n "users$1" patch "$2" "$object" --type=merge -p '{"metadata":{"finalizers":null}}'
  done
}
# prunes NAMESPACE KIND NAME MEMBERS: what an installer does when its own object is deleted.
prunes() {
  test -n "$(kubectl -n "$1" get "$2" "$3" -o jsonpath='{.metadata.deletionTimestamp}')" || return 0
  IFS=';' read -ra members <<<"$4"
  for member in "${members[@]}"; do kubectl delete --wait=false --ignore-not-found $member; done
  for member in "${members[@]}"; do test -z "$(kubectl get --ignore-not-found -o name $member)" || return 0; done
  kubectl -n "$1" patch "$2" "$3" --type=merge -p '{"metadata":{"finalizers":null}}'
}
node worker Ready
backend_mode ok
crd kustomizations kustomize.toolkit.fluxcd.io Kustomization
operator flux-system kustomize-controller 1 kustomizations.kustomize.toolkit.fluxcd.io
pods_ready flux-system kustomize-controller
crd applications argoproj.io Application Namespaced v1alpha1
operator argocd argocd-application-controller 1 applications.argoproj.io
pods_ready argocd argocd-application-controller
"#;

/// Each of these states with an installer, from a seed.
fn releases(states: &[State], count: usize, seed: u64) -> Vec<Release> {
    let mut random = Random::new(seed);
    let first = random.below(INSTALLERS.len());
    let release = |number: usize| Release {
        number,
        state: states[number % states.len()],
        installer: INSTALLERS[(number + number / states.len() + first) % INSTALLERS.len()],
    };
    (0..count).map(release).collect()
}

fn number_from(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn releases_are_taken_out_in_the_order_that_is_shown() {
    try_all(&STATES);
}

#[test]
fn what_serves_requests_is_taken_out_before_nobody_answers() {
    try_all(&SERVING);
}

fn try_all(states: &[State]) {
    let usual = u64::try_from(states.len()).expect("a number");
    let count = usize::try_from(number_from("UNSTICK_STATES", usual)).expect("a number");
    let all = releases(states, count, number_from("UNSTICK_SEED", 1));
    for some in all.chunks(states.len()) {
        let plane = ControlPlane::start();
        let script = plane.dir().join("releases.sh");
        let text: Vec<String> = some.iter().map(Release::script).collect();
        std::fs::write(&script, format!("{COMMON}{}", text.concat())).expect("the script is written");
        let _background = run_script(&script, &plane);
        for release in some {
            look_at(release, &plane);
        }
        thread::scope(|scope| {
            for release in some {
                let plane = &plane;
                scope.spawn(move || take_out(release, plane));
            }
        });
    }
}

fn report(release: &Release, plane: &ControlPlane) -> (Option<i32>, Value) {
    let output = unstick(plane).arg("preflight").args(release.words()).args(["-o", "json"]).output().expect("it runs");
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    (output.status.code(), report)
}

/// What is foreseen.
fn look_at(release: &Release, plane: &ControlPlane) {
    let (code, report) = report(release, plane);
    let which = format!("{} {:?} {:?}: {report}", release.number, release.installer, release.state);
    assert_eq!(code, Some(1), "{which}");
    let findings = report["findings"].as_array().expect("findings");
    let about_gears = |finding: &&Value| finding["objects"].to_string().contains("\"Gear\"") && finding["root"] == true;
    let found: Vec<&Value> = findings.iter().filter(about_gears).collect();
    assert!(!found.is_empty(), "{which}");
    assert_eq!(found.iter().all(|finding| finding["avoidable"] == true), release.is_avoidable(), "{which}");
    let apart = report["products"][0]["apart"].to_string();
    assert_eq!(apart.contains("foreign"), release.state == State::Foreign, "{which}");
    let steps = report["order"].to_string();
    assert!(!steps.contains("foreign"), "{which}");
    if release.is_avoidable() {
        registrations_have_their_place(release, &report);
        let first = usize::from(release.state == State::Silent);
        let first = report["order"][first]["steps"].to_string();
        assert!(first.contains("\"Gear\""), "the objects go first: {which}");
        let last = report["order"].as_array().and_then(|turns| turns.last()).map(ToString::to_string);
        let is_own = matches!(release.installer, Installer::Flux | Installer::ArgoCd);
        assert!(is_own || last.is_some_and(|last| last.contains(&release.crd())), "the definition goes last: {which}");
    }
}

/// A webhook and an API go before what answers for them; a webhook that cannot be called before what
/// it refuses.
fn registrations_have_their_place(release: &Release, report: &Value) {
    let turns = report["order"].as_array().expect("an order");
    let at = |what: &str| turns.iter().position(|turn| turn["steps"].to_string().contains(what));
    let is_own = matches!(release.installer, Installer::Flux | Installer::ArgoCd);
    let server = at("\"Deployment\"").or_else(|| at("\"Kustomization\"")).or_else(|| at("\"Application\""));
    for registration in release.registrations() {
        let name = registration.split('/').next_back().expect("a name");
        let place = at(&format!("\"{name}\""));
        match (release.state, place) {
            (State::Silent, place) => assert_eq!(place, Some(0), "{report}"),
            // The installer's own object takes it along.
            (State::Webhook | State::Api, None) => assert!(is_own, "{registration}: {report}"),
            (_, place) => {
                assert!(place.is_some() && at("\"Gear\"") < place && place < server, "{registration}: {report}");
            }
        }
    }
}

fn is_there(plane: &ControlPlane, words: &[&str]) -> bool {
    let output = plane.kubectl(&[&["get", "--ignore-not-found", "-o", "name"], words].concat());
    !output.stdout.is_empty()
}

/// What happens.
fn take_out(release: &Release, plane: &ControlPlane) {
    let (number, crd) = (release.number, release.crd());
    let users = format!("users{number}");
    let gear = [crd.as_str(), "one", "-n", &users];
    // A third of those that could be taken out in order are deleted in the installer's own order.
    if release.is_avoidable() && release.state != State::ByItself {
        let confirm = format!("op{number},{crd}");
        let confirm = if matches!(release.installer, Installer::Flux | Installer::ArgoCd) {
            format!("op{number}")
        } else {
            confirm
        };
        let output = unstick(plane)
            .args(release.words())
            .args(["--delete", "--approve", "loses-data", "--confirm", &confirm])
            .output()
            .expect("it runs");
        let said = format!("{:?} {:?}: {}{}", release.installer, release.state, stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(!is_there(plane, &gear), "{said}");
        for member in release.members().into_iter().chain(release.registrations()) {
            let words: Vec<&str> = member.split(' ').collect();
            assert!(!is_there(plane, &words), "{member} is gone: {said}");
        }
        if release.state == State::Foreign {
            assert!(is_there(plane, &["configmap", "foreign", "-n", &users]), "what is foreign stays: {said}");
        }
        return;
    }
    if !release.is_avoidable() {
        let refused = unstick(plane)
            .args(release.words())
            .args(["--delete", "--approve", "loses-data", "--confirm", &format!("op{number},{crd}")])
            .output()
            .expect("it runs");
        assert_ne!(refused.status.code(), Some(0), "{}", stderr(&refused));
        assert!(is_there(plane, &gear), "nothing was deleted: {}", stderr(&refused));
    }
    release.delete_by_its_own_order(plane);
    wait_until("its object is asked to go", Duration::from_secs(30), || {
        let asked = plane.kubectl(&["get", &crd, "one", "-n", &users, "-o", "jsonpath={.metadata.deletionTimestamp}"]);
        !asked.stdout.is_empty()
    });
    thread::sleep(Duration::from_secs(4));
    assert!(is_there(plane, &gear), "it hangs, as was foreseen: {:?} {:?}", release.installer, release.state);
}
