//! Tests forecasts: objects with a forecast to get stuck do get stuck when they are deleted
//! outright, and are deleted without problems in the shown order.

use crate::diet;
use crate::prompts::session;
use crate::support::baseline;
use crate::support::control_plane::{AuditEvent, ControlPlane};
use crate::support::program::{run_script, stderr, stdout, unstick};
use crate::support::terminal::{choose, exit_code, press};
use crate::support::wait::wait_until;
use kubectl_unstick::survey::file;
use serde_json::Value;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// A forecast.
pub struct Forecast {
    pub code: Option<i32>,
    pub report: Value,
}

impl Forecast {
    pub fn of(plane: &ControlPlane, words: &str) -> Self {
        if std::env::var_os("UNSTICK_RECORD").is_some() {
            record(plane, words);
        }
        let mut command = unstick(plane);
        let output = command.arg("preflight").args(words.split(' ')).args(["-o", "json"]).output().expect("it runs");
        let text = stdout(&output);
        let report = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{words}: {text}{}", stderr(&output)));
        Self { code: output.status.code(), report }
    }

    pub fn state(&self) -> &str {
        self.report["targets"][0]["state"].as_str().expect("a state")
    }

    pub fn findings(&self) -> Vec<(String, String, bool)> {
        let findings = self.report["findings"].as_array().expect("findings").iter();
        let text = |finding: &Value, field: &str| finding[field].as_str().unwrap_or_default().to_owned();
        findings.map(|finding| (text(finding, "rule"), text(finding, "why"), finding["avoidable"] == true)).collect()
    }

    fn commands(&self) -> Vec<String> {
        let turns = self.report["order"].as_array().cloned().unwrap_or_default();
        let commands = turns.iter().flat_map(|turn| turn["commands"].as_array().cloned().unwrap_or_default());
        commands.map(|command| command.as_str().expect("a command").to_owned()).collect()
    }

    fn follows(&self) -> String {
        self.report["consequences"].to_string()
    }
}

/// Records the survey of a forecast for the recorded tests, under a name made of its words.
fn record(plane: &ControlPlane, words: &str) {
    // A pod's name is generated, and a survey shows what the user may read.
    if ["--as ", "--from "].iter().any(|flag| words.contains(flag)) || words.starts_with("pod ") {
        return;
    }
    let output = unstick(plane).args(["survey", "preflight"]).args(words.split(' ')).output().expect("it runs");
    assert!(output.status.success(), "{words}: {}", stderr(&output));
    let whole = file::read(&stdout(&output)).expect("a survey");
    baseline::ensure(whole.server.as_deref().expect("a version"));
    // The list of a node's own pods does not fit a file that is based on a baseline.
    let text = if words.starts_with("node ") { diet::alone(&whole) } else { diet::thinned(&whole) };
    let name = words.replace(|letter: char| !letter.is_alphanumeric() && letter != '.', "-");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/preflight/recorded");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(format!("{name}.yaml")), text).expect("the survey is written");
}

fn exists(plane: &ControlPlane, namespace: &str) -> bool {
    !plane.kubectl_ok(&["get", "namespace", namespace, "--ignore-not-found", "-o", "name"]).is_empty()
}

/// Runs the commands of the order literally.
fn follow(plane: &ControlPlane, forecast: &Forecast) {
    for command in forecast.commands() {
        let output = plane.command("bash").args(["-c", &command]).output().expect("it runs");
        assert!(output.status.success(), "{command}: {}{}", stdout(&output), stderr(&output));
    }
}

fn script() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/preflight/make.sh")
}

const ONE: bool = true;

/// Pairs of equal namespaces, one to be deleted outright and one in order, with the forecast for
/// both and its certainty.
const FORESEEN: [(&str, &str, &str, &str); 3] = [
    ("shop-a", "shop-b", "held-by-finalizer", "Likely"),
    ("guard-a", "guard-b", "deletion-refused", "Proven"),
    ("api-a", "api-b", "apiservice-unavailable", "Likely"),
];

#[test]
fn forecasts_come_true_and_the_order_avoids_them() {
    let plane = ControlPlane::start();
    let _background = run_script(&script(), &plane);
    // None of these writes anything that another reads.
    side_by_side(&[&healthy, &nothing_is_claimed_where_little_can_be_read, &stuck_whatever_the_order, &in_use], &plane);
    thread::scope(|scope| {
        scope.spawn(|| deletes_in_order(&plane));
        for (outright, in_order, rule, certainty) in FORESEEN {
            let plane = &plane;
            scope.spawn(move || goes_in_order(plane, outright, in_order, (rule, certainty)));
        }
    });
    // Deleted outright, they hang for the forecast reason. The API comes last, as all namespaces
    // wait for it.
    thread::scope(|scope| {
        for (outright, _, rule, _) in &FORESEEN[..2] {
            scope.spawn(|| hangs(&plane, outright, rule));
        }
    });
    // The process that stands in for its pod ends with it.
    std::fs::write(plane.dir().join("backend-mode"), "list503").expect("written");
    hangs(&plane, FORESEEN[2].0, FORESEEN[2].2);
    // From here on an API is dead, so no namespace could be deleted.
    let disks = Forecast::of(&plane, "ns disks");
    assert_eq!((disks.code, disks.state()), (Some(1), "WouldHang"), "{}", disks.report);
    assert!(disks.report["findings"][0]["cause"] == "api" && disks.findings().iter().all(|found| !found.2));
    let going = Forecast::of(&plane, "ns guard-a");
    assert_eq!((going.code, going.state()), (Some(1), "Stuck"), "{}", going.report);
}

fn side_by_side(checks: &[&(dyn Fn(&ControlPlane) + Sync)], plane: &ControlPlane) {
    thread::scope(|scope| {
        for check in checks {
            scope.spawn(|| check(plane));
        }
    });
}

/// Deletes a namespace that would hang, in the shown order.
fn goes_in_order(plane: &ControlPlane, outright: &str, in_order: &str, (rule, certainty): (&str, &str)) {
    for namespace in [outright, in_order] {
        let forecast = Forecast::of(plane, &format!("ns {namespace}"));
        assert_eq!((forecast.code, forecast.state()), (Some(1), "WouldHang"), "{}", forecast.report);
        assert_eq!(forecast.findings(), [(rule.to_owned(), certainty.to_owned(), ONE)], "{}", forecast.report);
    }
    let forecast = Forecast::of(plane, &format!("ns {in_order}"));
    assert!(forecast.commands().len() > 1, "{:?}", forecast.commands());
    follow(plane, &forecast);
    assert!(!exists(plane, in_order), "{in_order} is gone");
    // The API server checks the registration, which takes a moment.
    if rule == "apiservice-unavailable" {
        assert!(plane.kubectl_ok(&["get", "apiservices", "-o", "name"]).contains("v1.api-a."));
    }
}

/// Deleted outright, the namespace hangs as forecast.
fn hangs(plane: &ControlPlane, outright: &str, rule: &str) {
    plane.kubectl_ok(&["delete", "namespace", outright, "--wait=false"]);
    wait_until(&format!("{outright} hangs on {rule}"), Duration::from_mins(3), || {
        assert!(exists(plane, outright), "{outright} does not hang");
        let output = unstick(plane).args(["ns", outright, "-o", "json"]).output().expect("it runs");
        let report: Value = serde_json::from_str(&stdout(&output)).unwrap_or_default();
        let roots = report["findings"].as_array().cloned().unwrap_or_default();
        let is_it = |root: &Value| {
            root["root"] == true && (root["rule"] == rule || rule.starts_with("api") && root["cause"] == "api")
        };
        output.status.code() == Some(1) && roots.iter().any(is_it)
    });
    assert!(exists(plane, outright), "{outright} is still there");
}

/// States in which nothing would hang: a claim with data, a running operator elsewhere, an
/// unrelated webhook.
fn healthy(plane: &ControlPlane) {
    let fine = Forecast::of(plane, "ns fine");
    assert_eq!((fine.code, fine.state()), (Some(0), "WouldGo"), "{}", fine.report);
    assert_eq!(fine.commands(), ["kubectl delete namespaces fine --timeout=5m"]);
    let output = unstick(plane).args(["preflight", "ns", "fine"]).output().expect("it runs");
    assert_eq!(stdout(&output).lines().count(), 2, "{}", stdout(&output));
    let decoy = Forecast::of(plane, "ns decoy");
    assert_eq!((decoy.code, decoy.state()), (Some(0), "WouldGo"), "{}", decoy.report);
    assert!(decoy.follows().contains("it stays when namespace"), "{}", decoy.follows());
    // Objects that stay in other namespaces would lose their operator, by whichever way it is named.
    for words in ["ns central", "deployment cherry-operator -n central"] {
        let alone = Forecast::of(plane, words);
        assert_eq!((alone.code, alone.state()), (Some(1), "WouldHang"), "{}", alone.report);
        assert!(alone.commands()[0].contains("delete cherries.cherry.io orders -n fine"), "{:?}", alone.commands());
    }
    // Together, the objects are deleted before their operator.
    let both = Forecast::of(plane, "ns central fine");
    assert_eq!(both.findings(), [("held-by-finalizer".to_owned(), "Likely".to_owned(), ONE)], "{}", both.report);
    assert!(both.commands()[0].contains("delete cherries.cherry.io orders -n fine"), "{:?}", both.commands());
    let disks = Forecast::of(plane, "ns disks");
    assert_eq!((disks.code, disks.state()), (Some(0), "WouldGo"), "{}", disks.report);
    assert!(disks.follows().contains("the data is lost: PersistentVolume disk (volume vol-1)"), "{}", disks.follows());
}

fn nothing_is_claimed_where_little_can_be_read(plane: &ControlPlane) {
    let blind = Forecast::of(plane, "ns fine --as viewer");
    assert_eq!((blind.code, blind.state()), (Some(2), "Unknown"), "{}", blind.report);
    assert!(!blind.report["unread"].as_array().expect("notes").is_empty());
    let missing = unstick(plane).args(["preflight", "ns", "nowhere"]).output().expect("it runs");
    assert_eq!(missing.status.code(), Some(2), "{}", stderr(&missing));
    let recorded = unstick(plane).args(["survey", "preflight", "ns", "shop-a"]).output().expect("it runs");
    let file = plane.dir().join("preflight.yaml");
    std::fs::write(&file, &recorded.stdout).expect("written");
    let from = Forecast::of(plane, &format!("ns shop-a --from {}", file.display()));
    assert_eq!((from.code, from.state()), (Some(1), "WouldHang"), "{}", from.report);
    let other = unstick(plane).args(["survey", "ns", "shop-a"]).output().expect("it runs");
    std::fs::write(&file, &other.stdout).expect("written");
    let refused = unstick(plane).args(["preflight", "ns", "shop-a", "--from"]).arg(&file).output().expect("it runs");
    assert!(stderr(&refused).contains("was not taken for a preflight"), "{}", stderr(&refused));
}

fn stuck_whatever_the_order(plane: &ControlPlane) {
    let forecast = Forecast::of(plane, "ns balanced");
    assert_eq!((forecast.code, forecast.state()), (Some(1), "WouldHang"), "{}", forecast.report);
    assert_eq!(forecast.findings(), [("held-by-finalizer".to_owned(), "Proven".to_owned(), !ONE)]);
    let all = ["ns", "balanced", "--delete", "--approve", "loses-data", "--confirm", "balanced"];
    let refused = unstick(plane).args(all).output().expect("it runs");
    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("nothing was deleted: it would get stuck"), "{}", stderr(&refused));
    let never = Forecast::of(plane, "ns kube-system");
    assert_eq!((never.code, never.commands().len()), (Some(1), 0), "{}", never.report);
}

fn in_use(plane: &ControlPlane) {
    let claim = Forecast::of(plane, "pvc data -n disks");
    assert_eq!((claim.code, claim.state()), (Some(1), "WouldHang"), "{}", claim.report);
    assert_eq!(claim.findings()[0].0, "claim-in-use");
    let pod = plane.kubectl_ok(&["get", "pods", "-n", "central", "-o", "jsonpath={.items[0].metadata.name}"]);
    let pod = Forecast::of(plane, &format!("pod {pod} -n central"));
    assert_eq!((pod.code, pod.state()), (Some(0), "WouldGo"), "{}", pod.report);
    assert!(pod.follows().contains("manages it and would create it again"), "{}", pod.follows());
}

/// `--delete` asks for each turn, waits for it and continues; without an answer nothing is deleted.
fn deletes_in_order(plane: &ControlPlane) {
    let nobody = unstick(plane).args(["ns", "fine", "--delete"]).output().expect("it runs");
    assert_eq!(nobody.status.code(), Some(1), "{}", stderr(&nobody));
    let tried = unstick(plane).args(["ns", "fine", "--delete", "--dry-run=server"]).output().expect("it runs");
    assert!(stderr(&tried).contains("the server would accept it"), "{}", stderr(&tried));
    let little = unstick(plane).args(["ns", "fine", "--delete", "--approve", "leaks"]).output().expect("it runs");
    assert_eq!(little.status.code(), Some(1), "{}", stderr(&little));
    assert!(exists(plane, "fine"), "nothing was deleted");

    let mut asked = session(plane, &["ns", "decoy", "fine", "--delete"]);
    asked.exp_string("Turn 1 of 3").expect("the registration comes first");
    choose(&mut asked, "do it");
    asked.exp_string("Turn 2 of 3").expect("the first namespace");
    choose(&mut asked, "do it");
    asked.exp_string("type decoy to confirm").expect("a namespace is deleted by its name");
    asked.send_line("y").expect("typed");
    asked.exp_string("type decoy to confirm").expect("a yes is no answer");
    asked.send_line("decoy").expect("typed");
    asked.exp_string("verified gone").expect("waits");
    asked.exp_string("Turn 3 of 3").expect("the other one");
    choose(&mut asked, "quit");
    assert_eq!(exit_code(&mut asked), 1);
    assert!(!exists(plane, "decoy") && exists(plane, "fine"));

    let all = ["ns", "fine", "--delete", "--approve", "loses-data", "--confirm", "fine"];
    let approved = unstick(plane).args(all).output().expect("it runs");
    assert_eq!(approved.status.code(), Some(0), "{}{}", stdout(&approved), stderr(&approved));
    assert!(!exists(plane, "fine"), "{}", stderr(&approved));

    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: parent}}");
    let foreground = ["configmap", "parent", "--delete", "--cascade=orphan", "--approve", "disruptive"];
    let output = unstick(plane).args(foreground).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let policy = std::fs::read_dir(plane.dir().join("state/kubectl-unstick")).expect("the journal");
    let texts = policy.map(|entry| std::fs::read_to_string(entry.expect("an entry").path()).expect("a record"));
    assert!(texts.into_iter().any(|text| text.contains("\"propagationPolicy\":\"Orphan\"")), "as it was asked for");
}

/// A finalizer whose controller destroys something before it removes it.
const DESTROYS: &str = "cluster.x-k8s.io/machinedeployment";

/// An approval covers the shown steps, and its risk includes the consequences.
#[test]
fn an_approval_covers_the_deletion_as_shown() {
    let plane = ControlPlane::start();
    flags_that_mean_nothing_together(&plane);
    for name in ["plain", "held"] {
        plane.apply(&format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}}}}}"));
    }
    // Its controller would destroy the objects that it manages.
    plane.apply(&format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: blog, finalizers: [{DESTROYS}]}}}}"));
    let blog = Forecast::of(&plane, "configmap blog");
    assert_eq!(blog.report["order"][0]["risk"], "LosesData", "{}", blog.report);
    nodes(&plane);
    owned(&plane);

    // A user who may not delete is told so without a question.
    plane.kubectl_ok(&["create", "clusterrole", "looker", "--verb=get,list,watch", "--resource=*.*"]);
    plane.kubectl_ok(&["create", "clusterrolebinding", "carl", "--clusterrole=looker", "--user=carl"]);
    let mut carl = session(&plane, &["configmap", "plain", "--delete", "--as=carl"]);
    carl.exp_string("because a permission is missing: delete").expect("says why");
    carl.exp_string("configmaps/plain").expect("names the step");
    carl.exp_string("can-i delete configmaps/plain").expect("and how to see");
    assert_eq!(exit_code(&mut carl), 3);

    // A finalizer that appears between the question and the answer is shown, and the question is
    // repeated.
    let mut asked = session(&plane, &["configmap", "held", "--delete"]);
    asked.exp_string("   quit").expect("a mild question");
    let patch = "{\"metadata\":{\"finalizers\":[\"acme.io/hold\"]}}";
    plane.kubectl_ok(&["patch", "configmap", "held", "--type=merge", "-p", patch]);
    press(&mut asked, "\x1b[B\r");
    asked.exp_string("not done: what was shown has changed").expect("looks again");
    choose(&mut asked, "do it");
    asked.exp_string("type held to confirm").expect("asks again, in its new light");
    let deleted = ["get", "configmap", "held", "-o", "jsonpath={.metadata.deletionTimestamp}"];
    assert_eq!(plane.kubectl_ok(&deleted), "", "nothing was written");
    asked.send_line("held").expect("typed");
    asked.exp_string("s left  waiting for ConfigMap default/held to be gone").expect("says what it waits for");
}

fn flags_that_mean_nothing_together(plane: &ControlPlane) {
    for (line, text) in [
        ("--delete", "TYPE and NAME are missing"),
        ("ns default --delete --finalize", "'--delete' cannot be used with '--finalize'"),
        ("ns default --delete -w", "'--delete' cannot be used with '--watch'"),
        ("ns default --delete --from x.yaml", "--from, which reads a file"),
        ("ns default --delete --one-by-one", "'--delete' cannot be used with '--one-by-one'"),
        ("ns default --cascade=orphan", "--cascade needs --delete or preflight"),
        ("survey ns default --cascade=orphan", "was not taken for a preflight"),
    ] {
        let output = unstick(plane).args(line.split(' ')).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{line}: {}", stderr(&output));
        assert!(stderr(&output).contains(text), "{line}: {}", stderr(&output));
    }
}

/// Pods are deleted together with their node.
fn nodes(plane: &ControlPlane) {
    plane.apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: default}}");
    let claim = "volumes: [{name: d, persistentVolumeClaim: {claimName: d}}]";
    for (node, pod, volumes) in [("empty", "", ""), ("mild", "web", "volumes: []"), ("data", "db", claim)] {
        plane.apply(&format!("{{apiVersion: v1, kind: Node, metadata: {{name: {node}}}}}"));
        if !pod.is_empty() {
            plane.apply(&format!(
                "{{apiVersion: v1, kind: Pod, metadata: {{name: {pod}}}, \
                 spec: {{nodeName: {node}, containers: [{{name: a, image: a}}], {volumes}}}}}"
            ));
        }
    }
    for (node, risk, follows) in [
        ("empty", "Disruptive", ""),
        ("mild", "Disruptive", "Pod default/web, which runs on it, is removed by the pod garbage collector"),
        ("data", "LosesData", "Pod default/db may run twice"),
    ] {
        let forecast = Forecast::of(plane, &format!("node {node}"));
        assert_eq!((forecast.code, &forecast.report["order"][0]["risk"]), (Some(0), &risk.into()), "{node}");
        assert!(forecast.follows().contains(follows), "{}", forecast.follows());
    }
    wait_until("its pods alone were asked for", Duration::from_secs(10), || {
        let asked = |event: &AuditEvent| {
            event.uri.contains("/api/v1/pods?resourceVersion=0&fieldSelector=spec.nodeName%3Ddata")
        };
        plane.audit_requests().iter().any(asked)
    });
}

/// Objects that the garbage collector deletes have finalizers, too.
fn owned(plane: &ControlPlane) {
    plane.apply(
        "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: sets.acme.io}, \
         spec: {group: acme.io, scope: Namespaced, names: {plural: sets, kind: Set}, versions: [{name: v1, \
         served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}",
    );
    plane.kubectl_ok(&["wait", "--for=condition=Established", "crd/sets.acme.io", "--timeout=20s"]);
    plane.apply("{apiVersion: acme.io/v1, kind: Set, metadata: {name: all}}");
    let forecast = |words: &str| Forecast::of(plane, words).report;
    let alone = forecast("sets.acme.io/all");
    assert_eq!(alone["order"][0]["risk"], "LosesData", "nothing is known of its controller");
    assert!(!alone.to_string().contains("does its clean-up"), "{alone:#}");
    let uid = plane.kubectl_ok(&["get", "sets.acme.io", "all", "-o", "jsonpath={.metadata.uid}"]);
    plane.apply(&format!(
        "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: machines, finalizers: [{DESTROYS}], \
         ownerReferences: [{{apiVersion: acme.io/v1, kind: Set, name: all, uid: {uid}}}]}}}}"
    ));
    let with_it = forecast("sets.acme.io/all");
    assert_eq!(with_it["order"][0]["risk"], "LosesData", "{with_it}");
    assert!(with_it["consequences"].to_string().contains("also deleted: ConfigMap default/machines: "), "{with_it}");
    let kept = forecast("sets.acme.io/all --cascade=orphan");
    assert!(!kept["consequences"].to_string().contains("also deleted: ConfigMap"), "{kept:#}");
}
