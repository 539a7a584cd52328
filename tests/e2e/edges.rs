//! States that no recorded scenario can show: a control plane without its controllers, hostile
//! text, and the program as kubectl's plugin.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{PROGRAM, stderr, stdout, unstick};
use crate::support::wait::wait_until;
use clap::ValueEnum;
use kubectl_unstick::export::Output;
use kubectl_unstick::journal::{Run, RunHeader};
use kubectl_unstick::plan::{Approval, steps};
use kubectl_unstick::report::{Named, Ref, Risk};
use kubectl_unstick::transport::Connection;
use kubectl_unstick::write::apply::{Outcome, carry_out};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

#[test]
fn without_a_controller_manager_only_the_controller_is_late() {
    let plane = ControlPlane::alone();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    plane.kubectl_ok(&["create", "configmap", "a", "-n", "shop"]);
    plane.stop_controller_manager();
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    thread::sleep(Duration::from_secs(17));
    let output = unstick(&plane).args(["ns", "shop"]).output().expect("the program runs");
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the namespace controller has not started to empty shop"), "{said}");
    assert!(said.contains("kube-controller-manager"), "{said}");
    assert!(!said.contains("finalize"), "nothing harsh is offered: {said}");
    // Only offered steps can be approved.
    let approved = unstick(&plane)
        .args(["ns", "shop", "--approve", "loses-data", "--confirm", "shop"])
        .output()
        .expect("the program runs");
    assert_eq!(approved.status.code(), Some(1), "{}", stderr(&approved));
    plane.start_controller_manager();
    wait_until("the namespace is gone", Duration::from_mins(1), || {
        plane.kubectl_ok(&["get", "namespace", "shop", "--ignore-not-found"]).is_empty()
    });
}

#[test]
fn a_clusters_text_cannot_drive_the_terminal() {
    let plane = ControlPlane::start();
    plane.apply(
        r#"
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: nasty}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [DELETE], resources: [configmaps]}]
  validations: [{expression: "false", messageExpression: "'kept \\u001b[2J\\u001b]0;owned\\u0007 \\u202e \\u200b\\u061c by policy'"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: nasty}
spec: {policyName: nasty, validationActions: [Deny]}
"#,
    );
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    plane.kubectl_ok(&["create", "configmap", "a", "-n", "shop"]);
    // The policy takes effect some moments after its creation.
    wait_until("the policy refuses", Duration::from_secs(30), || {
        !plane.kubectl(&["delete", "configmap", "a", "-n", "shop", "--dry-run=server"]).status.success()
    });
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    wait_until("its controller has met the policy", Duration::from_mins(1), || {
        plane.kubectl_ok(&["get", "namespace", "shop", "-o", "json"]).contains("owned")
    });
    thread::sleep(Duration::from_secs(6));
    for format in Output::of_reports().filter_map(|format| format.to_possible_value()) {
        let format = format.get_name();
        let output =
            unstick(&plane).args(["ns", "shop", "--color=never", "-o", format]).output().expect("the program runs");
        let said = stdout(&output);
        let without_evidence = !["table", "wide", "json", "yaml", "markdown", "html"].contains(&format);
        assert!(said.contains("owned") || without_evidence, "the text is not shown at all: {said}");
        let obeyed = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{61c}' | '\u{200b}' | '\u{202e}');
        assert!(!said.contains(obeyed), "{format}: {said:?}");
        let is_screen = ["table", "wide", "tree"].contains(&format);
        assert!(!is_screen || said.is_ascii(), "{format}: {said}");
    }
}

#[test]
fn kubectl_finds_it_as_its_plugin() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    let folder = Path::new(PROGRAM).parent().expect("a folder");
    let kubectl = plane.kubectl_bin_dir();
    let path = format!("{}:{}:/usr/bin:/bin", kubectl.display(), folder.display());
    let output = plane
        .command(kubectl.join("kubectl"))
        .env("PATH", path)
        .args(["unstick", "namespaces/shop"])
        .stdin(Stdio::null())
        .output()
        .expect("kubectl runs");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("Namespace shop   not being deleted"), "{}", stdout(&output));
}

/// The step is never offered for such a namespace; the test forces it.
#[test]
fn a_namespace_with_content_is_not_finalized() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop, finalizers: [acme.io/hold]}}");
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    // Before that, the write is refused for another reason: the controller has not checked yet.
    wait_until("its controller has looked", Duration::from_mins(1), || {
        !plane.kubectl_ok(&["get", "namespace", "shop", "-o", "jsonpath={.status.conditions[*].type}"]).is_empty()
    });
    let uid = plane.kubectl_ok(&["get", "namespace", "shop", "-o", "jsonpath={.metadata.uid}"]);
    let namespace = Ref::from(Named {
        api_version: "v1".into(),
        kind: "Namespace".into(),
        resource: "namespaces".into(),
        name: "shop".into(),
        uid,
        ..Named::default()
    });
    let step = steps::finalize_namespace::step(&namespace, "kubernetes");
    let folder = plane.dir().join("state");
    let header = RunHeader::default();
    let mut journal = Run::new(Some(folder.clone()), header, Approval::default());
    journal.approval.agree(step.identity(), Risk::LosesData);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let outcome = runtime.block_on(async {
        let connection = Connection { kubeconfig: Some(plane.kubeconfig().into()), ..Connection::default() };
        let connected = connection.connect().await.expect("a connection");
        carry_out(&connected.api, &step, Some(&mut journal), &|| false).await
    });
    assert!(matches!(&outcome, Outcome::Refused(why) if why.contains("would be stranded")), "{outcome:?}");
    assert!(!folder.exists(), "nothing was written, so there is no journal");
    let left = plane.kubectl_ok(&["get", "namespace", "shop", "-o", "jsonpath={.spec.finalizers[*]}"]);
    assert_eq!(left, "kubernetes");
}

/// `kubectl apply` keeps a copy of the whole Secret in an annotation.
#[test]
fn the_data_of_a_secret_stays_out_of_journal_and_survey() {
    let plane = ControlPlane::start();
    plane.apply(
        "{apiVersion: v1, kind: Secret, metadata: {name: s, finalizers: [acme.io/hold]}, stringData: {password: hidden-words}}",
    );
    let annotations = plane.kubectl_ok(&["get", "secret", "s", "-o", "jsonpath={.metadata.annotations}"]);
    assert!(annotations.contains("hidden-words"), "the annotation holds no data: {annotations}");
    plane.kubectl_ok(&["delete", "secret", "s", "--wait=false"]);
    thread::sleep(Duration::from_secs(7));
    let survey = unstick(&plane).args(["survey", "secret", "s"]).output().expect("the program runs");
    let encoded = "aGlkZGVuLXdvcmRz";
    let survey = stdout(&survey);
    assert!(
        survey.contains("acme.io/hold") && !survey.contains("hidden-words") && !survey.contains(encoded),
        "{survey}"
    );
    let output = unstick(&plane).args(["secret", "s", "--approve", "leaks"]).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let folder = plane.dir().join("state/kubectl-unstick");
    let file = std::fs::read_dir(folder).expect("a journal").next().expect("a run").expect("an entry").path();
    let journal = std::fs::read_to_string(file).expect("a journal file");
    assert!(
        journal.contains("acme.io/hold") && !journal.contains("hidden-words") && !journal.contains(encoded),
        "{journal}"
    );
}
