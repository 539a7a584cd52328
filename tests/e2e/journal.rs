//! The journal and `undo`: the real program undoes the changes of a run's steps, and the result is
//! checked from outside.

use crate::prompts::session;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{PROGRAM, stderr, stdout, unstick};
use crate::support::terminal::{choose, environment, exit_code, press};
use kubectl_unstick::journal::{Run, RunHeader};
use kubectl_unstick::plan::{Approval, steps};
use kubectl_unstick::report::{Named, Ref};
use kubectl_unstick::report::{Risk, Step};
use kubectl_unstick::survey::Object;
use kubectl_unstick::transport::Connection;
use kubectl_unstick::write::apply::{Outcome, carry_out};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// One object of every kind that a step may change, without any controllers.
const CLUSTER: &str = r#"
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: owner}, value: 1}
---
{apiVersion: v1, kind: Node, metadata: {name: worker}, spec: {taints: [{key: acme.io/own, effect: NoSchedule}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: operator, annotations: {acme.io/note: kept}}
spec:
  replicas: 0
  selector: {matchLabels: {app: operator}}
  template:
    metadata: {labels: {app: operator}}
    spec: {containers: [{name: c, image: example.invalid/none, env: [{name: PASSWORD, value: hidden-words}]}]}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.acme.io, labels: {a: b}}
spec: {group: acme.io, version: v1, groupPriorityMinimum: 100, versionPriority: 10, insecureSkipTLSVerify: true, service: {namespace: ops, name: gone}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: two-hooks}
webhooks:
- {name: a.acme.io, admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Fail, clientConfig: {service: {namespace: ops, name: gone}}, rules: [{apiGroups: [acme.io], apiVersions: ["*"], operations: [UPDATE], resources: ["*"]}]}
- {name: b.acme.io, admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Fail, clientConfig: {service: {namespace: ops, name: gone}}, rules: [{apiGroups: [acme.io], apiVersions: ["*"], operations: [UPDATE], resources: ["*"]}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: left-over}
webhooks:
- {name: c.acme.io, admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Fail, clientConfig: {service: {namespace: ops, name: gone}}, rules: [{apiGroups: [acme.io], apiVersions: ["*"], operations: [UPDATE], resources: ["*"]}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: keep}
spec: {policyName: none, validationActions: [Deny, Audit]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.acme.example}
spec:
  group: acme.example
  names: {plural: gadgets, singular: gadget, kind: Gadget}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: ops, name: gone}}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [acme.io/hold]}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: stays, finalizers: [acme.io/hold]}}
"#;

pub fn read(plane: &ControlPlane, kind: &str, name: &str) -> Value {
    let text = plane.kubectl_ok(&["get", kind, name, "-o", "json", "--ignore-not-found"]);
    serde_json::from_str(&text).unwrap_or_default()
}

pub fn reference(plane: &ControlPlane, resource: &str, name: &str) -> Ref {
    let object = read(plane, resource, name);
    let text = |field: &str| object[field].as_str().expect("an object").to_owned();
    Ref::from(Named {
        api_version: text("apiVersion"),
        kind: text("kind"),
        resource: resource.split('.').next().expect("a plural").into(),
        namespace: object["metadata"]["namespace"].as_str().map(Into::into),
        name: name.into(),
        uid: object["metadata"]["uid"].as_str().expect("a uid").into(),
        missing: false,
    })
}

fn state(plane: &ControlPlane) -> PathBuf {
    plane.dir().join("state/kubectl-unstick")
}

/// Carries the steps out in one run of the journal, which is then ended, or cut off.
pub fn carry_out_all(plane: &ControlPlane, steps: &[Step], end: Option<&str>) -> String {
    let (run, outcomes) = carry_out_by(plane, None, steps, end);
    for (step, outcome) in steps.iter().zip(outcomes) {
        assert!(matches!(outcome, Outcome::Done(_)), "{}: {outcome:?}", step.title());
    }
    run
}

/// The same through an address in front of the server; also returns the outcome of each step.
pub fn carry_out_by(
    plane: &ControlPlane,
    server: Option<&str>,
    steps: &[Step],
    end: Option<&str>,
) -> (String, Vec<Outcome>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (kubeconfig, server) = (Some(plane.kubeconfig().into()), server.map(Into::into));
        let connection = Connection { kubeconfig, server, ..Connection::default() };
        let connected = connection.connect().await.expect("a connection");
        let header = RunHeader {
            server: connected.server.clone(),
            context: connected.context.clone(),
            cluster: read(plane, "namespace", "kube-system")["metadata"]["uid"].as_str().map(Into::into),
            targets: vec!["namespaces/shop".into()],
            ..RunHeader::default()
        };
        let mut run = Run::new(Some(state(plane)), header, Approval::default());
        run.approval.agree_to(steps, Risk::LosesData);
        let mut outcomes = Vec::new();
        for step in steps {
            outcomes.push(carry_out(&connected.api, step, Some(&mut run), &|| false).await);
        }
        if let Some(how) = end {
            run.end(how).expect("on record");
        }
        (run.path().expect("a file").file_stem().expect("a name").to_string_lossy().into_owned(), outcomes)
    })
}

fn everything(plane: &ControlPlane) -> Vec<Step> {
    let binding = reference(plane, "validatingadmissionpolicybindings", "keep");
    let binding_now: Object =
        serde_json::from_value(read(plane, "validatingadmissionpolicybindings", "keep")).expect("one");
    let crd = reference(plane, "customresourcedefinitions", "gadgets.acme.example");
    let conversion = read(plane, "crd", "gadgets.acme.example")["spec"]["conversion"].clone();
    let called = read(plane, "apiservices", "v1.acme.io")["spec"]["service"].clone();
    let text = |field: &str| called[field].as_str().expect("a Service").to_owned();
    let service = Ref::from(Named { namespace: Some(text("namespace")), name: text("name"), ..Named::default() });
    let left_over = reference(plane, "mutatingwebhookconfigurations", "left-over");
    let left_over_now: Object =
        serde_json::from_value(read(plane, "mutatingwebhookconfigurations", "left-over")).expect("one");
    let hold = ["acme.io/hold".to_owned()];
    vec![
        steps::scale_workload::step(&reference(plane, "deployments.apps", "operator")),
        steps::delete_api_service::step(&reference(plane, "apiservices", "v1.acme.io"), &service),
        steps::ignore_webhook::step(&reference(plane, "validatingwebhookconfigurations", "two-hooks"), 1, "b.acme.io"),
        steps::delete_webhook_configuration::step(&left_over, &left_over_now),
        steps::relax_policy_binding::step(&binding, steps::relax_policy_binding::Relax::Denial, &binding_now),
        steps::conversion_none::step(&crd, &conversion),
        steps::taint_out_of_service::step(&reference(plane, "nodes", "worker")),
        steps::remove_finalizer::step(&reference(plane, "configmaps", "held"), &hold, &hold[0]),
    ]
}

pub fn undo(plane: &ControlPlane, arguments: &[&str]) -> Output {
    unstick(plane).arg("undo").args(arguments).output().expect("the program runs")
}

/// The settings that a person would compare, without uids and fields that controllers write.
fn settings(plane: &ControlPlane) -> Value {
    let spec = |kind: &str, name: &str| read(plane, kind, name)["spec"].clone();
    json!({
        "replicas": spec("deployment", "operator")["replicas"],
        "api": [spec("apiservice", "v1.acme.io"), read(plane, "apiservice", "v1.acme.io")["metadata"]["labels"]],
        "hooks": read(plane, "validatingwebhookconfiguration", "two-hooks")["webhooks"],
        "left": read(plane, "mutatingwebhookconfiguration", "left-over")["webhooks"],
        "binding": spec("validatingadmissionpolicybinding", "keep"),
        "conversion": spec("crd", "gadgets.acme.example")["conversion"],
        // The node controller adds taints of its own.
        "taints": taints(plane),
    })
}

fn taints(plane: &ControlPlane) -> Vec<Value> {
    let node = read(plane, "node", "worker");
    let all = node["spec"]["taints"].as_array().cloned().unwrap_or_default();
    let ours = |taint: &Value| taint["key"] == "acme.io/own" || taint["key"] == "node.kubernetes.io/out-of-service";
    all.into_iter().filter(ours).collect()
}

#[test]
fn a_runs_changes_are_undone_once() {
    let plane = ControlPlane::start();
    plane.apply(CLUSTER);
    for name in ["held", "stays"] {
        plane.kubectl_ok(&["delete", "configmap", name, "--wait=false"]);
    }
    let owner = read(&plane, "priorityclass", "owner")["metadata"]["uid"].clone();
    let owner = json!({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "name": "owner", "uid": owner});
    let patch = json!({"metadata": {"ownerReferences": [owner]}}).to_string();
    plane.kubectl_ok(&["patch", "apiservice", "v1.acme.io", "--type=merge", "-p", &patch]);
    let before = settings(&plane);
    let id = carry_out_all(&plane, &everything(&plane), Some("released"));
    assert_ne!(settings(&plane), before);
    plane.kubectl_ok(&["delete", "priorityclass", "owner"]);
    nothing_secret_is_on_record(&plane, &id);
    the_journal_shows_it(&plane, &id);

    // Without approval and terminal, the plan is shown and nothing is written.
    let shown = undo(&plane, &[]);
    let said = stdout(&shown);
    assert_eq!(shown.status.code(), Some(1), "{}", stderr(&shown));
    for text in [
        "scale deployments.apps/operator -n default back to 0",
        "create apiservices",
        "new uid",
        "FOR GOOD",
        "accepts no new finalizer",
        "restore the conversion webhook of CRD gadgets.acme.example",
    ] {
        assert!(said.contains(text), "{text:?} is not in: {said}");
    }
    assert_eq!(undo(&plane, &["--dry-run=server"]).status.code(), Some(1));
    assert_ne!(settings(&plane), before);

    // One setting has another value since, and an entry was moved.
    plane.kubectl_ok(&["scale", "deployment", "operator", "--replicas=2"]);
    let hooks = read(&plane, "validatingwebhookconfiguration", "two-hooks")["webhooks"].clone();
    let swapped = json!([{"op": "replace", "path": "/webhooks", "value": [hooks[1], hooks[0]]}]).to_string();
    plane.kubectl_ok(&["patch", "validatingwebhookconfiguration", "two-hooks", "--type=json", "-p", &swapped]);

    let done = undo(&plane, &[&id[..id.len() - 1], "--approve", "disruptive", "-o", "json"]);
    let report: Value = serde_json::from_str(&stdout(&done)).expect("pure JSON");
    assert_eq!(done.status.code(), Some(1), "not all of it: {}{}", stdout(&done), stderr(&done));
    let states: Vec<(u64, &str)> = report["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .map(|step| (step["step"].as_u64().expect("a number"), step["state"].as_str().expect("a word")))
        .collect();
    assert_eq!(
        states,
        [(8, "Cannot"), (7, "Done"), (6, "Done"), (5, "Done"), (4, "Done"), (3, "Done"), (2, "Done"), (1, "Changed")]
    );
    plane.kubectl_ok(&["scale", "deployment", "operator", "--replicas=0"]);
    let mut after = settings(&plane);
    after["hooks"].as_array_mut().expect("hooks").reverse();
    assert_eq!(after, before);
    // Its owner is gone: with an ownerReference, it would be collected at once.
    assert!(read(&plane, "apiservice", "v1.acme.io")["metadata"]["ownerReferences"].is_null());

    let again = undo(&plane, &[&id, "--approve", "disruptive"]);
    assert!(stderr(&again).contains("nothing to undo in run"), "{}", stderr(&again));
    on_another_cluster_it_is_refused(&plane, &id);
    a_run_that_was_cut_off_is_undone_by_what_is_there(&plane);
    a_colleagues_change_is_left(&plane);
    each_step_is_asked_for(&plane);
    steps_above_the_approved_risk_are_left(&plane);
}

fn steps_above_the_approved_risk_are_left(plane: &ControlPlane) {
    let scale = steps::scale_workload::step(&reference(plane, "deployments.apps", "operator"));
    carry_out_all(plane, &[scale], Some("released"));
    let mild = undo(plane, &["--yes"]);
    assert_eq!(mild.status.code(), Some(1), "{}", stderr(&mild));
    assert!(stderr(&mild).contains("only harmless was approved"), "{}", stderr(&mild));
    assert_eq!(read(plane, "deployment", "operator")["spec"]["replicas"], 1);
}

fn nothing_secret_is_on_record(plane: &ControlPlane, id: &str) {
    let text = std::fs::read_to_string(state(plane).join(format!("{id}.jsonl"))).expect("a journal file");
    assert!(!text.contains("hidden-words"), "{text}");
    assert!(text.contains("\"acme.io/note\":\"(not kept)\""), "{text}");
}

fn the_journal_shows_it(plane: &ControlPlane, id: &str) {
    let journal = |arguments: &[&str]| {
        let output = unstick(plane).arg("journal").args(arguments).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let table = journal(&[]);
    for text in [id, "admin", "namespaces/shop", "8/8", "released"] {
        assert!(table.contains(text), "{text:?} is not in: {table}");
    }
    assert_eq!(journal(&["-o", "name"]), format!("{id}\n"));
    let one = journal(&["last"]);
    for text in ["PATCH /apis/apps/v1/namespaces/default/deployments/operator", "before", "acme.io/note: (not kept)"] {
        assert!(one.contains(text), "{text:?} is not in: {one}");
    }
    let records: Value = serde_json::from_str(&journal(&[id, "-o", "json"])).expect("JSON");
    assert_eq!(records["records"].as_array().map(Vec::len), Some(1 + 8 + 8 + 1));
    assert_eq!((&records["who"], &records["outcome"]), (&json!("admin"), &json!("released")));
}

fn on_another_cluster_it_is_refused(plane: &ControlPlane, id: &str) {
    let path = state(plane).join(format!("{id}.jsonl"));
    let text = std::fs::read_to_string(&path).expect("a journal file");
    let uid = read(plane, "namespace", "kube-system")["metadata"]["uid"].as_str().expect("a uid").to_owned();
    std::fs::write(state(plane).join("29990101T000000Z-1.jsonl"), text.replace(&uid, "another-uid")).expect("a file");
    let refused = undo(plane, &["2999", "--yes"]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    for text in ["another cluster", "another-uid", &uid, "--context"] {
        assert!(stderr(&refused).contains(text), "{text:?} is not in: {}", stderr(&refused));
    }
    // Without a RUN, only runs on this cluster count; the newest one here is older.
    let passed_over = undo(plane, &["--dry-run=client"]);
    let said = stderr(&passed_over);
    for text in ["run 29990101T000000Z-1, was on another cluster", &format!("this undoes run {id}")] {
        assert!(said.contains(text), "{text:?} is not in: {said}");
    }
    std::fs::remove_file(state(plane).join("29990101T000000Z-1.jsonl")).expect("it goes");
}

/// It is unknown whether one write was made; the other was not made.
fn a_run_that_was_cut_off_is_undone_by_what_is_there(plane: &ControlPlane) {
    let node = steps::taint_out_of_service::step(&reference(plane, "nodes", "worker"));
    let scale = steps::scale_workload::step(&reference(plane, "deployments.apps", "operator"));
    let before = taints(plane);
    let id = carry_out_all(plane, &[node, scale], None);
    plane.kubectl_ok(&["scale", "deployment", "operator", "--replicas=0"]);
    let path = state(plane).join(format!("{id}.jsonl"));
    let text = std::fs::read_to_string(&path).expect("a journal file");
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains(r#""record":"outcome""#)).collect();
    std::fs::write(&path, kept.join("\n") + "\n{\"record\":\"outc").expect("a file");
    let listed = unstick(plane).args(["journal", "last"]).output().expect("the program runs");
    // Line breaks depend on the length of the file's path.
    let said = stdout(&listed).split_whitespace().collect::<Vec<_>>().join(" ");
    for text in ["unfinished", "line 4 is cut", "may have been written"] {
        assert!(said.contains(text), "{text:?} is not in: {said}");
    }
    // No flag covers a step of which it is not known whether the run wrote it.
    let output = undo(plane, &["--approve", "disruptive"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("NOTHING TO DO"), "{}", stdout(&output));
    assert!(stderr(&output).contains("somebody else may have made the same change"), "{}", stderr(&output));
    assert_ne!(taints(plane), before);
    // The next run has reported that run, and how much is known of it.
    let found = format!("run {id} of ");
    assert!(stderr(&output).contains(&found), "{}", stderr(&output));
    assert!(stderr(&output).contains("may have been written"), "{}", stderr(&output));
    let mut session = session(plane, &["undo"]);
    session.exp_string("remove the out-of-service taint from node").expect("names the step");
    session.exp_string("it is not known whether this run wrote it").expect("says why it asks");
    choose(&mut session, "do it");
    session.exp_string("done").expect("is done");
    assert_eq!(exit_code(&mut session), 0);
    assert_eq!(taints(plane), before);
    let second = undo(plane, &[]);
    assert!(!stderr(&second).contains(&found), "said once: {}", stderr(&second));
}

/// The run was killed between its record and its write, and a colleague has made the same change.
fn a_colleagues_change_is_left(plane: &ControlPlane) {
    let scale = steps::scale_workload::step(&reference(plane, "deployments.apps", "operator"));
    let id = carry_out_all(plane, &[scale], None);
    let path = state(plane).join(format!("{id}.jsonl"));
    let text = std::fs::read_to_string(&path).expect("a journal file");
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains(r#""record":"outcome""#)).collect();
    std::fs::write(&path, kept.join("\n") + "\n").expect("a file");
    // The run's own write is taken back, as if it had not been made.
    for replicas in ["--replicas=0", "--replicas=1"] {
        plane.kubectl_ok(&["scale", "deployment", "operator", replicas]);
    }
    let output = undo(plane, &[&id, "--approve", "disruptive"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    // Line breaks depend on the length of the words before.
    let said = stdout(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("nothing says that this run wrote it"), "{said}");
    assert_eq!(read(plane, "deployment", "operator")["spec"]["replicas"], 1);
    plane.kubectl_ok(&["scale", "deployment", "operator", "--replicas=0"]);
}

fn each_step_is_asked_for(plane: &ControlPlane) {
    let scale = steps::scale_workload::step(&reference(plane, "deployments.apps", "operator"));
    let node = steps::taint_out_of_service::step(&reference(plane, "nodes", "worker"));
    carry_out_all(plane, &[scale, node], Some("released"));
    let mut session = session(plane, &["undo"]);
    // A step that met a conflict was retried, and then has the next number.
    session.exp_string("Step 1 of 2 (step ").expect("a question");
    session.exp_string("remove the out-of-service taint from node").expect("names the step");
    choose(&mut session, "details");
    choose(&mut session, "skip");
    // The line is broken between words.
    session.exp_string("Step 2 of 2 (step ").expect("a question");
    session.exp_string("scale deployments.apps/operator").expect("names the step");
    choose(&mut session, "details");
    session.exp_string("kubectl patch deployments.apps operator -n default").expect("shows the command");
    choose(&mut session, "do it");
    session.exp_string("done").expect("is done");
    assert_eq!(exit_code(&mut session), 1);
    assert_eq!(read(plane, "deployment", "operator")["spec"]["replicas"], 0);
    assert_eq!(taints(plane).len(), 2, "left alone");
}

/// Runs the program without any cluster.
fn alone(home: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.env_clear().env("HOME", home).args(arguments).stdin(Stdio::null());
    command.output().expect("the program runs")
}

#[test]
fn an_empty_damaged_or_invalid_journal() {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("journal-{}", std::process::id()));
    let folder = home.join(".local/state/kubectl-unstick");
    let empty = alone(&home, &["journal"]);
    assert_eq!((empty.status.code(), stdout(&empty)), (Some(0), String::new()));
    assert!(stderr(&empty).contains("no runs are recorded"), "{}", stderr(&empty));
    assert!(stderr(&alone(&home, &["undo"])).contains("nothing to undo"));
    let refused = |arguments: &[&str], words: &[&str]| {
        let output = alone(&home, arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with("error: ") || said.contains("\nerror: "), "{said}");
        for word in words {
            assert!(said.contains(word), "{word:?} is not in: {said}");
        }
        stdout(&output)
    };
    refused(&["journal", "last"], &["it is empty", "XDG_STATE_HOME"]);

    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    let run = r#"{"record":"run","version":"unstick.dev/journal/v1","at":"2026-01-01T00:00:00Z","who":"ann\u001b[31m","run":{"arguments":["x"],"context":null,"server":"https://s/","cluster":"u","targets":["ns/a"]}}"#;
    let intend = r#"{"record":"intend","step":1,"at":"2026-01-01T00:00:01Z","title":"do it","what":{},"request":{"method":"PATCH","path":"/p","contentType":"application/json","body":[]},"before":{"a":"\u001b[31m"}}"#;
    write("20260101T000000Z-1.jsonl", &format!("{run}\n{intend}\n{{\"record\":\"outc"));
    write("20260101T000001Z-2.jsonl", &format!("{run}\n"));
    let cut = alone(&home, &["journal"]);
    assert_eq!(cut.status.code(), Some(0), "{}", stderr(&cut));
    assert!(stderr(&cut).contains("20260101T000000Z-1.jsonl is damaged: line 3 is cut"), "{}", stderr(&cut));
    assert!(stdout(&cut).contains("0/1") && !stdout(&cut).contains('\u{1b}'), "{}", stdout(&cut));
    let shown = alone(&home, &["journal", "20260101T000000Z"]);
    assert!(
        stdout(&shown).contains("may have been written") && !stdout(&shown).contains('\u{1b}'),
        "{}",
        stdout(&shown)
    );
    refused(&["journal", "2026"], &["matches 2 runs"]);
    refused(&["journal", "2027"], &["\"2027\" is not in the journal", "hint: "]);
    refused(&["undo", "../../etc/passwd"], &["is not in the journal"]);

    write("20270101T000000Z-1.jsonl", &format!("{}\n", run.replace("journal/v1", "journal/v9")));
    write("notes.jsonl", "hello\n");
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero.jsonl")).expect("a link");
    let listed = refused(&["journal"], &["journal/v9", "another version", "not a journal of", "not a regular file"]);
    assert!(listed.contains("20260101T000001Z-2"), "the others are listed: {listed}");
    refused(&["journal", "20270101T000000Z-1"], &["journal/v9"]);
    let json: Value = serde_json::from_str(&refused(&["journal", "-o", "json"], &["journal/v9"])).expect("pure JSON");
    assert_eq!((json["items"].as_array().map(Vec::len), json["unread"].as_array().map(Vec::len)), (Some(2), Some(3)));
    refused(&["journal", "-o", "html"], &["html", "table, name"]);
    refused(&["undo", "-o", "name"], &["name", "table, json"]);

    let open = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("its owner may");
    };
    write("20280101T000000Z-1.jsonl", &format!("{run}\n{intend}\n"));
    open(&folder.join("20280101T000000Z-1.jsonl"), 0o666);
    let listed = refused(&["journal"], &["20280101T000000Z-1.jsonl: can be written by others (mode 666)"]);
    assert!(!listed.contains("20280101"), "{listed}");
    refused(&["undo", "20280101T000000Z-1"], &["by others"]);
    open(&folder, 0o777);
    for arguments in [&["journal"][..], &["undo"], &["undo", "20260101T000000Z-1"]] {
        let listed = refused(arguments, &["kubectl-unstick: can be written by others (mode 777)", "hint: "]);
        assert_eq!(listed, "");
    }
    std::fs::remove_dir_all(home).expect("it goes");
}

#[test]
fn nothing_is_changed_if_others_may_write_the_journal() {
    let plane = ControlPlane::start();
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [acme.io/hold]}}\n");
    plane.kubectl_ok(&["delete", "configmap", "held", "--wait=false"]);
    std::thread::sleep(std::time::Duration::from_secs(6));
    let folder = plane.dir().join("state/kubectl-unstick");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).expect("its owner may");
    let refused = unstick(&plane).args(["configmap", "held", "--approve", "leaks"]).output().expect("runs");
    assert_eq!(refused.status.code(), Some(3), "{}{}", stdout(&refused), stderr(&refused));
    assert!(stderr(&refused).contains("can be written by others"), "{}", stderr(&refused));
    assert_eq!(read(&plane, "configmap", "held")["metadata"]["finalizers"], json!(["acme.io/hold"]));
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).expect("its owner may");
    let done = unstick(&plane).args(["configmap", "held", "--approve", "leaks"]).output().expect("runs");
    assert_eq!(done.status.code(), Some(0), "{}{}", stdout(&done), stderr(&done));
}

/// A run that began at this time, and reached its `end` or not.
fn old_run(folder: &Path, id: &str, end: bool) -> PathBuf {
    let at = format!("{}-{}-{}T00:00:00Z", &id[..4], &id[4..6], &id[6..8]);
    let run = format!(
        r#"{{"record":"run","version":"unstick.dev/journal/v1","at":"{at}","who":"ann","run":{{"arguments":["x"],"context":null,"server":"https://s/","cluster":"u","targets":["ns/a"]}}}}"#
    );
    let end =
        if end { format!("{{\"record\":\"end\",\"at\":\"{at}\",\"outcome\":\"released\"}}\n") } else { String::new() };
    let path = folder.join(format!("{id}.jsonl"));
    std::fs::write(&path, format!("{run}\n{end}")).expect("a file");
    path
}

/// Removes old runs on a terminal.
fn asked_about_old_runs(home: &Path) -> rexpect::session::PtySession {
    let mut asked = environment("xterm", home);
    asked.args(["sh", "-c", "stty rows 24 cols 80 && exec \"$0\" \"$@\"", PROGRAM]);
    asked.args(["journal", "prune", "--older-than", "90d"]);
    rexpect::session::spawn_command(asked, Some(20_000)).expect("a pseudo-terminal")
}

#[test]
fn old_runs_are_removed_once_that_is_agreed_to() {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("prune-{}", std::process::id()));
    let folder = home.join(".local/state/kubectl-unstick");
    std::fs::create_dir_all(&folder).expect("a folder");
    let old = old_run(&folder, "20250101T000000Z-1", true);
    let going_on = old_run(&folder, "20250102T000000Z-2", false);
    let new = old_run(&folder, "29990101T000000Z-3", true);
    let lock = std::fs::File::open(&going_on).expect("a file");
    lock.lock().expect("as its process would");

    for arguments in [&["journal", "prune"][..], &["journal", "last", "--older-than", "1d"]] {
        let refused = alone(&home, arguments);
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        assert!(
            stderr(&refused).contains("hint: ") && stderr(&refused).contains("--older-than"),
            "{}",
            stderr(&refused)
        );
    }
    let prune = |more: &[&str]| alone(&home, &[&["journal", "prune", "--older-than", "90d"], more].concat());
    for more in [&[][..], &["--dry-run=client"]] {
        let listed = prune(more);
        assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
        let said = stdout(&listed);
        assert!(said.contains("20250101") && said.contains("20250102") && !said.contains("2999"), "{said}");
        assert!(old.exists(), "only listed: {said}");
    }
    let mut session = asked_about_old_runs(&home);
    session.exp_string("y, n or q").expect("it is asked");
    press(&mut session, "\rn\r");
    assert_eq!(exit_code(&mut session), 0, "a no is an answer");
    assert!(old.exists(), "neither Enter alone nor n is a yes");

    let done = prune(&["--yes"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(
        stderr(&done).contains("it is still running") && stderr(&done).contains("1 of 2 removed"),
        "{}",
        stderr(&done)
    );
    assert!(!old.exists() && going_on.exists() && new.exists());
    drop(lock);
    // Until a child of a parallel test executes another program, it inherits the lock.
    let mut done = prune(&["--yes"]);
    for _ in 0..100 {
        if stderr(&done).contains("it is still running") {
            std::thread::sleep(Duration::from_millis(100));
            done = prune(&["--yes"]);
        }
    }
    assert!(stderr(&done).contains("1 of 1 removed"), "its process is gone: {}", stderr(&done));
    assert!(stderr(&prune(&["--yes"])).contains("nothing was removed"));
    std::fs::remove_dir_all(home).expect("it goes");
}

/// As in the home of a system account, or of a container without a volume.
#[test]
fn without_a_place_for_the_journal_nothing_is_written() {
    let plane = ControlPlane::start();
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [acme.io/hold]}}\n");
    plane.kubectl_ok(&["delete", "configmap", "held", "--wait=false"]);
    std::thread::sleep(std::time::Duration::from_secs(6));
    let mut command = unstick(&plane);
    // Not even root can create a folder there.
    command.env("XDG_STATE_HOME", "/proc/nowhere").args(["configmap", "held", "--approve", "leaks"]);
    let refused = command.output().expect("runs");
    assert_eq!(refused.status.code(), Some(3), "{}{}", stdout(&refused), stderr(&refused));
    assert!(stderr(&refused).contains("/proc/nowhere"), "{}", stderr(&refused));
    assert_eq!(read(&plane, "configmap", "held")["metadata"]["finalizers"], json!(["acme.io/hold"]));
}
