//! The questions, in a real pseudo-terminal.

use crate::controllers;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{PROGRAM, stdout, unstick};
use crate::support::server::silent;
use crate::support::terminal::{
    agree, choose, environment, exit_code, keys, press, reads_lines, says, set_size, until_it_reads_keys,
};
use crate::support::wait::wait_until;
use crate::watch::lines_of;
use clap::ValueEnum;
use kubectl_unstick::export::Output;
use rexpect::process::Signal;
use rexpect::session::{PtySession, spawn_command};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

const PATIENCE: Option<u64> = Some(90_000);

/// Two `ConfigMap`s, each being deleted and held by a finalizer.
fn two_held_objects() -> ControlPlane {
    let plane = ControlPlane::start();
    for name in ["one", "two"] {
        plane.apply(&format!(
            "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, finalizers: [acme.io/hold, acme.io/keep]}}}}"
        ));
        plane.kubectl_ok(&["delete", "configmap", name, "--wait=false"]);
    }
    std::thread::sleep(Duration::from_secs(7));
    plane
}

pub fn session(plane: &ControlPlane, arguments: &[&str]) -> PtySession {
    session_on("xterm", plane, arguments)
}

/// Starts a session on a terminal of this kind.
fn session_on(term: &str, plane: &ControlPlane, arguments: &[&str]) -> PtySession {
    spawn(term, &["sh", "-c", "exec \"$0\" \"$@\""], plane, arguments)
}

/// Starts a session in this shell, with the program and its arguments as `$0` and `$@`.
fn session_of(shell: &[&str], plane: &ControlPlane, arguments: &[&str]) -> PtySession {
    spawn("xterm", shell, plane, arguments)
}

fn spawn(term: &str, shell: &[&str], plane: &ControlPlane, arguments: &[&str]) -> PtySession {
    let mut command = environment(term, plane.dir());
    command
        .arg(format!("XDG_STATE_HOME={}", plane.dir().join("state").display()))
        .arg(format!("KUBECONFIG={}", plane.kubeconfig().display()))
        .args(["sh", "-c", "stty rows 24 cols 80 && exec \"$0\" \"$@\""])
        .args(shell)
        .arg(PROGRAM)
        .args(arguments);
    spawn_command(command, PATIENCE).expect("a pseudo-terminal")
}

fn finalizers(plane: &ControlPlane, name: &str) -> String {
    plane.kubectl_ok(&["get", "configmap", name, "-o", "jsonpath={.metadata.finalizers[*]}"])
}

fn journal(plane: &ControlPlane) -> Vec<Value> {
    let folder = plane.dir().join("state/kubectl-unstick");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let texts = files.iter().map(|path| std::fs::read_to_string(path).expect("a journal"));
    texts
        .flat_map(|text| text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect::<Vec<_>>())
        .collect()
}

#[test]
fn each_finalizer_is_asked_about_and_only_confirmed_ones_are_removed() {
    let plane = two_held_objects();
    let mut session = session(&plane, &["configmap", "one"]);
    session.exp_string("Step 1 of 2").expect("the first question");
    says(&mut session, "remove finalizer acme.io/hold from configmaps/one -n default?");
    // Enter alone shows the details, and an empty name returns to the choice.
    choose(&mut session, "details");
    session.exp_string("kubectl patch configmaps one -n default --type=json").expect("shows the command");
    choose(&mut session, "do it");
    for wrong in ["y", "two"] {
        session.exp_string("type one to confirm").expect("asks for the name");
        session.send_line(wrong).expect("typed");
        session.exp_string("that is not one; nothing was done").expect("a wrong name is no answer");
    }
    assert_eq!(finalizers(&plane, "one"), "acme.io/hold acme.io/keep", "nothing is written before the answer");
    session.exp_string("type one to confirm").expect("asks again");
    session.send_line("one").expect("typed");
    session.exp_string("done").expect("is done");
    session.exp_string("Step 2 of 2").expect("the second question");
    choose(&mut session, "do it");
    session.exp_string("type one to confirm").expect("asks for the name");
    session.send_line("").expect("typed");
    choose(&mut session, "skip");
    session.exp_string("what remains").expect("says what remains");
    assert_eq!(exit_code(&mut session), 1);
    assert_eq!(finalizers(&plane, "one"), "acme.io/keep");
    assert_eq!(finalizers(&plane, "two"), "acme.io/hold acme.io/keep", "another object is untouched");
}

#[test]
fn a_locale_that_is_not_utf8_gets_ascii() {
    let said = |locale: &str| {
        let mut command = Command::new("env");
        command.args(["-i", "TERM=xterm", &format!("LC_ALL={locale}"), "HOME=/nowhere", PROGRAM, "demo"]);
        spawn_command(command, PATIENCE).and_then(|mut session| session.exp_eof()).expect("a pseudo-terminal")
    };
    assert!(said("C").is_ascii() && said("de_DE.ISO-8859-1").is_ascii());
    assert!(!said("C.UTF-8").is_ascii());
}

/// A terminal that cannot move its cursor gets questions line by line.
#[test]
fn a_dumb_terminal_is_asked_line_by_line() {
    let plane = two_held_objects();
    let mut session = session_on("dumb", &plane, &["configmap", "one"]);
    session.exp_string("Step 1 of 2").expect("the first question");
    session.send_line("y").expect("typed");
    session.exp_string("type one to confirm").expect("asks again");
    session.send_line("").expect("typed");
    session.exp_string("type one to confirm").expect("asks again");
    session.send_line("d").expect("typed");
    session.exp_string("kubectl patch configmaps one -n default --type=json").expect("shows the command");
    session.send_line("two").expect("typed");
    session.exp_string("type one to confirm").expect("a wrong name is no answer");
    assert_eq!(finalizers(&plane, "one"), "acme.io/hold acme.io/keep", "nothing is written before the answer");
    session.send_line("one").expect("typed");
    session.exp_string("done").expect("is done");
    let second = session.exp_string("[q]uit > ").expect("the second question");
    assert!(!second.contains('\x1b') && second.is_ascii(), "{second:?}");
    session.send_control('d').expect("typed");
    assert_eq!(exit_code(&mut session), 1, "the end of input quits");
    assert_eq!(finalizers(&plane, "one"), "acme.io/keep");
}

#[test]
fn wide_output_asks_and_other_formats_do_not() {
    let plane = two_held_objects();
    let mut wide = session(&plane, &["configmap", "one", "-o", "wide"]);
    wide.exp_string("metadata.finalizers").expect("says where it was read");
    wide.exp_string("Step 1 of 2").expect("a question");
    choose(&mut wide, "quit");
    assert_eq!(exit_code(&mut wide), 1);
    let formats = Output::of_reports().filter(|format| !format.is_screen());
    for format in formats.filter_map(|format| format.to_possible_value()) {
        let format = format.get_name();
        let mut quiet = session(&plane, &["configmap", "one", "-o", format]);
        let said = quiet.exp_eof().expect("it ends by itself");
        assert!(said.contains("one") && !said.contains("Step 1") && !said.contains("nothing was changed"), "{said}");
        assert_eq!(exit_code(&mut quiet), 1, "{format}");
    }
    assert!(journal(&plane).is_empty());
}

#[test]
fn quit_and_ctrl_c_leave_the_rest_alone_and_the_journal_truthful() {
    let plane = two_held_objects();
    let mut quit = session(&plane, &["configmap", "one"]);
    quit.exp_string("Step 1 of 2").expect("a question");
    quit.exp_string("   quit").expect("a choice");
    press(&mut quit, "q");
    quit.exp_string("\x1b[?25h").expect("the cursor is back");
    quit.exp_string("nothing was changed").expect("says so");
    assert_eq!(exit_code(&mut quit), 1);
    assert_eq!(finalizers(&plane, "one"), "acme.io/hold acme.io/keep");
    assert!(journal(&plane).is_empty(), "nothing was written, so nothing is on record");

    let mut interrupted = session(&plane, &["configmap", "one"]);
    agree(&mut interrupted, "one");
    interrupted.exp_string("Step 2 of 2").expect("the second question");
    interrupted.exp_string("\x1b[?25l").expect("a choice hides the cursor");
    interrupted.exp_string("   quit").expect("a choice");
    press(&mut interrupted, "\x03");
    interrupted.exp_string("\x1b[?25h").expect("the cursor is back");
    assert_eq!(exit_code(&mut interrupted), 130);
    assert_eq!(finalizers(&plane, "one"), "acme.io/keep");
    let kinds: Vec<String> =
        journal(&plane).iter().map(|record| record["record"].as_str().expect("a kind").to_owned()).collect();
    assert_eq!(kinds, ["run", "intend", "outcome", "end"]);
    assert_eq!(journal(&plane)[3]["how"], "interrupted");
    assert_eq!(journal(&plane)[1]["before"]["metadata"]["finalizers"][0], "acme.io/hold");
}

/// A dialog reads key by key, so that end of input is a key to it.
#[test]
fn the_end_of_input_quits_each_dialog() {
    let plane = two_held_objects();
    let mut choice = session(&plane, &["configmap", "one"]);
    choice.exp_string("   quit").expect("a choice");
    press(&mut choice, "\x04");
    choice.exp_string("\x1b[?25h").expect("the cursor is back");
    assert_eq!(exit_code(&mut choice), 1, "it is a quit");

    let mut name = session(&plane, &["configmap", "one"]);
    choose(&mut name, "do it");
    name.exp_string("type one to confirm").expect("asks for the name");
    press(&mut name, "one\x04\r");
    assert_eq!(exit_code(&mut name), 1, "it is a quit");
    assert_eq!(finalizers(&plane, "one"), "acme.io/hold acme.io/keep");
    assert!(journal(&plane).is_empty(), "nothing was written");
}

/// A shell takes over and gives the terminal back; then the choice is redrawn and works.
#[test]
fn a_dialog_can_be_stopped_and_continued() {
    let plane = two_held_objects();
    let script = "set -m; \"$0\" \"$@\"; stty -a | grep -o ' icanon'; fg";
    let mut session = session_of(&["bash", "-c", script], &plane, &["configmap", "one"]);
    session.exp_string("   quit").expect("a choice");
    press(&mut session, "\x1a");
    session.exp_string("\x1b[?25h").expect("the cursor is back");
    session.exp_string(" icanon").expect("the shell has the terminal as it was");
    choose(&mut session, "quit");
    assert_eq!(exit_code(&mut session), 1, "it continues");
    assert_eq!(finalizers(&plane, "one"), "acme.io/hold acme.io/keep");
}

#[test]
fn input_typed_before_a_question_is_no_answer() {
    let plane = two_held_objects();
    let mut session = session(&plane, &["configmap", "one"]);
    agree(&mut session, "one");
    keys(&mut session, "\x1b[A\rone\r");
    session.exp_string("Step 2 of 2").expect("the second question");
    choose(&mut session, "skip");
    session.exp_string("what remains").expect("says what remains");
    assert_eq!(exit_code(&mut session), 1);
    assert_eq!(finalizers(&plane, "one"), "acme.io/keep");
}

/// Two namespaces that are being deleted, with three objects each, held in the same way.
fn two_held_namespaces(plane: &ControlPlane) {
    for namespace in ["shop", "cart"] {
        plane.kubectl_ok(&["create", "namespace", namespace]);
        for name in ["a", "b", "c"] {
            plane.apply(&format!(
                "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, namespace: {namespace}, finalizers: [acme.io/hold]}}}}"
            ));
        }
        plane.kubectl_ok(&["delete", "namespace", namespace, "--wait=false"]);
    }
    wait_until("both are stuck", Duration::from_mins(1), || {
        let report = unstick(plane).args(["ns", "shop", "cart", "-o", "json"]).output().expect("the program runs");
        stdout(&report).matches("\"state\": \"Stuck\"").count() == 2
    });
}

#[test]
fn objects_of_one_class_are_one_question_unless_asked_one_by_one() {
    let plane = ControlPlane::start();
    two_held_namespaces(&plane);
    let mut together = session(&plane, &["ns", "shop"]);
    says(&mut together, "remove finalizer acme.io/hold from configmaps/a -n shop and 2 more of its kind: b, c?");
    choose(&mut together, "details");
    together.exp_string("ConfigMap shop/c").expect("lists them");
    together.exp_string("for each object").expect("with the command");
    choose(&mut together, "do it");
    together.exp_string("type 3 to confirm").expect("by their number");
    together.send_line("a").expect("typed");
    together.exp_string("type 3 to confirm").expect("the name of one is no answer for all");
    together.send_line("3").expect("typed");
    together.exp_string("verified: Namespace shop is gone").expect("all of it");
    assert_eq!(exit_code(&mut together), 0);

    let mut one_by_one = session(&plane, &["ns", "cart", "--one-by-one"]);
    for name in ["a", "b", "c"] {
        let question = format!("remove finalizer acme.io/hold from configmaps/{name} -n cart?");
        says(&mut one_by_one, &question);
        if name == "b" { choose(&mut one_by_one, "skip") } else { agree(&mut one_by_one, name) }
    }
    one_by_one.exp_string("what remains").expect("says what remains");
    assert_eq!(exit_code(&mut one_by_one), 1);
    let left = plane.kubectl_ok(&["get", "configmaps", "-n", "cart", "-o", "jsonpath={.items[*].metadata.name}"]);
    assert_eq!(left, "b");
}

#[test]
fn a_missing_right_is_named_before_the_first_question() {
    let plane = two_held_objects();
    let reader = "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: reader}, \
                  rules: [{apiGroups: ['*'], resources: ['*'], verbs: [get, list]}]}";
    plane.apply(reader);
    plane.kubectl_ok(&["create", "clusterrolebinding", "reader", "--clusterrole=reader", "--user=reader"]);
    let mut session = session(&plane, &["configmap", "one", "--as", "reader"]);
    session.exp_string("not offered, because a permission is missing").expect("before any question");
    session.exp_string("cannot patch resource").expect("names the right");
    says(&mut session, "kubectl auth can-i patch configmaps/one -n default");
    assert_eq!(exit_code(&mut session), 3);
    assert_eq!(finalizers(&plane, "one"), "acme.io/hold acme.io/keep");
    assert!(journal(&plane).is_empty(), "nothing was written");
}

#[test]
fn an_object_that_was_created_again_is_not_touched() {
    let plane = two_held_objects();
    let mut session = session(&plane, &["configmap", "one"]);
    choose(&mut session, "do it");
    session.exp_string("type one to confirm").expect("a prompt");
    let patch = r#"{"metadata":{"finalizers":null}}"#;
    plane.kubectl_ok(&["patch", "configmap", "one", "--type=merge", "-p", patch]);
    wait_until("it is gone", Duration::from_secs(10), || {
        plane.kubectl(&["get", "configmap", "one"]).status.code() == Some(1)
    });
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: one, finalizers: [acme.io/hold]}}");
    session.send_line("one").expect("typed");
    session.exp_string("not done").expect("refuses");
    session.exp_string("another object now").expect("says why");
    session.exp_string("current state:").expect("shows the new state");
    session.exp_string("not being deleted").expect("of the new object");
    assert_eq!(exit_code(&mut session), 3);
    assert_eq!(finalizers(&plane, "one"), "acme.io/hold");
}

#[test]
fn ctrl_c_while_reading_changes_nothing() {
    let (silent, address) = silent();
    let server = format!("http://{address}");
    let mut command = Command::new("env");
    command.args(["-i", "TERM=xterm", "HOME=/nowhere", PROGRAM, "ns", "shop", "--server", &server]);
    let mut session = spawn_command(command, PATIENCE).expect("a pseudo-terminal");
    let _asking = silent.accept().expect("it asks the server");
    session.send_control('c').expect("typed");
    session.exp_string("interrupted").expect("says so");
    assert_eq!(exit_code(&mut session), 130);
}

#[test]
fn a_pod_whose_node_has_come_back_is_not_killed() {
    let plane = ControlPlane::start();
    plane.apply("{apiVersion: v1, kind: Node, metadata: {name: worker}}");
    plane.apply(
        "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {nodeName: worker, automountServiceAccountToken: false, \
         terminationGracePeriodSeconds: 3600, containers: [{name: c, image: example.invalid/none}]}}",
    );
    plane.kubectl_ok(&["delete", "pod", "web", "--wait=false"]);
    std::thread::sleep(Duration::from_secs(7));
    let mut session = session(&plane, &["pod", "web", "--timeout", "4s"]);
    session.exp_string("force-delete pods/web -n default").expect("a way out");
    session.exp_string("   quit").expect("the end of the choice");
    press(&mut session, "1\r");
    session.exp_string("type web to confirm").expect("a prompt");
    // The node lifecycle controller would ignore a heartbeat as old as the node.
    let now = jiff::Timestamp::now().strftime("%FT%TZ");
    let ready = format!(
        r#"{{"status":{{"conditions":[{{"type":"Ready","status":"True","reason":"KubeletReady","message":"back","lastHeartbeatTime":"{now}","lastTransitionTime":"{now}"}}]}}}}"#
    );
    plane.kubectl_ok(&["patch", "node", "worker", "--subresource=status", "--type=merge", "-p", &ready]);
    session.send_line("web").expect("typed");
    session.exp_string("the reason for it has changed").expect("says so");
    session.exp_string("progressing").expect("shows the new state");
    assert_eq!(exit_code(&mut session), 0);
    assert_eq!(
        plane.kubectl_ok(&["get", "pod", "web", "-o", "jsonpath={.metadata.deletionGracePeriodSeconds}"]),
        "3600"
    );
}

#[test]
fn questions_fit_the_screen_and_survive_resizing() {
    let plane = two_held_objects();
    let mut session = session(&plane, &["configmap", "one"]);
    let before = session.exp_string("   quit").expect("a choice");
    assert_eq!(size(&session), "24 80", "the program's own terminal");
    // A slow read redraws its progress on one line.
    let lines = lines_of(&before);
    let wide: Vec<&str> =
        lines.iter().flat_map(|line| line.split('\r')).filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    set_size(&session, 40, 60);
    session.send_line("").expect("typed");
    session.exp_string("> details").expect("says what was chosen");
    let details = session.exp_string("   quit").expect("the same choice again");
    let facts: Vec<String> = lines_of(&details).into_iter().filter(|line| !line.contains("kubectl patch")).collect();
    assert!(facts.iter().all(|line| line.chars().count() <= 60), "laid out for what it is now: {facts:#?}");
    set_size(&session, 24, 80);
    assert_eq!(finalizers(&plane, "one"), "acme.io/hold acme.io/keep", "a resize is no answer");
    press(&mut session, "\x1b[B\r");
    session.exp_string("type one to confirm").expect("asks for the name");
    session.send_line("one").expect("typed");
    session.exp_string("done").expect("is done");
    choose(&mut session, "skip");
    assert_eq!(exit_code(&mut session), 1);
    assert_eq!(finalizers(&plane, "one"), "acme.io/keep");
}

#[test]
fn a_window_without_room_for_a_dialog_ends_it() {
    let plane = two_held_objects();
    let mut session = session(&plane, &["configmap", "one"]);
    session.exp_string("   quit").expect("a choice");
    set_size(&session, 2, 80);
    session.exp_string("too small for a question").expect("says why");
    assert_eq!(exit_code(&mut session), 130);
    assert!(reads_lines(&session), "the terminal is as it was");
    assert_eq!(finalizers(&plane, "one"), "acme.io/hold acme.io/keep");
}

#[test]
fn the_terminal_is_restored_however_a_dialog_ends() {
    let plane = two_held_objects();
    for signal in [Signal::SIGTERM, Signal::SIGHUP] {
        let mut session = session(&plane, &["configmap", "one"]);
        session.exp_string("   quit").expect("a choice");
        until_it_reads_keys(&session);
        session.process_mut().signal(signal).expect("it runs");
        session.exp_string("\x1b[?25h").expect("the cursor is back");
        assert_eq!(exit_code(&mut session), 130, "{signal}");
        assert!(reads_lines(&session), "the terminal is as it was: {signal}");
    }
    assert_eq!(finalizers(&plane, "one"), "acme.io/hold acme.io/keep");
}

/// The mildest remedy is first, nothing that writes is preselected, and the choice needs no other
/// answer than the name.
#[test]
fn several_ways_out_of_one_cause_are_one_choice() {
    let plane = controllers::shop();
    controllers::deleted(&plane, &controllers::database(&["acme.io/backup".to_owned()]));
    let target = ["databases.acme.io/orders", "-n", "shop"];
    let mut skipped = session(&plane, &target);
    says(&mut skipped, "Step 1 of 1 Database shop/orders: which way out?");
    skipped.exp_string("   quit").expect("its lines");
    // From the other end of the list: quit, then skip.
    press(&mut skipped, "\x1b[A\x1b[A\r");
    assert_eq!(exit_code(&mut skipped), 1);
    assert!(journal(&plane).is_empty(), "nothing was written");

    let mut session = session(&plane, &target);
    session.exp_string("which way out").expect("one choice");
    let choice = session.exp_string("   quit").expect("its lines");
    let at = |text: &str| choice.find(text).unwrap_or_else(|| panic!("{text}: {choice}"));
    assert!(at("> details") < at("scale Deployment") && at("scale Deployment") < at("remove finalizer"));
    set_size(&session, 70, 40);
    press(&mut session, "\r");
    session.exp_string("way out").expect("the details");
    let narrow = lines_of(&session.exp_string("   quit").expect("the same choice again"));
    let wide = |line: &&String| line.chars().count() > 40 && !line.contains("kubectl ");
    assert!(!narrow.iter().any(|line| wide(&line)), "{narrow:#?}");
    press(&mut session, "2\r");
    says(&mut session, "remove finalizer acme.io/backup from databases.acme.io/orders -n shop?");
    let asked = session.exp_string("type orders to confirm").expect("its name at once");
    assert!(!asked.contains("do it"), "{asked}");
    session.send_line("").expect("typed");
    // An empty name returns to the choice.
    says(&mut session, "which way out?");
    session.exp_string("   quit").expect("its lines");
    assert!(journal(&plane).iter().all(|record| record["record"] != "intend"), "nothing was written");
    press(&mut session, "2\r");
    session.exp_string("type orders to confirm").expect("asks for the name");
    session.send_line("orders").expect("typed");
    session.exp_string("done").expect("is done");
    assert_eq!(exit_code(&mut session), 0);
    let replicas = ["get", "deployment", "acme-operator", "-n", "ops", "-o", "jsonpath={.spec.replicas}"];
    assert_eq!(plane.kubectl_ok(&replicas), "0", "the way that was not chosen is not gone");
}

/// The rows and columns that the terminal reports.
fn size(session: &PtySession) -> String {
    let handle = session.process().get_file_handle().expect("the terminal");
    let output = Command::new("stty").arg("size").stdin(handle).output().expect("stty runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
