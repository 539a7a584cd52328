//! The output when the state folder is not as it should be, or rights are missing: a table in
//! `docs/reliability.md`, which `UNSTICK_RECORD=1 cargo test --test e2e state` writes.

use crate::connection::server;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use std::fmt::Write;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

const RUN: &str = r#"{"record":"run","version":"unstick.dev/journal/v1","at":"2026-01-01T00:00:00Z","who":"ann","run":{"arguments":["x"],"context":null,"server":"https://s/","cluster":"u","targets":["ns/a"]}}"#;
const RELEASE: [&str; 4] = ["configmap", "held", "--approve", "leaks"];

/// A control plane with something to release, and the rows so far.
struct Table<'p> {
    plane: &'p ControlPlane,
    /// The uid of the cluster.
    uid: String,
    rows: String,
    wrong: String,
}

impl Table<'_> {
    /// The folder, empty and as the program creates it.
    fn folder(&self) -> PathBuf {
        let folder = self.plane.dir().join("state/kubectl-unstick");
        if fs::symlink_metadata(&folder).is_ok_and(|found| found.is_dir()) {
            fs::remove_dir_all(&folder).expect("it goes");
        } else {
            fs::remove_file(&folder).ok();
        }
        fs::create_dir_all(&folder).expect("a folder");
        mode(&folder, 0o700);
        folder
    }

    /// Adds the output of one run.
    fn row(&mut self, case: &str, arguments: &[&str], says: &str, code: i32) {
        self.row_in(None, case, arguments, says, code);
    }

    fn row_in(&mut self, state: Option<&str>, case: &str, arguments: &[&str], says: &str, code: i32) {
        let mut command = unstick(self.plane);
        if let Some(state) = state {
            command.env("XDG_STATE_HOME", state);
        }
        let output = command.args(arguments).output().expect("the program runs");
        let said = format!("{}{}", stderr(&output), stdout(&output));
        let said = said.replace(&self.plane.dir().display().to_string(), "…");
        // Replaces the parts that differ in each run.
        let said = said.replace(&server(self.plane), "https://SERVER").replace(&self.uid, "UID");
        let line = said.lines().find(|line| line.contains(says)).map(str::trim);
        let written = match line.filter(|_| output.status.code() == Some(code)) {
            Some(line) => writeln!(self.rows, "| {case} | {} | {code} |", line.replace('|', "\\|")),
            None => writeln!(self.wrong, "{case}: {:?}, and not {code} with {says:?}:\n{said}", output.status.code()),
        };
        written.expect("a string takes it");
    }
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("its owner may");
}

#[test]
fn each_state_of_the_folder_and_of_the_rights_has_its_sentence_and_its_exit_code() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    for namespace in ["default", "shop"] {
        plane.apply(&format!(
            "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: held, namespace: {namespace}, finalizers: [acme.io/hold]}}}}"
        ));
        plane.kubectl_ok(&["delete", "configmap", "held", "-n", namespace, "--wait=false"]);
    }
    // Before that, the deletion is within its usual time.
    std::thread::sleep(Duration::from_secs(6));
    let head = "| what is wrong | the program says | exit code |\n|---|---|---|\n";
    let uid = plane.kubectl_ok(&["get", "namespace", "kube-system", "-o", "jsonpath={.metadata.uid}"]);
    let mut table = Table { plane: &plane, uid, rows: head.into(), wrong: String::new() };
    of_writing(&mut table);
    of_reading(&mut table);
    of_rights(&mut table);
    assert!(table.wrong.is_empty(), "{}", table.wrong);
    let left = plane.kubectl_ok(&["get", "configmap", "held", "-o", "jsonpath={.metadata.finalizers}"]);
    assert_eq!(left, "[\"acme.io/hold\"]", "nothing is changed that is not on record");
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        record(&table.rows);
    }
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reliability.md")).expect("it");
    let command = "UNSTICK_RECORD=1 cargo test --test e2e state";
    assert!(page.contains(&table.rows), "docs/reliability.md is out of date: {command}; now:\n{}", table.rows);
}

fn record(rows: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reliability.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (head, rest) = page.split_once("<!-- state: begin -->\n").expect("where the table begins");
    let (_, tail) = rest.split_once("<!-- state: end -->").expect("where it ends");
    let page = format!("{head}<!-- state: begin -->\n\n{rows}\n<!-- state: end -->{tail}");
    fs::write(path, page).expect("the page is written");
}

fn of_writing(table: &mut Table<'_>) {
    let folder = table.folder();
    mode(&folder, 0o777);
    table.row("a write, and others may write to the folder", &RELEASE, "can be written by others", 3);
    let folder = table.folder();
    fs::remove_dir(&folder).expect("it is empty");
    symlink(table.plane.dir(), &folder).expect("a link");
    table.row("a write, and the folder is a link", &RELEASE, "is a link, or not a directory", 3);
    let folder = table.folder();
    fs::remove_dir(&folder).expect("it is empty");
    fs::write(&folder, "").expect("a file");
    table.row("a write, and a file is in the folder's place", &RELEASE, "kubectl-unstick", 3);
    let home = Some("/proc/nowhere");
    table.row_in(home, "a write, and the home is read-only", &RELEASE, "/proc/nowhere", 3);
}

fn of_reading(table: &mut Table<'_>) {
    let folder = table.folder();
    mode(&folder, 0o777);
    table.row("`journal`, and others may write to the folder", &["journal"], "can be written by others", 2);
    table.row("`undo`, and others may write to the folder", &["undo"], "can be written by others", 2);
    let folder = table.folder();
    table.row("`undo`, and no run is on record", &["undo"], "nothing to undo", 0);
    let file = folder.join("20260101T000000Z-1.jsonl");
    fs::write(&file, format!("{RUN}\n")).expect("a file");
    mode(&file, 0o666);
    table.row("`journal`, and others may write to a run's file", &["journal"], "can be written by others", 2);
    fs::remove_file(&file).expect("it goes");
    symlink("/dev/zero", &file).expect("a link");
    table.row("`journal`, and a run's file is a link", &["journal"], "not a regular file", 2);
    fs::remove_file(&file).expect("it goes");
    fs::write(&file, format!("{}\n", RUN.replace("journal/v1", "journal/v9"))).expect("a file");
    mode(&file, 0o600);
    table.row("`journal`, and a later version has written a run", &["journal"], "another version", 2);
    fs::write(&file, format!("{RUN}\n{{\"record\":\"int")).expect("a file");
    table.row("`journal`, and a run's last line is cut off", &["journal"], "is damaged", 0);
    table.row("`undo` of a run on another cluster", &["undo", "20260101T000000Z-1"], "another cluster", 2);
    let lock = fs::File::open(&file).expect("a file");
    lock.lock().expect("as its process would");
    let prune = ["journal", "prune", "--older-than", "1d", "--yes"];
    table.row("`journal prune` of a run that still goes on", &prune, "it is still running", 0);
    table.folder();
}

fn of_rights(table: &mut Table<'_>) {
    let plane = table.plane;
    let give = |role: &str, resource: &str, user: &str| {
        plane.kubectl_ok(&["create", "clusterrole", role, "--verb=get,list", &format!("--resource={resource}")]);
        plane.kubectl_ok(&["create", "clusterrolebinding", role, &format!("--clusterrole={role}"), "--user", user]);
    };
    give("sees-all", "*.*", "reader");
    plane.kubectl_ok(&["create", "rolebinding", "ann", "-n", "shop", "--clusterrole=admin", "--user=ann"]);
    for (user, namespace) in [("reader", "default"), ("ann", "shop")] {
        let may = ["auth", "can-i", "list", "configmaps", "-n", namespace, "--as", user];
        let is_heeded = || plane.kubectl(&may).status.success();
        crate::support::wait::wait_until("the rights are heeded", Duration::from_mins(1), is_heeded);
    }
    let refused = [&RELEASE[..], &["--as", "reader"]].concat();
    table.row("a write by somebody who may only read", &refused, "cannot patch resource", 3);
    let elsewhere = ["configmap", "held", "-n", "default", "--as", "ann"];
    table.row("somebody with rights in another namespace alone", &elsewhere, "which ann may not read", 2);
    let own = ["configmap", "held", "-n", "shop", "--as", "ann"];
    table.row("somebody with rights in this namespace alone", &own, "acme.io/hold", 1);
}
