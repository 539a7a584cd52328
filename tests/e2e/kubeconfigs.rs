//! Kubeconfigs that kubectl accepts; each is tried with kubectl, too.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// A kubeconfig in a file of its own.
fn write(plane: &ControlPlane, name: &str, cluster: &str, user: &str) -> PathBuf {
    let path = plane.dir().join(name);
    let server = plane.kubectl_ok(&["config", "view", "-o", "jsonpath={.clusters[0].cluster.server}"]);
    let text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
         clusters: [{{name: k, cluster: {{server: \"{server}\", {cluster}}}}}]\n\
         contexts: [{{name: c, context: {{cluster: k, user: u}}}}]\n\
         users: [{{name: u, user: {{{user}}}}}]\n"
    );
    std::fs::write(&path, text).expect("a kubeconfig");
    path
}

fn ours(plane: &ControlPlane, list: impl AsRef<std::ffi::OsStr>) -> Output {
    unstick(plane).arg("version").env("KUBECONFIG", list).output().expect("the program runs")
}

fn theirs(plane: &ControlPlane, list: impl AsRef<std::ffi::OsStr>) -> Output {
    let mut kubectl = plane.command(plane.kubectl_bin_dir().join("kubectl"));
    kubectl.arg("version").env("KUBECONFIG", list).output().expect("kubectl runs")
}

#[track_caller]
fn works(plane: &ControlPlane, what: &str, list: impl AsRef<std::ffi::OsStr> + Copy) {
    let kubectl = theirs(plane, list);
    assert!(kubectl.status.success(), "{what}: kubectl itself: {}", stderr(&kubectl));
    let output = ours(plane, list);
    assert!(output.status.success(), "{what}: {}", stderr(&output));
    assert!(stdout(&output).contains("Server Version: v"), "{what}: {}", stdout(&output));
}

#[track_caller]
fn fails(plane: &ControlPlane, what: &str, path: &Path, words: &[&str]) {
    assert!(!theirs(plane, path).status.success(), "{what}: kubectl takes it");
    let output = ours(plane, path);
    assert_eq!(output.status.code(), Some(2), "{what}: {}", stdout(&output));
    for word in words {
        assert!(stderr(&output).contains(word), "{what}: {word:?} is not in: {}", stderr(&output));
    }
}

const AUTHORITY: &str = "certificate-authority: certs/ca.crt";
const ADMIN: &str = "client-certificate: certs/admin.crt, client-key: certs/admin.key";

#[test]
fn kubeconfigs_that_kubectl_takes_work() {
    let plane = ControlPlane::start();
    works(&plane, "paths below the file's own folder", &write(&plane, "relative", AUTHORITY, ADMIN));
    let named = format!("{AUTHORITY}, tls-server-name: localhost");
    works(&plane, "tls-server-name", &write(&plane, "named", &named, ADMIN));
    let other = format!("{AUTHORITY}, tls-server-name: other.example");
    fails(&plane, "another tls-server-name", &write(&plane, "other", &other, ADMIN), &["not valid for name"]);
    several_files(&plane);
    a_leaf_as_its_own_authority(&plane);
    exec_plugins(&plane);
    certificates_of_openssl(&plane);
}

fn several_files(plane: &ControlPlane) {
    let whole = std::fs::read_to_string(plane.dir().join("relative")).expect("a kubeconfig");
    let part = |name: &str, key: &str| {
        let kept = whole
            .lines()
            .filter(|line| line.starts_with("apiVersion") || line.starts_with("kind") || line.starts_with(key));
        let path = plane.dir().join(name);
        std::fs::write(&path, kept.collect::<Vec<_>>().join("\n")).expect("a part");
        path
    };
    let files = [
        part("users", "users"),
        plane.dir().join("not-there"),
        part("contexts", "contexts"),
        part("current", "current-context"),
        part("clusters", "clusters"),
    ];
    works(plane, "several files", &*std::env::join_paths(files).expect("a list"));
}

/// The serving certificate is its own authority; no other authority signed it.
fn a_leaf_as_its_own_authority(plane: &ControlPlane) {
    let leaf = "certificate-authority: certs/server.crt";
    works(plane, "a leaf as authority", &write(plane, "leaf", leaf, ADMIN));
    let other = format!("{leaf}, tls-server-name: other.example");
    fails(plane, "a leaf, another name", &write(plane, "leaf-other", &other, ADMIN), &["not valid for name"]);
    let stranger = "certificate-authority: certs/admin.crt";
    fails(plane, "somebody else's leaf", &write(plane, "stranger", stranger, ADMIN), &["UnknownIssuer"]);
}

fn exec_plugins(plane: &ControlPlane) {
    plane.kubectl_ok(&["create", "serviceaccount", "login"]);
    let rights =
        ["create", "clusterrolebinding", "login", "--clusterrole=cluster-admin", "--serviceaccount=default:login"];
    plane.kubectl_ok(&rights);
    let token = plane.kubectl_ok(&["create", "token", "login"]);
    let credential = format!(
        r#"{{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{{"token":"{}"}}}}"#,
        token.trim()
    );
    let plugin = plane.dir().join("login-plugin.sh");
    // A command with a slash is relative to the folder of the kubeconfig.
    std::fs::write(&plugin, format!("#!/bin/sh\necho '{credential}'\n")).expect("a plugin");
    std::fs::set_permissions(&plugin, std::fs::Permissions::from_mode(0o755)).expect("it may be run");
    for mode in ["Never", "IfAvailable"] {
        let user = format!(
            "exec: {{apiVersion: client.authentication.k8s.io/v1, command: {}, interactiveMode: {mode}}}",
            plugin.display()
        );
        works(plane, mode, &write(plane, &format!("exec-{mode}"), AUTHORITY, &user));
    }
}

/// Runs openssl in the folder of a control plane's certificates.
fn openssl(plane: &ControlPlane, line: &str) -> String {
    let mut openssl = Command::new("openssl");
    let output = openssl.args(line.split(' ')).current_dir(plane.dir().join("certs")).output();
    let output = output.expect("openssl is installed");
    assert!(output.status.success(), "openssl {line}: {}", stderr(&output));
    stdout(&output)
}

/// Certificates that Go's library cannot create.
fn certificates_of_openssl(plane: &ControlPlane) {
    let issue = |name: &str, curve: &str| {
        openssl(plane, &format!("ecparam -name {curve} -genkey -noout -out {name}.key"));
        openssl(plane, &format!("req -new -key {name}.key -subj /O=system:masters/CN={name} -out {name}.csr"));
        openssl(
            plane,
            &format!("x509 -req -in {name}.csr -CA ca.crt -CAkey ca.key -set_serial 7 -days 1 -out {name}.crt"),
        );
        let user = format!("client-certificate: certs/{name}.crt, client-key: certs/{name}.key");
        (write(plane, name, AUTHORITY, &user), openssl(plane, &format!("x509 -in {name}.crt -noout -text")))
    };
    let (first, text) = issue("version-one", "prime256v1");
    assert!(text.contains("Version: 1 "), "{text}");
    works(plane, "a client certificate of X.509 v1", &first);
    let (large, _) = issue("large", "secp521r1");
    works(plane, "a key on P-521", &large);
    openssl(plane, "pkcs8 -topk8 -nocrypt -in large.key -out large.p8");
    let user = "client-certificate: certs/large.crt, client-key: certs/large.p8";
    works(plane, "a key on P-521 in PKCS #8", &write(plane, "large-p8", AUTHORITY, user));
    let (unknown, _) = issue("unknown", "secp224r1");
    let output = ours(plane, &unknown);
    for words in ["the credentials", "P-256, P-384 or P-521"] {
        assert!(stderr(&output).contains(words), "{words:?} is not in: {}", stderr(&output));
    }
}

/// The API server has a key on P-521, signed by an authority on P-521 with SHA-256, which is
/// openssl's default.
#[test]
fn a_server_with_a_p_521_key_is_trusted() {
    // Its own controllers do not trust this authority.
    let plane = ControlPlane::alone();
    let certs = plane.dir().join("certs");
    std::fs::write(certs.join("names"), "subjectAltName=IP:127.0.0.1,DNS:localhost\n").expect("written");
    let large = "-newkey ec -pkeyopt ec_paramgen_curve:secp521r1 -nodes";
    openssl(&plane, &format!("req -x509 {large} -days 1 -subj /CN=large -keyout large-ca.key -out large-ca.crt"));
    openssl(&plane, &format!("req -new {large} -subj /CN=server -keyout large.key -out large.csr"));
    let signed = "-CA large-ca.crt -CAkey large-ca.key -set_serial 7 -days 1 -sha256 -extfile names";
    openssl(&plane, &format!("x509 -req -in large.csr {signed} -out large.crt"));
    let text = openssl(&plane, "x509 -in large.crt -noout -text");
    assert!(text.contains("ecdsa-with-SHA256") && text.contains("NIST CURVE: P-521"), "{text}");
    let kubeconfig = write(&plane, "large-server", "certificate-authority: certs/large-ca.crt", ADMIN);
    fails(&plane, "a server of another authority", &kubeconfig, &["UnknownIssuer"]);
    for (from, to) in [("large.key", "server.key"), ("large.crt", "server.crt")] {
        std::fs::rename(certs.join(from), certs.join(to)).expect("renamed");
    }
    // Without a notification, the server checks once a minute.
    wait_until("the server shows it", Duration::from_secs(90), || theirs(&plane, &kubeconfig).status.success());
    works(&plane, "a server's key on P-521", &kubeconfig);
    fails(&plane, "the authority before", &write(&plane, "before", AUTHORITY, ADMIN), &["UnknownIssuer"]);
}
