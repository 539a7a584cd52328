//! Somebody else repairs, or breaks more, while a person reads the question: anything that has
//! recovered is left alone, no step is written that the new state does not need, and the output
//! names the change.

use crate::controllers::{database, deleted, shop};
use crate::prompts::session;
use crate::races::request;
use crate::scenario::Scenario;
use crate::support::control_plane::ControlPlane;
use crate::support::go::control_plane;
use crate::support::program::{audited_writes, make, run_script, stderr, stdout, unstick};
use crate::support::proxy::{Behind, in_front};
use crate::support::terminal::{exit_code, press, says};
use crate::support::wait::wait_until;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Stdio};
use std::time::Duration;

/// How long a change by others may take to show.
const SOON: Duration = Duration::from_secs(30);

/// Brings the operator back to work: its pod becomes Ready.
fn the_operator_is_back(plane: &ControlPlane) {
    plane.kubectl_ok(&["create", "serviceaccount", "acme-operator", "-n", "ops"]);
    plane.kubectl_ok(&["scale", "deployment", "acme-operator", "-n", "ops", "--replicas=1"]);
    let pods = || plane.kubectl_ok(&["get", "pods", "-n", "ops", "-l", "app=acme", "-o", "name"]);
    wait_until("its pod is there", SOON, || !pods().is_empty());
    let status = r#"{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],
        "containerStatuses":[{"name":"manager","ready":true,"restartCount":0,"image":"","imageID":"","state":{"running":{}}}]}}"#;
    plane.kubectl_ok(&["patch", pods().trim(), "-n", "ops", "--subresource=status", "--type=merge", "-p", status]);
    let ready = ["get", "deployment", "acme-operator", "-n", "ops", "-o", "jsonpath={.status.readyReplicas}"];
    wait_until("it is up", SOON, || plane.kubectl_ok(&ready) == "1");
}

fn finalizers(plane: &ControlPlane) -> String {
    plane.kubectl_ok(&["get", "databases", "orders", "-n", "shop", "-o", "jsonpath={.metadata.finalizers[*]}"])
}

#[test]
fn a_finalizer_stays_if_its_controller_has_come_back() {
    let plane = shop();
    deleted(&plane, &database(&["acme.io/backup".to_owned()]));
    let mut session = session(&plane, &["databases.acme.io/orders", "-n", "shop", "--timeout", "4s"]);
    session.exp_string("which way out").expect("one choice");
    session.exp_string("   quit").expect("its lines");
    press(&mut session, "2\r");
    session.exp_string("type orders to confirm").expect("asks for the name");
    the_operator_is_back(&plane);
    session.send_line("orders").expect("typed");
    says(&mut session, "not done: the reason for it has changed: remove finalizer acme.io/backup");
    let code = exit_code(&mut session);
    assert!(code == 0 || code == 1, "{code}");
    assert_eq!(finalizers(&plane), "acme.io/backup");
    assert_eq!(audited_writes(&plane), Vec::<String>::new());
}

/// An object that its installer recreates is deleted once, and nothing after it.
#[test]
fn recreated_objects_are_reported_and_not_deleted_again() {
    // A namespace is deleted last, and takes long enough for the other to be recreated.
    const APP: &str = r"
        namespace apps
        namespace other
        again() {
          kubectl create -f - <<YAML
apiVersion: v1
kind: ConfigMap
metadata:
  {name: $1, namespace: apps, annotations: {meta.helm.sh/release-name: app, meta.helm.sh/release-namespace: apps}}
YAML
        }
        for name in a b c; do again $name; done
        # The namespace belongs to the release because an object outside of it names it.
        kubectl create clusterrolebinding app --clusterrole=view --serviceaccount=other:app
        kubectl annotate namespace/other clusterrolebinding/app meta.helm.sh/release-name=app \
          meta.helm.sh/release-namespace=apps
        every 0.2 again b <&3 >/dev/null 2>&1 &
    ";
    let plane = ControlPlane::start();
    let script = plane.dir().join("app.sh");
    std::fs::write(&script, APP).expect("the script is written");
    let _background = run_script(&script, &plane);
    let words = ["helm/app", "--delete", "--approve", "loses-data", "--confirm", "app"];
    let output = unstick(&plane).args(words).output().expect("it runs");
    let said = format!("{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("something creates ConfigMap apps/b again; nothing more was deleted"), "{said}");
    let writes = audited_writes(&plane);
    assert_eq!(writes.iter().filter(|write| write.ends_with("/configmaps/b")).count(), 1, "{writes:?}");
}

/// Its owner scales it, between the dry run and the write, to another number.
#[test]
fn an_operator_that_was_scaled_meanwhile_is_not_scaled_again() {
    let plane = shop();
    deleted(&plane, &database(&["acme.io/backup".to_owned()]));
    let behind = Behind::start(&plane);
    let server: SocketAddr = behind.address.parse().expect("an address");
    let address = in_front(&behind, move |_, line, _| {
        let path = "/apis/apps/v1/namespaces/ops/deployments/acme-operator";
        if line.starts_with(&format!("PATCH {path}")) && !line.contains("dryRun") {
            request(server, "PATCH", path, r#"{"spec":{"replicas":3}}"#);
        }
        false
    });
    let arguments = ["databases.acme.io/orders", "-n", "shop", "--approve", "disruptive", "--timeout", "3s"];
    let output = unstick(&plane).args(arguments).args(["--server", &address]).output().expect("the program runs");
    let said = format!("{}{}", stdout(&output), stderr(&output));
    let replicas = ["get", "deployment", "acme-operator", "-n", "ops", "-o", "jsonpath={.spec.replicas}"];
    assert_eq!(plane.kubectl_ok(&replicas), "3", "{said}");
    assert!(said.contains("is already scaled to 3"), "{said}");
    assert_eq!(finalizers(&plane), "acme.io/backup", "{said}");
}

/// A fail-closed webhook at a local address where nobody listens yet.
struct Webhook {
    address: SocketAddr,
    answers: Option<Child>,
}

impl Webhook {
    fn register(plane: &ControlPlane) -> Self {
        let free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
        // Below the ports that the kernel assigns to others meanwhile.
        let from = 20_000 + (std::process::id() % 10_000) as u16;
        let port = (from..32_000).find(free).expect("a port");
        let ca = plane.command("base64").arg("-w0").arg(plane.dir().join("certs/ca.crt")).output();
        let ca = stdout(&ca.expect("base64 runs"));
        plane.apply(&format!(
            "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {{name: guard}}
webhooks:
- name: guard.acme.io
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: {{url: 'https://127.0.0.1:{port}/mode/ok', caBundle: {ca}}}
  rules: [{{apiGroups: [''], apiVersions: ['*'], operations: [DELETE], resources: [configmaps]}}]"
        ));
        Self { address: ([127, 0, 0, 1], port).into(), answers: None }
    }

    /// Starts the webhook's backend.
    fn answer(&mut self, plane: &ControlPlane) {
        let mut backend = plane.command(control_plane());
        backend.args(["backend", "--listen", &self.address.to_string(), "--mode-file"]).arg(plane.dir().join("mode"));
        backend.arg("--cert-dir").arg(plane.dir().join("certs"));
        std::fs::write(plane.dir().join("mode"), "ok").expect("a mode");
        let mut child = backend.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the backend starts");
        let mut said = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut said).expect("its address");
        assert!(said.starts_with("ready"), "{said}");
        self.answers = Some(child);
    }
}

impl Drop for Webhook {
    fn drop(&mut self) {
        if let Some(child) = &mut self.answers {
            drop(child.stdin.take());
            child.wait().ok();
        }
    }
}

#[test]
fn a_webhook_that_answers_again_is_not_relaxed() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    plane.kubectl_ok(&["create", "configmap", "settings", "-n", "shop"]);
    let mut webhook = Webhook::register(&plane);
    let refused = ["delete", "configmap", "settings", "-n", "shop", "--dry-run=server"];
    wait_until("it is heeded", SOON, || !plane.kubectl(&refused).status.success());
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    let conditions = ["get", "ns", "shop", "-o", "jsonpath={.status.conditions[*].message}"];
    wait_until("its controller has tried", SOON, || plane.kubectl_ok(&conditions).contains("guard.acme.io"));
    std::thread::sleep(Duration::from_secs(7));

    let mut session = session(&plane, &["ns", "shop", "--timeout", "90s"]);
    session.exp_string("   quit").expect("a choice");
    webhook.answer(&plane);
    press(&mut session, "\x1b[B\r");
    says(&mut session, "not done: the reason for it has changed");
    exit_code(&mut session);
    let policy = ["get", "validatingwebhookconfiguration", "guard", "-o", "jsonpath={.webhooks[0].failurePolicy}"];
    assert_eq!(plane.kubectl_ok(&policy), "Fail");
    assert!(audited_writes(&plane).iter().all(|write| !write.contains("validatingwebhookconfigurations")));
    wait_until("the namespace goes by itself", Duration::from_mins(2), || {
        plane.kubectl_ok(&["get", "ns", "shop", "--ignore-not-found", "-o", "name"]).is_empty()
    });
}

/// The step was to declare the node dead; without a node there is nothing to declare.
#[test]
fn a_node_that_vanishes_is_neither_tainted_nor_recreated() {
    let plane = ControlPlane::start();
    let _background = make(&Scenario::named("pod-node-not-ready--stateful"), &plane);
    let mut session = session(&plane, &["ns", "shop", "--timeout", "100s"]);
    session.exp_string("which way out").expect("one choice");
    session.exp_string("   quit").expect("its lines");
    press(&mut session, "\x1b[B\r");
    says(&mut session, "declare node silent out of service?");
    session.exp_string("to confirm").expect("asks for the name");
    plane.kubectl_ok(&["delete", "node", "silent"]);
    session.send_line("silent").expect("typed");
    session.exp_string("not done").expect("says so");
    let code = exit_code(&mut session);
    assert_eq!(plane.kubectl_ok(&["get", "nodes", "-o", "name"]).trim(), "node/alive", "{code}");
    assert!(audited_writes(&plane).iter().all(|write| !write.contains("/nodes/")));
}

/// While the server is away, no object counts as gone; later changes are seen.
#[test]
fn a_watch_takes_nothing_for_gone_while_the_server_restarts() {
    let plane = ControlPlane::alone();
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [acme.io/hold]}}");
    plane.kubectl_ok(&["delete", "configmap", "held", "--wait=false"]);
    std::thread::sleep(Duration::from_secs(7));
    let log = plane.dir().join("watch.log");
    let errors = plane.dir().join("watch.err");
    let mut command = unstick(&plane);
    command.args(["configmap", "held", "-w"]).stdout(File::create(&log).expect("a file"));
    let mut watch = command.stderr(File::create(&errors).expect("a file")).spawn().expect("the program runs");
    let said = || std::fs::read_to_string(&log).expect("a file");
    let complained = || std::fs::read_to_string(&errors).expect("a file");
    wait_until("it has an answer", SOON, || said().contains("acme.io/hold"));
    plane.stop("kube-apiserver");
    wait_until("it says so", SOON, || complained().contains("cannot be read; trying again"));
    // Longer than the pause before a quiet state is checked again.
    std::thread::sleep(Duration::from_secs(20));
    assert!(watch.try_wait().expect("its status").is_none(), "{}", said());
    assert!(!said().contains("gone"), "{}", said());
    plane.resume("kube-apiserver");
    wait_until("it says so", SOON, || complained().contains("the API server answers again"));
    plane.kubectl_ok(&["patch", "configmap", "held", "--type=merge", "-p", r#"{"metadata":{"finalizers":null}}"#]);
    let status = watch.wait().expect("it ends");
    assert_eq!(status.code(), Some(0), "{}{}", said(), complained());
    assert!(said().contains("gone"), "{}", said());
    assert_eq!(audited_writes(&plane), Vec::<String>::new());
}
